"""Properties of every game's `spreadsheet.py`; each game's tests call this."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping

from scoring.game import Game
from scoring.row_codes import Column


def check_spreadsheet(game: Game) -> None:
    """Words stand for codes that their cells take; no two columns are called alike, and names are plain."""
    sheet = game.spreadsheet
    columns = {column.name: column for size in game.sizes for column in game.row.columns(size)}
    assert {
        *sheet.other_column_names,
        *sheet.words,
        *sheet.codes,
        *(part.cell for part in sheet.parts),
    } <= columns.keys()
    assert not {part.name for part in sheet.parts} & columns.keys()
    for name, words in sheet.words.items():
        _check_words(game, columns[name], words)
    for name, codes in sheet.codes.items():
        for word, code in codes.items():
            _check(columns[name], word, code)
    for part in sheet.parts:
        _check_words(game, columns[part.cell], part.words)
        for word, code in part.codes.items():
            _check(columns[part.cell], word, code)
        if part.code_for_name:
            _check(columns[part.cell], part.name, f"{part.code_for_name}1")
    names = [name for called in _names(game) for name in called]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    for name in names:
        assert name == _plain(name), name


def _check_words(game: Game, column: Column, words: Mapping[str, str]) -> None:
    for code, word in words.items():
        assert isinstance(game.rules.words[word], str), word
        assert re.fullmatch(column.prefix_pattern, code), (column.name, code)


def _check(column: Column, word: str, code: str) -> None:
    assert not code or re.fullmatch(column.prefix_pattern, code), (column.name, word, code)
    assert word == _plain(word), word


def _names(game: Game) -> Iterator[frozenset[str]]:
    sheet = game.spreadsheet
    labels = {_plain(column.label) for size in game.sizes for column in game.row.columns(size)}
    yield frozenset(labels)
    for called in sheet.other_column_names.values():
        yield called - labels
    for part in sheet.parts:
        yield part.other_column_names | {_plain(part.label)}


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())
