"""Clubs and who belongs to them in which role."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import ClassVar, Self
from zoneinfo import ZoneInfo, available_timezones

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.history import tracked
from players.models.person import Reader


class Role(models.TextChoices):
    """What a player is in a club, from least to most."""

    GUEST = "guest", _("Guest")
    MEMBER = "member", _("Member")
    SECRETARY = "secretary", _("Secretary")
    ADMIN = "admin", _("Admin")


READERS = (Role.MEMBER, Role.SECRETARY, Role.ADMIN)
RECORDERS = (Role.SECRETARY, Role.ADMIN)


def new_invite_key() -> str:
    """What makes a club's invitation links valid; a new one ends them all."""
    return token_urlsafe(12)


def check_time_zone(name: str) -> None:
    """A name that the time zone database knows."""
    if name not in available_timezones():
        raise ValidationError(_("%(name)s is not a known time zone."), params={"name": name})


class ClubQuerySet(models.QuerySet["Club"]):
    """Which clubs someone may see, and act in."""

    def visible_to(self, user: Reader) -> Self:
        """Public clubs, and those whose member the user is."""
        if user.is_superuser:
            return self
        return self.filter(Q(public=True) | Q(pk__in=self._with_role(user, READERS)))

    def own(self, user: Reader) -> Self:
        """Clubs that the user belongs to, in whatever role."""
        return self.filter(pk__in=self._with_role(user, tuple(Role)))

    def read_by(self, user: Reader) -> Self:
        """Clubs of which the user is a member, secretary or admin."""
        return self.filter(pk__in=self._with_role(user, READERS))

    def recordable_by(self, user: Reader) -> Self:
        """Clubs whose results the user may enter."""
        return self if user.is_superuser else self.filter(pk__in=self._with_role(user, RECORDERS))

    def managed_by(self, user: Reader) -> Self:
        """Clubs whose seasons and roles the user may change."""
        return self if user.is_superuser else self.filter(pk__in=self._with_role(user, (Role.ADMIN,)))

    @staticmethod
    def _with_role(user: Reader, roles: tuple[Role, ...]) -> models.QuerySet[Membership, int]:
        if not user.is_authenticated:
            return Membership.objects.none().values_list("club_id", flat=True)
        return Membership.objects.filter(player__user=user, role__in=roles).values_list("club_id", flat=True)


@tracked("ClubEvent", exclude=["invite_key"])
class Club(models.Model):
    """A card club of this installation."""

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(unique=True, max_length=50, editable=False)
    time_zone = models.CharField(_("time zone"), max_length=40, default="Europe/Paris", validators=[check_time_zone])
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES, default="en-gb")
    public = models.BooleanField(
        _("public"), default=False, help_text=_("Anyone may read the club's results without an account.")
    )
    currency = models.CharField(
        _("currency"),
        max_length=3,
        default="EUR",
        validators=[RegexValidator("^[A-Z]{3}$", _("A currency is three capital letters, for example EUR."))],
    )
    table_entry = models.BooleanField(
        _("entry at the table"),
        default=False,
        help_text=_(
            "Whoever scans the code on a printed sheet may record that table's deals while the evening is open."
        ),
    )
    fee_member = models.PositiveIntegerField(_("entry fee for members, in cents"), default=0)
    fee_guest = models.PositiveIntegerField(_("entry fee for guests, in cents"), default=0)
    invite_key = models.CharField(max_length=24, default=new_invite_key, editable=False)
    founded_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar = ClubQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("club")
        constraints = [
            models.CheckConstraint(condition=Q(currency__regex="^[A-Z]{3}$"), name="club_currency_is_a_code"),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:club", args=[self.slug])

    @property
    def zone(self) -> ZoneInfo:
        """The club's time zone."""
        return ZoneInfo(self.time_zone)


@tracked("MembershipEvent")
class Membership(models.Model):
    """A player in a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=9, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["player__sort_key", "pk"]
        verbose_name = _("membership")
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="membership_once_a_club"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.get_role_display()})"


class ApartQuerySet(models.QuerySet["Apart"]):
    """Pairs by who may change them."""

    def visible_to(self, user: Reader) -> Self:
        """Those whose club the user records for: that two are kept apart is nobody else's affair."""
        return self.filter(club__in=Club.objects.recordable_by(user))

    recordable_by = visible_to


class Apart(models.Model):
    """Two players of a club who are never to be seated together: a couple, relatives."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="aparts")
    first = models.ForeignKey("players.Player", models.CASCADE, related_name="+")
    second = models.ForeignKey("players.Player", models.CASCADE, related_name="+")

    objects: ClassVar = ApartQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "first", "second"], name="apart_once_a_club"),
            models.CheckConstraint(condition=Q(first__lt=models.F("second")), name="apart_lower_id_first"),
        ]

    def __str__(self) -> str:
        return f"{self.first} | {self.second}"
