"""Logins and the people who play. A player may have a login or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final, Self, TypeAlias

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import AnonymousUser, PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import TrigramSimilarity
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Greatest, Length
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from players.names import SEPARATORS, begins_part, joined, plain, search_words, tidy
from players.naming import (
    KEYS,
    NameFacts,
    Names,
    NamesField,
    Naming,
    Readers,
    least,
    name_of,
    nameless,
    shown_now,
)

OF_CLUBS: Final = _("Empty: as his clubs say.")
CLOSE: Final = 0.6  # of two names' trigrams; a letter more, less or other passes, "Anne Roy" and "Anna Ray" do not


class _Letters(models.Func):
    """The letters of a text, in the order of their numbers: `sorted(text)`."""

    template = 'ARRAY(SELECT * FROM unnest(string_to_array(%(expressions)s, NULL)) one ORDER BY one COLLATE "C")'
    output_field = ArrayField(models.TextField())


class UserQuerySet(models.QuerySet["User"]):
    """Logins, which can be locked although they come with their players."""

    def select_for_update(
        self, nowait: bool = False, skip_locked: bool = False, of: Sequence[str] = (), no_key: bool = False
    ) -> Self:
        """Lock the logins alone: PostgreSQL can't lock a player who may be missing. allauth locks without `of`."""
        return super().select_for_update(nowait=nowait, skip_locked=skip_locked, of=of or ("self",), no_key=no_key)


class UserManager(BaseUserManager["User"]):
    """Users are found by e-mail, whatever its case, and come with their player: every page's header names it."""

    def get_queryset(self) -> models.QuerySet[User]:
        """Fetch the player as well, in one query."""
        return UserQuerySet(self.model, using=self._db).select_related("player")

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
    """Return what its owner's own pages call a login: its player's whole name, else its address."""
    player = getattr(user, "player", None)
    return player.display_name if player else user.email


class PlayerQuerySet(models.QuerySet["Player"]):
    """Players by what is typed."""

    def found_by(self, typed: str, *, known: models.QuerySet[Player] | None = None) -> Self:
        """Return those in whose names, as the reader sees them, every typed word begins a part.

        Accents, hyphens, apostrophes and spaces are ignored, and the words may stand in any order. Whom the reader
        knows is also found by the name that members read.
        """
        words = search_words(typed)
        if not words:
            return self.none() if tidy(typed) else self.all()
        named = self._with_words(KEYS[shown_now()], words)
        if known is not None:
            named |= Q(pk__in=known) & self._with_words(KEYS[Readers.MEMBERS], words)
        return self.filter(named)

    @staticmethod
    def _with_words(key: str, words: Sequence[str]) -> Q:
        lookup = f"{key}__regex"
        each = Q(*((lookup, begins_part(word)) for word in words))
        return each | Q((lookup, begins_part("".join(words)))) if len(words) > 1 else each

    def similar_to(self, name: str) -> Self:
        """Return those whose names, or the one they are known by, are `name` or nearly so, closest first.

        Of whole names: it is asked where people are looked after. Trigrams are a word's own: the order of the words
        says nothing. Two letters swapped change half a word's trigrams: the same letters in another order are near,
        too, where somebody has no other name. A club's people are too few for an index.
        """
        closeness = Greatest(TrigramSimilarity("work_key", plain(name)), TrigramSimilarity("display_name", name))
        both = joined(name) * 2  # the key has both orders of the names
        key = models.Func(F("work_key"), Value(SEPARATORS), Value(""), function="translate")
        swapped = Q(length=len(both)) & Q(letters=sorted(both))  # few keys are so long: letters are costly to sort
        found = self.annotate(closeness=closeness).alias(length=Length(key), letters=_Letters(key))
        found = found.filter(Q(closeness__gte=CLOSE) | swapped)
        return found.order_by("-closeness", "work_key", "pk")


class Player(models.Model):
    """A person who plays. Belongs to the installation; clubs see those with a membership.

    Facts are the names, the pseudonym, how the person chose to be named, and what his clubs say of who chose nothing.
    `name` derives the rest: what each reader is shown, and by which key he is found and sorted.
    """

    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="player")
    given_name = models.CharField(_("given name"), max_length=60)
    family_name = models.CharField(_("family name"), max_length=60, blank=True)
    display_name = models.CharField(_("display name"), max_length=80, blank=True)
    pseudonym = models.CharField(_("pseudonym"), max_length=40, blank=True, default="")
    public_choice = models.CharField(
        _("name for everyone"), max_length=9, choices=Naming, blank=True, default="", help_text=OF_CLUBS
    )
    member_choice = models.CharField(
        _("name for members"), max_length=9, choices=Naming, blank=True, default="", help_text=OF_CLUBS
    )
    public_default = models.CharField(max_length=9, choices=Naming, default=Naming.FULL, editable=False)
    member_default = models.CharField(max_length=9, choices=Naming, default=Naming.FULL, editable=False)
    names: models.Field[Names, Names] = NamesField(default=nameless, editable=False)
    sort_key = models.CharField(max_length=210, editable=False, db_index=True)  # of the name for everyone
    member_key = models.CharField(max_length=210, editable=False, default="")
    work_key = models.CharField(max_length=260, editable=False, default="")

    objects: ClassVar = PlayerQuerySet.as_manager()

    # What `name` writes.
    NAMED: Final = ("given_name", "family_name", "display_name", "pseudonym", "names", *KEYS.values())

    class Meta:
        ordering = ["sort_key", "pk"]
        verbose_name = _("player")
        constraints = (
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{choice}__in": ["", *Naming.values]}), name=f"player_{choice}_is_known"
                )
                for choice in ("public_choice", "member_choice")
            ),
            models.CheckConstraint(
                condition=~Q(pseudonym="") | ~Q(public_choice=Naming.PSEUDONYM) & ~Q(member_choice=Naming.PSEUDONYM),
                name="player_pseudonym_is_there",
            ),
        )

    def __str__(self) -> str:
        return name_of(self.names, self.pk)

    def name(self) -> None:
        """Fill in what follows from the facts: the display name where none was chosen, names and keys.

        Two names may be longer together than a display name; it is cut then, and the names are whole.
        """
        self.given_name, self.family_name = tidy(self.given_name), tidy(self.family_name)
        self.display_name = tidy(self.display_name) or f"{self.given_name} {self.family_name}".strip()[:80].strip()
        self.pseudonym = tidy(self.pseudonym)
        for derived, value in self.derived_names().items():
            setattr(self, derived, value)

    def named(self, way: str) -> str:
        """Return what the person is called in this way, "" for a pseudonym that there is not."""
        return self._facts.named(way)

    @property
    def _facts(self) -> NameFacts:
        return NameFacts(self.given_name, self.family_name, self.display_name, self.pseudonym)

    def ways(self) -> tuple[str, str]:
        """Return how the person is named to everyone and to members; everyone never reads more than members."""
        to_members = self.member_choice or self.member_default
        return least([self.public_choice or self.public_default, to_members]), to_members

    def derived_names(self) -> dict[str, Any]:
        """Return what each reader is shown and by what each finds the person: the fields that follow from the facts."""
        person = self._facts
        public, members = self.ways()
        alias = self.pseudonym if Naming.PSEUDONYM in (public, members) else ""
        work = f"{self.display_name} ({alias})" if alias else self.display_name
        return {
            "names": Names(person.named(public), person.named(members), work),
            "sort_key": person.key(public)[:210],
            "member_key": person.key(members)[:210],
            "work_key": f"{person.key(Naming.FULL)} {plain(alias)}".strip()[:260],
        }
