"""Statistics as bars beside everyone's average, and comparisons with opponents as shaded cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple, TypeVar

from league.statistics.queries.player_statistics import MeanValue, SectionValues, ShareValue
from league.statistics.queries.tables_played import SharedTables
from league.web.average_bars import AverageBar, AverageBars, average_bars

FEW_CASES: Final = 10  # a share or mean of fewer cases says little
SHADE_COUNT: Final = 4

V = TypeVar("V", ShareValue, MeanValue)


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


class Comparison(NamedTuple):
    """A cell in the table of opponents: how many of the shared tables had one outcome, such as a better rank.

    `shade` grows with the share of these tables; 0 for none.
    """

    tables: int
    shade: int


class OpponentRow(NamedTuple):
    shared: SharedTables
    cells: tuple[Comparison, ...]  # before, level, behind


def statistic_sections(sections: Sequence[SectionValues]) -> list[StatisticSection]:
    means = [
        number for section in sections for value in statistics_of(section, MeanValue) for number in _numbers(value)
    ]
    largest = max((abs(number) for number in means if number is not None), default=0)
    return [StatisticSection(section.title, _rows(section, largest)) for section in sections]


def _rows(section: SectionValues, largest: float) -> list[StatisticRow]:
    """All shares have the scale of 100 percent, and all means of the page one with zero in the middle."""
    share_bars = average_bars([(value.share, value.average) for value in statistics_of(section, ShareValue)], maximum=1)
    mean_bars = average_bars(
        [_numbers(value) for value in statistics_of(section, MeanValue)], minimum=-largest, maximum=largest
    )
    bars = {ShareValue: (share_bars, iter(share_bars.bars)), MeanValue: (mean_bars, iter(mean_bars.bars))}
    rows = []
    for value in section.statistics:
        chart, bars_of_kind = bars[type(value)]
        rows.append(StatisticRow(value, next(bars_of_kind), chart, _cases(value) < FEW_CASES))
    return rows


def statistics_of(section: SectionValues, kind: type[V]) -> list[V]:
    return [value for value in section.statistics if isinstance(value, kind)]


def _numbers(value: MeanValue) -> tuple[float, float | None]:
    return float(value.mean), None if value.average is None else float(value.average)


def _cases(value: ShareValue | MeanValue) -> int:
    return value.total if isinstance(value, ShareValue) else value.number


def opponent_row(shared: SharedTables) -> OpponentRow:
    counts = (shared.before, shared.level, shared.behind)
    return OpponentRow(shared, tuple(Comparison(count, -(-SHADE_COUNT * count // shared.tables)) for count in counts))
