"""How people are named: to everyone, to members of their clubs, to those who run them.

Each player has all three texts (`Names`); which one is told depends on who reads. A page says so once, when it knows
its reader (`show`), and every name that it shows follows: `str(player)` and `str(player.names)` alike. Where nobody
says anything a name is the one for everyone, so that a place that was forgotten tells too little, never too much.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import Any, Final, NamedTuple

from django.db import models
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _

from players.names import by_initial, plain, with_initial


class Naming(models.TextChoices):
    """How somebody is named; the later ones tell less."""

    FULL = "full", _("Full name")
    INITIAL = "initial", _("First name and initial")
    PSEUDONYM = "pseudonym", _("Pseudonym")


def least(ways: Collection[str]) -> str:
    """Return the one of these that tells least; the full name where there is none."""
    return max(ways, key=lambda way: list(Naming).index(Naming(way)), default=Naming.FULL)


class Readers(IntEnum):
    """Whom names are shown to: the later ones read more."""

    PUBLIC = 0  # whoever is no member of the club whose page it is, signed in or not
    MEMBERS = 1
    WORK = 2  # secretaries, treasurers and admins, at the desk


@dataclass(frozen=True, slots=True)
class Names:
    """What a player is called: in public, among members, and where a club's people are looked after."""

    public: str
    members: str
    work: str
    player: int | None = field(default=None, compare=False)  # whose they are, for pages that are no club's own

    def __str__(self) -> str:
        return name_of(self, self.player)

    def of(self, player: int) -> Names:
        """Return them as this player's."""
        return replace(self, player=player)

    @property
    def texts(self) -> tuple[str, str, str]:
        """The three, in the order of `Readers`."""
        return self.public, self.members, self.work


class _Reading(NamedTuple):
    """Who reads: all names are shown to them as `shown`, those of the players `known` as to members at least."""

    shown: Readers = Readers.PUBLIC
    known: frozenset[int] = frozenset()


EVERYONE: Final = _Reading()
_reading: Final[ContextVar[_Reading]] = ContextVar("readers", default=EVERYONE)


def show(shown: Readers) -> None:
    """Show names to these readers from here on, unless more is shown already."""
    before = _reading.get()
    _reading.set(before._replace(shown=max(before.shown, shown)))


def know(players: Collection[int]) -> None:
    """Show the names of these players as members see them from here on: a page that is no club's own."""
    _reading.set(_reading.get()._replace(known=frozenset(players)))


@contextmanager
def showing(shown: Readers) -> Iterator[None]:
    """Show names to these readers inside, and to those of before afterwards."""
    before = _reading.set(_Reading(shown))
    try:
        yield
    finally:
        _reading.reset(before)


def name_of(names: Names, player: int | None) -> str:
    """Return the name of this player for whoever reads."""
    readers = _reading.get()
    return names.texts[max(readers.shown, Readers.MEMBERS) if player in readers.known else readers.shown]


def shown_now() -> Readers:
    """Return whom names are shown to."""
    return _reading.get().shown


def sort_key() -> str:
    """Return the field that lists of players are sorted by; that of everyone doesn't tell what is hidden."""
    return KEYS[Readers.WORK] if _reading.get().shown == Readers.WORK else KEYS[Readers.PUBLIC]


# By which field somebody is found.
KEYS: Final = {Readers.PUBLIC: "sort_key", Readers.MEMBERS: "member_key", Readers.WORK: "work_key"}


def to_everyone(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Begin each request with the names for everyone: a middleware, before all that shows any."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with showing(Readers.PUBLIC):
            return get_response(request)

    return middleware


def nameless() -> Names:
    """Return the names of a player who has none yet."""
    return Names("", "", "")


class NamesField(models.JSONField):
    """Names as a list of three texts; they come out of every query as `Names`."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Names | None:
        """Return the names of a row that has any."""
        read = super().from_db_value(value, expression, connection)
        return Names(*read) if isinstance(read, list) else None

    def get_db_prep_value(self, value: Any, connection: Any, prepared: bool = False) -> Any:
        """Write the three texts."""
        return super().get_db_prep_value(list(value.texts) if isinstance(value, Names) else value, connection, prepared)


@dataclass(frozen=True)
class NameFacts:
    """What names are made of."""

    given_name: str
    family_name: str
    display_name: str
    pseudonym: str

    def named(self, way: str) -> str:
        """Return the name that tells so much."""
        if way == Naming.PSEUDONYM:
            return self.pseudonym
        return self.display_name if way == Naming.FULL else with_initial(self.given_name, self.family_name)

    def key(self, way: str) -> str:
        """Return what finds and sorts the name, in plain letters: what the name hides is not in it."""
        if way == Naming.PSEUDONYM:
            return plain(self.pseudonym)
        if way == Naming.INITIAL:
            return plain(by_initial(self.given_name, self.family_name))
        return plain(f"{self.family_name} {self.given_name} {self.display_name}".strip())
