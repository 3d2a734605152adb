"""The season race as a chart, for the pages of a season and of its honours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from league.seasons.queries.season_race import MAX_RACERS, season_race
from league.seasons.tables import EveningHeading
from league.web.charts import rank_chart


def race_panel(season: Any, headings: Sequence[EveningHeading], marked: int | None) -> dict[str, object] | None:
    """Return the context for the chart of the season race, or None if fewer than two evenings have ranks.

    `season` must be annotated by `with_standings_digest`; `headings` are its closed evenings, oldest first. `marked` is
    the id of the player whose line is marked.
    """
    race = season_race(season, [heading.evening for heading in headings], marked)
    if race is None:
        return None
    chart = rank_chart(race.orders, [racer.standing.player_id for racer in race.racers], MAX_RACERS, marked)
    return {
        "headings": [heading for heading in headings if heading.evening in race.evenings],
        "racers": [(racer, line) for racer, line in zip(race.racers, chart.lines, strict=True)],
        "chart": chart,
        "is_lower_lane_free": chart.has_lower_lane and len(race.racers) < chart.lanes,
    }
