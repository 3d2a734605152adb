"""The same season by several standings rules beside each other: who would stand where, and from which evenings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from league.models import Evening, Season
from league.seasons.queries.house_rules_trial import SeatPoints
from league.seasons.queries.season_rankings import rank_seasons
from league.standings.ranking import RankingRow
from league.standings.rules import StandingsRules
from league.standings.season import Exact
from players.models import Player


class TriedRules(NamedTuple):
    """What a season is tried by: standings rules, and what the seats have by other house rules, if by others."""

    rules: StandingsRules
    seat_points: SeatPoints | None = None


class ComparedPlace(NamedTuple):
    """A player's row by some rules, and how many places it is above or below the one by the first rules."""

    row: RankingRow
    above: int
    below: int


class ComparedRow(NamedTuple):
    """A player, and the row that each of the rules gives him."""

    player: Player
    rows: Sequence[RankingRow]

    @property
    def moves(self) -> bool:
        """Whether the rules place the player differently."""
        return len({row.rank for row in self.rows}) > 1

    @property
    def places(self) -> list[ComparedPlace]:
        """The player's place by each of the rules. Without a rank it is neither above nor below."""
        before = self.rows[0].rank
        moved = [before - row.rank if before and row.rank else 0 for row in self.rows]
        return [ComparedPlace(row, max(by, 0), max(-by, 0)) for row, by in zip(self.rows, moved, strict=True)]


class ComparedEvening(NamedTuple):
    """What an evening is worth to somebody by each of the rules, and whether it counts; None: he has no worth there."""

    evening: Evening
    values: Sequence[tuple[Exact, bool] | None]


def compare(season: Season, tried: Sequence[TriedRules]) -> list[ComparedRow]:
    """Return everyone in the season by each of the rules, in the order of the first. Nothing is saved."""
    found = [{row.player: row for row in rank_seasons([season], None, *rules)[season.pk]} for rules in tried]
    people = Player.objects.in_bulk(list(found[0]))
    return [ComparedRow(people[player], [rows[player] for rows in found]) for player in found[0]]


def compared_evenings(season: Season, compared: ComparedRow) -> list[ComparedEvening]:
    """Return the evenings that a player attended, in order of time, by each of the rules."""
    found = []
    for evening in season.evenings.closed().order_by("date", "pk"):
        values = [
            (row.worth[evening.pk], evening.pk in row.counted) if evening.pk in row.worth else None
            for row in compared.rows
        ]
        if any(values):
            found.append(ComparedEvening(evening, values))
    return found
