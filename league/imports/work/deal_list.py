"""The columns of an imported list of deals, and parsing of its lines. Each game defines its columns. No database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Final

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from league.imports.queries.listed_deals import ListedDeal
from league.imports.queries.listed_people import ListedPerson
from league.imports.work.cells import ColumnMeaning, LineCells, Row, listed_person, parse_date, parse_number
from league.imports.work.result_list import COLUMN_MEANINGS as TOTALS_MEANINGS
from league.models.table_limits import MAX_TABLE_DEALS, MAX_TABLE_POINTS
from players.names import normalize_spaces, without_accents
from scoring.game import Game
from scoring.row_codes import Column

# Meanings of columns. Clubs and jobs store them. Each column of HEADED_COLUMNS has a player's name as its heading.
PLAYER_COLUMN, POINTS_COLUMN, RESTS_COLUMN, HEADED_COLUMNS = "player", "given", "rests", "headed"
MAX_HEADED_COLUMNS: Final = 60
BLANK_TEXTS: Final = ("", "-", "–", "\N{MINUS SIGN}")  # possible texts in the cell of a player who rests, or of nobody
PLAYING_TEXT: Final = "x"  # possible text in the cell of a playing player, instead of points
# Labels of columns that every game has.
DEAL_NUMBER_LABEL: Final = gettext_noop("Deal number")
PLAYER_LABEL: Final = gettext_noop("Player %(number)s")
RESTS_LABEL: Final = gettext_noop("Rests")
POINTS_LABEL: Final = gettext_noop("Points of player %(number)s")


def possible_columns(
    game: Game, playing: Collection[int], *, one_rests: bool, might_rest: bool = False
) -> dict[str, ColumnMeaning]:
    """Return the possible columns of a list of deals, by name, with labels in the active language.

    `playing` are the possible numbers of players in a deal; with `one_rests`, another player of the table rests. With
    `might_rest`, a column for a resting player is recognised although nobody rests in the season, so that an error
    message can explain it.
    """
    players = max(playing) + one_rests
    player_columns = min(players + 1, max(game.sizes)) if might_rest else players
    columns = {name: TOTALS_MEANINGS[name] for name in ("day", "round", "table")}
    columns["deal"] = _column_meaning(
        DEAL_NUMBER_LABEL, {"deal", "donne", "no", "n°", "n° de donne", "numero", "number"}
    )
    for number in range(1, player_columns + 1):
        headings = {f"{word} {number}" for word in ("player", "joueur", "joueuse", "name", "nom")} | {f"j{number}"}
        columns[f"{PLAYER_COLUMN}.{number}"] = _column_meaning(PLAYER_LABEL, headings, number, rare=number > players)
    if one_rests:
        columns[RESTS_COLUMN] = _column_meaning(RESTS_LABEL, {"rests", "mort", "dealer", "donneur"})
    elif might_rest:
        columns[RESTS_COLUMN] = _column_meaning(RESTS_LABEL, {"rests", "mort"}, rare=True)
    for game_column in _labelled_columns(game, playing):
        other_headings = game.spreadsheet.other_column_names.get(game_column.name, frozenset())
        columns[game_column.name] = _column_meaning(
            game_column.label, other_headings, game_column.number, rare=game_column.second_line
        )
    for part in game.spreadsheet.parts:
        columns[part.name] = _column_meaning(part.label, part.other_column_names)
    for number in range(1, player_columns + 1):
        headings = {f"{word} {number}" for word in ("points", "pts", "score")} | {f"points j{number}"}
        columns[f"{POINTS_COLUMN}.{number}"] = _column_meaning(POINTS_LABEL, headings, number, rare=True)
    return columns


def cell_meanings(game: Game, playing: Collection[int]) -> dict[str, str]:
    """Return the column of the list for each cell of the game's grid: names of columns by names of cells.

    `playing` are the numbers of players that play at a table. Cells with the same label share one column: they belong
    to different numbers of players.
    """
    first = {(column.label, column.number): column.name for column in reversed(_labelled_columns(game, playing))}
    columns = (column for seats in playing for column in game.row.columns(seats))
    cells = {column.name: first[column.label, column.number] for column in columns}
    return cells | {part.name: part.name for part in game.spreadsheet.parts}


def _labelled_columns(game: Game, playing: Collection[int]) -> list[Column]:
    columns = [column for seats in sorted(playing) for column in game.row.columns(seats)]
    return list({(column.label, column.number): column for column in reversed(columns)}.values())[::-1]


def _column_meaning(
    label: str, headings: frozenset[str] | set[str], number: int = 0, *, rare: bool = False
) -> ColumnMeaning:
    labels = set()
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            labels.add(normalize_spaces(without_accents(gettext(label) % {"number": number})))
    return ColumnMeaning(gettext(label) % {"number": number}, frozenset(headings | labels), rare)


def required_columns(game: Game, playing: Collection[int]) -> list[str]:
    """Return the columns of the game that a deal needs with every possible number of players."""
    needed_by_size = [
        {column.name for column in game.row.columns(seats) if column.needed and not column.second_line}
        for seats in playing
    ]
    return sorted(set.intersection(*needed_by_size))


def player_headed_columns(rows: Sequence[Row], columns: Mapping[str, int]) -> list[int]:
    """Return the indexes of columns that have only points and no other meaning: the heading may be a player's name."""
    head = rows[0][1]
    return [
        index
        for index, cell in enumerate(head[:MAX_HEADED_COLUMNS])
        if index not in columns.values() and any(map(str.isalpha, cell)) and _has_points(rows[1:], index)
    ]


def _has_points(rows: Sequence[Row], index: int) -> bool:
    texts = {LineCells(row, {}).cell(index).casefold() for _line, row in rows} - {*BLANK_TEXTS}
    return bool(texts) and all(text == PLAYING_TEXT or _is_number(text) for text in texts)


def _is_number(text: str) -> bool:
    try:
        parse_number(text, "", -MAX_TABLE_POINTS, MAX_TABLE_POINTS)
    except ValueError:
        return False
    return True


def read_deals(
    rows: Sequence[Row],
    columns: Mapping[str, int],
    headed_columns: Sequence[int],
    day: date | None,
    cells: Mapping[str, str],
) -> list[ListedDeal]:
    """Parse the rows of a list of deals. The first row is the header; its repetitions are skipped.

    `columns` has the indexes of columns by meaning. `headed_columns` are the indexes of columns headed by a player's
    name; it is empty if the list has columns for names. `day` is the date of all deals, if no column has the date.
    `cells` maps the cells of the game's grid to meanings. An empty date, round or table, or a line without players,
    repeats the line above.
    """
    first_line, head = rows[0]
    headed_people = [
        (index, listed_person(first_line, normalize_spaces(head[index]), position=number))
        for number, index in enumerate(headed_columns, 1)
    ]
    reader = _LineReader(columns, headed_people, day, cells)
    return [reader.read_line(line, row) for line, row in rows[1:] if row != head]


class _LineReader:
    def __init__(
        self,
        columns: Mapping[str, int],
        headed_columns: Sequence[tuple[int, ListedPerson]],
        day: date | None,
        cells: Mapping[str, str],
    ) -> None:
        self.columns, self.headed_columns, self.cells = columns, headed_columns, cells
        # Values of the previous line; None if they could not be parsed there.
        self.day: date | None = day
        self.round: int | None = 1
        self.table: int | None = 1
        self.people: tuple[ListedPerson | None, ...] = ()
        numbers = sorted(
            int(name.removeprefix(f"{PLAYER_COLUMN}.")) for name in columns if name.startswith(f"{PLAYER_COLUMN}.")
        )
        self.player_numbers = numbers
        self.labels = [gettext(POINTS_LABEL) % {"number": number} for number in numbers]

    def read_line(self, line: int, row: Sequence[str]) -> ListedDeal:
        cells = LineCells(row, self.columns)
        try:
            self._set_table(cells)
        except ValueError as wrong:
            return ListedDeal(line, self.day, 0, line, problem=str(wrong))
        if self.day is None:
            return ListedDeal(line, None, 0, line, problem=gettext("The date is missing."))
        if self.round is None or self.table is None:
            problem = gettext("The table is not known: that of a line above can’t be read.")
            return ListedDeal(line, self.day, 0, line, problem=problem)
        listed_deal = ListedDeal(line, self.day, self.round, self.table)
        try:
            people, points = self._read_headed(line, cells) if self.headed_columns else self._read_numbered(line, cells)
            number = (
                parse_number(cells["deal"], gettext(DEAL_NUMBER_LABEL), 1, MAX_TABLE_DEALS) if cells["deal"] else None
            )
        except ValueError as wrong:
            return listed_deal._replace(problem=str(wrong))
        texts = {name: text for name, meaning in self.cells.items() if (text := cells[meaning])}
        rests = "" if cells[RESTS_COLUMN] in BLANK_TEXTS else cells[RESTS_COLUMN]
        return listed_deal._replace(number=number, people=people, points=points, rests=rests, texts=texts)

    def _set_table(self, cells: LineCells) -> None:
        """Set date, round and table of the current line. An empty cell keeps the value of the previous line.

        Raise ValueError if a cell cannot be parsed; its value is then unknown for the next lines too.
        """
        before = self.day, self.round, self.table
        day, round_number, table = cells["day"], cells["round"], cells["table"]
        self.day = None if day else self.day
        self.round = None if round_number else self.round
        self.table = None if table else self.table
        if day:
            self.day = parse_date(day)
        if round_number:
            self.round = parse_number(round_number, TOTALS_MEANINGS["round"].label, 1, 99)
        if table:
            self.table = parse_number(table, TOTALS_MEANINGS["table"].label, 1, 999)
        if (self.day, self.round, self.table) != before:
            self.people = ()

    def _read_headed(
        self, line: int, cells: LineCells
    ) -> tuple[tuple[ListedPerson | None, ...], tuple[int | None, ...]]:
        """Return people and points of a line. The heading of each column is the name of a player."""
        people: list[ListedPerson | None] = []
        points: list[int | None] = []
        for index, person in self.headed_columns:
            text = cells.cell(index)
            people.append(None if text in BLANK_TEXTS else person)
            points.append(_parse_points(text, person.name))
        if not any(people):
            raise ValueError(gettext("Nobody has points on this line."))
        return tuple(people), tuple(points)

    def _read_numbered(
        self, line: int, cells: LineCells
    ) -> tuple[tuple[ListedPerson | None, ...], tuple[int | None, ...]]:
        """Return people and points of a line with columns for names ("Player 1") and points ("Points of player 1")."""
        names = [cells[f"{PLAYER_COLUMN}.{number}"] for number in self.player_numbers]
        if any(name not in BLANK_TEXTS for name in names):
            self.people = tuple(
                None if name in BLANK_TEXTS else listed_person(line, name, position=number)
                for number, name in zip(self.player_numbers, names, strict=True)
            )
        if not any(self.people):
            raise ValueError(gettext("The players are missing."))
        return self.people, tuple(
            _parse_points(cells[f"{POINTS_COLUMN}.{number}"], label)
            for number, label in zip(self.player_numbers, self.labels, strict=True)
        )


def _parse_points(text: str, label: str) -> int | None:
    return (
        None
        if text in BLANK_TEXTS or text.casefold() == PLAYING_TEXT
        else parse_number(text, label, -MAX_TABLE_POINTS, MAX_TABLE_POINTS)
    )
