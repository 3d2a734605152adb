"""Compares a list of results with what a season has: what bringing the list in would do, table by table.

A list has a line for each player at each table, with his total, or a line for each deal (`listed_deals.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.imports.queries.listed_people import Fate, ListedPerson, Person, PlannedLine, compared
from league.models import Deal, Evening, Season, Seat
from league.models.evening import EveningState
from league.models.round import RoundState
from league.models.season import End
from league.sheets.queries.table_end import deals_needed
from scoring.game import find_game
from scoring.phrases import refusal
from scoring.rules.errors import IllegalDeal

MOST_POINTS: Final = 99_999
MOST_DEALS: Final = 200


class ListedSeat(NamedTuple):
    """A line of a list, counted from 1: one player at one table. `problem` says why it can't be read.

    A line that doesn't say at which table has the round 0, and its own number as the table's.
    """

    line: int
    person: ListedPerson
    day: date | None = None
    round: int = 1
    table: int = 1
    points: int = 0
    seat: int | None = None  # from 1; without it seats are in the order of the lines
    deals: int | None = None  # that the table played
    problem: str | Promise = ""


class OtherPoints(NamedTuple):
    """A player's points in a deal, as the list has them and as the rules count them."""

    name: str
    given: int
    counted: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadDeal:
    """A deal of a list, read by the game's rules: its `facts`, or the `problem` that it has.

    `doubts` are those of the rules, in words.
    """

    line: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    rests: tuple[int, ...] = ()
    problem: str | Promise = ""
    differences: tuple[OtherPoints, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def is_remarkable(self) -> bool:
        """Whether there is anything to say about it."""
        return bool(self.problem or self.differences or self.doubts)


class ListedTable(NamedTuple):
    """A table as a list has it: totals, or deals whose points are added up."""

    day: date | None
    round: int
    number: int
    seats: Sequence[ListedSeat]
    dealt: Sequence[ReadDeal] = ()


class TableFate(StrEnum):
    """What becomes of a table of the list."""

    NEW = "new"
    SAME = "same"
    ASKED = "asked"  # who is one of its players?
    SKIPPED = "skipped"  # one of its players is left out, as was answered
    DIFFERENT = "different"  # its deals give other points than the list says
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table of the list and what becomes of it; `deals` are those that it played.

    Its round is 0 where the list doesn't say at which table something was played.
    """

    day: date | None
    round: int
    number: int
    seats: Sequence[ListedSeat]
    fate: TableFate
    problem: str | Promise = ""
    deals: int = 0
    dealt: Sequence[ReadDeal] = ()
    new_people: frozenset[Person] = frozenset()  # at it, who are no members yet

    @property
    def seated(self) -> list[tuple[ListedSeat, bool]]:
        """Its seats, and whether a new member sits there."""
        return [(seat, seat.person.who in self.new_people) for seat in self.seats]

    @property
    def lines(self) -> str:
        """The lines that it stands on: "4, 5, 6", or "4–15" where many follow one another."""
        numbers = sorted(each.line for each in self.dealt or self.seats)
        if self.dealt and len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"{numbers[0]}–{numbers[-1]}"
        return ", ".join(map(str, numbers))

    @property
    def is_told_by_line(self) -> bool:
        """Whether its problem is that of a line of its deals."""
        return any(deal.problem for deal in self.dealt)

    @property
    def remarkable(self) -> list[ReadDeal]:
        """Its deals of which there is something to say."""
        return [deal for deal in self.dealt if deal.is_remarkable]


class PlannedResults(NamedTuple):
    """What becomes of a list: its tables in the order of play, and who its people are."""

    tables: list[PlannedTable]
    people: Mapping[Person, PlannedLine]

    def of(self, fate: TableFate) -> list[PlannedTable]:
        """Return the tables that come to this."""
        return [table for table in self.tables if table.fate is fate]

    @property
    def asked(self) -> list[PlannedLine]:
        """Who is asked about, or was."""
        return [line for line in self.people.values() if line.similar]

    @property
    def new_people(self) -> list[ListedPerson]:
        """Who becomes a member: is new, and sits at a table that comes in."""
        seated = {who for table in self.of(TableFate.NEW) for who in table.new_people}
        return [line.person for who, line in self.people.items() if who in seated]


class _PlayedThen(NamedTuple):
    """What the season has on the dates of a list."""

    evenings: Mapping[date, list[Evening]]
    tables: Mapping[tuple[int, int, int], dict[int, int]]  # by evening, round and table: points by player, seat by seat
    seated: Mapping[tuple[int, int], set[int]]  # by evening and round: who sits there
    dealt: Mapping[tuple[int, int, int], list[tuple[Any, list[int]]]]  # by table: each deal's facts and who rests


def in_tables(listed: Iterable[ListedSeat]) -> list[ListedTable]:
    """Return lines of totals table by table, in the order of play; a line without a date stands alone."""
    tables: dict[tuple[date | None, int, int], list[ListedSeat]] = defaultdict(list)
    for seat in listed:
        tables[(seat.day, seat.round, seat.table) if seat.day else (None, 0, seat.line)].append(seat)
    return [
        ListedTable(*key, sorted(seats, key=lambda seat: (seat.seat or 0, seat.line))) for key, seats in tables.items()
    ]


def planned_results(
    season: Season,
    tables: Iterable[ListedTable],
    answers: Mapping[int, str],
    today: date,
    *,
    as_counted: bool = False,
) -> PlannedResults:
    """Return what becomes of each table, and who its people are. `answers` are about people, by `asked_as`.

    With `as_counted` tables come in whose deals give other points than the list says. The season was fetched with its
    club. Some queries more for each name that is not exactly a member's.
    """
    tables = sorted(tables, key=lambda table: (table.day or date.min, table.round, table.number))
    first: dict[Person, ListedPerson] = {}
    for table in tables:
        for seat in table.seats:
            if not seat.problem:
                first.setdefault(seat.person.who, seat.person)
    first = dict(sorted(first.items(), key=lambda each: each[1].asked_as))
    lines = compared(season.club, first.values(), answers, may_repeat=True)
    people = dict(zip(first, lines, strict=True))
    stored = _stored(season, {table.day for table in tables if table.day}, dealt=any(table.dealt for table in tables))
    planning = _Planning(season, stored, people, today, as_counted=as_counted)
    return PlannedResults([planning.table(table) for table in tables], people)


def _stored(season: Season, days: set[date], *, dealt: bool) -> _PlayedThen:
    evenings: dict[date, list[Evening]] = defaultdict(list)
    for evening in season.evenings.not_cancelled().filter(date__in=days).order_by("pk"):
        evenings[evening.date].append(evening)
    played = Seat.objects.filter(
        round__evening__season=season, round__evening__date__in=days, round__state=RoundState.ACCEPTED
    )
    tables: dict[tuple[int, int, int], dict[int, int]] = defaultdict(dict)
    seated: dict[tuple[int, int], set[int]] = defaultdict(set)
    names = ("round__evening", "round__number", "table__number", "player", "points")
    for evening_id, sitting, table, player, points in played.order_by("table", "number").values_list(*names):
        tables[evening_id, sitting, table][player] = points
        seated[evening_id, sitting].add(player)
    deals: dict[tuple[int, int, int], list[tuple[Any, list[int]]]] = defaultdict(list)
    if dealt:
        of_days = Deal.objects.standing().filter(
            table__round__evening__season=season, table__round__evening__date__in=days
        )
        names = ("table__round__evening", "table__round__number", "table__number", "facts", "rests")
        for evening_id, sitting, table, facts, rests in of_days.order_by("table", "number").values_list(*names):
            deals[evening_id, sitting, table].append((facts, rests))
    return _PlayedThen(evenings, tables, seated, deals)


class _Planning:
    """Decides table after table; who sits in a round of the list can't sit there twice."""

    def __init__(
        self,
        season: Season,
        stored: _PlayedThen,
        people: Mapping[Person, PlannedLine],
        today: date,
        *,
        as_counted: bool,
    ) -> None:
        self.as_counted = as_counted
        self.season = season
        self.game = find_game(season.game)
        self.stored = stored
        self.people = people
        self.today = today
        self.seated: dict[tuple[date, int], dict[object, ListedSeat]] = defaultdict(dict)  # by round: who sits where

    def table(self, listed: ListedTable) -> PlannedTable:
        """Return what becomes of a table."""
        seats = listed.seats
        deals = len(listed.dealt) or self._deals(seats)
        problem = next(self._problems(listed, deals), None)
        if problem is not None:
            return self._planned(listed, TableFate.WRONG if problem else TableFate.SAME, deals, problem)
        fates = {self.people[seat.person.who].fate for seat in seats}
        if Fate.ASKED in fates:
            return self._planned(listed, TableFate.ASKED, deals)
        if Fate.SKIPPED in fates:
            return self._planned(listed, TableFate.SKIPPED, deals)
        differs = not self.as_counted and any(deal.differences for deal in listed.dealt)
        return self._planned(listed, TableFate.DIFFERENT if differs else TableFate.NEW, deals)

    def _planned(
        self, listed: ListedTable, fate: TableFate, deals: int | None, problem: str | Promise = ""
    ) -> PlannedTable:
        day, sitting, number, seats, dealt = listed
        told = {seat.person.who for seat in seats if not seat.problem}
        new = frozenset(who for who in told if self.people[who].fate is Fate.NEW)
        return PlannedTable(day, sitting, number, seats, fate, problem, deals or 0, dealt, new)

    def _problems(self, listed: ListedTable, deals: int | None) -> Iterator[str | Promise]:
        """Yield why the table can't come in; an empty text where it is there already."""
        day, sitting, number, seats, dealt = listed
        yield from self._on_lines(listed)
        if day is None or not sitting:
            return
        yield from self._not_then(day)
        evening = next(iter(self.stored.evenings.get(day, [])), None)
        if evening is not None:
            key = (evening.pk, sitting, number)
            if key in self.stored.tables:
                yield (
                    ""
                    if self._is_same(key, listed)
                    else _("The season has other results of this table. Correct them there.")
                )
        yield from self._twice(day, sitting, seats, evening)
        yield from self._not_played(seats, deals, by_totals=not dealt)

    def _on_lines(self, listed: ListedTable) -> Iterator[str]:
        """Yield what is wrong with single lines."""
        for seat in listed.seats:
            problem = seat.problem
            if not problem and (person := self.people[seat.person.who]).fate is Fate.WRONG:
                problem = person.problem
            if problem:
                yield _("Line %(line)s: %(problem)s") % {"line": seat.line, "problem": problem}
        for deal in listed.dealt:
            if deal.problem:
                yield _("Line %(line)s: %(problem)s") % {"line": deal.line, "problem": deal.problem}

    def _is_same(self, key: tuple[int, int, int], listed: ListedTable) -> bool:
        """Return whether the season has the table just so: who sat there, and the points or the deals."""
        there = self.stored.tables[key]
        if not listed.dealt:
            return there == {self._who(seat): seat.points for seat in listed.seats}
        stored = self.stored.dealt.get(key, [])
        if list(there) != [self._who(seat) for seat in listed.seats] or len(stored) != len(listed.dealt):
            return False
        return all(
            self._read(len(there), *before) == self._read(len(there), deal.facts, deal.rests)
            for before, deal in zip(stored, listed.dealt, strict=True)
        )

    def _read(self, size: int, facts: object, rests: Sequence[int]) -> tuple[object, list[int]]:
        """Return what facts say, however they are written; those that the rules don't take any more, as they are."""
        try:
            return self.game.rules.read_earlier(size - len(rests), [facts]), list(rests)
        except IllegalDeal:
            return facts, list(rests)

    def _not_then(self, day: date) -> Iterator[str]:
        evenings = self.stored.evenings.get(day, [])
        if day > self.today:
            yield _("This date is still to come.")
        if len(evenings) > 1:
            yield _("The season has two evenings on this date.")
        if any(evening.state == EveningState.OPEN for evening in evenings):
            yield _("The evening is open: enter its results there.")

    def _twice(self, day: date, sitting: int, seats: Sequence[ListedSeat], evening: Evening | None) -> Iterator[str]:
        sits = self.stored.seated.get((evening.pk, sitting), set()) if evening else set()
        here = self.seated[day, sitting]
        for seat in seats:
            who = self._who(seat)
            if who in sits:
                yield _("Line %(line)s: %(name)s sits at another table of this round.") % {
                    "line": seat.line,
                    "name": seat.person.name or seat.person.number,
                }
            elif (first := here.setdefault(who, seat)) is not seat:
                words = (
                    _("Line %(line)s names %(name)s twice.")
                    if first.line == seat.line
                    else _("Lines %(line)s and %(other)s are one player in one round.")
                )
                yield words % {
                    "line": first.line,
                    "other": seat.line,
                    "name": seat.person.name or seat.person.number,
                }

    def _not_played(self, seats: Sequence[ListedSeat], deals: int | None, *, by_totals: bool) -> Iterator[str]:
        if len(seats) not in self.game.sizes:
            sizes = ", ".join(map(str, sorted(self.game.sizes)))
            yield _("%(given)s players: a table of this game has %(sizes)s.") % {"given": len(seats), "sizes": sizes}
            return
        if deals is None:
            yield _("The number of deals is missing, or its lines say different ones.")
            return
        if not by_totals:
            return
        try:
            self.game.rules.check_totals([seat.points for seat in seats], deals)
        except IllegalDeal as illegal:
            yield refusal(self.game, illegal, [seat.person.name or seat.person.number for seat in seats])

    def _who(self, seat: ListedSeat) -> object:
        """Return the player's id, or what tells apart who isn't in the club yet."""
        line = self.people[seat.person.who]
        return seat.person.who if line.membership is None else line.membership.player_id

    def _deals(self, seats: Sequence[ListedSeat]) -> int | None:
        """Return how many deals the table played: as its lines say, or else as the season says."""
        said = {seat.deals for seat in seats if seat.deals is not None}
        if said:
            return said.pop() if len(said) == 1 else None
        if self.season.end != End.DEALS or self.season.end_number is None:
            return None
        size = len(seats)
        return (
            deals_needed(self.season.end_number, size, one_rests=size == self.season.resting_size) if size > 1 else None
        )
