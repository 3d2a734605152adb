"""Compares a list of people with those whom a club has: what bringing the list in would do, line by line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import Club, Membership, visible
from players.names import name_parts, plain

NEW, SKIP = "new", "skip"  # answers to whether somebody is one of those with a similar name; else a membership's id
ASKED: Final = 5  # similar names that are shown
CONTACT: Final = ("number", "email", "phone")


Person = tuple[str, str]  # the key of who is meant: names in any order, and the number


class ListedPerson(NamedTuple):
    """Somebody on a line of a list, counted from 1. `problem` says why it can't be read; an empty field says nothing.

    Where a line has several people, `place` counts them from 1.
    """

    line: int
    given_name: str = ""
    family_name: str = ""
    number: str = ""
    email: str = ""
    phone: str = ""
    problem: str | Promise = ""
    place: int = 0

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.given_name} {self.family_name}".strip()

    @property
    def who(self) -> Person:
        """What tells people apart."""
        return name_key(self.name), self.number.casefold()

    @property
    def asked_as(self) -> int:
        """The number by which answers name this person: the line's, unless it has several people."""
        return self.line * 100 + self.place if self.place else self.line


class Fate(StrEnum):
    """What becomes of a line."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"
    ASKED = "asked"  # is it one of those with a similar name?
    SKIPPED = "skipped"  # as was answered
    WRONG = "wrong"


@dataclass(frozen=True, kw_only=True)
class PlannedLine:
    """A line and what becomes of it; `changes` names the fields of `membership` that get another value."""

    person: ListedPerson
    fate: Fate
    membership: Membership | None = None
    changes: tuple[str, ...] = ()
    similar: tuple[Membership, ...] = ()
    answer: str = ""  # whether it is one of the similar ones
    problem: str | Promise = ""

    @property
    def changed(self) -> list[tuple[str, str, str]]:
        """Each field that changes, its value and the other."""
        return [(name, getattr(self.membership, name), getattr(self.person, name)) for name in self.changes]


@dataclass
class _Comparison:
    """The club's people by number and name, and who of them or of the list was met in an earlier line."""

    club: Club
    by_player: Mapping[int, Membership]
    by_number: Mapping[str, Membership]
    by_name: Mapping[str, list[Membership]]
    may_repeat: bool
    seen: dict[object, ListedPerson] = field(default_factory=dict)
    numbers: dict[int, str] = field(default_factory=dict)  # by membership, of earlier lines

    def line(self, person: ListedPerson, answer: str) -> PlannedLine:
        """Return what becomes of a line."""
        if person.problem:
            return _wrong(person, person.problem)
        if person.number and (first := self._first(person.number.casefold(), person)) is not person:
            return _wrong(person, _("Line %(line)s has this number too.") % {"line": first.line})
        numbered = self.by_number.get(person.number.casefold()) if person.number else None
        exact = self.by_name.get(name_key(person.name), [])
        if numbered is not None:
            if numbered in exact or numbered in self._alike(person):
                return self._known(person, numbered)
            names = {"number": person.number, "player": numbered.player}
            return _wrong(person, _("The number %(number)s is %(player)s’s.") % names)
        if len(exact) == 1 and not (person.number and (exact[0].number or self._other_number(person, exact[0]))):
            return self._known(person, exact[0])
        alike = self._alike(person)
        chosen = next((each for each in alike if str(each.pk) == answer), None)
        if chosen is not None:
            decided = self._known(person, chosen)
        elif not alike or answer == NEW:
            decided = self._new(person)
        else:
            decided = PlannedLine(person=person, fate=Fate.SKIPPED if answer == SKIP else Fate.ASKED)
        return replace(decided, similar=tuple(alike), answer=answer)

    def _alike(self, person: ListedPerson) -> list[Membership]:
        near = visible.players_of(self.club).similar_to(person.name)[:ASKED]
        found = [*self.by_name.get(name_key(person.name), []), *(self.by_player.get(player.pk) for player in near)]
        return [each for each in dict.fromkeys(found) if each is not None]  # who joined meanwhile is not compared

    def _known(self, person: ListedPerson, membership: Membership) -> PlannedLine:
        first = self._first(membership.pk, person)
        if first is not person and not self.may_repeat:
            names = {"line": first.line, "player": membership.player}
            return _wrong(person, _("Line %(line)s is %(player)s too.") % names)
        if person.number:
            if other := self._other_number(person, membership):
                names = {"number": other, "player": membership.player}
                return _wrong(person, _("An earlier line gives %(player)s the number %(number)s.") % names)
            self.numbers[membership.pk] = person.number
        given = ((name, getattr(person, name)) for name in CONTACT)
        changes = tuple(name for name, value in given if value and value != getattr(membership, name))
        return PlannedLine(
            person=person, fate=Fate.CHANGED if changes else Fate.SAME, membership=membership, changes=changes
        )

    def _first(self, key: object, person: ListedPerson) -> ListedPerson:
        """Return who is first listed by that key: of two on one line, the one before."""
        return self.seen.setdefault(key, person)

    def _other_number(self, person: ListedPerson, membership: Membership) -> str:
        """Return the number that an earlier line gives the membership, if this line has another one."""
        number = self.numbers.get(membership.pk, "")
        return "" if number.casefold() == person.number.casefold() else number

    def _new(self, person: ListedPerson) -> PlannedLine:
        if (first := self._first(person.who, person)) is not person:
            return _wrong(
                person, _("Line %(line)s has this name too: numbers tell two people apart.") % {"line": first.line}
            )
        return PlannedLine(person=person, fate=Fate.NEW)


def compared(
    club: Club, people: Iterable[ListedPerson], answers: Mapping[int, str], *, may_repeat: bool = False
) -> list[PlannedLine]:
    """Return what becomes of each line; with `may_repeat`, several may be one person under different spellings.

    Someone is found by the number, then by the names in any order, then asked about. `answers` are by `asked_as`. One
    query for the club, one more for each line whose names are not exactly those of one member.
    """
    members = list(club.memberships.select_related("player"))
    by_name = defaultdict(list)
    for each in members:
        by_name[name_key(f"{each.player.given_name} {each.player.family_name}")].append(each)
    by_number = {each.number.casefold(): each for each in members if each.number}
    comparison = _Comparison(club, {each.player_id: each for each in members}, by_number, by_name, may_repeat)
    return list(_lines(comparison, people, answers))


def _lines(
    comparison: _Comparison, people: Iterable[ListedPerson], answers: Mapping[int, str]
) -> Iterator[PlannedLine]:
    for person in people:
        yield comparison.line(person, answers.get(person.asked_as, ""))


@lru_cache(10_000)
def name_key(name: str) -> str:
    """Return what is equal for one name in any order and spelling of its separators."""
    return " ".join(sorted(name_parts(name) or plain(name).split()))


def _wrong(person: ListedPerson, problem: str | Promise) -> PlannedLine:
    return PlannedLine(person=person, fate=Fate.WRONG, problem=problem)
