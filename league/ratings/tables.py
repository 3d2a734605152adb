from __future__ import annotations

from datetime import date
from functools import cached_property
from typing import Any, ClassVar

import django_tables2 as tables
from django.db.models import Model
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.web.marks import band_svg, medal
from league.web.tables import DETAIL_NUMBER_ATTRS, DETAIL_TEXT_ATTRS, NUMBER_ATTRS, OWN_ROW, RANK_ATTRS
from players.models import Player, Rating, RatingStep
from players.rating import k_factor
from players.rating.expectation import MICRO_POINTS_PER_POINT
from players.rating.k_factor import divide_half_up
from players.templatetags.ratings import rating


class LeaderboardTable(tables.Table):
    own: int | None = None
    caption = _("Players by rating")
    row_header = "player"

    rank = tables.Column(_("Rank"), order_by=("rank", "player__sort_key", "player_id"), attrs=RANK_ATTRS)
    player = tables.Column(_("Player"), order_by="player__sort_key")
    rating = tables.Column(_("Rating"), accessor="micro", attrs=NUMBER_ATTRS)
    band = tables.Column(_("Band"), accessor="weight", attrs=DETAIL_NUMBER_ATTRS, orderable=False)
    played = tables.Column(_("Tables"), accessor="tables", attrs=DETAIL_NUMBER_ATTRS)
    last_date = tables.DateColumn(verbose_name=_("Last table"), short=False, attrs=DETAIL_TEXT_ATTRS)

    class Meta:
        model: type[Model] = Rating
        fields = ("rank", "player", "rating", "band", "played", "last_date")
        order_by = "rank"
        row_attrs: ClassVar = OWN_ROW

    def render_rank(self, value: int) -> SafeString | str:
        return medal(value)

    def render_player(self, value: Player, record: Rating) -> SafeString:
        name = self.value_player(value, record)
        link = format_html('<a href="{}">{}</a>', reverse("league:player", args=[value.pk]), name)
        if not record.provisional:
            return link
        return format_html('{} <span class="badge state state-draft more">{}</span>', link, gettext("provisional"))

    def value_rank(self, value: int) -> int:
        return value

    def value_player(self, value: Player, record: Any) -> str:
        return value.names.members if record.known else str(value)

    def value_rating(self, value: int) -> int:
        return divide_half_up(value, MICRO_POINTS_PER_POINT)

    def value_band(self, value: int) -> int:
        return divide_half_up(k_factor.uncertainty(value), MICRO_POINTS_PER_POINT)

    def value_last_date(self, value: date) -> str:
        return value.isoformat()

    def render_rating(self, value: int, record: Rating) -> SafeString:
        address = reverse("league:player", args=[record.player_id])
        return format_html('<a href="{}#rating-{}">{}</a>', address, record.game, rating(value))

    def render_band(self, value: int, record: Rating) -> SafeString:
        band = k_factor.uncertainty(value)
        picture = band_svg(record.micro - band, record.micro, record.micro + band, self.band_axis)
        return format_html("{} ±{}", picture, rating(band))

    @cached_property
    def band_axis(self) -> tuple[int, int]:
        """The lowest and the highest end of all uncertainty bands on the page, in micro-points.

        The picture of each band has these limits.
        """
        bands = [(row.record.micro, k_factor.uncertainty(row.record.weight)) for row in self.paginated_rows]
        return min(micro - band for micro, band in bands), max(micro + band for micro, band in bands)


class PastLeaderboardTable(LeaderboardTable):
    class Meta(LeaderboardTable.Meta):
        model = RatingStep
