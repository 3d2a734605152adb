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

from players.names import (
    MAX_NAME_LENGTH,
    SEPARATORS,
    letters_and_digits,
    normalize_spaces,
    part_start_pattern,
    search_words,
    without_accents,
)
from players.naming import (
    NAME_KEY_FIELDS,
    Audience,
    NameParts,
    Names,
    NamesField,
    NameStyle,
    current_audience,
    least_revealing_style,
    nameless,
    visible_name,
)

CLUB_DEFAULT_HELP: Final = _("Empty: as the player’s clubs say.")
# Minimum trigram similarity of two names. One different letter passes; "Anne Roy" and "Anna Ray" don't.
MINIMUM_SIMILARITY: Final = 0.6


class _SortedLetters(models.Func):
    template = 'ARRAY(SELECT * FROM unnest(string_to_array(%(expressions)s, NULL)) letter ORDER BY letter COLLATE "C")'
    output_field = ArrayField(models.TextField())


class UserQuerySet(models.QuerySet["User"]):
    def select_for_update(
        self, nowait: bool = False, skip_locked: bool = False, of: Sequence[str] = (), no_key: bool = False
    ) -> Self:
        """Lock only the row of the user if `of` is not given.

        allauth does not pass `of`, and PostgreSQL cannot lock the player, which is joined by an outer join.
        """
        return super().select_for_update(nowait=nowait, skip_locked=skip_locked, of=of or ("self",), no_key=no_key)


class UserManager(BaseUserManager["User"]):
    """Selects each user together with the player, because each page's header shows the player's name."""

    def get_queryset(self) -> models.QuerySet[User]:
        return UserQuerySet(self.model, using=self._db).select_related("player")

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        user = User(email=self.normalize_email(email), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_staff=True, is_superuser=True, **fields)

    def get_by_natural_key(self, username: str | None) -> User:
        return self.get(email__iexact=username)


class User(AbstractBaseUser, PermissionsMixin):
    email = models.EmailField(_("e-mail address"))
    is_staff = models.BooleanField(_("staff"), default=False, help_text=_("May enter the repair pages."))
    is_active = models.BooleanField(_("active"), default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    language = models.CharField(_("language"), max_length=5, choices=settings.LANGUAGES, blank=True, default="")
    # The secret in the address of the user's calendar; None if the user has no calendar.
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


Viewer: TypeAlias = User | AnonymousUser


def display_name(user: User) -> str:
    player = getattr(user, "player", None)
    return player.display_name if player else user.email


class PlayerQuerySet(models.QuerySet["Player"]):
    def search(self, query: str, *, known_players: models.QuerySet[Player] | None = None) -> Self:
        """Return players whose name matches: each word of `query` must be the start of a part of the name.

        Viewers search the names that they may see. Accents, hyphens, apostrophes, spaces and the order of words are
        ignored. `known_players` are also found by the name that members see.
        """
        words = search_words(query)
        if not words:
            return self.none() if normalize_spaces(query) else self.all()
        matches = self._match_condition(NAME_KEY_FIELDS[current_audience()], words)
        if known_players is not None:
            matches |= Q(pk__in=known_players) & self._match_condition(NAME_KEY_FIELDS[Audience.MEMBERS], words)
        return self.filter(matches)

    @staticmethod
    def _match_condition(key: str, words: Sequence[str]) -> Q:
        lookup = f"{key}__regex"
        all_words = Q(*((lookup, part_start_pattern(word)) for word in words))
        return all_words | Q((lookup, part_start_pattern("".join(words)))) if len(words) > 1 else all_words

    def similar_to(self, name: str) -> Self:
        """Return players whose full or display name is similar to `name`, most similar first.

        Call this only for viewers who may see full names. Trigram similarity ignores the order of words, but two
        swapped letters change half of a word's trigrams. So a name with the same letters in another order is similar,
        too. This second test fails for a player with a display name or a pseudonym of other letters, because
        `committee_key` then has more letters than the name. There is no index, because a club has few players.
        """
        similarity = Greatest(
            TrigramSimilarity("committee_key", without_accents(name)), TrigramSimilarity("display_name", name)
        )
        both_orders = letters_and_digits(name) * 2  # the key has the names in both orders
        key = models.Func(F("committee_key"), Value(SEPARATORS), Value(""), function="translate")
        # The length comes first, since sorting letters is slow.
        swapped = Q(length=len(both_orders)) & Q(letters=sorted(both_orders))
        players = self.annotate(similarity=similarity).alias(length=Length(key), letters=_SortedLetters(key))
        return players.filter(Q(similarity__gte=MINIMUM_SIMILARITY) | swapped).order_by(
            "-similarity", "committee_key", "pk"
        )


class Player(models.Model):
    """A person with results. A player belongs to the installation; a club sees players who have a membership.

    Users enter the names, the pseudonym, and how the names are shown: the player's choice, or the club's default.
    `update_names` computes `names` and the keys for sorting and searching from these fields.
    """

    user = models.OneToOneField(User, models.SET_NULL, null=True, blank=True, related_name="player")
    given_name = models.CharField(_("given name"), max_length=MAX_NAME_LENGTH)
    family_name = models.CharField(_("family name"), max_length=MAX_NAME_LENGTH, blank=True)
    display_name = models.CharField(_("display name"), max_length=80, blank=True)
    pseudonym = models.CharField(_("pseudonym"), max_length=40, blank=True, default="")
    public_choice = models.CharField(
        _("name for everyone"), max_length=9, choices=NameStyle, blank=True, default="", help_text=CLUB_DEFAULT_HELP
    )
    member_choice = models.CharField(
        _("name for members"), max_length=9, choices=NameStyle, blank=True, default="", help_text=CLUB_DEFAULT_HELP
    )
    public_default = models.CharField(max_length=9, choices=NameStyle, default=NameStyle.FULL, editable=False)
    member_default = models.CharField(max_length=9, choices=NameStyle, default=NameStyle.FULL, editable=False)
    names: models.Field[Names, Names] = NamesField(default=nameless, editable=False)
    # Keys for sorting and searching: from the name for the public, and from the name for members.
    sort_key = models.CharField(max_length=210, editable=False, db_index=True)
    member_key = models.CharField(max_length=210, editable=False, default="")
    # The key for the committee: the full name, and the pseudonym if it is shown.
    committee_key = models.CharField(max_length=260, editable=False, default="", db_column="work_key")

    objects: ClassVar = PlayerQuerySet.as_manager()

    # The fields that `update_names` changes.
    NAME_FIELDS: Final = ("given_name", "family_name", "display_name", "pseudonym", "names", *NAME_KEY_FIELDS.values())

    class Meta:
        ordering = ["sort_key", "pk"]
        verbose_name = _("player")
        constraints = (
            *(
                models.CheckConstraint(
                    condition=Q(**{f"{choice}__in": ["", *NameStyle.values]}), name=f"player_{choice}_is_known"
                )
                for choice in ("public_choice", "member_choice")
            ),
            models.CheckConstraint(
                condition=~Q(pseudonym="")
                | ~Q(public_choice=NameStyle.PSEUDONYM) & ~Q(member_choice=NameStyle.PSEUDONYM),
                name="player_pseudonym_is_there",
            ),
        )

    def __str__(self) -> str:
        return visible_name(self.names, self.pk)

    def update_names(self) -> None:
        self.given_name, self.family_name = normalize_spaces(self.given_name), normalize_spaces(self.family_name)
        self.display_name = (
            normalize_spaces(self.display_name) or f"{self.given_name} {self.family_name}".strip()[:80].strip()
        )
        self.pseudonym = normalize_spaces(self.pseudonym)
        for derived, value in self.derived_names().items():
            setattr(self, derived, value)

    @property
    def name_parts(self) -> NameParts:
        return NameParts(self.given_name, self.family_name, self.display_name, self.pseudonym)

    def derived_names(self) -> dict[str, Any]:
        """Return the values of the computed fields. The public name never reveals more than the name for members."""
        members = self.member_choice or self.member_default
        public = least_revealing_style([self.public_choice or self.public_default, members])
        facts = self.name_parts
        alias = self.pseudonym if NameStyle.PSEUDONYM in (public, members) else ""
        work = f"{self.display_name} ({alias})" if alias else self.display_name
        return {
            "names": Names(facts.name_as(public), facts.name_as(members), work),
            "sort_key": facts.key_as(public)[:210],
            "member_key": facts.key_as(members)[:210],
            "committee_key": f"{facts.key_as(NameStyle.FULL)} {without_accents(alias)}".strip()[:260],
        }
