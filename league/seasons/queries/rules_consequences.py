"""Preview of a change of a season's rules: players whose rank or total would change. Nothing is stored or locked.

The change is one of `actions.seasons.change_rules`, such as other house rules: the deals are scored again. A change of
the standings rules is previewed by `rules_comparison`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from league.models import Evening, Season
from league.seasons.queries.house_rules_trial import try_house_rules
from league.seasons.queries.rules_comparison import ComparedRow, compared_rows
from league.seasons.queries.season_rankings import rank_season, rank_seasons
from league.standings.ranking import RankingRow


def rules_consequences(
    season: Season, house_rules: Mapping[str, Any], since: Evening | None = None, later_only: bool = False
) -> list[ComparedRow]:
    """Return the players whose rank or total would change by `actions.seasons.change_rules`, with both rows.

    `season` has the other new values in memory. `house_rules`, `since` and `later_only` mean the same as in
    `change_rules`. Raise IllegalDeal if a deal is illegal by the new rules.
    """
    stored = Season.objects.get(pk=season.pk)
    season.house_rules = dict(house_rules)
    trial = try_house_rules(season, stored.house_rules, since, later_only=later_only)
    rankings = [rank_season(stored), rank_seasons([season], None, None, *trial)[season.pk]]
    signs = [stored.convert_total(1), season.convert_total(1)]
    rows = compared_rows([{row.player: row for row in ranking} for ranking in rankings], signs)
    return [row for row in rows if len({_rank_and_total(ranked) for ranked in row.rows}) > 1]


def _rank_and_total(row: RankingRow | None) -> object:
    return row and (row.rank, row.total)
