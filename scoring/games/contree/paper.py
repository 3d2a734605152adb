"""Mistakes in the entered deals of contrée that the totals on paper reveal: a missing belote, slam, double or deal. No
Django.
"""

from collections.abc import Iterator, Mapping, Sequence

from scoring.games.contree.options import Options
from scoring.games.contree.rules import BELOTE_POINTS, CARD_POINTS, CONTRACT_POINTS, TEN_OF_LAST, Deal, max_belotes
from scoring.paper_errors import SLAM_AND_DEAL_WORDS, LikelyError, PaperErrors, deal_and_bonus_errors
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

POINTS_IN_TRICKS = CARD_POINTS + TEN_OF_LAST
WORDS: Words = {
    **SLAM_AND_DEAL_WORDS,
    "belote_missing": _("%(off)s off: a belote is missing."),
    "belote_missing_in": _("Deal %(number)s: a belote is missing."),
    "belote_extra": _("%(off)s off: there is a belote that the paper does not have."),
    "belote_extra_in": _("Deal %(number)s: the paper does not have this belote."),
    "belote_moved_in": _("Deal %(number)s: the belote is the other side’s."),
    "double_missing_in": _("Deal %(number)s: the contract was doubled."),
    "double_extra_in": _("Deal %(number)s: the paper does not have this double."),
}


def corrected_deals(deals: Sequence[Deal], options: Options) -> Iterator[tuple[str, int, Deal]]:
    """Yield (message code, index of the deal, corrected deal) for each possible entry mistake in the deals."""
    for index, deal in enumerate(deals):
        if deal.taker is None:
            continue
        for code, belotes in _possible_belote_corrections(deal):
            yield code, index, deal._replace(belotes=belotes)
        if deal.all_tricks is not None:
            yield "slam_extra_in", index, deal._replace(all_tricks=None)
        elif deal.points == (CARD_POINTS if deal.last_trick == "attack" else 0):
            yield "slam_missing_in", index, deal._replace(all_tricks=deal.last_trick)
        if deal.double is None:
            yield "double_missing_in", index, deal._replace(double="double")
        elif deal.double == "double":
            yield "double_extra_in", index, deal._replace(double=None)


def _possible_belote_corrections(deal: Deal) -> Iterator[tuple[str, tuple[int, int]]]:
    attack, defence = deal.belotes
    if attack + defence < max_belotes(deal.trump):
        yield "belote_missing_in", (attack + 1, defence)
        yield "belote_missing_in", (attack, defence + 1)
    if attack:
        yield "belote_extra_in", (attack - 1, defence)
        yield "belote_moved_in", (attack - 1, defence + 1)
    if defence:
        yield "belote_extra_in", (attack, defence - 1)
        yield "belote_moved_in", (attack + 1, defence - 1)


def errors_by_difference(deals: Sequence[Deal], options: Options) -> Mapping[int, Sequence[LikelyError]]:
    """Return likely mistakes by the difference: the sum of both sides on the paper score sheet minus the sum of the
    deals.

    A mistake is a pair: message code, and index of the deal or None. With rounding the result is empty, because then a
    difference of the sums has no clear cause. A missing deal is assumed to be not doubled, with at most one belote and
    without a capot.
    """
    if options.rounding is not None:
        return {}
    passed = [index for index, deal in enumerate(deals) if deal.taker is None]
    if options.scoring == "contract":
        return deal_and_bonus_errors((), CONTRACT_POINTS, passed)
    values = (0,) if options.scoring == "points" else CONTRACT_POINTS
    bases = {POINTS_IN_TRICKS, options.failed_base}
    played = [base + value + belote for base in bases for value in values for belote in (0, BELOTE_POINTS)]
    slams = [("slam", options.all_tricks - base) for base in bases if options.all_tricks > base]
    return deal_and_bonus_errors([*slams, ("belote", BELOTE_POINTS)], played, passed)


PAPER_ERRORS = PaperErrors(corrected_deals, errors_by_difference, WORDS)
