"""Comparison of a season's standings by several standings rules, such as drafts, or by other points. Nothing is stored.

No deal is scored here: points by other house rules come from `house_rules_trial`. `rules_consequences` previews a
change of the house rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    """A player's rank and total by one of the compared rules, compared with the rank by the first rules.

    `above` is the number of ranks by which the rank is better, `below` the number by which it is worse. `total` has the
    sign on score sheets; it is None if the player has no row.
    """

    rank: int | None
    total: ExactNumber | None
    above: int
    below: int


class ComparedRow(NamedTuple):
    """A player's rows, one for each of the compared rules; None if the player has no row by these rules.

    `signs` has a number for each of the rules: -1 if pages show the totals with the opposite sign, else 1.
    """

    player: Player
    rows: Sequence[RankingRow | None]
    signs: Sequence[int]

    @property
    def ranks(self) -> list[int | None]:
        return [row and row.rank for row in self.rows]

    @property
    def has_other_rank(self) -> bool:
        return len(set(self.ranks)) > 1

    @property
    def compared_ranks(self) -> list[ComparedRank]:
        """The player's rank by each of the compared rules, and its distance from the rank by the first rules.

        If one of the two rows has no rank, the distance is 0.
        """
        before = self.ranks[0]
        gains = [before - rank if before and rank else 0 for rank in self.ranks]
        totals = [row and sign * row.total for row, sign in zip(self.rows, self.signs, strict=True)]
        return [
            ComparedRank(rank, total, max(gain, 0), max(-gain, 0))
            for rank, total, gain in zip(self.ranks, totals, gains, strict=True)
        ]


class ComparedEvening(NamedTuple):
    """A player's result of an evening by each of the compared rules: its value, and whether it counts. A result without
    a worth is None.

    The values have the sign on score sheets.
    """

    evening: Evening
    values: Sequence[tuple[ExactNumber, bool] | None]


def compare_rules(season: Season, compared_rules: Sequence[ComparedRules]) -> list[ComparedRow]:
    """Return a row for each player, in the order of the ranking by the first of `compared_rules`.

    Players who have a row only by other rules come last. For example, only some rules count rounds sat out.
    """
    standings = [
        {row.player: row for row in rank_seasons([season], None, *rules)[season.pk]} for rules in compared_rules
    ]
    signs = [-1 if season.is_low_total_best(rules.rules.worth.name) else 1 for rules in compared_rules]
    return compared_rows(standings, signs)


def compared_rows(standings: Sequence[Mapping[int, RankingRow]], signs: Sequence[int]) -> list[ComparedRow]:
    """Return the rows of `compare_rules`. `standings` has {player id: row of the ranking} for each of the rules."""
    pks = list(dict.fromkeys(pk for rows in standings for pk in rows))
    players = Player.objects.in_bulk(pks)
    return [ComparedRow(players[pk], [rows.get(pk) for rows in standings], signs) for pk in pks]


def compared_evenings(season: Season, compared: ComparedRow) -> list[ComparedEvening]:
    """Return the evenings with a worth for the player of `compared` by any of the rules, oldest first."""
    evenings = []
    for evening in season.evenings.closed().order_by("date", "pk"):
        values = [
            (sign * row.worth[evening.pk], evening.pk in row.counted) if row and evening.pk in row.worth else None
            for row, sign in zip(compared.rows, compared.signs, strict=True)
        ]
        if any(values):
            evenings.append(ComparedEvening(evening, values))
    return evenings
