from collections import Counter
from decimal import Decimal
from functools import cached_property
from typing import Any, ClassVar

import django_tables2 as tables
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models import Standing
from league.models.standing import TOTAL
from league.seasons.queries.rules_summary import tie_break_words
from league.seasons.queries.unranked import unranked
from league.standings.season import Exact
from league.web.marks import arrow, medal
from league.web.tables import DETAIL_NUMBER, MOVE, NUMBER, OWN_ROW, RANK, PointsColumn
from scoring.numbers import points, rounded


class StandingTable(tables.Table):
    """A season's standings; guests and players below the minimum have no rank. `own` is the viewer's player."""

    own: int | None = None
    caption = _("After the closed evenings")
    row_header = "player"

    rank = tables.Column(_("Rank"), attrs=RANK, empty_values=())
    moved = tables.Column(_("Moved"), empty_values=(), orderable=False, attrs=MOVE, exclude_from_export=True)
    player = tables.Column(_("Player"), order_by="player__sort_key")
    points = PointsColumn(_("Points"), accessor="written_total", attrs=NUMBER)
    evenings = tables.Column(_("Evenings"), attrs=DETAIL_NUMBER)
    deals = tables.Column(_("Deals"), attrs=DETAIL_NUMBER)
    rank_before = tables.Column(_("Rank before"), visible=False, orderable=False)  # in files

    class Meta:
        order_by: tuple[str, ...] = ("rank",)
        attrs: ClassVar = {"class": "table board"}
        row_attrs: ClassVar = OWN_ROW

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._addresses: dict[int, str] = {}

    def order_rank(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        rank = F("rank").desc(nulls_last=True) if is_descending else F("rank").asc(nulls_last=True)
        return queryset.order_by(rank, TOTAL.desc(), "player__sort_key"), True

    def order_points(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        return queryset.order_by(TOTAL.desc() if is_descending else TOTAL.asc()), True

    def render_rank(self, value: int | None, record: Standing) -> SafeString:
        rank_mark, hint = medal(value), gettext("why?")
        address = reverse("league:standing", args=[record.season_id, record.player_id])
        return format_html('<a href="{}">{}<span class="visually-hidden">, {}</span></a>', address, rank_mark, hint)

    def value_rank(self, value: int | None) -> int | None:
        return value

    def render_player(self, record: Standing) -> SafeString:
        name = format_html('<a href="{}">{}</a>', self._player(record), record.player)
        if getattr(record, "rested", False):  # annotated on stored rows
            name += format_html(' <span class="badge state">{}</span>', gettext("Rested"))
        if reason := unranked(record):
            return format_html('{} <span class="badge state more">{}</span>', name, reason)
        if record.tie_break and self._shown_totals[record.total] > 1:
            rule = gettext("by %(rule)s") % {"rule": tie_break_words(record.tie_break)}
            return format_html('{}<span class="so-far fw-normal more">{}</span>', name, rule)
        return name

    @cached_property
    def _shown_totals(self) -> Counter[Exact]:
        return Counter(row.record.total for row in self.paginated_rows)

    def render_points(self, value: Exact, record: Standing) -> SafeString:
        return self._results_link(record, points(value))

    def render_evenings(self, value: int, record: Standing) -> SafeString:
        return self._results_link(record, value)

    def render_deals(self, value: int, record: Standing) -> SafeString:
        return self._results_link(record, value)

    def _results_link(self, record: Standing, text: SafeString | str | int) -> SafeString:
        return format_html('<a href="{}?season={}#results">{}</a>', self._player(record), record.season_id, text)

    def _player(self, record: Standing) -> str:
        if record.player_id not in self._addresses:
            self._addresses[record.player_id] = reverse("league:player", args=[record.player_id])
        return self._addresses[record.player_id]

    def value_player(self, record: Standing) -> str:
        return str(record.player)

    def value_points(self, value: Exact) -> int | Decimal:
        return rounded(value)

    def value_evenings(self, value: int) -> int:
        return value

    def value_deals(self, value: int) -> int:
        return value

    def render_moved(self, record: Standing) -> SafeString | str:
        return arrow(record.rank, record.rank_before)


class PastStandingTable(StandingTable):
    """The standings as of a past date: not stored, so not sortable by the database."""

    caption = _("After the evenings up to that date")

    class Meta(StandingTable.Meta):
        orderable = False
        order_by = ()
