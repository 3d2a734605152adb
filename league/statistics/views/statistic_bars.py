"""The display of statistics: bars beside the average of all players, and comparisons with opponents as shaded cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from league.statistics.queries.player_statistics import MeanValue, SectionValues, ShareValue
from league.statistics.queries.tables_played import SharedTables
from league.web.average_bars import AverageBar, AverageBars, average_bars

MIN_RELIABLE_CASES: Final = 10  # a share or mean of fewer cases has a pale bar
SHADE_COUNT: Final = 4

ValueT = TypeVar("ValueT", ShareValue, MeanValue)


class StatisticRow(NamedTuple):
    value: ShareValue | MeanValue
    bar: AverageBar
    bars: AverageBars
    is_few: bool

    @property
    def is_loss(self) -> bool:
        return isinstance(self.value, MeanValue) and self.value.mean < 0


class StatisticSection(NamedTuple):
    title: str
    rows: list[StatisticRow]


class ComparisonCell(NamedTuple):
    """A cell in the table of opponents: the number of shared tables with one outcome (better, equal or worse rank).

    `shade` grows with the share of these tables; 0: no such table.
    """

    tables: int
    shade: int


class OpponentRow(NamedTuple):
    shared: SharedTables
    cells: tuple[ComparisonCell, ...]  # ahead, tied, behind


def statistic_sections(sections: Sequence[SectionValues]) -> list[StatisticSection]:
    means = [
        number
        for section in sections
        for value in values_of_kind(section, MeanValue)
        for number in _mean_and_average(value)
    ]
    largest = max((abs(number) for number in means if number is not None), default=0)
    return [StatisticSection(section.title, _statistic_rows(section, largest)) for section in sections]


def _statistic_rows(section: SectionValues, largest: float) -> list[StatisticRow]:
    """Return the rows of a section with their bars.

    The bars of shares have a scale to 100 percent. The bars of all means on the page have one scale, with zero in the
    middle.
    """
    share_bars = average_bars(
        [(value.share, value.average) for value in values_of_kind(section, ShareValue)], maximum=1
    )
    mean_bars = average_bars(
        [_mean_and_average(value) for value in values_of_kind(section, MeanValue)], minimum=-largest, maximum=largest
    )
    bars = {ShareValue: (share_bars, iter(share_bars.bars)), MeanValue: (mean_bars, iter(mean_bars.bars))}
    rows = []
    for value in section.statistics:
        chart, bars_of_kind = bars[type(value)]
        rows.append(StatisticRow(value, next(bars_of_kind), chart, _case_count(value) < MIN_RELIABLE_CASES))
    return rows


def values_of_kind(section: SectionValues, kind: type[ValueT]) -> list[ValueT]:
    return [value for value in section.statistics if isinstance(value, kind)]


def _mean_and_average(value: MeanValue) -> tuple[float, float | None]:
    return float(value.mean), None if value.average is None else float(value.average)


def _case_count(value: ShareValue | MeanValue) -> int:
    return value.total if isinstance(value, ShareValue) else value.number


def opponent_row(shared: SharedTables) -> OpponentRow:
    counts = (shared.ahead, shared.tied, shared.behind)
    return OpponentRow(
        shared, tuple(ComparisonCell(count, -(-SHADE_COUNT * count // shared.tables)) for count in counts)
    )
