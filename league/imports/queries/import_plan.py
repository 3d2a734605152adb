"""The plan of an import of past results: the outcome for each table of the list, by comparison with the season.

A list has a line for each player of each table, with the total, or a line for each deal (`listed_deals.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.imports.queries.listed_people import ListedPerson, PersonKey, PersonOutcome, PlannedPerson, compare_people
from league.models import Deal, Evening, Season, Seat
from league.models.evening import EveningState, HallState
from league.models.round import RoundState
from league.models.season import TableEnd
from league.seasons.queries.season_game import game_of_season
from league.sheets.queries.table_end import deals_needed
from scoring.phrases import refusal_text
from scoring.rules.errors import DoubtfulTotals, IllegalDeal


class ListedSeat(NamedTuple):
    """A line of an imported list: one player at one table. `problem` is the reason if the line cannot be parsed.

    `line` is the number of the line, from 1. If the line does not identify a table, `round` is 0, and `table` is the
    number of the line.
    """

    line: int
    person: ListedPerson
    day: date | None = None
    round: int = 1
    table: int = 1
    points: int = 0
    seat: int | None = None  # from 1; None: the players sit in the order of the lines
    deals: int | None = None  # number of deals that the table played
    problem: str | Promise = ""


class PointsDifference(NamedTuple):
    """A player whose points in a deal differ: `in_list` is written in the imported list, `by_rules` is computed."""

    name: str
    in_list: int
    by_rules: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDeal:
    """A deal of an imported list. If its line cannot be parsed, `problem` is the reason, and there are no `facts`.

    `rests` are the numbers of resting seats. `doubts` are warnings of the rules, in the user's language.
    """

    line: int
    facts: Mapping[str, Any] = field(default_factory=dict)
    rests: tuple[int, ...] = ()
    problem: str | Promise = ""
    differences: tuple[PointsDifference, ...] = ()
    doubts: tuple[str, ...] = ()

    @property
    def needs_review(self) -> bool:
        return bool(self.problem or self.differences or self.doubts)


class ListedTable(NamedTuple):
    """A card table of an imported list. The points of its seats are totals in the list, or sums of its deals."""

    day: date | None
    round: int
    number: int
    seats: Sequence[ListedSeat]
    parsed_deals: Sequence[ParsedDeal] = ()


class TableOutcome(StrEnum):
    NEW = "new"
    SAME = "same"
    UNANSWERED = "asked"  # the user must answer who a player is
    SKIPPED = "skipped"  # the user has answered to leave a player out
    DIFFERENT = "different"  # its deals give other points than the list
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A card table of an imported list, with the `outcome` of its import.

    `round` is 0 if the list does not identify the table. `deals` is the number of deals. `parsed_deals` is empty if the
    list has only totals.
    """

    day: date | None
    round: int
    number: int
    seats: Sequence[ListedSeat]
    outcome: TableOutcome
    problem: str | Promise = ""
    deals: int = 0
    parsed_deals: Sequence[ParsedDeal] = ()
    new_people: frozenset[PersonKey] = frozenset()  # players of this table who are not members yet
    doubt: str = ""  # why the totals are probably wrong, as a sentence; they are imported nevertheless

    @property
    def seats_with_is_new(self) -> list[tuple[ListedSeat, bool]]:
        """Each seat, and whether its player is not a member yet."""
        return [(seat, seat.person.key in self.new_people) for seat in self.seats]

    @property
    def lines(self) -> str:
        """The numbers of the table's lines in the list: "4, 5, 6", or "4–15" for consecutive deals."""
        numbers = sorted(line.line for line in self.parsed_deals or self.seats)
        if self.parsed_deals and len(numbers) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
            return f"{numbers[0]}–{numbers[-1]}"
        return ", ".join(map(str, numbers))

    @property
    def has_wrong_deal(self) -> bool:
        return any(deal.problem for deal in self.parsed_deals)

    @property
    def deals_to_review(self) -> list[ParsedDeal]:
        return [deal for deal in self.parsed_deals if deal.needs_review]


class ImportPlan(NamedTuple):
    """The outcome of an import for each table of a list, and for each person of the list by `ListedPerson.key`."""

    tables: list[PlannedTable]
    people: Mapping[PersonKey, PlannedPerson]

    def with_outcome(self, outcome: TableOutcome) -> list[PlannedTable]:
        return [table for table in self.tables if table.outcome is outcome]

    def summary(self) -> dict[str, int]:
        new, same = len(self.with_outcome(TableOutcome.NEW)), len(self.with_outcome(TableOutcome.SAME))
        return {"new": new, "same": same, "left_out": len(self.tables) - new - same}

    @property
    def questions(self) -> list[PlannedPerson]:
        """The people whose name resembles a member's name, so that the user must answer who they are."""
        return [line for line in self.people.values() if line.similar]

    @property
    def new_people(self) -> list[ListedPerson]:
        """The people who become members, since they play at a table that is imported."""
        seated = {key for table in self.with_outcome(TableOutcome.NEW) for key in table.new_people}
        return [line.person for key, line in self.people.items() if key in seated]


class _StoredResults(NamedTuple):
    evenings: Mapping[date, list[Evening]]
    # By (evening id, round number, table number): the points of each player id, in the order of the seats.
    tables: Mapping[tuple[int, int, int], dict[int, int]]
    # By (evening id, round number): ids of the players.
    seated: Mapping[tuple[int, int], set[int]]
    # By (evening id, round number, table number): facts and resting seats of each deal.
    deals: Mapping[tuple[int, int, int], list[tuple[Any, list[int]]]]


def group_by_table(lines: Iterable[ListedSeat]) -> list[ListedTable]:
    """Group the lines by table, sorted by seat. A line without a date becomes a table of its own, with `round` 0."""
    tables: dict[tuple[date | None, int, int], list[ListedSeat]] = defaultdict(list)
    for seat in lines:
        tables[(seat.day, seat.round, seat.table) if seat.day else (None, 0, seat.line)].append(seat)
    return [
        ListedTable(*key, sorted(seats, key=lambda seat: (seat.seat or 0, seat.line))) for key, seats in tables.items()
    ]


def plan_import(
    season: Season,
    tables: Iterable[ListedTable],
    answers: Mapping[int, str],
    today: date,
    *,
    accept_other_points: bool = False,
) -> ImportPlan:
    """Return what an import would do with each table and each person of a list. Nothing is stored.

    `answers` are the user's choices for names that resemble a member's name, by `ListedPerson.answer_key`. With
    `accept_other_points`, tables are imported even if their deals give other points than the list. The season must be
    fetched with its club. Each name without an exact match costs queries.
    """
    tables = sorted(tables, key=lambda table: (table.day or date.min, table.round, table.number))
    first: dict[PersonKey, ListedPerson] = {}
    for table in tables:
        for seat in table.seats:
            if not seat.problem:
                first.setdefault(seat.person.key, seat.person)
    first = dict(sorted(first.items(), key=lambda key_and_person: key_and_person[1].answer_key))
    lines = compare_people(season.club, first.values(), answers, may_repeat=True)
    people = dict(zip(first, lines, strict=True))
    stored = _read_stored_results(
        season, {table.day for table in tables if table.day}, with_deals=any(table.parsed_deals for table in tables)
    )
    planner = _ImportPlanner(season, stored, people, today, accept_other_points=accept_other_points)
    return ImportPlan([planner.plan_table(table) for table in tables], people)


def _read_stored_results(season: Season, days: set[date], *, with_deals: bool) -> _StoredResults:
    """Read the season's results on these dates. Deals are read only if `with_deals`."""
    evenings: dict[date, list[Evening]] = defaultdict(list)
    for evening in season.evenings.not_cancelled().filter(date__in=days).order_by("pk"):
        evenings[evening.date].append(evening)
    played = Seat.objects.filter(
        round__evening__season=season, round__evening__date__in=days, round__state=RoundState.ACCEPTED
    )
    tables: dict[tuple[int, int, int], dict[int, int]] = defaultdict(dict)
    seated: dict[tuple[int, int], set[int]] = defaultdict(set)
    names = ("round__evening", "round__number", "table__number", "player", "points")
    for evening_id, round_number, table, player, points in played.order_by("table", "number").values_list(*names):
        tables[evening_id, round_number, table][player] = points
        seated[evening_id, round_number].add(player)
    deals: dict[tuple[int, int, int], list[tuple[Any, list[int]]]] = defaultdict(list)
    if with_deals:
        of_days = Deal.objects.not_voided().filter(
            table__round__evening__season=season, table__round__evening__date__in=days
        )
        names = ("table__round__evening", "table__round__number", "table__number", "facts", "rests")
        for evening_id, round_number, table, facts, rests in of_days.order_by("table", "number").values_list(*names):
            deals[evening_id, round_number, table].append((facts, rests))
    return _StoredResults(evenings, tables, seated, deals)


class _ImportPlanner:
    """Determines the outcome of each table of a list, in order. A player may have one seat in each round."""

    def __init__(
        self,
        season: Season,
        stored: _StoredResults,
        people: Mapping[PersonKey, PlannedPerson],
        today: date,
        *,
        accept_other_points: bool,
    ) -> None:
        self.accept_other_points = accept_other_points
        self.season = season
        self.game = game_of_season(season)
        self.options = self.game.rules.read_options(season.house_rules)
        self.stored = stored
        self.people = people
        self.today = today
        self.seated: dict[tuple[date, int], dict[object, ListedSeat]] = defaultdict(dict)  # by round: seats by player

    def plan_table(self, listed_table: ListedTable) -> PlannedTable:
        seats = listed_table.seats
        deals = len(listed_table.parsed_deals) or self._number_of_deals(seats)
        problem = next(self._table_problems(listed_table, deals), None)
        if problem is not None:
            return self._planned_table(
                listed_table, TableOutcome.WRONG if problem else TableOutcome.SAME, deals, problem
            )
        outcomes = {self.people[seat.person.key].outcome for seat in seats}
        if PersonOutcome.UNANSWERED in outcomes:
            return self._planned_table(listed_table, TableOutcome.UNANSWERED, deals)
        if PersonOutcome.SKIPPED in outcomes:
            return self._planned_table(listed_table, TableOutcome.SKIPPED, deals)
        differs = not self.accept_other_points and any(deal.differences for deal in listed_table.parsed_deals)
        return self._planned_table(listed_table, TableOutcome.DIFFERENT if differs else TableOutcome.NEW, deals)

    def _planned_table(
        self, table: ListedTable, outcome: TableOutcome, deals: int | None, problem: str | Promise = ""
    ) -> PlannedTable:
        day, round_number, number, seats, parsed_deals = table
        keys = {seat.person.key for seat in seats if not seat.problem}
        new = frozenset(key for key in keys if self.people[key].outcome is PersonOutcome.NEW)
        doubt = self._totals_warning(seats, deals) if outcome is TableOutcome.NEW and not parsed_deals else ""
        return PlannedTable(day, round_number, number, seats, outcome, problem, deals or 0, parsed_deals, new, doubt)

    def _totals_warning(self, seats: Sequence[ListedSeat], deals: int | None) -> str:
        """Return a sentence if the totals are possible but probably wrong, else ""."""
        try:
            self.game.rules.check_totals([seat.points for seat in seats], deals or 1, self.options)
        except DoubtfulTotals as doubtful:
            return refusal_text(self.game, doubtful, ())
        return ""

    def _table_problems(self, table: ListedTable, deals: int | None) -> Iterator[str | Promise]:
        """Yield the reasons, as sentences, why the table cannot be imported; "" if it is already stored."""
        day, round_number, number, seats, parsed_deals = table
        yield from self._line_problems(table)
        if day is None or not round_number:
            return
        yield from self._date_problems(day)
        evening = next(iter(self.stored.evenings.get(day, [])), None)
        if evening is not None:
            key = (evening.pk, round_number, number)
            if key in self.stored.tables:
                yield (
                    ""
                    if self._is_same(key, table)
                    else _("The season has other results of this table. Correct them there.")
                )
        yield from self._repeated_player_problems(day, round_number, seats, evening)
        yield from self._totals_problems(seats, deals, by_totals=not parsed_deals)

    def _line_problems(self, table: ListedTable) -> Iterator[str]:
        for seat in table.seats:
            problem = seat.problem
            if not problem and (person := self.people[seat.person.key]).outcome is PersonOutcome.WRONG:
                problem = person.problem
            if problem:
                yield _("Line %(line)s: %(problem)s") % {"line": seat.line, "problem": problem}
        for deal in table.parsed_deals:
            if deal.problem:
                yield _("Line %(line)s: %(problem)s") % {"line": deal.line, "problem": deal.problem}

    def _is_same(self, key: tuple[int, int, int], table: ListedTable) -> bool:
        """Return whether the stored table has the same results. `key` is (evening id, round number, table number)."""
        stored_points = self.stored.tables[key]
        if not table.parsed_deals:
            convert_points = self.season.convert_points
            return stored_points == {self._player_key(seat): convert_points(seat.points) for seat in table.seats}
        stored = self.stored.deals.get(key, [])
        players = [self._player_key(seat) for seat in table.seats]
        if list(stored_points) != players or len(stored) != len(table.parsed_deals):
            return False
        return all(
            self._comparable_facts(len(stored_points), *stored_deal)
            == self._comparable_facts(len(stored_points), deal.facts, deal.rests)
            for stored_deal, deal in zip(stored, table.parsed_deals, strict=True)
        )

    def _comparable_facts(self, size: int, facts: object, rests: Sequence[int]) -> tuple[object, list[int]]:
        """Return the facts of a deal in a form that can be compared, and the resting seats.

        If the rules do not accept the facts any more, return them unchanged.
        """
        try:
            return self.game.rules.read_earlier(size - len(rests), [facts]), list(rests)
        except IllegalDeal:
            return facts, list(rests)

    def _date_problems(self, day: date) -> Iterator[str]:
        evenings = self.stored.evenings.get(day, [])
        if day > self.today:
            yield _("This date is still to come.")
        if len(evenings) > 1:
            yield _("The season has two evenings on this date.")
        if any(evening.state == EveningState.OPEN for evening in evenings):
            yield _("The evening is open: enter its results there.")
        if any(evening.hall == HallState.OUT and evening.state == EveningState.PLANNED for evening in evenings):
            yield _("The evening is played on a hall server: its results come back in its file.")

    def _repeated_player_problems(
        self, day: date, round_number: int, seats: Sequence[ListedSeat], evening: Evening | None
    ) -> Iterator[str]:
        seated = self.stored.seated.get((evening.pk, round_number), set()) if evening else set()
        seats_of_round = self.seated[day, round_number]
        for seat in seats:
            player = self._player_key(seat)
            if player in seated:
                yield _("Line %(line)s: %(name)s sits at another table of this round.") % {
                    "line": seat.line,
                    "name": seat.person.name or seat.person.number,
                }
            elif (first := seats_of_round.setdefault(player, seat)) is not seat:
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

    def _totals_problems(self, seats: Sequence[ListedSeat], deals: int | None, *, by_totals: bool) -> Iterator[str]:
        if len(seats) not in self.game.sizes:
            sizes = ", ".join(map(str, sorted(self.game.sizes)))
            message = ngettext(
                "%(given)s player: a table of this game has %(sizes)s.",
                "%(given)s players: a table of this game has %(sizes)s.",
                len(seats),
            )
            yield message % {"given": len(seats), "sizes": sizes}
            return
        if deals is None:
            yield _("The number of deals is missing, or its lines say different ones.")
            return
        if not by_totals:
            return
        try:
            self.game.rules.check_totals([seat.points for seat in seats], deals, self.options)
        except DoubtfulTotals:
            return  # _totals_warning returns this warning
        except IllegalDeal as illegal:
            yield refusal_text(self.game, illegal, [seat.person.name or seat.person.number for seat in seats])

    def _player_key(self, seat: ListedSeat) -> object:
        line = self.people[seat.person.key]
        return seat.person.key if line.membership is None else line.membership.player_id

    def _number_of_deals(self, seats: Sequence[ListedSeat]) -> int | None:
        """Return the number of deals in the list, else by the season's rules. Return None if it is not known."""
        numbers = {seat.deals for seat in seats if seat.deals is not None}
        if numbers:
            return numbers.pop() if len(numbers) == 1 else None
        if self.season.end != TableEnd.DEALS or self.season.end_number is None:
            return None
        size = len(seats)
        return (
            deals_needed(self.season.end_number, size, one_player_rests=size == self.season.resting_size)
            if size > 1
            else None
        )
