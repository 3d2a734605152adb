"""What holds for every game's row of codes: each game's tests call these with facts of their own. Knows no game."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from scoring.game import Game
from scoring.row_codes import Column


def is_visible(game: Game, column: Column, cells: Mapping[str, str]) -> bool:
    """Return whether a row with these cells asks for the column's."""
    return (
        not column.needed_pattern
        or re.fullmatch(column.needed_pattern, cells.get(game.row.selector_cell, "")) is not None
    )


def check_round_trip(
    game: Game, facts: Mapping[str, Any], seats: Sequence[int], letters: str | None = None
) -> dict[str, str]:
    """Facts written as cells are read as the same deal, and can be typed key by key; `letters` are a translation's."""
    cells = game.row.translated_cells(facts, seats, lambda text: letters or text)
    parsed_row = game.row.parse(cells, seats)
    assert parsed_row.problems == {}, (facts, cells)
    assert game.rules.read(len(seats), parsed_row.facts) == game.rules.read(len(seats), facts)
    columns = {column.name: column for column in game.row.columns(len(seats))}
    assert cells.keys() <= columns.keys(), (
        f"format_cells has cells that columns lacks: {sorted(cells.keys() - columns.keys())}"
    )
    for name, text in cells.items():
        assert is_visible(game, columns[name], cells), (name, cells)
        for end in range(len(text) + 1):
            assert not end or re.fullmatch(columns[name].prefix_pattern, text[:end]), (name, text[:end])
    needed = {name for name, column in columns.items() if column.needed and is_visible(game, column, cells)}
    assert needed - {name for name, text in cells.items() if text} <= _mates_cells(columns), (needed, cells)
    return cells


def _mates_cells(columns: Mapping[str, Column]) -> set[str]:
    """Cells of the second line may stay empty where mates share a pile."""
    return {name for name, column in columns.items() if column.second_line}


def check_columns(game: Game, seats: int) -> None:
    """Names are unique, and an empty row lists its required cells as missing."""
    columns = game.row.columns(seats)
    names = [column.name for column in columns]
    assert len(names) == len(set(names))
    empty = game.row.parse({}, range(1, seats + 1))
    assert empty.facts is None
    unknown_cells = sorted(set(empty.problems) - set(names))
    assert not unknown_cells, f"parse asks for cells that columns lacks: {unknown_cells}"
    assert {problem.code for problem in empty.problems.values()} == {"missing"}


def check_any_text(game: Game, cells: Mapping[str, str], seats: Sequence[int]) -> None:
    """Any text is read or refused in its cells; no exception is raised."""
    parsed_row = game.row.parse(cells, seats)
    assert (parsed_row.facts is None) == bool(parsed_row.problems)
    assert set(parsed_row.problems) <= {column.name for column in game.row.columns(len(seats))}
