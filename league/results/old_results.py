"""Compares a list of results with what a season has: what bringing the list in would do, table by table.

A list has a line for each player at each table, as an old spreadsheet keeps it: totals, without deals.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import Final, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _

from league.models import Evening, Season, Seat
from league.models.evening import EveningState
from league.models.round import RoundState
from league.models.season import End
from league.results.listed_people import Fate, ListedPerson, PlannedLine, compared
from league.results.table_end import deals_needed
from players.names import plain
from scoring.game import find_game
from scoring.phrases import refusal
from scoring.rules.errors import IllegalDeal

MOST_POINTS: Final = 99_999
MOST_DEALS: Final = 200

Person = tuple[str, str]  # the key of who is meant: names in any order, and the number


class ListedSeat(NamedTuple):
    """A line of a list, counted from 1: one player at one table. `problem` says why it can't be read."""

    line: int
    person: ListedPerson
    day: date | None = None
    round: int = 1
    table: int = 1
    points: int = 0
    seat: int | None = None  # from 1; without it seats are in the order of the lines
    deals: int | None = None  # that the table played
    problem: str | Promise = ""

    @property
    def who(self) -> Person:
        """What tells people apart."""
        return " ".join(sorted(plain(self.person.name).split())), self.person.number.casefold()


class TableFate(StrEnum):
    """What becomes of a table of the list."""

    NEW = "new"
    SAME = "same"
    ASKED = "asked"  # who is one of its players?
    SKIPPED = "skipped"  # one of its players is left out, as was answered
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A table of the list and what becomes of it; `deals` are those that it played."""

    day: date | None
    round: int
    number: int
    seats: Sequence[ListedSeat]
    fate: TableFate
    problem: str | Promise = ""
    deals: int = 0

    @property
    def lines(self) -> str:
        """The lines that it stands on: "4, 5, 6"."""
        return ", ".join(str(seat.line) for seat in self.seats)


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


class _PlayedThen(NamedTuple):
    """What the season has on the dates of a list."""

    evenings: Mapping[date, list[Evening]]
    tables: Mapping[tuple[int, int, int], dict[int, int]]  # by evening, round and table: points by player
    seated: Mapping[tuple[int, int], set[int]]  # by evening and round: who sits there


def planned_results(
    season: Season, listed: Iterable[ListedSeat], answers: Mapping[int, str], today: date
) -> PlannedResults:
    """Return what becomes of each table, and who its people are. `answers` are about people, by line.

    The season was fetched with its club. Some queries more for each name that is not exactly a member's.
    """
    seats = list(listed)
    first: dict[Person, ListedPerson] = {}
    for seat in seats:
        if not seat.problem:
            first.setdefault(seat.who, seat.person)
    lines = compared(season.club, first.values(), answers, may_repeat=True)
    people = dict(zip(first, lines, strict=True))
    stored = _stored(season, {seat.day for seat in seats if seat.day})
    tables: dict[tuple[date | None, int, int], list[ListedSeat]] = defaultdict(list)
    for seat in seats:
        tables[(seat.day, seat.round, seat.table) if seat.day else (None, 0, seat.line)].append(seat)
    planning = _Planning(season, stored, people, today)
    order = sorted(tables.items(), key=lambda each: (each[0][0] or date.min, *each[0][1:]))
    return PlannedResults([planning.table(*key, found) for key, found in order], people)


def _stored(season: Season, days: set[date]) -> _PlayedThen:
    evenings: dict[date, list[Evening]] = defaultdict(list)
    for evening in season.evenings.not_cancelled().filter(date__in=days).order_by("pk"):
        evenings[evening.date].append(evening)
    played = Seat.objects.filter(
        round__evening__season=season, round__evening__date__in=days, round__state=RoundState.ACCEPTED
    )
    tables: dict[tuple[int, int, int], dict[int, int]] = defaultdict(dict)
    seated: dict[tuple[int, int], set[int]] = defaultdict(set)
    names = ("round__evening", "round__number", "table__number", "player", "points")
    for evening_id, sitting, table, player, points in played.order_by().values_list(*names):
        tables[evening_id, sitting, table][player] = points
        seated[evening_id, sitting].add(player)
    return _PlayedThen(evenings, tables, seated)


class _Planning:
    """Decides table after table; who sits in a round of the list can't sit there twice."""

    def __init__(self, season: Season, stored: _PlayedThen, people: Mapping[Person, PlannedLine], today: date) -> None:
        self.season = season
        self.game = find_game(season.game)
        self.stored = stored
        self.people = people
        self.today = today
        self.seated: dict[tuple[date, int], dict[object, int]] = defaultdict(dict)  # by round: whose line it is

    def table(self, day: date | None, sitting: int, number: int, seats: Sequence[ListedSeat]) -> PlannedTable:
        """Return what becomes of a table."""
        seats = sorted(seats, key=lambda seat: (seat.seat or 0, seat.line))
        deals = self._deals(seats)
        problem = next(self._problems(day, sitting, number, seats, deals), None)
        if problem is not None:
            fate = TableFate.WRONG if problem else TableFate.SAME
            return PlannedTable(day, sitting, number, seats, fate, problem, deals or 0)
        fates = {self.people[seat.who].fate for seat in seats}
        fate = TableFate.ASKED if Fate.ASKED in fates else TableFate.SKIPPED if Fate.SKIPPED in fates else TableFate.NEW
        return PlannedTable(day, sitting, number, seats, fate, deals=deals or 0)

    def _problems(
        self, day: date | None, sitting: int, number: int, seats: Sequence[ListedSeat], deals: int | None
    ) -> Iterator[str | Promise]:
        """Yield why the table can't come in; an empty text where it is there already."""
        for seat in seats:
            if seat.problem:
                yield _("Line %(line)s: %(problem)s") % {"line": seat.line, "problem": seat.problem}
            elif (person := self.people[seat.who]).fate is Fate.WRONG:
                yield _("Line %(line)s: %(problem)s") % {"line": seat.line, "problem": person.problem}
        if day is None:
            return
        yield from self._not_then(day)
        evening = next(iter(self.stored.evenings.get(day, [])), None)
        if evening is not None:
            there = self.stored.tables.get((evening.pk, sitting, number))
            if there is not None:
                same = there == {self._who(seat): seat.points for seat in seats}
                yield "" if same else _("The season has other results of this table. Correct them there.")
        yield from self._twice(day, sitting, seats, evening)
        yield from self._not_played(seats, deals)

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
            elif (line := here.setdefault(who, seat.line)) != seat.line:
                yield _("Lines %(line)s and %(other)s are one player in one round.") % {
                    "line": line,
                    "other": seat.line,
                }

    def _not_played(self, seats: Sequence[ListedSeat], deals: int | None) -> Iterator[str]:
        if len(seats) not in self.game.sizes:
            sizes = ", ".join(map(str, sorted(self.game.sizes)))
            yield _("%(given)s players: a table of this game has %(sizes)s.") % {"given": len(seats), "sizes": sizes}
            return
        if deals is None:
            yield _("The number of deals is missing, or its lines say different ones.")
            return
        try:
            self.game.rules.check_totals([seat.points for seat in seats], deals)
        except IllegalDeal as illegal:
            yield refusal(self.game, illegal, [seat.person.name or seat.person.number for seat in seats])

    def _who(self, seat: ListedSeat) -> object:
        """Return the player's id, or what tells apart who isn't in the club yet."""
        line = self.people[seat.who]
        return seat.who if line.membership is None else line.membership.player_id

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
