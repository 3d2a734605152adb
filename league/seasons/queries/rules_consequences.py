"""Preview of a change of a season's rules: players whose rank or total would change. Nothing is stored or locked.

The change is one of `actions.seasons.change_rules`, such as other house rules: the deals are scored again. A change of
the standings rules is previewed by `rules_comparison`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from league.models import Evening, Season
from league.seasons.queries.house_rules_trial import try_house_rules
from league.seasons.queries.season_rankings import rank_season, rank_seasons
from league.standings.ranking import RankingRow
from players.models import Player


class MovedRow(NamedTuple):
    """A player's rows in the standings before and after a change of rules; None if there is no row."""

    player: Player
    rows: tuple[RankingRow | None, RankingRow | None]


def rules_consequences(
    season: Season, house_rules: Mapping[str, Any], since: Evening | None = None, later_only: bool = False
) -> list[MovedRow]:
    """Return the players whose rank or total would change by `actions.seasons.change_rules`.

    `season` has the new values in memory; the other arguments are those of `change_rules`. Raise IllegalDeal if a deal
    is illegal by the new rules.
    """
    stored = Season.objects.get(pk=season.pk)
    season.house_rules = dict(house_rules)
    trial = try_house_rules(season, stored.house_rules, since, later_only=later_only)
    before, after = (
        _rows_by_player(rank_season(stored)),
        _rows_by_player(rank_seasons([season], None, None, *trial)[season.pk]),
    )
    players = Player.objects.in_bulk({*before, *after})
    rows = [(player, before.get(player), after.get(player)) for player in [*before, *(after.keys() - before.keys())]]
    return [
        MovedRow(players[player], (before_row, after_row))
        for player, before_row, after_row in rows
        if _rank_and_total(before_row) != _rank_and_total(after_row)
    ]


def _rank_and_total(row: RankingRow | None) -> object:
    return row and (row.rank, row.total)


def _rows_by_player(ranking: list[RankingRow]) -> dict[int, RankingRow]:
    return {row.player: row for row in ranking}
