"""Compare the totals on the paper score sheet with the recorded deals, and describe the likely errors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.sheets.queries.deal_scores import is_last_deal
from league.sheets.queries.score_sheet import ScoreSheet
from scoring.cross_check import CrossCheck, Suspect, compare_totals, sum_difference
from scoring.fields import Label
from scoring.game import Game
from scoring.phrases import column_label, message_text
from scoring.possible_mistakes import known_mistakes, row_mistakes
from scoring.rules.errors import IllegalDeal

SUSPECT_TEXTS: Mapping[str, Label] = {
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


class PaperTotalDifference(NamedTuple):
    """A seat whose total on the paper differs. `difference` is the total on the paper minus the recorded total."""

    name: str
    on_paper: int
    total: int
    difference: int


class PaperCheck(NamedTuple):
    """The result of the comparison. `suspects` are likely errors as (text, deal id or None), the most likely first."""

    differences: list[PaperTotalDifference]
    suspects: list[tuple[str, int | None]]

    @property
    def agrees(self) -> bool:
        return not self.differences


def check_paper(
    game: Game, sheet: ScoreSheet, house_rules: Mapping[str, Any], paper_totals: Sequence[int | None]
) -> PaperCheck | None:
    """Compare the totals on the paper with the recorded deals. `paper_totals` are by seat, None if not entered.

    Return None if no total is entered or no deal is recorded.
    """
    if not sheet.rows or all(total is None for total in paper_totals):
        return None
    check = _cross_check(game, sheet, house_rules, paper_totals)
    totals = [cell.total for cell in sheet.rows[-1].cells]
    differences = [
        PaperTotalDifference(str(seat.player), on_paper, total, difference)
        for seat, on_paper, total, difference in zip(sheet.seats, paper_totals, totals, check.differences, strict=True)
        if difference and on_paper is not None
    ]
    sides = game.rules.sides(sheet.table.size, game.rules.read_options(house_rules))
    sum_error = sum_difference(check.differences, sides)
    return PaperCheck(
        differences,
        [(_suspect_text(game, sheet, suspect, sum_error), _deal_id(sheet, suspect)) for suspect in check.suspects],
    )


def _cross_check(
    game: Game, sheet: ScoreSheet, house_rules: Mapping[str, Any], paper_totals: Sequence[int | None]
) -> CrossCheck:
    points = [tuple(cell.points or 0 for cell in row.cells) for row in sheet.rows]
    deals = [(row.deal.facts, row.deal.rests) for row in sheet.rows]
    options = game.rules.read_options(house_rules)
    impossible_sum, size = _totals_are_impossible(game, options, paper_totals, len(points)), sheet.table.size
    never_negative = game.rules.never_negative
    if not all(row.is_readable for row in sheet.rows):
        return compare_totals(points, paper_totals, impossible_sum=impossible_sum, never_negative=never_negative)
    facts = [of_deal for of_deal, _resting in deals]
    last = next((i for i in range(len(facts)) if is_last_deal(sheet.table, i + 1, facts[:i])), None)
    if any(resting for _facts, resting in deals):
        mistakes = row_mistakes(game.rules, game.row, deals, size, options, last, translate=gettext)
        return compare_totals(
            points, paper_totals, mistakes, impossible_sum=impossible_sum, never_negative=never_negative
        )
    mistakes = row_mistakes(
        game.rules, game.row, deals, size, options, last, paper_mistakes=game.paper_errors, translate=gettext
    )
    return compare_totals(
        points,
        paper_totals,
        chain(known_mistakes(game.rules, game.paper_errors, facts, size, options, last), mistakes),
        impossible_sum=impossible_sum,
        never_negative=never_negative,
        sides=game.rules.sides(size, options),
        errors_by_difference=game.paper_errors.errors_by_difference(game.rules.read_earlier(size, facts), options),
    )


def _totals_are_impossible(game: Game, options: Any, paper_totals: Sequence[int | None], deals: int) -> bool:
    """Return whether the rules refuse these totals. Return False if a total is not entered."""
    totals = [total for total in paper_totals if total is not None]
    if len(totals) < len(paper_totals):
        return False
    try:
        game.rules.check_totals(totals, deals, options)
    except IllegalDeal:
        return True
    return False


def _suspect_text(game: Game, sheet: ScoreSheet, suspect: Suspect, sum_error: int | None) -> str:
    if suspect.reason in game.paper_errors.words:
        deal = 0 if suspect.row is None else sheet.rows[suspect.row].deal.number or 0
        return message_text(game, suspect.reason, {"number": deal, "off": abs(sum_error or 0)}, [])
    params: dict[str, object] = {
        "was": suspect.given_text or gettext("empty"),
        "might": suspect.corrected_text or gettext("empty"),
    }
    if suspect.row is not None:
        params["number"] = sheet.rows[suspect.row].deal.number
    if suspect.seat is not None:
        params["name"] = str(sheet.seats[suspect.seat].player)
    for column in game.row.columns(sheet.table.players_of_deal):
        if column.name == suspect.column:
            params["column"] = column_label(column)
    return str(SUSPECT_TEXTS[suspect.reason]) % params


def _deal_id(sheet: ScoreSheet, suspect: Suspect) -> int | None:
    return None if suspect.row is None else sheet.rows[suspect.row].deal.pk
