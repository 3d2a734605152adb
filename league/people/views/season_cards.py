"""Cards of the current seasons on a player's page, each with the rank and a chart of the last evenings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any, NamedTuple

from league.models.season import SeasonState
from league.people.queries.player_results import EveningResult
from league.seasons.queries.player_seasons import RecentResult, recent_results
from league.seasons.queries.unranked_reason import unranked_reason
from league.web.marks import rank_arrow
from league.web.recent_evenings_chart import EveningColumn, RecentEveningsChart, recent_evenings_chart
from scoring.numbers import localise, round_to_decimals

MIN_POINTS_WITHOUT_DECIMALS = 100  # points; smaller numbers are shown with one decimal


class EveningMark(NamedTuple):
    """An evening in the chart, and in the table below the chart."""

    evening: RecentResult
    result: EveningResult | None  # None if the player was absent
    is_won: bool
    number: str  # the rounded points, as on the chart; in brackets if the evening is dropped
    day: str  # such as "3/12"

    @property
    def kind(self) -> str:
        return self.evening.kind


class SeasonCard(NamedTuple):
    """A season on a player's page: rank, change of rank, and a chart of the last evenings (None: no chart)."""

    standing: Any
    rank_change: str  # HTML of an arrow
    unranked: str  # the reason why the player has no rank, or ""
    chart: RecentEveningsChart | None
    columns: Sequence[tuple[EveningColumn, EveningMark]]

    @property
    def has_win(self) -> bool:
        return any(mark.is_won for _column, mark in self.columns)

    @property
    def has_dropped(self) -> bool:
        return any(mark.kind == "dropped" for _column, mark in self.columns)


def open_season_standings(standings: Iterable[Any], last_played: Sequence[int]) -> list[Any]:
    """Return the player's standings in open seasons, sorted by the last evening played, the latest first.

    `last_played` are the season ids of all the player's evenings, the latest evening first.
    """
    order = {season: index for index, season in enumerate(dict.fromkeys(last_played))}
    current = [row for row in standings if row.season.state == SeasonState.OPEN]
    return sorted(current, key=lambda row: order.get(row.season_id, len(order)))


def charted_evening_ids(standings: Iterable[Any]) -> set[int]:
    """Return the ids of the evenings in the charts of these standings that the player attended."""
    return {evening for row in standings for evening, _day in row.last_evenings if str(evening) in row.worth}


def season_card(standing: Any, results: Collection[EveningResult] | None) -> SeasonCard:
    """Return the card of a season for a player's page.

    `results` has the player's results of the last evenings. None: the card gets no chart.
    """
    if results is None:
        return SeasonCard(
            standing, rank_arrow(standing.rank, standing.rank_before), unranked_reason(standing), None, []
        )
    by_evening = {result.evening.pk: result for result in results}
    marks = [_evening_mark(evening, by_evening.get(evening.evening)) for evening in recent_results(standing)]
    values = [None if mark.evening.value is None else float(mark.evening.value) for mark in marks]
    chart = recent_evenings_chart(values) if len(marks) > 1 else None
    return SeasonCard(
        standing,
        rank_arrow(standing.rank, standing.rank_before),
        unranked_reason(standing),
        chart,
        list(zip(chart.columns, marks, strict=True)) if chart else [],
    )


def _evening_mark(evening: RecentResult, result: EveningResult | None) -> EveningMark:
    row = result.ranking_row if result else None
    number = ""
    if evening.value is not None:
        number = localise(
            round_to_decimals(evening.value, 0 if abs(float(evening.value)) >= MIN_POINTS_WITHOUT_DECIMALS else 1)
        )
        number = f"({number})" if evening.kind == "dropped" else number
    day = f"{evening.date.day}/{evening.date.month}"
    return EveningMark(evening, result, row is not None and row.rank == 1 and not row.rested, number, day)
