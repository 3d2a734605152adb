from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime, timedelta
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any, ClassVar, Self

from django.core.validators import MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.club import Club, visible_condition
from league.models.date_bounds import FIRST_DATE, last_date
from league.models.history import track_history
from league.models.season import Season, SeasonState
from players.dates import date_format
from players.models.person import Viewer

if TYPE_CHECKING:
    from django.db.models.fields.related_descriptors import RelatedManager


class EveningState(models.TextChoices):
    """The states of an evening. A closed evening is final (no longer contestable) from `final_at` on."""

    PLANNED = "planned", _("Planned")
    OPEN = "open", _("Open")
    CLOSED = "closed", _("Closed")
    CANCELLED = "cancelled", _("Cancelled")


UNFINISHED_STATES = (EveningState.PLANNED, EveningState.OPEN)  # attendances may still change


class HallState(models.TextChoices):
    """Whether an evening was taken to a hall server (a computer in the hall), seen from this installation."""

    NONE = "", _("Here")
    OUT = "out", _("On a hall server")
    HERE = "here", _("On this hall server")


def new_entry_key() -> str:
    """Return a random key that signs the codes on the evening's score sheets (`table_codes`)."""
    return token_urlsafe(12)


class EveningQuerySet(models.QuerySet["Evening"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(visible_condition(user, "season__club"))

    def collectable_by(self, user: Viewer) -> Self:
        return self.filter(season__club__in=Club.objects.collectable_by(user))

    def recordable_by(self, user: Viewer) -> Self:
        return self.filter(season__club__in=Club.objects.recordable_by(user))

    def not_cancelled(self) -> Self:
        return self.exclude(state=EveningState.CANCELLED)

    def in_progress(self) -> Self:
        return self.filter(state=EveningState.OPEN)

    def closed(self) -> Self:
        return self.filter(state=EveningState.CLOSED)

    def planned(self) -> Self:
        return self.filter(state=EveningState.PLANNED).order_by("date", "pk")

    def within_bounds(self, *, later: timedelta = timedelta(0)) -> Self:
        """Return the evenings whose date, moved by `later`, is between FIRST_DATE and `last_date()`.

        Rows of older versions can have dates outside these limits.
        """
        return self.filter(date__range=(FIRST_DATE, last_date() - later))

    def announced(self, today: date) -> Self:
        """Return planned evenings of open seasons, from today on, in order of date."""
        return self.open_or_announced(today).filter(state=EveningState.PLANNED)

    def open_or_announced(self, today: date) -> Self:
        """Return open evenings, and planned evenings of open seasons from today on, in order of date."""
        announced = Q(state=EveningState.PLANNED, season__state=SeasonState.OPEN, date__gte=today)
        return self.filter(announced | Q(state=EveningState.OPEN)).order_by("date", "pk")

    def next_of_each_club(self, clubs: Iterable[Club], today: date) -> Self:
        coming = self.open_or_announced(today).filter(season__club__in=clubs).select_related("season")
        return coming.order_by("season__club_id", "date", "pk").distinct("season__club_id")

    def with_season(self) -> Self:
        return self.select_related("season__club")

    def with_attendance_count(self) -> Self:
        """Add `present`: the number of attendances."""
        attendances = Attendance.objects.filter(evening=models.OuterRef("pk")).order_by().values("evening")
        count = models.Subquery(attendances.annotate(count=models.Count("pk")).values("count"))
        return self.annotate(present=Coalesce(count, 0))


@track_history("EveningEvent", exclude=["entry_key", "live_version", "hall", "hall_since"])
class Evening(models.Model):
    """One date of a season. `date` is the club's local date when the evening began, also for play after midnight.

    If `place` or `begins_at` (local time) is empty, the club's usual value applies. `kept_house_rules` are the
    evening's own house rules: they are set if the season's rules changed later, but not for this evening. `hall` and
    `hall_since` are computed from the evening's `HallCopy` rows, and stored here for pages that show the evening.
    """

    season = models.ForeignKey(Season, models.CASCADE, related_name="evenings")
    date = models.DateField(_("date"))
    name = models.CharField(_("name"), max_length=80, blank=True)
    place = models.CharField(_("place"), max_length=120, blank=True, default="")
    begins_at = models.TimeField(_("begins at"), null=True, blank=True)
    state = models.CharField(_("state"), max_length=9, choices=EveningState, default=EveningState.PLANNED)
    weight = models.PositiveSmallIntegerField(_("counts times"), default=1, validators=[MinValueValidator(1)])
    season_final = models.BooleanField(_("the season's final"), default=False)
    opened_at = models.DateTimeField(null=True, blank=True, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True, editable=False)
    final_at = models.DateTimeField(null=True, blank=True, editable=False)
    kept_house_rules = models.JSONField(null=True, editable=False)
    entry_key = models.CharField(max_length=24, default=new_entry_key, editable=False)
    # An increment makes all URLs of the live page invalid.
    live_version = models.PositiveIntegerField(default=0, editable=False)
    hall = models.CharField(max_length=4, choices=HallState, blank=True, default=HallState.NONE, editable=False)
    hall_since = models.DateTimeField(null=True, editable=False)

    objects: ClassVar = EveningQuerySet.as_manager()

    class Meta:
        ordering = ["-date", "-pk"]
        verbose_name = _("evening")
        constraints = [
            models.CheckConstraint(condition=Q(state__in=EveningState.values), name="evening_state_is_known"),
            models.CheckConstraint(
                condition=Q(state=EveningState.CLOSED, closed_at__isnull=False, final_at__isnull=False)
                | (~Q(state=EveningState.CLOSED) & Q(closed_at=None, final_at=None)),
                name="evening_closed_has_its_times",
            ),
            models.CheckConstraint(condition=Q(weight__gte=1), name="evening_counts_at_least_once"),
            models.UniqueConstraint(fields=["season"], condition=Q(season_final=True), name="evening_one_final"),
            models.CheckConstraint(
                condition=Q(hall=HallState.NONE, hall_since=None)
                | Q(hall__in=(HallState.OUT, HallState.HERE), hall_since__isnull=False),
                name="evening_in_hall_since",
            ),
        ]

    def __str__(self) -> str:
        return self.name or date_format(self.date, "DATE_FORMAT")

    def get_absolute_url(self) -> str:
        return reverse("league:evening", args=[self.pk])

    @property
    def can_be_planned_again(self) -> bool:
        """Whether the evening is cancelled and its season is a draft. Evenings of a draft season can't be opened."""
        return self.state == EveningState.CANCELLED and self.season.state == SeasonState.DRAFT

    @property
    def where(self) -> str:
        """The venue: the evening's own, or the club's usual one. A past evening without its own venue has none, because
        the club may have moved.

        Fetch the evening with its season and club.
        """
        usual: str = self.season.club.place if self.state in UNFINISHED_STATES else ""
        return self.place or usual

    @property
    def begins(self) -> datetime | None:
        """The start in the club's time zone, by the same rule as `where`; None if no time is set.

        Fetch the evening with its season and club.
        """
        club = self.season.club
        hour = self.begins_at or (club.begins_at if self.state in UNFINISHED_STATES else None)
        return None if hour is None else datetime.combine(self.date, hour, club.zone)

    @property
    def house_rules(self) -> Mapping[str, Any]:
        """The house rules of the evening: `kept_house_rules`, or the house rules of the season."""
        rules: Mapping[str, Any] = self.season.house_rules if self.kept_house_rules is None else self.kept_house_rules
        return rules

    def is_final(self, now: datetime) -> bool:
        return self.final_at is not None and self.final_at <= now

    def is_contestable(self, now: datetime) -> bool:
        return self.state == EveningState.OPEN or self.is_provisional(now)

    def is_provisional(self, now: datetime) -> bool:
        return self.state == EveningState.CLOSED and not self.is_final(now)


class AttendanceRole(models.TextChoices):
    """A player's role at check-in: member or guest. A later change of the player's role does not change it."""

    MEMBER = "member", _("Member")
    GUEST = "guest", _("Guest")


@track_history("AttendanceEvent")
class Attendance(models.Model):
    """A player's presence on an evening. Amounts are in cents of the club's currency.

    The player takes part from `from_round` to `to_round`, or to the end. `fixed_table` is the number of the only table
    where the draw may seat the player.
    """

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="attendances")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="attendances")
    # the role at check-in
    standing = models.CharField(_("standing"), max_length=6, choices=AttendanceRole, default=AttendanceRole.MEMBER)
    from_round = models.PositiveSmallIntegerField(_("from round"), default=1)
    to_round = models.PositiveSmallIntegerField(_("to round"), null=True, blank=True)
    fee = models.PositiveIntegerField(_("fee"), default=0)
    paid = models.PositiveIntegerField(_("paid"), default=0)
    fixed_table = models.PositiveSmallIntegerField(_("fixed table"), null=True, blank=True)
    partner = models.ForeignKey("players.Player", models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["player__sort_key", "pk"]
        verbose_name = _("attendance")
        constraints = [
            models.UniqueConstraint(fields=["evening", "player"], name="attendance_once_an_evening"),
            models.CheckConstraint(
                condition=Q(standing__in=AttendanceRole.values), name="attendance_standing_is_known"
            ),
            models.CheckConstraint(
                condition=Q(to_round=None) | Q(to_round__gte=F("from_round")), name="attendance_leaves_after_coming"
            ),
            models.CheckConstraint(
                condition=Q(partner=None) | ~Q(partner=F("player")), name="attendance_partner_is_another"
            ),
        ]

    def __str__(self) -> str:
        return str(self.player)

    @property
    def owed(self) -> int:
        return max(self.fee - self.paid, 0)


@track_history("IntentionEvent")
class Intention(models.Model):
    """A player's announcement to come to an evening, or not to come. The check-in page lists players who will come
    first.
    """

    evening = models.ForeignKey(Evening, models.CASCADE, related_name="intentions")
    player = models.ForeignKey("players.Player", models.CASCADE, related_name="intentions")
    comes = models.BooleanField(_("comes"))

    if TYPE_CHECKING:
        events: RelatedManager[Any]  # the row's history, created by `track_history`

    class Meta:
        ordering = ["player__sort_key", "pk"]
        verbose_name = _("intention")
        constraints = [
            models.UniqueConstraint(fields=["evening", "player"], name="intention_once_an_evening"),
        ]

    def __str__(self) -> str:
        return str(self.player)
