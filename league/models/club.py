"""Clubs, memberships with their roles, and separations; and query conditions for the clubs that a user may see or
manage.
"""

from __future__ import annotations

import uuid
from functools import cache
from secrets import token_urlsafe
from typing import ClassVar, Self
from zoneinfo import ZoneInfo, available_timezones

from django.apps import apps
from django.conf import settings
from django.contrib.postgres.functions import RandomUUID
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce, Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.history import track_history
from league.models.rights import RIGHTS, ROLES_ABOVE_MEMBER, Right, Role, roles_with_right
from players.models import User
from players.models.person import Viewer
from players.naming import NameStyle

# A club's default is never the pseudonym: that is a person's own choice.
CLUB_NAMING_CHOICES = [(naming.value, naming.label) for naming in (NameStyle.FULL, NameStyle.INITIAL)]


def new_invite_key() -> str:
    return token_urlsafe(12)


@cache
def known_time_zones() -> frozenset[str]:
    """Return the names of all time zones. Cached for the process, because reading them from the file system takes 11
    ms.
    """
    return frozenset(available_timezones())


def check_time_zone(name: str) -> None:
    if name not in known_time_zones():
        raise ValidationError(_("%(name)s is not a known time zone."), params={"name": name})


class ClubQuerySet(models.QuerySet["Club"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(visible_condition(user))

    def joined_by(self, user: Viewer) -> Self:
        return self.filter(pk__in=_club_ids_of(user))

    def readable_by(self, user: Viewer) -> Self:
        """Return the clubs where the user's role allows reading. A public club is included only with such a role."""
        return self.filter(readable_condition(user))

    def collectable_by(self, user: Viewer) -> Self:
        """Return the clubs whose fees the user may collect."""
        return self._with_right(user, Right.COLLECT)

    def recordable_by(self, user: Viewer) -> Self:
        """Return the clubs whose results the user may record."""
        return self._with_right(user, Right.RECORD)

    def managed_by(self, user: Viewer) -> Self:
        return self._with_right(user, Right.MANAGE)

    def _with_right(self, user: Viewer, right: Right) -> Self:
        return self if user.is_superuser else self.filter(pk__in=_club_ids_of(user, right))


def _club_ids_of(user: Viewer, right: Right | None = None) -> models.QuerySet[Membership, int]:
    """Return the ids of the clubs where the user's role has the right `right`; with None, of the clubs where the user
    has any role. Superusers have no more rights here than by their roles.

    Clubs that have not confirmed the user's login are left out. A club marked for deletion is visible only to its
    admins.
    """
    if not user.is_authenticated:
        return Membership.objects.none().values_list("club_id", flat=True)
    not_deleted_or_admin = Q(club__delete_at=None) | Q(role__in=roles_with_right(Right.MANAGE))
    memberships = Membership.objects.filter(not_deleted_or_admin, player__user=user, login_unconfirmed=False)
    return (memberships if right is None else memberships.filter(role__in=roles_with_right(right))).values_list(
        "club_id", flat=True
    )


def visible_condition(user: Viewer, club_lookup: str = "") -> Q:
    """Return the query condition for rows of clubs that the user may see. `club_lookup` is the lookup from the row
    to the club; "" if the rows are clubs.

    A superuser may see all rows. Public clubs are matched without a subquery.
    """
    return Q() if user.is_superuser else public_condition(club_lookup) | readable_condition(user, club_lookup)


def public_condition(club_lookup: str = "") -> Q:
    """Return the query condition for rows of public clubs. `club_lookup` as in `visible_condition`."""
    prefix = f"{club_lookup}__" if club_lookup else ""
    return Q(**{f"{prefix}public": True, f"{prefix}delete_at": None})


def readable_condition(user: Viewer, club_lookup: str = "") -> Q:
    """Return the query condition for rows of clubs where the user's role allows reading. A superuser needs a role, too.
    `club_lookup` as in `visible_condition`.
    """
    return Q(**{f"{club_lookup or 'pk'}__in": _club_ids_of(user, Right.READ)})


def club_ids_hidden_from(user: User) -> models.QuerySet[models.Model, int]:
    """Return the ids of clubs that have not confirmed the user's login. These clubs hide their data from the user.

    The newest row of each membership's history decides: a club that deleted the unconfirmed membership still hides its
    data.
    """
    events = apps.get_model("league", "MembershipEvent")._default_manager.filter(player__user=user)
    latest = events.order_by("club_id", "-pgh_id").distinct("club_id").values("pk")
    clubs: models.QuerySet[models.Model, int]
    clubs = events.filter(pk__in=latest, login_unconfirmed=True).order_by().values_list("club", flat=True)
    return clubs


def rights_with_role(user: Viewer, role: str) -> frozenset[Right]:
    """Return the user's rights in a club where the user has this role. A superuser has all rights."""
    return frozenset(Right) if user.is_superuser else RIGHTS.get(role, frozenset())


def role_expression(user: Viewer, club_lookup: str) -> Coalesce:
    """Return the database expression for the user's role in the row's club; "" without a role. `club_lookup` is the
    lookup from the row to the club; "pk" if the rows are clubs.
    """
    if not user.is_authenticated:  # a user without a pk would match every player without a login
        return Coalesce(models.Value(""), models.Value(""))
    memberships = Membership.objects.filter(
        club=models.OuterRef(club_lookup), player__user=user.pk, login_unconfirmed=False
    )
    memberships = memberships.order_by("pk")
    return Coalesce(models.Subquery(memberships.values("role")[:1]), models.Value(""))


@track_history("ClubEvent", exclude=["invite_key", "publish_once_confirmed"])
class Club(models.Model):
    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(unique=True, max_length=50, editable=False)
    time_zone = models.CharField(_("time zone"), max_length=40, default="Europe/Paris", validators=[check_time_zone])
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES, default="en-gb")
    public = models.BooleanField(
        _("public"), default=False, help_text=_("Anyone may read the club's results without an account.")
    )
    # The club becomes public when one of its admins confirms an e-mail address.
    publish_once_confirmed = models.BooleanField(default=False, editable=False)
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
    # A second factor is required to enter results or manage the club.
    asks_second_factor = models.BooleanField(_("asks a second factor"), default=False)
    fee_member = models.PositiveIntegerField(_("entry fee for members, in cents"), default=0)
    fee_guest = models.PositiveIntegerField(_("entry fee for guests, in cents"), default=0)
    # The default forms of players' names: as everyone sees them, and as members see them.
    public_names = models.CharField(
        _("names for everyone"), max_length=9, choices=CLUB_NAMING_CHOICES, default=NameStyle.FULL
    )
    member_names = models.CharField(
        _("names for members"), max_length=9, choices=CLUB_NAMING_CHOICES, default=NameStyle.FULL
    )
    place = models.CharField(_("usual place"), max_length=120, blank=True, default="")
    begins_at = models.TimeField(_("usual hour"), null=True, blank=True)
    colour = models.CharField(_("colour"), max_length=7, blank=True, default="")
    # The digest of the logo (ClubMark), "" without a logo; and its text alternative.
    mark = models.CharField(max_length=64, blank=True, default="", editable=False)
    mark_alt = models.CharField(_("what the mark shows"), max_length=120, blank=True, default="")
    invite_key = models.CharField(max_length=24, default=new_invite_key, editable=False)
    founded_at = models.DateTimeField(auto_now_add=True)
    # The time when the club will be deleted; until then only its admins see it.
    delete_at = models.DateTimeField(null=True, editable=False)

    objects: ClassVar = ClubQuerySet.as_manager()

    class Meta:
        ordering = ["name", "pk"]
        verbose_name = _("club")
        constraints = [
            models.CheckConstraint(condition=Q(currency__regex="^[A-Z]{3}$"), name="club_currency_is_a_code"),
            models.CheckConstraint(condition=Q(colour__regex="^(#[0-9a-f]{6})?$"), name="club_colour_is_one"),
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{field}__in": [naming for naming, _label in CLUB_NAMING_CHOICES]}),
                    name=f"club_{field}_is_known",
                )
                for field in ("public_names", "member_names")
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("league:club", args=[self.slug])

    @property
    def colour_for_url(self) -> str:
        return self.colour.removeprefix("#")

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.time_zone)

    def rights_of(self, user: Viewer) -> frozenset[Right]:
        if user.is_superuser:
            return frozenset(Right)
        if not user.is_authenticated:
            return frozenset()
        memberships = self.memberships.filter(player__user=user, login_unconfirmed=False)
        return rights_with_role(user, memberships.values_list("role", flat=True).order_by("pk").first() or "")


@track_history(
    "MembershipEvent", exclude=["number", "email", "phone", "key"]
)  # the history must not have addresses of erased people
class Membership(models.Model):
    """A player's link to a club, with a role. Only the club's committee sees the member number, email address and
    telephone.

    `key` is the same in every copy of the club: a club file contains it, and an import of the file stores it.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=9, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField(auto_now_add=True)
    number = models.CharField(_("member number"), max_length=20, blank=True)  # or licence number; imports search by it
    email = models.EmailField(_("e-mail"), blank=True)
    phone = models.CharField(_("telephone"), max_length=30, blank=True)
    # Another club linked the player to a login: the login has no rights here until an admin of this club confirms it.
    login_unconfirmed = models.BooleanField(_("login to be confirmed"), default=False)
    key = models.UUIDField(default=uuid.uuid4, db_default=RandomUUID(), editable=False)

    class Meta:
        ordering = ["player__sort_key", "pk"]
        verbose_name = _("membership")
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="membership_once_a_club"),
            models.UniqueConstraint(
                "club", Lower("number"), condition=~Q(number=""), name="membership_number_once_a_club"
            ),
            models.UniqueConstraint(fields=["club", "key"], name="membership_key_once_a_club"),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.get_role_display()})"

    def give_role(self, role: str) -> None:
        """Set the role without saving it. A role above member also confirms the player's login for this club."""
        self.role = role
        self.login_unconfirmed = self.login_unconfirmed and role not in ROLES_ABOVE_MEMBER


class SeparationQuerySet(models.QuerySet["Separation"]):
    def visible_to(self, user: Viewer) -> Self:
        return self.filter(club__in=Club.objects.recordable_by(user))

    recordable_by = visible_to


class Separation(models.Model):
    """A separation: two players of a club who must not share a table, such as a couple."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="separations")
    first = models.ForeignKey("players.Player", models.CASCADE, related_name="+")
    second = models.ForeignKey("players.Player", models.CASCADE, related_name="+")

    objects: ClassVar = SeparationQuerySet.as_manager()

    class Meta:
        db_table = "league_apart"
        constraints = [
            models.UniqueConstraint(fields=["club", "first", "second"], name="apart_once_a_club"),
            models.CheckConstraint(condition=Q(first__lt=models.F("second")), name="apart_lower_id_first"),
        ]

    def __str__(self) -> str:
        return f"{self.first} | {self.second}"
