"""Reads a list of deals as a spreadsheet gives it, a line each: the first line names the columns.

Which columns a deal has, its game says: those of its row of codes, and those of its `spreadsheet.py`. Knows no rows of
the database.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from league.imports.queries.listed_deals import MOST_DEALS, ListedDeal
from league.imports.queries.listed_people import ListedPerson
from league.imports.queries.old_results import MOST_POINTS
from league.imports.work.cells import Cells, ColumnMeaning, Row, day_in, listed_person, number_in
from league.imports.work.result_list import MEANINGS as OF_TOTALS
from players.names import plain, tidy
from scoring.game import Game
from scoring.row_codes import Column

PLAYER, POINTS, RESTS, HEADED = "player", "given", "rests", "headed"
MOST_HEADED: Final = 60
NOTHING: Final = ("", "-", "–", "\N{MINUS SIGN}")  # in the cell of somebody who doesn't play
PLAYS: Final = "x"
# What columns of every game are called.
NUMBER_OF_DEAL: Final = gettext_noop("Deal number")
PLAYER_OF_PLACE: Final = gettext_noop("Player %(number)s")
RESTS_LABEL: Final = gettext_noop("Rests")
POINTS_OF_PLACE: Final = gettext_noop("Points of player %(number)s")


def meanings(
    game: Game, playing: Collection[int], *, one_rests: bool, might_rest: bool = False
) -> dict[str, ColumnMeaning]:
    """Return what the columns of a list may be, in the reader's language, where so many play each deal.

    Where one `might_rest` by other house rules, who does is read, to be told which.
    """
    most = max(playing) + one_rests
    named = min(most + 1, max(game.sizes)) if might_rest else most
    found = {name: OF_TOTALS[name] for name in ("day", "round", "table")}
    found["deal"] = _meaning(NUMBER_OF_DEAL, {"deal", "donne", "no", "n°", "n° de donne", "numero", "number"})
    for number in range(1, named + 1):
        called = {f"{word} {number}" for word in ("player", "joueur", "joueuse", "name", "nom")} | {f"j{number}"}
        found[f"{PLAYER}.{number}"] = _meaning(PLAYER_OF_PLACE, called, number, rare=number > most)
    if one_rests:
        found[RESTS] = _meaning(RESTS_LABEL, {"rests", "mort", "dealer", "donneur"})
    elif might_rest:
        found[RESTS] = _meaning(RESTS_LABEL, {"rests", "mort"}, rare=True)
    for column in _by_label(game, playing):
        other = game.spreadsheet.called.get(column.name, frozenset())
        found[column.name] = _meaning(column.label, other, column.number, rare=column.second_line)
    for part in game.spreadsheet.parts:
        found[part.name] = _meaning(part.label, part.called)
    for number in range(1, named + 1):
        called = {f"{word} {number}" for word in ("points", "pts", "score")} | {f"points j{number}"}
        found[f"{POINTS}.{number}"] = _meaning(POINTS_OF_PLACE, called, number, rare=True)
    return found


def cells_of(game: Game, playing: Collection[int]) -> dict[str, str]:
    """Return the column in which each cell of the game stands: two that are called alike have one."""
    first = {(column.label, column.number): column.name for column in reversed(_by_label(game, playing))}
    columns = (column for seats in playing for column in game.row.columns(seats))
    cells = {column.name: first[column.label, column.number] for column in columns}
    return cells | {part.name: part.name for part in game.spreadsheet.parts}


def _by_label(game: Game, playing: Collection[int]) -> list[Column]:
    """Return the cells of rows where so many play, those alone that are called otherwise than the others."""
    columns = [column for seats in sorted(playing) for column in game.row.columns(seats)]
    return list({(column.label, column.number): column for column in reversed(columns)}.values())[::-1]


def _meaning(label: str, called: frozenset[str] | set[str], number: int = 0, *, rare: bool = False) -> ColumnMeaning:
    """Return a column that is called by its label in every language, and by other names."""
    labels = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            labels.add(tidy(plain(gettext(label) % {"number": number})))
    return ColumnMeaning(gettext(label) % {"number": number}, frozenset(called | labels), rare)


def required(game: Game, playing: Collection[int]) -> list[str]:
    """Return the cells without which no deal can be read, at whatever table."""
    by_seats = [
        {column.name for column in game.row.columns(seats) if column.needed and not column.second_line}
        for seats in playing
    ]
    return sorted(set.intersection(*by_seats))


def headed_by_players(rows: Sequence[Row], columns: Mapping[str, int]) -> list[int]:
    """Return the columns that are nothing else, have a name at their head, and below it points alone."""
    head = rows[0][1]
    return [
        place
        for place, cell in enumerate(head[:MOST_HEADED])
        if place not in columns.values() and any(map(str.isalpha, cell)) and _has_points(rows[1:], place)
    ]


def _has_points(rows: Sequence[Row], place: int) -> bool:
    texts = {Cells(row, {}).at(place).casefold() for _line, row in rows} - {*NOTHING}
    return bool(texts) and all(text == PLAYS or _is_number(text) for text in texts)


def _is_number(text: str) -> bool:
    try:
        number_in(text, "", -MOST_POINTS, MOST_POINTS)
    except ValueError:
        return False
    return True


def read_deals(
    rows: Sequence[Row],
    columns: Mapping[str, int],
    headed: Sequence[int],
    on: date | None,
    cells: Mapping[str, str],
) -> list[ListedDeal]:
    """Return the lines of a list, whose first row names the columns; each meaning stands in the column of its place.

    Who plays stands in columns of players, or has a column `headed` by his name. `cells` are the game's, each with the
    meaning of the column in which it stands. An empty date, round, table or row of
    players is that of the line above; a line that is the first one again is left out.
    """
    first_line, head = rows[0]
    by_head = [
        (place, listed_person(first_line, tidy(head[place]), place=number)) for number, place in enumerate(headed, 1)
    ]
    reader = _Lines(columns, by_head, on, cells)
    return [reader.deal(line, row) for line, row in rows[1:] if row != head]


class _Lines:
    def __init__(
        self,
        columns: Mapping[str, int],
        headed: Sequence[tuple[int, ListedPerson]],
        on: date | None,
        cells: Mapping[str, str],
    ) -> None:
        self.columns, self.headed, self.cells = columns, headed, cells
        # Of the line above; None where that can't be read.
        self.day: date | None = on
        self.round: int | None = 1
        self.table: int | None = 1
        self.people: tuple[ListedPerson | None, ...] = ()
        numbers = sorted(int(name.removeprefix(f"{PLAYER}.")) for name in columns if name.startswith(f"{PLAYER}."))
        self.places = numbers
        self.labels = [gettext(POINTS_OF_PLACE) % {"number": number} for number in numbers]

    def deal(self, line: int, row: Sequence[str]) -> ListedDeal:
        """Return a line as a deal."""
        cells = Cells(row, self.columns)
        try:
            self._move(cells)
        except ValueError as wrong:
            return ListedDeal(line, self.day, 0, line, problem=str(wrong))
        if self.day is None:
            return ListedDeal(line, None, 0, line, problem=gettext("The date is missing."))
        if self.round is None or self.table is None:
            problem = gettext("The table is not known: that of a line above can’t be read.")
            return ListedDeal(line, self.day, 0, line, problem=problem)
        found = ListedDeal(line, self.day, self.round, self.table)
        try:
            people, points = self._by_head(line, cells) if self.headed else self._by_place(line, cells)
            number = number_in(cells["deal"], gettext(NUMBER_OF_DEAL), 1, MOST_DEALS) if cells["deal"] else None
        except ValueError as wrong:
            return found._replace(problem=str(wrong))
        texts = {name: text for name, meaning in self.cells.items() if (text := cells[meaning])}
        return found._replace(number=number, people=people, points=points, rests=cells[RESTS], texts=texts)

    def _move(self, cells: Cells) -> None:
        """Go to the table of this line; lines below know as little as it. Raises ValueError with words."""
        before = self.day, self.round, self.table
        day, sitting, table = cells["day"], cells["round"], cells["table"]
        self.day = None if day else self.day
        self.round = None if sitting else self.round
        self.table = None if table else self.table
        if day:
            self.day = day_in(day)
        if sitting:
            self.round = number_in(sitting, OF_TOTALS["round"].label, 1, 99)
        if table:
            self.table = number_in(table, OF_TOTALS["table"].label, 1, 999)
        if (self.day, self.round, self.table) != before:
            self.people = ()

    def _by_head(self, line: int, cells: Cells) -> tuple[tuple[ListedPerson | None, ...], tuple[int | None, ...]]:
        people: list[ListedPerson | None] = []
        points: list[int | None] = []
        for place, person in self.headed:
            text = cells.at(place)
            people.append(None if text in NOTHING else person)
            points.append(_points(text, person.name))
        if not any(people):
            raise ValueError(gettext("Nobody has points on this line."))
        return tuple(people), tuple(points)

    def _by_place(self, line: int, cells: Cells) -> tuple[tuple[ListedPerson | None, ...], tuple[int | None, ...]]:
        names = [cells[f"{PLAYER}.{number}"] for number in self.places]
        if any(name not in NOTHING for name in names):
            self.people = tuple(
                None if name in NOTHING else listed_person(line, name, place=number)
                for number, name in zip(self.places, names, strict=True)
            )
        if not any(self.people):
            raise ValueError(gettext("The players are missing."))
        return self.people, tuple(
            _points(cells[f"{POINTS}.{number}"], label) for number, label in zip(self.places, self.labels, strict=True)
        )


def _points(text: str, label: str) -> int | None:
    return None if text in NOTHING or text.casefold() == PLAYS else number_in(text, label, -MOST_POINTS, MOST_POINTS)
