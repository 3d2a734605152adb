"""A player's achievements: medals of seasons, evenings won, and milestones (10, 25 … evenings)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from league.seasons.queries.player_seasons import medal_standings

MILESTONES: Final = (10, 25, 50, 100, 150, 200, 250, 300, 400, 500, 750, 1000)  # evenings


class Milestone(NamedTuple):
    """A number of evenings played, and the date of the last of them."""

    number: int
    date: date


class Achievements(NamedTuple):
    """A player's achievements."""

    medals: list[Any]  # standings of closed seasons, with one of the first three ranks
    won: int  # number of evenings won
    milestone: Milestone | None  # the latest

    def __bool__(self) -> bool:
        return bool(self.medals or self.won or self.milestone)


def achievements(standings: Iterable[Any], evenings_played: Sequence[date]) -> Achievements:
    """Return medals, number of evenings won and the latest milestone.

    `standings` are all standings of the player. `evenings_played` are the dates of closed evenings with a table, the
    newest first.
    """
    rows = list(standings)
    return Achievements(medal_standings(rows), sum(row.won for row in rows), _milestone(evenings_played))


def _milestone(evenings_played: Sequence[date]) -> Milestone | None:
    number = max((number for number in MILESTONES if number <= len(evenings_played)), default=None)
    return None if number is None else Milestone(number, evenings_played[-number])
