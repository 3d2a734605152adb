"""Who would move if a season's fields and house rules changed. Nothing is written or locked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from league.models import Evening, Season
from league.seasons.queries.house_rules_trial import season_trial
from league.seasons.queries.season_rankings import rank_season, rank_seasons
from league.standings.ranking import RankingRow
from players.models import Player


class MovedRow(NamedTuple):
    """A player, and his row now and then; None where he is not in the standings."""

    player: Player
    rows: tuple[RankingRow | None, RankingRow | None]


def rules_consequences(
    season: Season, house_rules: Mapping[str, Any], since: Evening | None = None, later_only: bool = False
) -> list[MovedRow]:
    """Return whose rank or total a change of rules would move, in the order of the ranks that stand.

    `season` has its fields as a form filled them in; the rest is as for `actions.seasons.change_rules`. Raises
    IllegalDeal as that does.
    """
    stands = Season.objects.get(pk=season.pk)
    season.house_rules = dict(house_rules)
    trial = season_trial(season, stands.house_rules, since, later_only=later_only)
    before, after = _rows(rank_season(stands)), _rows(rank_seasons([season], None, None, *trial)[season.pk])
    people = Player.objects.in_bulk({*before, *after})
    both = [(player, before.get(player), after.get(player)) for player in [*before, *(after.keys() - before.keys())]]
    return [MovedRow(people[player], (now, then)) for player, now, then in both if _place(now) != _place(then)]


def _place(row: RankingRow | None) -> object:
    return row and (row.rank, row.total)


def _rows(ranking: list[RankingRow]) -> dict[int, RankingRow]:
    return {row.player: row for row in ranking}
