"""Generate the possible mistakes in the rows of a table, for the comparison with the totals of a paper score sheet.

No Django. The text of each cell is changed like a typing or reading error: one character replaced, two neighbours
swapped, a number one or two too large or small, a character missing or added. Changed texts that the game can't read
are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from scoring.cross_check import PossibleMistake
from scoring.paper_errors import NO_PAPER_ERRORS, PaperErrors
from scoring.row_codes import RowCodes, Translate
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules

DIGITS = "0123456789"
SIGN_CHARACTERS = "+-"
NUMBER_OFFSETS = (-1, 1, -2, 2)  # the usual errors of a miscounted or misread number


def row_mistakes(
    rules: Rules,
    row: RowCodes,
    deals: Sequence[tuple[Mapping[str, Any], Sequence[int]]],
    size: int,
    options: Any,
    last: int | None = None,
    *,
    paper_mistakes: PaperErrors = NO_PAPER_ERRORS,
    translate: Translate = str,
) -> Iterator[PossibleMistake]:
    """Yield every possible mistake in the cells of each row's first line. `deals` are pairs: facts (JSON of what
    happened), resting seats.

    `size` is the number of seats of the table. `last` is the index of the table's last deal, None if it is not among
    `deals`. If later deals depend on a deal, the points of a possible mistake include their changes. Corrected deals of
    `paper_mistakes` are skipped here: `known_mistakes` yields them.
    """
    sheet = [rules.read(size, facts) for facts, _resting in deals] if rules.uses_earlier_points(options) else []
    known_deals = _corrected_deals_by_index(rules, paper_mistakes, deals, size, options)
    confusable = translate(row.confusable_letters) if row.confusable_letters else ""
    for index, (facts, resting) in enumerate(deals):
        playing = [seat for seat in range(size) if seat not in resting]
        carried = rules.carry_arguments(sheet[:index], options)
        keyword = rules.last_deal_kwargs(index == last)
        later = _sum_points_from(rules, sheet, index + 1, size, options, last)
        numbers = [seat + 1 for seat in playing]
        cells = row.translated_cells(facts, numbers, translate)
        for column, reason, text in _cell_variants(row, cells, len(playing), confusable):
            parsed_row = row.parse({**cells, column: text}, numbers)
            if parsed_row.facts is None:
                continue
            try:
                variant = rules.read(len(playing), parsed_row.facts)
            except IllegalDeal:
                continue
            if variant in known_deals.get(index, ()):
                continue
            points = [0] * size
            for seat, gained in zip(playing, rules.score(variant, options, *carried, **keyword).points, strict=True):
                points[seat] = gained
            if sheet:
                new_sheet = [*sheet[:index], variant, *sheet[index + 1 :]]
                new_later = _sum_points_from(rules, new_sheet, index + 1, size, options, last)
                points = [gained + new - old for gained, new, old in zip(points, new_later, later, strict=True)]
            yield PossibleMistake(index, reason, column, cells.get(column, ""), text, tuple(points))


def known_mistakes(
    rules: Rules,
    paper_mistakes: PaperErrors,
    facts: Sequence[Mapping[str, Any]],
    size: int,
    options: Any,
    last: int | None = None,
) -> Iterator[PossibleMistake]:
    """Yield the mistakes that the game's own functions find (`PaperErrors.corrected_deals`), such as a missing bonus.

    The table has no resting players. See `row_mistakes` for the other parameters.
    """
    sheet = [rules.read(size, deal) for deal in facts]
    old_points = [_sum_points_from(rules, sheet, index, size, options, last) for index in range(len(sheet) + 1)]
    for code, index, variant in paper_mistakes.corrected_deals(sheet, options):
        new_points = _sum_points_from(rules, [*sheet[:index], variant, *sheet[index + 1 :]], index, size, options, last)
        # The mistake's points are the row's, with the changes of the rows after it.
        points = tuple(new - later for new, later in zip(new_points, old_points[index + 1], strict=True))
        yield PossibleMistake(index, code, "", "", "", points)


def _corrected_deals_by_index(
    rules: Rules,
    paper_mistakes: PaperErrors,
    deals: Sequence[tuple[Mapping[str, Any], Sequence[int]]],
    size: int,
    options: Any,
) -> Mapping[int, Sequence[Any]]:
    """Return the deals of `paper_mistakes.corrected_deals` by the index of the wrong deal."""
    known_deals: dict[int, list[Any]] = {}
    if paper_mistakes is not NO_PAPER_ERRORS:
        sheet = [rules.read(size, facts) for facts, _resting in deals]
        for _code, index, deal in paper_mistakes.corrected_deals(sheet, options):
            known_deals.setdefault(index, []).append(deal)
    return known_deals


def _sum_points_from(
    rules: Rules, sheet: Sequence[Any], begin: int, size: int, options: Any, last: int | None
) -> tuple[int, ...]:
    """Return the sum by seat of the points of the deals from the index `begin` on. `sheet` has all deals in order."""
    points = (
        rules.score(
            sheet[index],
            options,
            *rules.carry_arguments(sheet[:index], options),
            **rules.last_deal_kwargs(index == last),
        ).points
        for index in range(begin, len(sheet))
    )
    return tuple(map(sum, zip((0,) * size, *points, strict=True)))


def _cell_variants(
    row: RowCodes, cells: Mapping[str, str], seats: int, confusable: str
) -> Iterator[tuple[str, str, str]]:
    """Yield (column, reason, new text) for each possible mistake in a row."""
    for column in row.columns(seats):
        if column.second_line:
            continue
        text = cells.get(column.name, "")
        for index in range(len(text) - 1):
            if text[index] != text[index + 1] and text[index : index + 2].isdecimal():
                swapped = text[:index] + text[index + 1] + text[index] + text[index + 2 :]
                yield column.name, "digits_swapped", swapped
        for index, was in enumerate(text):
            if column.is_seat_number:
                reason = "other_seat"
            else:
                reason = "other_digit" if was in DIGITS and len(text) > 1 else "other_code"
            for character in _similar_characters(was, confusable):
                yield column.name, reason, text[:index] + character + text[index + 1 :]
        if column.is_numeric and not column.is_seat_number:
            yield from ((column.name, "near_number", near) for near in _near_numbers(text))
        if not column.needed:
            if text:
                yield column.name, "other_code", ""
            yield from ((column.name, "other_code", text + added) for added in (*SIGN_CHARACTERS, *confusable))


def _near_numbers(text: str) -> Iterator[str]:
    """Yield the text with one of its numbers 1 or 2 larger or smaller, if more than one digit changes: 40 for 39."""
    for match in re.finditer(r"\d+", text):
        was = match[0]
        for number in (int(was) + offset for offset in NUMBER_OFFSETS):
            digits = str(number)
            if number >= 0 and (len(digits) != len(was) or sum(map(str.__ne__, digits, was)) > 1):
                yield text[: match.start()] + digits + text[match.end() :]


def _similar_characters(character: str, codes: str) -> str:
    """Return the characters that may be meant instead of `character`. `codes` are letters that are easily mistaken for
    each other.

    A capital is compared with the letters as capitals: with the codes "tg", “G” is returned for “T”.
    """
    if character.isupper() and character not in codes:
        codes = codes.upper()
    for group in (DIGITS, SIGN_CHARACTERS, codes):
        if character in group:
            return group.replace(character, "")
    return ""
