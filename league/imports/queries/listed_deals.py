"""Parsing of an imported list of deals, one per line, by the house rules of the evening of each deal.

A line has the cells of a row in the game's grid, which is the page for fast entry of deals. A cell may contain a code,
a seat number, a word of the game or of its `spreadsheet.py`, or a player's name.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache, lru_cache
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext as _

from league.imports.queries.import_plan import ListedSeat, ListedTable, ParsedDeal, PointsDifference
from league.imports.queries.listed_people import ListedPerson, name_key
from league.models import Season
from league.models.season import TableEnd
from league.models.table_limits import MAX_TABLE_DEALS
from league.seasons.queries.season_game import game_with_season_rules
from league.sheets.queries.table_end import deals_needed
from players.names import letters_and_digits, name_with_initial, normalize_spaces, without_accents
from scoring.game import Game, find_game
from scoring.phrases import column_codes, column_label, message_text, problem_text, refusal_text
from scoring.row_codes import Column, Problem, RowCodes
from scoring.rules.errors import IllegalDeal
from scoring.spreadsheet import CellPart

_TableKey = tuple[date | None, int, int]  # date, round and number of a table


class ListedDeal(NamedTuple):
    """A line of an imported list of deals. `problem` is the reason if the line cannot be parsed.

    `line` is the number of the line, from 1. `round` is 0 if the line does not identify a table. `people` and `points`
    are in the order of the list's columns of players; a resting player is None. `texts` are the cells with the facts of
    the deal, by the names of the game's columns.
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


def group_and_parse_deals(season: Season, lines: Sequence[ListedDeal]) -> list[ListedTable]:
    """Group the deals of a list by table, and parse each deal by the house rules of its evening. One query.

    A line that does not identify its table makes the neighbouring tables invalid, since it belongs to one of them.
    """
    tables = _group_by_table(lines)
    days = {day for day, _round, _number in tables if day}
    rules_by_date = {
        evening.date: evening.house_rules
        for evening in season.evenings.not_cancelled().filter(date__in=days).select_related("season").order_by("-pk")
    }
    game = game_with_season_rules(season)
    return [
        _TableReader(game, rules_by_date.get(day, season.house_rules) if day else season.house_rules, deals).read(
            day, round_number, number, season
        )
        for (day, round_number, number), deals in tables.items()
    ]


def _group_by_table(lines: Sequence[ListedDeal]) -> dict[_TableKey, list[ListedDeal]]:
    tables: dict[_TableKey, list[ListedDeal]] = defaultdict(list)
    keys: list[_TableKey | None] = [
        (deal.day, deal.round, deal.table) if deal.day and deal.round else None for deal in lines
    ]
    for index, (deal, key) in enumerate(zip(lines, keys, strict=True)):
        if key:
            tables[key].append(deal)
            continue
        neighbours = [next(filter(None, keys[index::step]), None) for step in (-1, 1)]
        for neighbour in dict.fromkeys(neighbours):
            if neighbour:
                tables[neighbour].append(deal)
        if neighbours == [None, None]:
            tables[deal.day, 0, deal.line].append(deal)
    return tables


class _TableReader:
    def __init__(self, game: Game, house_rules: Mapping[str, Any], deals: Iterable[ListedDeal]) -> None:
        self.game, self.rules = game, game.rules
        self.options = self.rules.read_options(house_rules)
        self.deals = sorted(deals, key=lambda deal: (deal.number or 0, deal.line))
        self.person_by_column: dict[int, ListedPerson] = {}  # the first person in each column of players
        for deal in self.deals:
            for column, person in enumerate(deal.people):
                if person is not None:
                    self.person_by_column.setdefault(column, person)
        self.people = [self.person_by_column[column] for column in sorted(self.person_by_column)]
        self.names = [person.name for person in self.people]
        self.spellings = [_name_spellings(person) for person in self.people]
        self.earlier: list[Any] = []  # earlier deals of the table, as the rules have read them
        self.one_rests = False
        self.would_rest = False  # whether one player of the table would rest if the season had other settings
        self.needed: int | None = None  # the number of deals that ends the table

    def read(self, day: date | None, round_number: int, number: int, season: Season) -> ListedTable:
        size = len(self.people)
        self.one_rests = size == season.resting_size

        self.would_rest = not self.one_rests and self.game.may_rest and size >= max(4, *season.table_sizes)
        if season.end == TableEnd.DEALS and season.end_number is not None and size > 1:
            self.needed = deals_needed(season.end_number, size, one_player_rests=self.one_rests)
        totals, played = [0] * size, [0] * size
        parsed_deals: list[ParsedDeal] = []
        for index, deal in enumerate(self.deals):
            try:
                read, points = self._parse_deal(deal, index, season)
            except ValueError as wrong:
                parsed_deals.append(ParsedDeal(line=deal.line, problem=str(wrong)))
                continue
            parsed_deals.append(read)
            for seat, got in points.items():
                totals[seat] += got
                played[seat] += 1
        seats = [
            ListedSeat(person.line, person, day, round_number, number, totals[seat], seat + 1, played[seat])
            for seat, person in enumerate(self.people)
        ]
        return ListedTable(day, round_number, number, seats, parsed_deals)

    def _parse_deal(self, listed_deal: ListedDeal, index: int, season: Season) -> tuple[ParsedDeal, dict[int, int]]:
        """Return the parsed deal, and the points of each playing seat. Raise ValueError with a translated message."""
        if problem := listed_deal.problem or next(self._position_problems(listed_deal, index), ""):
            raise ValueError(problem)
        rests = self._resting_seats(listed_deal, index)
        playing = [seat for seat in range(len(self.people)) if seat not in rests]
        names = [self.names[seat] for seat in playing]
        facts = self._parse_facts(listed_deal, [seat + 1 for seat in playing])
        try:
            deal_count = sum(
                season.count_passed or not self.rules.may_be_dealt_again(deal, self.options) for deal in self.earlier
            )
            played = self.rules.play(len(playing), facts, self.options, self.earlier, deal_count + 1 == self.needed)
        except IllegalDeal as illegal:
            raise ValueError(refusal_text(self.game, illegal, names)) from illegal
        self.earlier.append(played.deal)
        points = dict(zip(playing, played.points, strict=True))
        read = ParsedDeal(
            line=listed_deal.line,
            facts=facts,
            rests=tuple(rests),
            differences=tuple(self._points_differences(listed_deal, points)),
            doubts=tuple(message_text(self.game, doubt.code, doubt.params, names) for doubt in played.warnings),
        )
        return read, points

    def _position_problems(self, line: ListedDeal, index: int) -> Iterator[str]:
        """Yield the reasons, as sentences, why the line cannot be the deal with this index (from 0) of the table."""
        if index >= MAX_TABLE_DEALS:
            yield _("A table has at most %(most)s deals. Which table and which round is it?") % {
                "most": MAX_TABLE_DEALS
            }
        if line.number is not None and line.number != index + 1:
            if index and self.deals[index - 1].number == line.number:
                yield _("Deal %(number)s is on line %(line)s too.") % {
                    "number": line.number,
                    "line": self.deals[index - 1].line,
                }
            elif not any(
                earlier.number not in (None, expected) for expected, earlier in enumerate(self.deals[:index], 1)
            ):
                yield _("Deal %(number)s is missing before this one.") % {"number": index + 1}
        for column, person in enumerate(line.people):
            if person is not None and person.key != (first := self.person_by_column[column]).key:
                yield _("%(name)s sits where %(first)s sits on line %(line)s.") % {
                    "name": person.name,
                    "first": first.name,
                    "line": first.line,
                }
        if twice := next((name for name in self.names if self.names.count(name) > 1), ""):
            yield _("%(name)s sits at this table twice.") % {"name": twice}

    def _resting_seats(self, line: ListedDeal, index: int) -> list[int]:
        """Return the resting seats of a deal. Raise ValueError if their number is wrong.

        They are written on the line; else players without a name on the line rest; else a single player without points
        rests; else the players rest in turn.
        """
        columns = sorted(self.person_by_column)
        size, resting = len(columns), int(self.one_rests)
        is_present = [column < len(line.people) and line.people[column] is not None for column in columns]
        rests = [seat for seat, is_playing in enumerate(is_present) if not is_playing] if any(is_present) else []
        if line.rests:
            seat = self._find_seat_number(line.rests)
            if seat is None:
                raise ValueError(_("“%(given)s” is nobody at this table.") % {"given": line.rests})
            rests = [seat - 1]
        elif not rests and resting:
            pointless = [
                seat for seat, column in enumerate(columns) if line.points[column : column + 1] in ((), (None,))
            ]
            rests = pointless if len(pointless) == 1 else [index % size]
        if len(rests) != resting:
            message = _("This line has %(given)s of the table’s %(size)s players; %(playing)s play each deal.")
            names = {"given": size - len(rests), "size": size, "playing": size - resting}
            raise ValueError(f"{message % names} {self._resting_hint(rests)}".strip())
        return rests

    def _resting_hint(self, rests: Sequence[int] = ()) -> str:
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

    def _points_differences(self, line: ListedDeal, points: Mapping[int, int]) -> Iterator[PointsDifference]:
        for seat, column in enumerate(sorted(self.person_by_column)):
            listed_points = line.points[column] if column < len(line.points) else None
            if listed_points is not None and listed_points != points.get(seat, 0):
                yield PointsDifference(self.names[seat], listed_points, points.get(seat, 0))

    def _parse_facts(self, line: ListedDeal, seat_numbers: Sequence[int]) -> dict[str, Any]:
        columns = _columns_by_name(self.game.row, len(seat_numbers))
        texts = dict(line.texts)
        of_parts = [(part, texts.pop(part.name, "")) for part in self.game.spreadsheet.parts]
        cells = {name: self._cell_code(name, text, columns.get(name)) for name, text in texts.items()}
        for part, text in of_parts:
            if text:
                cells[part.cell] = cells.get(part.cell, "") + self._code_of_part(part, text)
        parsed_row = self.game.row.parse(cells, seat_numbers)
        if parsed_row.facts is None:
            name, problem = next(iter(parsed_row.problems.items()))
            of_any_size = (_columns_by_name(self.game.row, size) for size in (len(seat_numbers), *self.game.sizes))
            column = next(columns[name] for columns in of_any_size if name in columns)
            message = _unreadable_cell_message(column, problem, line.texts.get(name))
            if (
                problem.code == "missing"
                and self.would_rest
                and name not in _columns_by_name(self.game.row, len(seat_numbers) - 1)
            ):
                message = f"{message} {self._resting_hint()}"
            raise ValueError(message)
        return parsed_row.facts

    def _cell_code(self, name: str, text: str, column: Column | None) -> str:
        """Return the code that the game's grid has for the text of a cell; the text itself if there is none."""
        code = _code_by_word(self.game.slug, name).get(_normal_word(text))
        if code is None and column is not None and column.is_seat_number and not text.isdecimal():
            seat = self._find_seat_number(text)
            code = None if seat is None else str(seat)
        return text if code is None else code

    def _code_of_part(self, part: CellPart, text: str) -> str:
        """Return the grid code for the text of a column that fills only a part of a grid's cell.

        The text is a word, a word and a player, or a player. Raise ValueError with a translated message.
        """
        word = _normal_word(text)
        codes = _code_by_word(self.game.slug, part.name)
        if word in codes:
            return codes[word]
        for known_word in sorted(codes, key=len, reverse=True):
            if (
                known_word
                and word.startswith(f"{known_word} ")
                and (seat := self._find_seat_number(word.removeprefix(known_word))) is not None
            ):
                return f"{codes[known_word]}{seat}"
        if part.code_for_name and (seat := self._find_seat_number(text)) is not None:
            return f"{part.code_for_name}{seat}"
        words = [message_text(self.game, phrase, {}, self.names) for phrase in part.words.values()]
        if not words:  # the code itself, or the shortest word for it
            known_codes = [code for code in part.codes.values() if code]
            words = [min((word for word in codes if codes[word] == code), key=len) for code in known_codes]
        if part.code_for_name:
            words += self.names
        raise ValueError(_unknown_code_message(gettext(part.label), text, ", ".join(dict.fromkeys(words))))

    def _find_seat_number(self, text: str) -> int | None:
        """Return the seat number, from 1, of the player with this seat number, full name or part of a name.

        Return None if no player, or several players, match.
        """
        word = _normal_word(text).strip("() ")
        if word.isdecimal():
            return int(word) if len(word) < 3 and 1 <= int(word) <= len(self.people) else None
        key, part = name_key(word), letters_and_digits(word)
        if not part:  # a dash is not the player without a family name
            return None
        for spelling in range(len(self.spellings[0]) if self.spellings else 0):
            matches = [
                seat
                for seat, spellings in enumerate(self.spellings, 1)
                if spellings[spelling] == (part if spelling else key)
            ]
            if len(matches) == 1:
                return matches[0]
        return None


@cache
def _columns_by_name(row: RowCodes, seats: int) -> Mapping[str, Column]:
    return {column.name: column for column in row.columns(seats)}


@cache
def _code_by_word(slug: str, name: str) -> Mapping[str, str]:
    """Return the grid codes of a game's column by the words that a cell may have, in all languages."""
    game = find_game(slug)
    sheet = game.spreadsheet
    parts = {part.name: part for part in sheet.parts}
    words, codes = (
        (parts[name].words, parts[name].codes)
        if name in parts
        else (sheet.words.get(name, {}), sheet.codes.get(name, {}))
    )
    code_by_word = dict(codes)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for code, word in words.items():
                code_by_word.setdefault(_normal_word(message_text(game, word, {}, ())), code)
    return code_by_word


def _unreadable_cell_message(column: Column, problem: Problem, text: str | None) -> str:
    label = column_label(column)
    begin = f"{label}{_(': ')}"
    if problem.code != "unknown_code" or not column.legend:
        return begin + problem_text(problem)
    return _unknown_code_message(label, text or str(problem.params["given"]), column_codes(column))


def _unknown_code_message(label: str, text: str, codes: str) -> str:
    names = {"column": label, "given": text[:40], "codes": codes}
    return _("%(column)s: “%(given)s” is not understood. Write: %(codes)s.") % names


@lru_cache(10_000)
def _normal_word(text: str) -> str:
    return normalize_spaces(without_accents(text)).replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")


def _name_spellings(person: ListedPerson) -> tuple[str, ...]:
    given_name, family_name = person.given_name, person.family_name
    return (
        person.key[0],
        letters_and_digits(given_name),
        letters_and_digits(family_name),
        letters_and_digits(name_with_initial(given_name, family_name)),
    )
