"""The totals written on the paper compared with a table's sheet, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.sheets.queries.score_sheet import ScoreSheet
from scoring.cross_check import CrossCheck, Suspect, compare
from scoring.fields import Label
from scoring.game import Game
from scoring.phrases import column_label
from scoring.rules.errors import IllegalDeal
from scoring.slips import slips

SAID: Mapping[str, Label] = {
    "row_doubled": _("Deal %(number)s is not on the paper, or was entered twice."),
    "row_missing": _("A deal like number %(number)s is missing here, or was added up twice on the paper."),
    "seats_swapped": _("Deal %(number)s: the points of two players are exchanged."),
    "sign_flipped": _("Deal %(number)s: plus and minus are exchanged."),
    "digits_swapped": _("Deal %(number)s, %(column)s: %(might)s instead of %(was)s, two digits exchanged."),
    "other_seat": _("Deal %(number)s, %(column)s: %(might)s instead of %(was)s."),
    "other_digit": _("Deal %(number)s, %(column)s: %(might)s instead of %(was)s."),
    "near_number": _("Deal %(number)s, %(column)s: %(might)s instead of %(was)s."),
    "other_code": _("Deal %(number)s, %(column)s: %(might)s instead of %(was)s."),
    "paper_sum": _("The paper: its totals don’t add up as they must."),
    "paper_sign": _("The paper: %(name)s’s total has the wrong sign."),
    "paper_digit": _("The paper: one digit of %(name)s’s total is wrong."),
    "paper_digits_swapped": _("The paper: two digits of %(name)s’s total are exchanged."),
    "paper_total": _("The paper: %(name)s’s total alone is wrong, so it was added up wrongly."),
}


class TotalDifference(NamedTuple):
    """A seat whose total on the paper is another: `off` is the paper's minus ours."""

    name: str
    written: int
    total: int
    off: int


class PaperCheck(NamedTuple):
    """What the comparison came to: nobody differs, or who does and why, the likeliest reason first.

    `suspects` are (words, the deal's id or None).
    """

    differences: list[TotalDifference]
    suspects: list[tuple[str, int | None]]

    @property
    def agrees(self) -> bool:
        """Whether every total that is written is the computed one."""
        return not self.differences


def verdict(
    game: Game, sheet: ScoreSheet, house_rules: Mapping[str, Any], written: Sequence[int | None]
) -> PaperCheck | None:
    """Compare the paper's totals, by seat, with the sheet's; None when none is written or no deal is recorded."""
    if not sheet.rows or all(total is None for total in written):
        return None
    check = _check(game, sheet, house_rules, written)
    totals = [cell.total for cell in sheet.rows[-1].cells]
    found = [
        TotalDifference(str(seat.player), paper, total, off)
        for seat, paper, total, off in zip(sheet.seats, written, totals, check.differences, strict=True)
        if off and paper is not None
    ]
    return PaperCheck(found, [(_said(game, sheet, suspect), _deal(sheet, suspect)) for suspect in check.suspects])


def _check(game: Game, sheet: ScoreSheet, house_rules: Mapping[str, Any], written: Sequence[int | None]) -> CrossCheck:
    points = [tuple(cell.points or 0 for cell in row.cells) for row in sheet.rows]
    deals = [(row.deal.facts, row.deal.rests) for row in sheet.rows]
    options = game.rules.read_options(house_rules)
    readable = all(row.is_readable for row in sheet.rows)
    tried = slips(game.rules, game.row, deals, sheet.table.size, options) if readable else []
    return compare(points, written, tried, impossible=_impossible(game, written, len(points)))


def _impossible(game: Game, written: Sequence[int | None], deals: int) -> bool:
    known = [total for total in written if total is not None]
    if len(known) < len(written):
        return False
    try:
        game.rules.check_totals(known, deals)
    except IllegalDeal:
        return True
    return False


def _said(game: Game, sheet: ScoreSheet, suspect: Suspect) -> str:
    params: dict[str, object] = {"was": suspect.was or gettext("empty"), "might": suspect.might or gettext("empty")}
    if suspect.row is not None:
        params["number"] = sheet.rows[suspect.row].deal.number
    if suspect.seat is not None:
        params["name"] = str(sheet.seats[suspect.seat].player)
    for column in game.row.columns(sheet.table.playing):
        if column.name == suspect.column:
            params["column"] = column_label(column)
    return str(SAID[suspect.reason]) % params


def _deal(sheet: ScoreSheet, suspect: Suspect) -> int | None:
    return None if suspect.row is None else sheet.rows[suspect.row].deal.pk
