from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, NamedTuple

import django_tables2 as tables
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models import Evening, Season, Standing
from league.models.standing import TOTAL_EXPRESSION
from league.seasons.queries.rules_summary import tie_break_text
from league.seasons.queries.season_results import EveningResult, ResultKind, evening_results
from league.seasons.queries.unranked_reason import unranked_reason
from league.standings.season import ExactNumber
from league.web.charts import EveningOutcome, recent_evening_bars
from league.web.marks import medal, rank_arrow, recent_evening_bars_svg
from league.web.tables import DETAIL_NUMBER_ATTRS, RANK_ATTRS, PointsColumn
from players.dates import date_format
from scoring.numbers import points, round_to_decimals

ABSENT_MARK: Final = "·"
TOTAL_COLUMN_ATTRS: Final = {"th": {"class": "num total-head"}, "td": {"class": "num"}}
MAX_RECENT_EVENINGS: Final = 6
MAX_SMALL_ROWS, MAX_SMALL_COLUMNS = 26, 12  # a printed table of at most this size has larger type


class MatrixRow(NamedTuple):
    """A row of the results matrix, as HTML. `results` are the table cells of all evenings, `evening_bars` the chart of
    the last evenings.
    """

    is_own: bool
    rank: SafeString
    rank_change: SafeString | str
    player: SafeString
    evening_bars: SafeString
    evenings: SafeString
    deals: SafeString
    results: SafeString
    total: SafeString


class EveningHeading(NamedTuple):
    """An evening as heading of a column and as label in a chart: its address, full title, day and month as text."""

    evening: Evening
    address: str
    title: str
    day: str
    month: str


def evening_heading(evening: Evening) -> EveningHeading:
    title = f"{date_format(evening.date, 'DATE_FORMAT')} {evening.name}".strip()
    day, month = date_format(evening.date, "j|N").split("|")
    return EveningHeading(evening, evening.get_absolute_url(), title, day, month)


class StandingTable(tables.Table):
    """A season's standings, with a column for each evening (the results matrix).

    `own` is the id of the viewer's player. `matrix_evenings` are the evenings of the columns, oldest first. `winners`
    are ids of players by evening id. Methods `value_COLUMN` return the values for files, `render_COLUMN` for pages.
    """

    own: int | None = None
    caption = _("After the closed evenings")
    row_header = "player"

    rank = tables.Column(_("Rank"), attrs=RANK_ATTRS, empty_values=())
    player = tables.Column(_("Player"), order_by="player__sort_key")
    points = PointsColumn(_("Points"), accessor="written_total", attrs=TOTAL_COLUMN_ATTRS)
    evenings = tables.Column(_("Evenings"), attrs=DETAIL_NUMBER_ATTRS)
    deals = tables.Column(_("Deals"), attrs=DETAIL_NUMBER_ATTRS)
    rank_before = tables.Column(_("Rank before"), visible=False, orderable=False)  # in files

    class Meta:
        order_by: tuple[str, ...] = ("rank",)
        template_name = "league/seasons/_results_matrix.html"

    def __init__(
        self,
        *args: Any,
        season: Season,
        matrix_evenings: Sequence[Evening],
        winners: Mapping[int, Collection[int]] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*args, **options)
        self.season = season
        self.matrix_evenings = matrix_evenings
        self.headings = [evening_heading(evening) for evening in matrix_evenings]
        self.winners = winners or {}
        # `reverse` is called once, not for each row, since it is slower than the rest of a cell.
        self._standings_address_start = reverse("league:standing", args=[season.pk, 0]).removesuffix("0")
        self._player_address_start = reverse("league:player", args=[0]).removesuffix("0/")
        self._points: dict[ExactNumber, str] = {}

    def order_rank(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        rank = F("rank").desc(nulls_last=True) if is_descending else F("rank").asc(nulls_last=True)
        return queryset.order_by(rank, TOTAL_EXPRESSION.desc(), "player__sort_key"), True

    def order_points(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        descends = is_descending != self.season.low_total_wins  # pages show the totals with the opposite sign
        return queryset.order_by(TOTAL_EXPRESSION.desc() if descends else TOTAL_EXPRESSION.asc()), True

    def render_rank(self, value: int | None, record: Standing) -> SafeString:
        rank_mark, hint = medal(value), gettext("why?")
        address = f"{self._standings_address_start}{record.player_id}"
        return format_html('<a href="{}">{}<span class="visually-hidden">, {}</span></a>', address, rank_mark, hint)

    def value_rank(self, value: int | None) -> int | None:
        return value

    def render_player(self, record: Standing) -> SafeString:
        name = format_html('<a href="{}">{}</a>', self._player_address(record), record.player)
        if getattr(record, "rested", False):  # annotated on stored rows
            name += format_html(' <span class="badge state">{}</span>', gettext("Rested"))
        if reason := unranked_reason(record):
            return format_html('{} <span class="badge state more">{}</span>', name, reason)
        if record.tie_break and self._row_counts_by_total[record.total] > 1:
            rule = gettext("by %(rule)s") % {"rule": tie_break_text(record.tie_break)}
            return format_html('{}<span class="so-far fw-normal more">{}</span>', name, rule)
        return name

    @cached_property
    def _row_counts_by_total(self) -> Counter[ExactNumber]:
        return Counter(row.record.total for row in self.paginated_rows)

    def render_points(self, value: ExactNumber, record: Standing) -> SafeString:
        return self._results_link(record, points(value))

    def render_evenings(self, value: int, record: Standing) -> SafeString:
        return self._results_link(record, value)

    def render_deals(self, value: int, record: Standing) -> SafeString:
        return self._results_link(record, value)

    def _results_link(self, record: Standing, text: SafeString | str | int) -> SafeString:
        return format_html(
            '<a href="{}?season={}#results">{}</a>', self._player_address(record), record.season_id, text
        )

    def _player_address(self, record: Standing) -> str:
        return f"{self._player_address_start}{record.player_id}/"

    def value_player(self, record: Standing) -> str:
        return str(record.player)

    def value_points(self, value: ExactNumber) -> int | Decimal:
        return round_to_decimals(value)

    def value_evenings(self, value: int) -> int:
        return value

    def value_deals(self, value: int) -> int:
        return value

    @cached_property
    def shown_result_kinds(self) -> frozenset[ResultKind]:
        """The kinds of results that occur on the page, for the legend."""
        return frozenset(result.kind for row in self._page_results for result in row)

    @cached_property
    def _page_results(self) -> list[list[EveningResult]]:
        evenings = [evening.pk for evening in self.matrix_evenings]
        return [evening_results(row.record, evenings) for row in self.paginated_rows]

    @property
    def columns_before_evenings(self) -> list[Any]:
        return [self.columns[name] for name in ("rank", "player", "evenings", "deals")]

    @property
    def total_column(self) -> Any:
        return self.columns["points"]

    @property
    def has_large_type(self) -> bool:
        """Whether the table is printed in larger type, because it is small."""
        return len(self.rows) <= MAX_SMALL_ROWS and len(self.matrix_evenings) <= MAX_SMALL_COLUMNS

    def matrix_rows(self) -> Iterator[MatrixRow]:
        words = {
            ResultKind.DROPPED: gettext("dropped"),
            ResultKind.ABSENT: gettext("absent"),
            ResultKind.UNKNOWN: gettext("no result"),
        }
        for row, results in zip(self.paginated_rows, self._page_results, strict=True):
            record = row.record
            yield MatrixRow(
                is_own=record.player_id == self.own,
                rank=self.render_rank(record.rank, record),
                rank_change=rank_arrow(record.rank, record.rank_before),
                player=self.render_player(record),
                evening_bars=self._recent_evening_bars(record.player_id, results),
                evenings=self.render_evenings(record.evenings, record),
                deals=self.render_deals(record.deals, record),
                results=self._result_cells(record, results, words),
                total=self.render_points(record.written_total, record),
            )

    def _result_cells(
        self, record: Standing, results: Sequence[EveningResult], words: Mapping[ResultKind, str]
    ) -> SafeString:
        """Return the HTML cells of a row, one for each evening. A template would be slow for hundreds of cells."""
        start = f'<a href="{self._player_address(record)}?season={record.season_id}#evening-'
        cells = []
        for evening, kind, value in results:
            final = " final" if evening == self._final_id else ""
            if value is None:
                hint = f'<span class="visually-hidden">{words[kind]}</span>'
                cells.append(f'<td class="num {kind}{final}">{ABSENT_MARK}{hint}</td>')
            elif kind == ResultKind.DROPPED:
                cells.append(
                    f'<td class="num {kind}{final}">{start}{evening}">({self._format_points(value)})'
                    f'<span class="visually-hidden">, {words[kind]}</span></a></td>'
                )
            else:
                cells.append(f'<td class="num{final}">{start}{evening}">{self._format_points(value)}</a></td>')
        return mark_safe("".join(cells))  # noqa: S308  numbers, addresses and translated words of this program

    @cached_property
    def _final_id(self) -> int | None:
        return next((evening.pk for evening in self.matrix_evenings if evening.season_final), None)

    def _format_points(self, value: ExactNumber) -> str:
        if value not in self._points:
            self._points[value] = points(self.season.convert_total(value))
        return self._points[value]

    def _recent_evening_bars(self, player: int, results: Sequence[EveningResult]) -> SafeString:
        last = results[-MAX_RECENT_EVENINGS:]
        outcomes = {ResultKind.COUNTED: EveningOutcome.COUNTED, ResultKind.DROPPED: EveningOutcome.DROPPED}
        bars = [
            (
                EveningOutcome.WON
                if player in self.winners.get(evening, ())
                else outcomes.get(kind, EveningOutcome.ABSENT),
                None if value is None else float(value),
            )
            for evening, kind, value in last
        ]
        return recent_evening_bars_svg(
            recent_evening_bars(bars, [result.kind == ResultKind.DROPPED for result in last])
        )

    def file_rows(self) -> Iterator[list[Any]]:
        """Yield the header and the rows for a spreadsheet.

        The result of a dropped evening is text in brackets, so that sums in the spreadsheet ignore it.
        """
        header, *rows = self.as_values()
        yield [*header, *(_column_header(evening) for evening in self.matrix_evenings)]
        evenings = [evening.pk for evening in self.matrix_evenings]
        for row, values in zip(self.rows, rows, strict=True):
            yield [*values, *(self._file_cell(result) for result in evening_results(row.record, evenings))]

    def _file_cell(self, result: EveningResult) -> int | Decimal | str | None:
        if result.value is None:
            return None
        value = round_to_decimals(self.season.convert_total(result.value))
        return f"[{value}]" if result.kind == ResultKind.DROPPED else value


def _column_header(evening: Evening) -> str:
    day = evening.date.isoformat()
    return f"{day} {evening.name}" if evening.name else day


class PastStandingTable(StandingTable):
    """A season's standings on a past date. They are computed and not stored, so they cannot be sorted by a column."""

    caption = _("After the evenings up to that date")

    class Meta(StandingTable.Meta):
        orderable = False
        order_by = ()
