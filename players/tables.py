"""The columns of members, leaderboard and runs. What the rows are, the querysets say."""

from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.db.models import Model
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from league.models import Membership
from players import stakes
from players.models import Player, Rating, RatingStep, Run
from players.templatetags.ratings import rating

NUMBER = {"th": {"class": "num"}, "td": {"class": "num"}}
RANK = {"th": {"class": "rank"}, "td": {"class": "rank"}}


class NamesTable(tables.Table):
    """What everyone may see of a public club's people: the names of its members."""

    caption = _("Members")
    row_header = "player"

    player = tables.Column(_("Name"), order_by="player__sort_key", linkify=True)

    class Meta:
        model = Membership
        fields: tuple[str, ...] = ("player",)
        order_by = "player"


class MembersTable(NamesTable):
    """What a club's own readers see."""

    role = tables.Column(_("Role"), order_by="weight")
    login = tables.Column(verbose_name=_("Login"), accessor="has_login")

    class Meta(NamesTable.Meta):
        fields = ("player", "role", "login")

    def render_login(self, value: bool) -> str:
        """In words, so that it can be heard."""
        return gettext("Yes") if value else gettext("No")


class ManagedMembersTable(NamesTable):
    """What a club's admins see: the role can be changed, and who has no login can be given one."""

    role = tables.TemplateColumn(verbose_name=_("Role"), template_name="players/_role.html", order_by="weight")
    login = tables.TemplateColumn(
        verbose_name=_("Login"), template_name="players/_login.html", order_by="has_login", accessor="has_login"
    )

    join = tables.TemplateColumn(
        verbose_name=_("Two records?"), template_name="players/_join.html", accessor="pk", orderable=False
    )

    class Meta(NamesTable.Meta):
        fields = ("player", "role", "login", "join")


class LeaderboardTable(tables.Table):
    """Players by rating."""

    caption = _("Players by rating")
    row_header = "player"

    rank = tables.Column(_("Rank"), attrs=RANK)
    player = tables.Column(_("Player"), order_by="player__sort_key")
    rating = tables.Column(_("Rating"), accessor="micro", attrs=NUMBER)
    band = tables.Column(_("Band"), accessor="weight", attrs=NUMBER, orderable=False)
    played = tables.Column(_("Tables"), accessor="tables", attrs=NUMBER)
    last_date = tables.DateColumn(verbose_name=_("Last table"), short=False)

    class Meta:
        model: type[Model] = Rating
        fields = ("rank", "player", "rating", "band", "played", "last_date")
        order_by = "rank"

    def render_player(self, value: Player, record: Rating) -> SafeString:
        """The name, with a word while the rating can't be trusted yet."""
        link = format_html('<a href="{}">{}</a>', value.get_absolute_url(), value)
        if not record.provisional:
            return link
        return format_html('{} <span class="badge state state-draft">{}</span>', link, gettext("provisional"))

    def render_rating(self, value: int, record: Rating) -> SafeString:
        """In points, rounded, with the way to its history."""
        return format_html(
            '<a href="{}#rating-{}">{}</a>', record.player.get_absolute_url(), record.game, rating(value)
        )

    def render_band(self, value: int) -> str:
        """How far off the rating may be, from the weighted number of tables."""
        return "±" + rating(stakes.band(value))


class PastLeaderboardTable(LeaderboardTable):
    """Players by the rating that they had."""

    class Meta(LeaderboardTable.Meta):
        model = RatingStep


class RunsTable(tables.Table):
    """What the nights did."""

    caption = _("Runs that computed this club's standings")
    row_header = "started_at"

    started_at = tables.DateTimeColumn(verbose_name=_("Started"), linkify=True)
    trigger = tables.Column(_("Asked for by"))
    state = tables.Column(_("State"))
    took = tables.Column(_("Took"), accessor="finished_at", attrs=NUMBER, orderable=False, empty_values=())
    changed = tables.Column(_("Places changed"), accessor="seasons", attrs=NUMBER, orderable=False)

    class Meta:
        model = Run
        fields = ("started_at", "trigger", "state", "took", "changed")
        order_by = "-started_at"

    def __init__(self, *args: Any, club: int | None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    def render_state(self, value: str, record: Run) -> SafeString:
        """As a badge."""
        return format_html('<span class="badge state state-{}">{}</span>', record.state, value)

    def render_took(self, record: Run) -> str:
        """Seconds from start to end."""
        return duration(record)

    def render_changed(self, value: list[dict[str, Any]]) -> str:
        """Of this club alone, where it is one club's table."""
        own = [part for part in value if self.club in (None, part.get("club"))]
        return number_format(sum(part.get("changed", 0) for part in own))


class AllRunsTable(RunsTable):
    """What the nights did, for all clubs."""

    caption = _("Every run of the installation")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, club=None, **kwargs)


def duration(run: Run) -> str:
    """How long a run took, in words."""
    if run.finished_at is None:
        return "–"
    minutes, seconds = divmod(round((run.finished_at - run.started_at).total_seconds()), 60)
    if not minutes and not seconds:
        return gettext("less than a second")
    said = [
        ngettext("%(count)d minute", "%(count)d minutes", minutes) % {"count": minutes} if minutes else "",
        ngettext("%(count)d second", "%(count)d seconds", seconds) % {"count": seconds} if seconds else "",
    ]
    return " ".join(filter(None, said))
