"""Reads the deals of a list, a line each, by the rules of their season: facts, points, and where the list has others.

The cells of a line are those of the game's row of codes; in the place of codes and of seats' numbers stand also the
game's words, those of its `spreadsheet.py` and players' names.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from league.imports.queries.listed_people import ListedPerson, name_key
from league.imports.queries.old_results import ListedSeat, ListedTable, OtherPoints, ReadDeal
from league.models import Season
from league.seasons.queries.season_game import season_game
from players.names import joined, plain, tidy, with_initial
from scoring.game import Game, find_game
from scoring.phrases import column_codes, column_label, message_text, problem_text, refusal
from scoring.row_codes import Column, Problem, RowCodes
from scoring.rules.errors import IllegalDeal
from scoring.spreadsheet import CellPart

MOST_DEALS: Final = 200  # of a table


_Key = tuple[date | None, int, int]  # of a table


class ListedDeal(NamedTuple):
    """A line of a list, counted from 1: a deal. `problem` says why it can't be read.

    A line that doesn't say at which table has the round 0. `people` and their `points` stand by the places of the
    list; who doesn't play the deal is None. `texts` are the cells of the game, by the names of its columns and parts.
    """

    line: int
    day: date | None = None
    round: int = 1
    table: int = 1
    number: int | None = None
    people: tuple[ListedPerson | None, ...] = ()
    points: tuple[int | None, ...] = ()
    rests: str = ""
    texts: Mapping[str, str] = {}
    problem: str | Promise = ""


def read_tables(season: Season, listed: Sequence[ListedDeal]) -> list[ListedTable]:
    """Return the tables of a list, each deal read by its evening's house rules. One query.

    A line that doesn't say where it belongs holds back the tables of the lines around it: it is of one of them.
    """
    tables = _by_table(listed)
    days = {day for day, _round, _number in tables if day}
    kept = {
        each.date: each.house_rules
        for each in season.evenings.not_cancelled().filter(date__in=days).select_related("season").order_by("-pk")
    }
    game = season_game(season)
    return [
        _TableOfLines(game, kept.get(day, season.house_rules) if day else season.house_rules, deals).read(
            day, sitting, number, season
        )
        for (day, sitting, number), deals in tables.items()
    ]


def _by_table(listed: Sequence[ListedDeal]) -> dict[_Key, list[ListedDeal]]:
    tables: dict[_Key, list[ListedDeal]] = defaultdict(list)
    keys: list[_Key | None] = [
        (deal.day, deal.round, deal.table) if deal.day and deal.round else None for deal in listed
    ]
    for at, (deal, key) in enumerate(zip(listed, keys, strict=True)):
        if key:
            tables[key].append(deal)
            continue
        around = [next(filter(None, keys[at::step]), None) for step in (-1, 1)]
        for each in dict.fromkeys(around):
            if each:
                tables[each].append(deal)
        if around == [None, None]:
            tables[deal.day, 0, deal.line].append(deal)
    return tables


class _TableOfLines:
    """The lines of one table."""

    def __init__(self, game: Game, house_rules: Mapping[str, Any], deals: Iterable[ListedDeal]) -> None:
        self.game, self.rules = game, game.rules
        self.options = self.rules.read_options(house_rules)
        self.deals = sorted(deals, key=lambda deal: (deal.number or 0, deal.line))
        self.places: dict[int, ListedPerson] = {}  # of the list: who is first named there
        for deal in self.deals:
            for place, person in enumerate(deal.people):
                if person is not None:
                    self.places.setdefault(place, person)
        self.people = [self.places[place] for place in sorted(self.places)]
        self.names = [person.name for person in self.people]
        self.called = [_called(person) for person in self.people]
        self.earlier: list[Any] = []  # the deals read so far
        self.one_rests = self.would_rest = False

    def read(self, day: date | None, sitting: int, number: int, season: Season) -> ListedTable:
        """Return its seats with their points, and its deals as far as they can be read."""
        size = len(self.people)
        self.one_rests = size == season.resting_size
        # Whether one would rest by other house rules of the season.
        self.would_rest = not self.one_rests and self.game.may_rest and size >= max(4, *season.table_sizes)
        totals, played = [0] * size, [0] * size
        dealt: list[ReadDeal] = []
        for index, deal in enumerate(self.deals):
            try:
                read, points = self._deal(deal, index)
            except ValueError as wrong:
                dealt.append(ReadDeal(line=deal.line, problem=str(wrong)))
                continue
            dealt.append(read)
            for seat, got in points.items():
                totals[seat] += got
                played[seat] += 1
        seats = [
            ListedSeat(person.line, person, day, sitting, number, totals[seat], seat + 1, played[seat])
            for seat, person in enumerate(self.people)
        ]
        return ListedTable(day, sitting, number, seats, dealt)

    def _deal(self, listed: ListedDeal, index: int) -> tuple[ReadDeal, dict[int, int]]:
        """Return a deal, and what it gives those who play it. Raises ValueError with words."""
        if problem := listed.problem or next(self._wrong_place(listed, index), ""):
            raise ValueError(problem)
        rests = self._rests(listed, index)
        playing = [seat for seat in range(len(self.people)) if seat not in rests]
        names = [self.names[seat] for seat in playing]
        facts = self._facts(listed, [seat + 1 for seat in playing])
        try:
            played = self.rules.play(len(playing), facts, self.options, self.earlier)
        except IllegalDeal as illegal:
            raise ValueError(refusal(self.game, illegal, names)) from illegal
        self.earlier.append(played.deal)
        points = dict(zip(playing, played.points, strict=True))
        read = ReadDeal(
            line=listed.line,
            facts=facts,
            rests=tuple(rests),
            differences=tuple(self._differences(listed, points)),
            doubts=tuple(message_text(self.game, doubt.code, doubt.params, names) for doubt in played.warnings),
        )
        return read, points

    def _wrong_place(self, listed: ListedDeal, index: int) -> Iterator[str]:
        """Yield why the line can't be the table's deal of that place."""
        if index >= MOST_DEALS:
            yield _("A table has at most %(most)s deals. Which table and which round is it?") % {"most": MOST_DEALS}
        if listed.number is not None and listed.number != index + 1:
            if index and self.deals[index - 1].number == listed.number:
                yield _("Deal %(number)s is on line %(line)s too.") % {
                    "number": listed.number,
                    "line": self.deals[index - 1].line,
                }
            elif not any(before.number not in (None, at) for at, before in enumerate(self.deals[:index], 1)):
                yield _("Deal %(number)s is missing before this one.") % {"number": index + 1}
        for place, person in enumerate(listed.people):
            if person is not None and person.who != (first := self.places[place]).who:
                yield _("%(name)s sits where %(first)s sits on line %(line)s.") % {
                    "name": person.name,
                    "first": first.name,
                    "line": first.line,
                }
        if len(set(self.names)) < len(self.names):
            yield _("Somebody sits at this table twice.")

    def _rests(self, listed: ListedDeal, index: int) -> list[int]:
        """Return the seats that sit the deal out: as is said, else who has nothing on the line, else by turns."""
        places = sorted(self.places)
        size, resting = len(places), int(self.one_rests)
        here = [place < len(listed.people) and listed.people[place] is not None for place in places]
        rests = [seat for seat, plays in enumerate(here) if not plays] if any(here) else []
        if listed.rests:
            seat = self._seat(listed.rests)
            if seat is None:
                raise ValueError(_("“%(given)s” is nobody at this table.") % {"given": listed.rests})
            rests = [seat - 1]
        elif not rests and resting:
            pointless = [seat for seat, place in enumerate(places) if listed.points[place : place + 1] in ((), (None,))]
            rests = pointless if len(pointless) == 1 else [index % size]
        if len(rests) != resting:
            told = _("This line has %(given)s of the table’s %(size)s players; %(playing)s play each deal.")
            names = {"given": size - len(rests), "size": size, "playing": size - resting}
            raise ValueError(f"{told % names} {self._if_one_rests(rests)}".strip())
        return rests

    def _if_one_rests(self, rests: Sequence[int] = ()) -> str:
        """Return what the season would have to say of a table at which one rests, if that may be meant."""
        if not self.would_rest or len(rests) > 1:
            return ""
        names = {"size": len(self.people), "rule": Season._meta.get_field("fifth_rests").verbose_name}
        if rests:
            return _(
                "If %(name)s rests: this season has no table of %(size)s at which one does. Its house rules need "
                "%(size)s as the largest table size, and “%(rule)s”. Change them, then bring the list in again."
            ) % {**names, "name": self.names[rests[0]]}
        return (
            _(
                "If one of the %(size)s rests: this season has no table of %(size)s at which one does. Its house rules "
                "need %(size)s as the largest table size, and “%(rule)s”. Change them, then bring the list in again."
            )
            % names
        )

    def _differences(self, listed: ListedDeal, points: Mapping[int, int]) -> Iterator[OtherPoints]:
        """Yield where the list has other points."""
        for seat, place in enumerate(sorted(self.places)):
            given = listed.points[place] if place < len(listed.points) else None
            if given is not None and given != points.get(seat, 0):
                yield OtherPoints(self.names[seat], given, points.get(seat, 0))

    def _facts(self, listed: ListedDeal, printed: Sequence[int]) -> dict[str, Any]:
        """Return what the game's row reads in the line's cells. Raises ValueError with words."""
        columns = _columns(self.game.row, len(printed))
        texts = dict(listed.texts)
        of_parts = [(part, texts.pop(part.name, "")) for part in self.game.spreadsheet.parts]
        cells = {name: self._code(name, text, columns.get(name)) for name, text in texts.items()}
        for part, text in of_parts:
            if text:
                cells[part.cell] = cells.get(part.cell, "") + self._code_of_part(part, text)
        reading = self.game.row.read(cells, printed)
        if reading.facts is None:
            name, problem = next(iter(reading.problems.items()))
            told = _unread(columns.get(name), problem, listed.texts.get(name))
            if problem.code == "missing" and self.would_rest and name not in _columns(self.game.row, len(printed) - 1):
                told = f"{told} {self._if_one_rests()}"
            raise ValueError(told)
        return reading.facts

    def _code(self, name: str, text: str, column: Column | None) -> str:
        """Return what the row has in the place of a word or of a name; any other text as it is."""
        code = _codes(self.game.slug, name).get(_word(text))
        if code is None and column is not None and column.seat and not text.isdecimal():
            seat = self._seat(text)
            code = None if seat is None else str(seat)
        return text if code is None else code

    def _code_of_part(self, part: CellPart, text: str) -> str:
        word = _word(text)
        codes = _codes(self.game.slug, part.name)
        if word in codes:
            return codes[word]
        for known in sorted(codes, key=len, reverse=True):
            if known and word.startswith(f"{known} ") and (seat := self._seat(word.removeprefix(known))) is not None:
                return f"{codes[known]}{seat}"
        if part.alone and (seat := self._seat(text)) is not None:
            return f"{part.alone}{seat}"
        words = dict.fromkeys(message_text(self.game, each, {}, self.names) for each in part.words.values())
        raise ValueError(_not_understood(gettext(part.label), text, ", ".join(words)))

    def _seat(self, text: str) -> int | None:
        """Return the printed number of who is meant at the table: by it, a whole name, or a part that one alone has."""
        word = _word(text).strip("() ")
        if word.isdecimal():
            return int(word) if len(word) < 3 and 1 <= int(word) <= len(self.people) else None
        whole, part = name_key(word), joined(word)
        for way in range(len(self.called[0]) if self.called else 0):
            found = [seat for seat, called in enumerate(self.called, 1) if called[way] == (part if way else whole)]
            if len(found) == 1:
                return found[0]
        return None


@cache
def _columns(row: RowCodes, seats: int) -> Mapping[str, Column]:
    return {column.name: column for column in row.columns(seats)}


@cache
def _codes(slug: str, name: str) -> Mapping[str, str]:
    """Return what words in a cell of the row, or in a column for a part of one, stand for: in every language."""
    game = find_game(slug)
    sheet = game.spreadsheet
    parts = {part.name: part for part in sheet.parts}
    words, codes = (
        (parts[name].words, parts[name].codes)
        if name in parts
        else (sheet.words.get(name, {}), sheet.codes.get(name, {}))
    )
    found = dict(codes)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for code, word in words.items():
                found.setdefault(_word(message_text(game, word, {}, ())), code)
    return found


def _unread(column: Column | None, problem: Problem, text: str | None) -> str:
    """Return why a cell can't be read; where it has another code than those that it takes, what they are."""
    if column is None:
        return problem_text(problem)
    label = column_label(column)
    begin = f"{label}{_(': ')}"
    if problem.code != "unknown_code" or not column.legend:
        return begin + problem_text(problem)
    return _not_understood(label, text or str(problem.params["given"]), column_codes(column))


def _not_understood(label: str, text: str, codes: str) -> str:
    names = {"column": label, "given": text[:40], "codes": codes}
    if not codes:
        return _("%(column)s: “%(given)s” is not understood.") % names
    return _("%(column)s: “%(given)s” is not understood. Write: %(codes)s.") % names


@lru_cache(10_000)
def _word(text: str) -> str:
    return tidy(plain(text)).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def _called(person: ListedPerson) -> tuple[str, ...]:
    """Return what somebody is called at a table: the whole name in any order, then its parts."""
    given, family = person.given_name, person.family_name
    return person.who[0], joined(given), joined(family), joined(with_initial(given, family))
