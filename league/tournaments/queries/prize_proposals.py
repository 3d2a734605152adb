"""Proposals for the prizes of a tournament, in money or in kind. The organiser may change them before storing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from django.utils.translation import gettext as _

from league.models import Prize
from league.models.prize import MAX_PRIZE_LINES
from league.pairing.prizes import prize_amounts, total_amount
from league.tournaments.queries.prizes import to_arithmetic_prize

UNITS_PER_PRIZE: Final = 3


def usual_prize_count(unit_count: int) -> int:
    """Return the proposed number of prizes: a third of the number of units (players, pairs or teams), rounded up.

    The number is at least 1.
    """
    return max(-(-unit_count // UNITS_PER_PRIZE), 1)


def propose_money_prizes(
    fees: int, *, percent: int, count: int, step: int, prizes: Sequence[Prize] = ()
) -> list[Prize]:
    """Return unsaved prizes: money for at most the first `count` ranks, then a part of `prizes`, the current list.

    This part has the prizes for a category, for teams, from the last rank, or without money. The money to divide is
    `percent` of the entry fees (`fees`, in cents), less the amounts of this part. Amounts are multiples of `step`
    cents. Consecutive ranks with equal amounts get one line. The result has at most MAX_PRIZE_LINES lines.
    """
    other_prizes = [
        prize for prize in prizes if prize.category or prize.from_last or prize.for_teams or not prize.amount
    ]
    pot = fees * percent // 100 - total_amount(to_arithmetic_prize(prize) for prize in other_prizes)
    lines = []
    rank = 1
    for amount, group in groupby(prize_amounts(max(pot, 0), count, step)):
        last = rank + len(list(group)) - 1
        lines.append(Prize(first=rank, last=last, amount=amount))
        rank = last + 1
    return [*lines, *other_prizes][:MAX_PRIZE_LINES]


def propose_prizes_in_kind(unit_count: int) -> list[Prize]:
    """Return unsaved prizes in kind, as they are usual for this number of units. `worth` is in cents.

    A unit (player, pair or team) gets only one prize, the one with the higher worth. So the prizes by rank end before
    the last unit, which is to get the prize for the last rank.
    """
    last_wine_rank = min(unit_count - 1, 10)
    return [
        Prize(first=1, last=1, thing=_("Whole ham"), worth=9_000),
        Prize(first=2, last=2, thing=_("Gourmet basket"), worth=5_000),
        Prize(first=3, last=3, thing=_("Six bottles of wine"), worth=4_000),
        *([Prize(first=4, last=last_wine_rank, thing=_("Bottle of wine"), worth=800)] if last_wine_rank >= 4 else []),
        Prize(first=1, last=1, from_last=True, thing=_("Leeks for a soup"), worth=200),
    ]
