"""Clubs, who belongs to them in which role, and what they may do there."""

from __future__ import annotations

from secrets import token_urlsafe
from typing import ClassVar, Self
from zoneinfo import ZoneInfo, available_timezones

from django.apps import apps
from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.db import models
from django.db.models import Q
from django.db.models.functions import Coalesce, Lower
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.models.history import tracked
from league.models.rights import RIGHTS, TRUSTED, Right, Role, roles_with
from players.models import User
from players.models.person import Reader
from players.naming import Naming

# A pseudonym is a person's own choice.
CLUB_NAMINGS = [(way.value, way.label) for way in (Naming.FULL, Naming.INITIAL)]


def new_invite_key() -> str:
    """Return what makes a club's invitation links valid; a new one ends them all."""
    return token_urlsafe(12)


def check_time_zone(name: str) -> None:
    """A name that the time zone database knows."""
    if name not in available_timezones():
        raise ValidationError(_("%(name)s is not a known time zone."), params={"name": name})


class ClubQuerySet(models.QuerySet["Club"]):
    """Which clubs someone may see, and act in."""

    def visible_to(self, user: Reader) -> Self:
        """Return public clubs, and those that the user may read."""
        return self.filter(visible_to(user))

    def own(self, user: Reader) -> Self:
        """Return clubs that the user belongs to, in whatever role."""
        return self.filter(pk__in=_own(user))

    def read_by(self, user: Reader) -> Self:
        """Return clubs whose pages the user may see by his role, whether they are public or not."""
        return self.filter(read_by(user))

    def collectable_by(self, user: Reader) -> Self:
        """Return clubs whose fees the user may take."""
        return self._with(user, Right.COLLECT)

    def recordable_by(self, user: Reader) -> Self:
        """Return clubs whose results the user may enter."""
        return self._with(user, Right.RECORD)

    def managed_by(self, user: Reader) -> Self:
        """Return clubs whose seasons and roles the user may change."""
        return self._with(user, Right.MANAGE)

    def _with(self, user: Reader, right: Right) -> Self:
        """Return those in which the user has the right; the installation's admin has them all."""
        return self if user.is_superuser else self.filter(pk__in=_own(user, right))


def _own(user: Reader, right: Right | None = None) -> models.QuerySet[Membership, int]:
    """Return the ids of clubs that the user belongs to; with a right, of those in which his role has it.

    A club that is to be deleted is there for its admins alone. Clubs that have not agreed to the login are left out.
    """
    if not user.is_authenticated:
        return Membership.objects.none().values_list("club_id", flat=True)
    staying = Q(club__delete_at=None) | Q(role__in=roles_with(Right.MANAGE))
    own = Membership.objects.filter(staying, player__user=user, login_unconfirmed=False)
    return (own if right is None else own.filter(role__in=roles_with(right))).values_list("club_id", flat=True)


def visible_to(user: Reader, club: str = "") -> Q:
    """Return the condition that the user may see the club to which a row leads by `club`; a club itself by nothing.

    Public clubs, and those that the user may read: asked of the club's columns, so that no query of clubs is nested in
    the row's.
    """
    return Q() if user.is_superuser else open_to_all(club) | read_by(user, club)


def open_to_all(club: str = "") -> Q:
    """Return the condition that everybody may see that club."""
    path = f"{club}__" if club else ""
    return Q(**{f"{path}public": True, f"{path}delete_at": None})


def read_by(user: Reader, club: str = "") -> Q:
    """Return the condition that the user's role there lets him read that club, whether it is public or not."""
    return Q(**{f"{club or 'pk'}__in": _own(user, Right.READ)})


def withheld_from(user: User) -> models.QuerySet[models.Model, int]:
    """Return the ids of clubs that have not agreed to the user's login for a record: they show it nothing of their own.

    The last row of history decides, so a club that ended such a membership still shows nothing.
    """
    events = apps.get_model("league", "MembershipEvent")._default_manager.filter(player__user=user)
    latest = events.order_by("club_id", "-pgh_id").distinct("club_id").values("pk")
    clubs: models.QuerySet[models.Model, int]
    clubs = events.filter(pk__in=latest, login_unconfirmed=True).order_by().values_list("club", flat=True)
    return clubs


def rights_by(user: Reader, role: str) -> frozenset[Right]:
    """Return what a role gives the user, "" for none; the installation's admin may do all."""
    return frozenset(Right) if user.is_superuser else RIGHTS.get(role, frozenset())


def role_of(user: Reader, club: str) -> Coalesce:
    """Return the user's role in the club that a row names by `club`, to annotate it with; "" where he has none."""
    if not user.is_authenticated:  # else he would be everybody who has no login
        return Coalesce(models.Value(""), models.Value(""))
    own = Membership.objects.filter(club=models.OuterRef(club), player__user=user.pk, login_unconfirmed=False)
    own = own.order_by("pk")
    return Coalesce(models.Subquery(own.values("role")[:1]), models.Value(""))


@tracked("ClubEvent", exclude=["invite_key", "publish_once_confirmed"])
class Club(models.Model):
    """A card club of this installation."""

    name = models.CharField(_("name"), max_length=80)
    slug = models.SlugField(unique=True, max_length=50, editable=False)
    time_zone = models.CharField(_("time zone"), max_length=40, default="Europe/Paris", validators=[check_time_zone])
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES, default="en-gb")
    public = models.BooleanField(
        _("public"), default=False, help_text=_("Anyone may read the club's results without an account.")
    )
    # Whether it becomes public once an admin of it confirms an e-mail address.
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
    # Whether whoever enters results or manages the club has to sign in with a second factor.
    asks_second_factor = models.BooleanField(_("asks a second factor"), default=False)
    fee_member = models.PositiveIntegerField(_("entry fee for members, in cents"), default=0)
    fee_guest = models.PositiveIntegerField(_("entry fee for guests, in cents"), default=0)
    # How people are named who chose nothing: to everyone, and to members.
    public_names = models.CharField(_("names for everyone"), max_length=9, choices=CLUB_NAMINGS, default=Naming.FULL)
    member_names = models.CharField(_("names for members"), max_length=9, choices=CLUB_NAMINGS, default=Naming.FULL)
    place = models.CharField(_("usual place"), max_length=120, blank=True, default="")
    begins_at = models.TimeField(_("usual hour"), null=True, blank=True)
    colour = models.CharField(_("colour"), max_length=7, blank=True, default="")
    # What tells its picture from any other (ClubMark), "" where it has none; and what that shows, in words.
    mark = models.CharField(max_length=64, blank=True, default="", editable=False)
    mark_alt = models.CharField(_("what the mark shows"), max_length=120, blank=True, default="")
    invite_key = models.CharField(max_length=24, default=new_invite_key, editable=False)
    founded_at = models.DateTimeField(auto_now_add=True)
    # From when on it is deleted; until then its admins alone see it. None for a club that stays.
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
                    condition=Q(**{f"{field}__in": [way for way, _label in CLUB_NAMINGS]}),
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
    def colour_code(self) -> str:
        """The colour as its stylesheet's address has it; "" for none."""
        return self.colour.removeprefix("#")

    @property
    def zone(self) -> ZoneInfo:
        """The club's time zone."""
        return ZoneInfo(self.time_zone)

    def rights_of(self, user: Reader) -> frozenset[Right]:
        """Return what the user may do in the club; one query, none for the installation's admin, who may do all."""
        if user.is_superuser:
            return frozenset(Right)
        if not user.is_authenticated:
            return frozenset()
        own = self.memberships.filter(player__user=user, login_unconfirmed=False)
        return rights_by(user, own.values_list("role", flat=True).order_by("pk").first() or "")


@tracked("MembershipEvent", exclude=["number", "email", "phone"])  # whoever is forgotten leaves no address behind
class Membership(models.Model):
    """A player in a club. Number and addresses are the club's own: its secretaries alone see them."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships")
    player = models.ForeignKey("players.Player", models.PROTECT, related_name="memberships")
    role = models.CharField(_("role"), max_length=9, choices=Role, default=Role.MEMBER)
    since = models.DateTimeField(auto_now_add=True)
    number = models.CharField(_("member number"), max_length=20, blank=True)  # or licence: stable, found by an import
    email = models.EmailField(_("e-mail"), blank=True)
    phone = models.CharField(_("telephone"), max_length=30, blank=True)
    # Another club gave the record a login: it has no rights here until an admin of this club agrees.
    login_unconfirmed = models.BooleanField(_("login to be confirmed"), default=False)

    class Meta:
        ordering = ["player__sort_key", "pk"]
        verbose_name = _("membership")
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="membership_once_a_club"),
            models.UniqueConstraint(
                "club", Lower("number"), condition=~Q(number=""), name="membership_number_once_a_club"
            ),
            models.CheckConstraint(condition=Q(role__in=Role.values), name="membership_role_is_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.get_role_display()})"

    def give_role(self, role: str) -> None:
        """Set the role, without saving; giving one that may do more than a member is agreeing to the login."""
        self.role = role
        self.login_unconfirmed = self.login_unconfirmed and role not in TRUSTED


class ApartQuerySet(models.QuerySet["Apart"]):
    """Pairs by who may change them."""

    def visible_to(self, user: Reader) -> Self:
        """Return those whose club the user records for: that two are kept apart is nobody else's affair."""
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
