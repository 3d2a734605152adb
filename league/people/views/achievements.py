"""A player's evenings of the last year, and achievements: medals of seasons, evenings won, milestones (10, 25 …)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from league.seasons.queries.player_seasons import medals

MILESTONES: Final = (10, 25, 50, 100, 150, 200, 250, 300, 400, 500, 750, 1000)  # evenings


class Milestone(NamedTuple):
    number: int
    date: date


class Achievements(NamedTuple):
    medals: list[Any]  # standings
    won: int  # evenings
    milestone: Milestone | None

    def __bool__(self) -> bool:
        return bool(self.medals or self.won or self.milestone)


def achievements(standings: Iterable[Any], evenings_played: Sequence[date]) -> Achievements:
    """Return the medals, the evenings won and the latest milestone.

    `evenings_played` are the dates of the closed evenings with a table, newest first.
    """
    rows = list(standings)
    return Achievements(medals(rows), sum(row.won for row in rows), _milestone(evenings_played))


def _milestone(evenings_played: Sequence[date]) -> Milestone | None:
    number = max((number for number in MILESTONES if number <= len(evenings_played)), default=None)
    return None if number is None else Milestone(number, evenings_played[-number])
