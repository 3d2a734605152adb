"""Comparison of a season's standings by several standings rules, such as drafts, or by other points. Nothing is stored.

No deal is scored here: points by other house rules come from `house_rules_trial`. `rules_consequences` previews a
change of the house rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from league.models import Evening, Season
from league.seasons.queries.house_rules_trial import SeatPoints
from league.seasons.queries.season_rankings import rank_seasons
from league.standings.ranking import RankingRow
from league.standings.rules import StandingsRules
from league.standings.season import ExactNumber
from players.models import Player


class ComparedRules(NamedTuple):
    """Rules to compare. `seat_points` are the points by other house rules; None for the stored points."""

    rules: StandingsRules
    seat_points: SeatPoints | None = None


class ComparedRank(NamedTuple):
    """A player's row in the ranking by one of the compared rules. `above` or `below`: the number of ranks by which the
    row is better or worse than the player's row by the first rules.
    """

    row: RankingRow
    above: int
    below: int


class ComparedRow(NamedTuple):
    """A player's rows, one for each of the compared rules."""

    player: Player
    rows: Sequence[RankingRow]

    @property
    def has_other_rank(self) -> bool:
        return len({row.rank for row in self.rows}) > 1

    @property
    def compared_ranks(self) -> list[ComparedRank]:
        """The player's row by each of the compared rules, and its distance in ranks from the row by the first rules.

        If one of the two rows has no rank, the distance is 0.
        """
        before = self.rows[0].rank
        gains = [before - row.rank if before and row.rank else 0 for row in self.rows]
        return [ComparedRank(row, max(gain, 0), max(-gain, 0)) for row, gain in zip(self.rows, gains, strict=True)]


class ComparedEvening(NamedTuple):
    """A player's result of an evening by each of the compared rules: its value, and whether it counts. A result without
    a worth is None.
    """

    evening: Evening
    values: Sequence[tuple[ExactNumber, bool] | None]


def compare_rules(season: Season, compared_rules: Sequence[ComparedRules]) -> list[ComparedRow]:
    """Return a row for each player, in the order of the ranking by the first of the rules."""
    standings = [
        {row.player: row for row in rank_seasons([season], None, *rules)[season.pk]} for rules in compared_rules
    ]
    players = Player.objects.in_bulk(list(standings[0]))
    return [ComparedRow(players[pk], [rows[pk] for rows in standings]) for pk in standings[0]]


def compared_evenings(season: Season, compared: ComparedRow) -> list[ComparedEvening]:
    """Return the evenings with a worth for the player of `compared` by any of the rules, oldest first."""
    evenings = []
    for evening in season.evenings.closed().order_by("date", "pk"):
        values = [
            (row.worth[evening.pk], evening.pk in row.counted) if evening.pk in row.worth else None
            for row in compared.rows
        ]
        if any(values):
            evenings.append(ComparedEvening(evening, values))
    return evenings
