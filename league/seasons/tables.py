"""The columns of long lists. The queryset does the work."""

from typing import ClassVar

import django_tables2 as tables
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.models import Standing
from league.models.standing import TOTAL
from league.web.marks import arrow, medal
from league.web.tables import MORE, MOVE, NUMBER, OWN_ROW, RANK, PointsColumn


def _made_of(record: Standing) -> str:
    """Return the address of the results that a number is made of."""
    return f"{reverse('league:player', args=[record.player_id])}?season={record.season_id}#results"


class StandingTable(tables.Table):
    """A season's standings; guests, and who lacks evenings, have points and no rank. `own` is the reader's player."""

    own: int | None = None
    caption = _("After the closed evenings")
    row_header = "player"

    rank = tables.Column(_("Rank"), attrs=RANK, empty_values=())
    moved = tables.Column(_("Moved"), empty_values=(), orderable=False, attrs=MOVE, exclude_from_export=True)
    player = tables.Column(_("Player"), order_by="player__sort_key")
    points = PointsColumn(_("Points"), accessor="total", attrs=NUMBER, linkify=_made_of)
    evenings = tables.Column(_("Evenings"), attrs=MORE, linkify=_made_of)
    deals = tables.Column(_("Deals"), attrs=MORE, linkify=_made_of)
    rank_before = tables.Column(_("Rank before"), visible=False, orderable=False)  # in files

    class Meta:
        order_by: tuple[str, ...] = ("rank",)
        attrs: ClassVar = {"class": "table board"}
        row_attrs: ClassVar = OWN_ROW

    def order_rank(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort guests last, whichever way."""
        rank = F("rank").desc(nulls_last=True) if is_descending else F("rank").asc(nulls_last=True)
        return queryset.order_by(rank, TOTAL.desc(), "player__sort_key"), True

    def order_points(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """By the exact total."""
        return queryset.order_by(TOTAL.desc() if is_descending else TOTAL.asc()), True

    def render_rank(self, value: int | None, record: Standing) -> SafeString:
        """The rank, leading to why it is that; for those without one too."""
        shown, why = medal(value), gettext("why?")
        address = reverse("league:standing", args=[record.season_id, record.player_id])
        return format_html('<a href="{}">{}<span class="visually-hidden">, {}</span></a>', address, shown, why)

    def value_rank(self, value: int | None) -> int | None:
        """Return the rank alone."""
        return value

    def render_player(self, record: Standing) -> SafeString:
        """The name, leading to the player's page; why somebody has no rank is told by a word."""
        name = format_html('<a href="{}">{}</a>', reverse("league:player", args=[record.player_id]), record.player)
        why = unranked(record)
        return format_html('{} <span class="badge state more">{}</span>', name, why) if why else name

    def value_player(self, record: Standing) -> str:
        """Return the name alone."""
        return str(record.player)

    def render_moved(self, record: Standing) -> SafeString | str:
        """Return how the newest evening moved the player, as an arrow with its words."""
        return arrow(record.rank, record.rank_before)


class PastStandingTable(StandingTable):
    """The standings as of a past date: computed for the page, in their own order."""

    caption = _("After the evenings up to that date")

    class Meta(StandingTable.Meta):
        orderable = False
        order_by = ()


def unranked(record: Standing) -> str:
    """Return why somebody has no rank, "" where he has one: a guest, or a minimum that is not reached."""
    if record.rank:
        return ""
    if record.guest:
        return str(_("Guest"))
    if record.missing:
        return ngettext("%(number)s evening missing", "%(number)s evenings missing", record.missing) % {
            "number": record.missing
        }
    if record.missing_partners:
        return ngettext("%(number)s partner missing", "%(number)s partners missing", record.missing_partners) % {
            "number": record.missing_partners
        }
    return str(_("No evening"))
