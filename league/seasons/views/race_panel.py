"""The season race as a chart: on a season's page the viewer's line is marked, on its honours the champion's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from league.seasons.queries.season_race import RACERS, season_race
from league.seasons.tables import EveningHeading
from league.web.charts import rank_chart


def race_panel(season: Any, headings: Sequence[EveningHeading], marked: int | None) -> dict[str, object] | None:
    """Return the chart and its rows for the page, or None without a race.

    `season` is annotated by `with_standings_digest`; `headings` are its closed evenings, oldest first.
    """
    race = season_race(season, [heading.evening for heading in headings], marked)
    if race is None:
        return None
    chart = rank_chart(race.orders, [racer.standing.player_id for racer in race.racers], RACERS, marked)
    return {
        "headings": [heading for heading in headings if heading.evening in race.evenings],
        "racers": [(racer, line) for racer, line in zip(race.racers, chart.lines, strict=True)],
        "chart": chart,
        "is_lower_lane_free": chart.has_lower_lane and len(race.racers) < chart.lanes,
    }
