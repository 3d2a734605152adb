"""Mistakes in the entered deals of belote that the totals on paper reveal: a missing announcement, slam or deal.

No Django. An announcement of belote and rebelote is called a belote here.

Without rounding, both sides together have 162 points for each deal that was played, plus 20 for each belote, plus the
slams that count, minus the points of a dispute that no side has won yet.
"""

from collections.abc import Iterator, Mapping, Sequence

from scoring.games.belote.options import Options
from scoring.games.belote.rules import BELOTE_POINTS, CARD_POINTS, POINTS_IN_TRICKS, SIDES, Deal
from scoring.paper_errors import SLAM_AND_DEAL_WORDS, LikelyError, PaperErrors, deal_and_bonus_errors
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    **SLAM_AND_DEAL_WORDS,
    "belote_missing": _("%(off)s off: a belote is missing."),
    "belote_missing_in": _("Deal %(number)s: a belote is missing."),
    "belote_extra": _("%(off)s off: there is a belote that the paper does not have."),
    "belote_extra_in": _("Deal %(number)s: the paper does not have this belote."),
    "sum_unlikely_more": _(
        "Together %(given)s points: %(gap)s more than 162 for each of %(deals)s deals, not by belotes or slams."
    ),
    "sum_unlikely_less": _("Together %(given)s points: %(gap)s less than 162 for each of %(deals)s deals."),
    "belote_moved_in": _("Deal %(number)s: the belote is the other side’s."),
}


def corrected_deals(deals: Sequence[Deal], options: Options) -> Iterator[tuple[str, int, Deal]]:
    """Yield (message code, index of the deal, corrected deal) for each possible entry mistake in the deals."""
    for index, deal in enumerate(deals):
        if deal.taker is None:
            continue
        for side in (None, *SIDES):
            if side != deal.belote:
                code = "belote_extra_in" if side is None else "belote_moved_in"
                yield code if deal.belote else "belote_missing_in", index, deal._replace(belote=side)
        if deal.all_tricks is not None:
            yield "slam_extra_in", index, deal._replace(all_tricks=None)
        elif deal.points == (CARD_POINTS if deal.last_trick == "attack" else 0):
            yield "slam_missing_in", index, deal._replace(all_tricks=deal.last_trick)


def errors_by_difference(deals: Sequence[Deal], options: Options) -> Mapping[int, Sequence[LikelyError]]:
    """Return the likely mistakes for each difference between the paper score sheet and the deals.

    A difference is the sum of both sides on paper minus the sum of the deals, in points. A mistake is a pair: message
    code, and index of the deal or None. With rounding the result is empty, because then a difference of the sums has
    no clear cause. A missing deal is assumed to have at most one belote and no slam.
    """
    if options.rounding is not None:
        return {}
    passed = [index for index, deal in enumerate(deals) if deal.taker is None and deal.penalty is None]
    bonuses = [("belote", BELOTE_POINTS), *([("slam", options.slam)] if options.slam else [])]
    return deal_and_bonus_errors(bonuses, (POINTS_IN_TRICKS, POINTS_IN_TRICKS + BELOTE_POINTS), passed)


def sum_error(total: int, deals: int, options: Options) -> tuple[str, Mapping[str, int]] | None:
    """Return the likely error if no number of belotes and slams explains the sum of both sides' totals.

    `total` is the sum, `deals` the number of deals. The result is a message code with its parameters. Return None if
    the sum is possible, and always with rounding or with replayed deals, because they allow other sums.
    """
    if options.rounding is not None or options.dispute == "replayed":
        return None
    bonuses = {
        BELOTE_POINTS * belotes + options.slam * slams for belotes in range(deals + 1) for slams in range(deals + 1)
    }
    off = total - POINTS_IN_TRICKS * deals
    if off in bonuses:
        return None
    codes = {"deal_missing": off + POINTS_IN_TRICKS, "deal_extra": off - POINTS_IN_TRICKS}
    code = next((code for code, rest in codes.items() if rest in bonuses), "")
    code = code or ("sum_unlikely_more" if off > 0 else "sum_unlikely_less")
    return code, {"given": total, "deals": deals, "off": off, "gap": abs(off)}


PAPER_ERRORS = PaperErrors(corrected_deals, errors_by_difference, WORDS, sum_error)
