"""Logins and the people who play. A player may have a login or none."""

from __future__ import annotations

import unicodedata
from typing import Any, ClassVar, Final, Self, TypeAlias

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import AnonymousUser, PermissionsMixin
from django.contrib.postgres.search import TrigramSimilarity
from django.db import models
from django.db.models import Q
from django.db.models.functions import Greatest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.names import tidy

CLOSE: Final = 0.6  # of two names' trigrams; a letter more, less or other passes, "Anne Roy" and "Anna Ray" do not


class UserManager(BaseUserManager["User"]):
    """Users are found by e-mail, whatever its case, and come with their player: every page's header names it."""

    def get_queryset(self) -> models.QuerySet[User]:
        """Fetch the player as well, in one query."""
        return super().get_queryset().select_related("player")

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Return a login; without a password it can only be reset."""
        user = User(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Return the installation's admin."""
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        """Return the login of an e-mail address, case ignored."""
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    """A login by e-mail."""

    email = models.EmailField(_("e-mail address"))
    is_staff = models.BooleanField(_("staff"), default=False, help_text=_("May enter the repair pages."))
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES, blank=True, default="")
    # What makes the address of the person's calendar valid; a new one ends the old address, none ends all.
    calendar_key = models.UUIDField(null=True, unique=True, editable=False)

    USERNAME_FIELD = "email"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = []

    objects: ClassVar[UserManager] = UserManager()

    class Meta:
        verbose_name = _("user")
        constraints = [models.UniqueConstraint(models.functions.Lower("email"), name="user_email_once")]

    def __str__(self) -> str:
        return self.email


Reader: TypeAlias = User | AnonymousUser


def display_name(user: User) -> str:
    """Return what pages call a login: its player's name, else its address."""
    player = getattr(user, "player", None)
    return str(player) if player else user.email


def plain(text: str) -> str:
    """Return lower case without accents, for sorting and searching: "Élodie" sorts before "Zoé"."""
    text = text.casefold().replace("œ", "oe").replace("æ", "ae").replace("ø", "o").replace("ł", "l")
    return "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))


class PlayerQuerySet(models.QuerySet["Player"]):
    """Players by what is typed."""

    def found_by(self, typed: str) -> Self:
        """Return those in whose names every typed word begins a part, without accents and in any order."""
        found = self
        for word in tidy(plain(typed)).split():
            found = found.filter(Q(sort_key__startswith=word) | Q(sort_key__contains=f" {word}"))
        return found

    def similar_to(self, name: str) -> Self:
        """Return those whose names, or the one they are known by, are `name` or nearly so, closest first.

        Trigrams are a word's own: the order of the words says nothing. A club's people are too few for an index.
        """
        closeness = Greatest(TrigramSimilarity("sort_key", plain(name)), TrigramSimilarity("display_name", name))
        found = self.annotate(closeness=closeness).filter(closeness__gte=CLOSE)
        return found.order_by("-closeness", "sort_key", "pk")


class Player(models.Model):
    """A person who plays. Belongs to the installation; clubs see those with a membership."""

    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="player")
    given_name = models.CharField(_("given name"), max_length=60)
    family_name = models.CharField(_("family name"), max_length=60, blank=True)
    display_name = models.CharField(_("display name"), max_length=80, blank=True)
    sort_key = models.CharField(max_length=210, editable=False, db_index=True)

    objects: ClassVar = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["sort_key", "pk"]
        verbose_name = _("player")

    def __str__(self) -> str:
        return self.display_name

    def name(self) -> None:
        """Fill in what follows from the names: the display name where none was chosen, and the sort key.

        Two names may be longer together than a display name; it is cut then, and the names are whole.
        """
        self.given_name, self.family_name = tidy(self.given_name), tidy(self.family_name)
        self.display_name = tidy(self.display_name) or f"{self.given_name} {self.family_name}".strip()[:80].strip()
        self.sort_key = self.derived_sort_key()

    def derived_sort_key(self) -> str:
        """Return family name, given name, and the display name for those who are known by another."""
        return plain(f"{self.family_name} {self.given_name} {self.display_name}".strip())[:210]
