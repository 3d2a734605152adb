from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.models import Club, Membership, visible
from players.names import name_parts, without_accents

ANSWER_NEW, ANSWER_SKIP = (
    "new",
    "skip",
)  # answers for a person whose name resembles a member's; other answers are membership ids
MAX_SIMILAR_MEMBERS: Final = 5
CONTACT_FIELDS: Final = ("number", "email", "phone")


PersonKey = tuple[str, str]  # key of a person in a list: `name_key` of the name, and the member number


class ListedPerson(NamedTuple):
    """A person on a line of an imported list. `problem` is the reason if the line cannot be parsed.

    `line` is the number of the line, from 1. "" in a field means unknown. `position` is the person's position on a line
    with several people, from 1, else 0.
    """

    line: int
    given_name: str = ""
    family_name: str = ""
    number: str = ""
    email: str = ""
    phone: str = ""
    problem: str | Promise = ""
    position: int = 0

    @property
    def name(self) -> str:
        return f"{self.given_name} {self.family_name}".strip()

    @property
    def key(self) -> PersonKey:
        return name_key(self.name), self.number.casefold()

    @property
    def answer_key(self) -> int:
        """The number that identifies the person in the questions of the form and in the user's answers."""
        return self.line * 100 + self.position if self.position else self.line


class PersonOutcome(StrEnum):
    NEW = "new"
    UPDATED = "changed"
    SAME = "same"
    UNANSWERED = "asked"  # a member has a similar name, and the user must answer whether it is the same person
    SKIPPED = "skipped"  # the user has answered to leave the person out
    WRONG = "wrong"


@dataclass(frozen=True, kw_only=True)
class PlannedPerson:
    """A person of an imported list, with the `outcome` of the import.

    `membership` is the member that matches; `changes` are the names of its fields that change. `similar` are members
    with a similar name, and `answer` is the user's choice among them.
    """

    person: ListedPerson
    outcome: PersonOutcome
    membership: Membership | None = None
    changes: tuple[str, ...] = ()
    similar: tuple[Membership, ...] = ()
    answer: str = ""
    problem: str | Promise = ""

    @property
    def changed_fields(self) -> list[tuple[str, str, str]]:
        return [(name, getattr(self.membership, name), getattr(self.person, name)) for name in self.changes]


@dataclass
class _Comparison:
    """Finds the people of a list among the members of a club, line by line.

    The members are stored by player id, by member number and by `name_key`. `first_lines` has the people of earlier
    lines, to find repeated ones.
    """

    club: Club
    by_player: Mapping[int, Membership]
    by_number: Mapping[str, Membership]
    by_name: Mapping[str, list[Membership]]
    may_repeat: bool
    first_lines: dict[object, ListedPerson] = field(default_factory=dict)
    new_people: dict[str, list[ListedPerson]] = field(default_factory=dict)  # by `name_key`
    numbers: dict[int, str] = field(default_factory=dict)  # member numbers on earlier lines, by membership id

    def plan_person(self, person: ListedPerson, answer: str) -> PlannedPerson:
        if person.problem:
            return _wrong_person(person, person.problem)
        numbered = self.by_number.get(person.number.casefold()) if person.number else None
        first = self._first_person(person.number.casefold(), person) if person.number else person
        if first is not person and not (self.may_repeat and numbered is not None):
            return _wrong_person(person, _("Line %(line)s has this number too.") % {"line": first.line})
        if not person.name:
            if numbered is None:
                return _wrong_person(person, _("No member has the number %(number)s.") % {"number": person.number})
            return self._plan_existing_member(person, numbered)
        exact = self.by_name.get(name_key(person.name), [])
        if numbered is not None:
            if numbered in exact or numbered in self._similar_members(person):
                return self._plan_existing_member(person, numbered)
            names = {"number": person.number, "player": numbered.player}
            return _wrong_person(person, _("The number %(number)s is %(player)s’s.") % names)
        if len(exact) == 1 and not (person.number and (exact[0].number or self._earlier_number(person, exact[0]))):
            return self._plan_existing_member(person, exact[0])
        alike = self._similar_members(person)
        membership = next((candidate for candidate in alike if str(candidate.pk) == answer), None)
        if membership is not None:
            decided = self._plan_existing_member(person, membership)
        elif not alike or answer == ANSWER_NEW:
            decided = self._plan_new_person(person)
        else:
            decided = PlannedPerson(
                person=person, outcome=PersonOutcome.SKIPPED if answer == ANSWER_SKIP else PersonOutcome.UNANSWERED
            )
        return replace(decided, similar=tuple(alike), answer=answer)

    def _similar_members(self, person: ListedPerson) -> list[Membership]:
        """Return the members with the same name, then those with a similar name. One query."""
        near = visible.players_of(self.club).similar_to(person.name)[:MAX_SIMILAR_MEMBERS]
        memberships = [
            *self.by_name.get(name_key(person.name), []),
            *(self.by_player.get(player.pk) for player in near),
        ]
        return [
            membership for membership in dict.fromkeys(memberships) if membership is not None
        ]  # a player who joined meanwhile has no entry in `by_player`

    def _plan_existing_member(self, person: ListedPerson, membership: Membership) -> PlannedPerson:
        first = self._first_person(membership.pk, person)
        if first is not person and not self.may_repeat:
            names = {"line": first.line, "player": membership.player}
            return _wrong_person(person, _("Line %(line)s is %(player)s too.") % names)
        if person.number:
            if earlier_number := self._earlier_number(person, membership):
                names = {"number": earlier_number, "player": membership.player}
                return _wrong_person(person, _("An earlier line gives %(player)s the number %(number)s.") % names)
            self.numbers[membership.pk] = person.number
        values = ((name, getattr(person, name)) for name in CONTACT_FIELDS)
        changes = tuple(name for name, value in values if value and value != getattr(membership, name))
        return PlannedPerson(
            person=person,
            outcome=PersonOutcome.UPDATED if changes else PersonOutcome.SAME,
            membership=membership,
            changes=changes,
        )

    def _first_person(self, key: object, person: ListedPerson) -> ListedPerson:
        """Return the person of the first line with this key; it is `person` if no earlier line has the key."""
        return self.first_lines.setdefault(key, person)

    def _earlier_number(self, person: ListedPerson, membership: Membership) -> str:
        """Return the member number that an earlier line gives this member, if it differs from this line's, else ""."""
        number = self.numbers.get(membership.pk, "")
        return "" if number.casefold() == person.number.casefold() else number

    def _plan_new_person(self, person: ListedPerson) -> PlannedPerson:
        if not person.given_name:
            return _wrong_person(person, _("The name is missing."))
        namesakes = self.new_people.setdefault(name_key(person.name), [])
        for first in namesakes:
            if not (first.number and person.number) or first.key == person.key:
                message = _("Line %(line)s has this name too: numbers tell two people apart.")
                return _wrong_person(person, message % {"line": first.line})
        namesakes.append(person)
        return PlannedPerson(person=person, outcome=PersonOutcome.NEW)


def compare_people(
    club: Club, people: Iterable[ListedPerson], answers: Mapping[int, str], *, may_repeat: bool = False
) -> list[PlannedPerson]:
    """Compare the people of an imported list with the members of a club; return the outcome for each person.

    A person matches a member by number, else by the names in any order. If only a similar name is found, the user must
    answer: `answers` are the user's choices by `answer_key`. With `may_repeat`, several lines may be one person in
    different spellings. One query for the club, and one for each person without an exact match.
    """
    members = list(club.memberships.select_related("player"))
    by_name = defaultdict(list)
    for member in members:
        by_name[name_key(f"{member.player.given_name} {member.player.family_name}")].append(member)
    by_number = {member.number.casefold(): member for member in members if member.number}
    comparison = _Comparison(club, {member.player_id: member for member in members}, by_number, by_name, may_repeat)
    return [comparison.plan_person(person, answers.get(person.answer_key, "")) for person in people]


@lru_cache(10_000)
def name_key(name: str) -> str:
    """Return a key that is equal for names with the same parts in any order. Case and accents do not count."""
    return " ".join(sorted(name_parts(name) or without_accents(name).split()))


def _wrong_person(person: ListedPerson, problem: str | Promise) -> PlannedPerson:
    return PlannedPerson(person=person, outcome=PersonOutcome.WRONG, problem=problem)
