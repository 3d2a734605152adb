"""Names of players as three audiences see them: the public, members of the player's clubs, and these clubs' committees.

Each player has a text for each audience (`Names`). A request starts with the audience PUBLIC. A view that has checked
the viewer's rights calls `show_names_to` to show more; then `str(player)` and `str(player.names)` return the name for
that audience. A view that forgets the call shows too little, never too much. A view that makes the call after the first
name was read fails its tests.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Final, NamedTuple

from django.db import models
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _

from players.names import initial_before_name, name_with_initial, without_accents


class NameStyle(models.TextChoices):
    """The ways to show a player's name on pages. Each style reveals less than the previous one."""

    FULL = "full", _("Full name")
    INITIAL = "initial", _("First name and initial")
    PSEUDONYM = "pseudonym", _("Pseudonym")


def least_revealing_style(styles: Collection[str]) -> str:
    """Return the style that reveals least of a name; FULL for an empty collection."""
    return max(styles, key=lambda style: list(NameStyle).index(NameStyle(style)), default=NameStyle.FULL)


class Audience(IntEnum):
    """The groups of viewers of a page. Each group sees more than the previous one."""

    PUBLIC = 0  # all visitors who are not members of the page's club, signed in or not
    MEMBERS = 1
    COMMITTEE = 2  # secretaries, treasurers and admins; their sort key is `committee_key`


@dataclass(frozen=True, slots=True)
class Names:
    """A player's name as each audience sees it."""

    public: str
    members: str
    committee: str
    player: int | None = field(default=None, compare=False)  # the player's id; `show_member_names_of` needs it

    def __str__(self) -> str:
        return visible_name(self, self.player)

    def with_player(self, player: int) -> Names:
        return replace(self, player=player)


class AudienceSetTooLate(RuntimeWarning):
    """The audience of names was set after a name had been read. That name was shown for an audience that sees less."""


class _Visibility(NamedTuple):
    audience: Audience = Audience.PUBLIC
    member_names_of: frozenset[int] = frozenset()  # players whose names are shown at least as members see them
    is_read: bool = False  # whether a name was already shown, or a list sorted or searched by names


_PUBLIC_VISIBILITY: Final = _Visibility()
_visibility: Final[ContextVar[_Visibility]] = ContextVar("visibility", default=_PUBLIC_VISIBILITY)


def show_names_to(audience: Audience) -> None:
    """Show names from now on as this audience sees them. If the current audience already sees more, change nothing.

    Call it before the first name is read.
    """
    visibility = _visibility.get()
    if audience > visibility.audience:
        _set_visibility(visibility._replace(audience=audience))


def show_member_names_of(players: Collection[int]) -> None:
    """Show these players' names as members see them. Used on pages that belong to no club. Call it before the first
    name is read.
    """
    visibility = _visibility.get()
    if not visibility.member_names_of.issuperset(players):
        _set_visibility(visibility._replace(member_names_of=frozenset(players)))


def _set_visibility(visibility: _Visibility) -> None:
    if visibility.is_read:  # an error in tests; the names read so far showed too little, not too much
        warnings.warn(AudienceSetTooLate(), stacklevel=3)
    _visibility.set(visibility)


@contextmanager
def names_shown_to(audience: Audience) -> Iterator[None]:
    """Show names inside the `with` block exactly as this audience sees them."""
    token = _visibility.set(_Visibility(audience))
    try:
        yield
    finally:
        _visibility.reset(token)


def _read_visibility() -> _Visibility:
    visibility = _visibility.get()
    if not visibility.is_read:
        _visibility.set(visibility._replace(is_read=True))
    return visibility


def visible_name(names: Names, player: int | None) -> str:
    """Return the name for the current audience. `player` is the id of the player."""
    visibility = _read_visibility()
    audience = visibility.audience
    if player in visibility.member_names_of:
        audience = max(audience, Audience.MEMBERS)
    return (names.public, names.members, names.committee)[audience]


def current_audience() -> Audience:
    """Return the audience of names. From then on, showing more names is an error in tests, as after reading a name."""
    return _read_visibility().audience


def name_sort_field() -> str:
    """Return the field of Player that sorts players by name. The order does not reveal names that the viewer may not
    see.
    """
    return NAME_KEY_FIELDS[Audience.COMMITTEE if current_audience() == Audience.COMMITTEE else Audience.PUBLIC]


# The field of Player with the name as each audience sees it, for searching and sorting.
NAME_KEY_FIELDS: Final = {
    Audience.PUBLIC: "sort_key",
    Audience.MEMBERS: "member_key",
    Audience.COMMITTEE: "committee_key",
}


def public_names_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Start each request with the audience PUBLIC. Place it before all middleware that shows names."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with names_shown_to(Audience.PUBLIC):
            return get_response(request)

    return middleware


def nameless() -> Names:
    return Names("", "", "")


class NamesField(models.JSONField):
    """A model field that stores `Names` as a JSON list of three texts."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Names | None:
        texts = super().from_db_value(value, expression, connection)
        return Names(*texts) if isinstance(texts, list) else None

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        texts = [value.public, value.members, value.committee] if isinstance(value, Names) else value
        return super().get_db_prep_value(texts, connection, prepared)


@dataclass(frozen=True)
class NameParts:
    """The names of a player as entered. `name_as` returns the name to show."""

    given_name: str
    family_name: str
    display_name: str
    pseudonym: str

    def name_as(self, style: str) -> str:
        if style == NameStyle.PSEUDONYM:
            return self.pseudonym
        return self.display_name if style == NameStyle.FULL else name_with_initial(self.given_name, self.family_name)

    def key_as(self, style: str) -> str:
        """Return the name for sorting and searching, without accents and in lower case."""
        if style == NameStyle.PSEUDONYM:
            return without_accents(self.pseudonym)
        if style == NameStyle.INITIAL:
            return without_accents(initial_before_name(self.given_name, self.family_name))
        return without_accents(f"{self.family_name} {self.given_name} {self.display_name}".strip())
