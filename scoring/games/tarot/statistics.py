"""Counters of a deal of tarot for players' statistics. No Django.

Passed deals, and deals that a house rule makes void, add to no counter here.
"""

from collections.abc import Sequence
from typing import Any

from scoring.games.tarot import taker
from scoring.games.tarot.one_for_one import OneForOneDeal
from scoring.games.tarot.options import Options
from scoring.games.tarot.taker import TakerDeal
from scoring.games.tarot.words import CONTRACTS
from scoring.rules.words import gettext_noop as _
from scoring.statistics import CounterIncrements, Mean, Section, Share, Statistics


def tally(deal: Any, options: Options, points: Sequence[int]) -> tuple[CounterIncrements, ...]:
    if isinstance(deal, TakerDeal):
        outcome = taker.outcome_of(deal, options)
        if outcome is not None:
            return _increments_with_taker(deal, *outcome, points)
    elif isinstance(deal, OneForOneDeal):
        return _increments_one_for_one(deal, points)
    return ({},) * len(points)


def _increments_with_taker(
    deal: TakerDeal, won: bool, margin: int, points: Sequence[int]
) -> tuple[CounterIncrements, ...]:
    handful_seats = {handful.seat for handful in deal.handfuls}
    increments: list[CounterIncrements] = []
    for seat, role in enumerate(taker.roles(deal)):
        attacks = role != "defender"
        side = "attack" if attacks else "defence"
        counters = {"with_taker": 1, role: 1, f"{role}_points": points[seat]}
        if won == attacks:
            counters[f"{role}_won"] = 1
        if role == "taker":
            counters |= {
                "margin": margin if won else -margin,
                deal.contract: 1,
                f"{deal.contract}_won": int(won),
                f"oudlers_{deal.oudlers}": 1,
                f"oudlers_{deal.oudlers}_won": int(won),
            }
        if deal.small_last is not None:
            counters["small_last"] = 1
            counters["small_last_for"] = int(deal.small_last == side)
        if deal.slam == side:
            counters["slams"] = 1
        if seat in handful_seats:
            counters["handfuls"] = 1
        increments.append(counters)
    return tuple(increments)


def _increments_one_for_one(deal: OneForOneDeal, points: Sequence[int]) -> tuple[CounterIncrements, ...]:
    first = deal.members[deal.pile_order.order[0]]
    handful_seats = {handful.seat for handful in deal.handfuls}
    return tuple(
        {
            "one_for_one": 1,
            "one_for_one_points": gained,
            "one_for_one_first": int(seat in first),
            "one_for_one_gained": int(gained > 0),
            "handfuls": int(seat in handful_seats),
        }
        for seat, gained in enumerate(points)
    )


STATISTICS = Statistics(
    tally,
    (
        Section(
            _("As taker"),
            (
                Share(_("Deals taken"), "taker", "with_taker"),
                Share(_("Contracts made"), "taker_won", "taker"),
                Mean(_("Margin over what was needed"), "margin", "taker"),
                Mean(_("Points a deal"), "taker_points", "taker"),
            ),
        ),
        Section(
            _("Made, by contract"),
            tuple(Share(label, f"{contract}_won", contract) for contract, label in CONTRACTS.items()),
        ),
        Section(
            _("Made, by oudlers in the end"),
            (
                Share(_("Without an oudler"), "oudlers_0_won", "oudlers_0"),
                Share(_("1 oudler"), "oudlers_1_won", "oudlers_1"),
                Share(_("2 oudlers"), "oudlers_2_won", "oudlers_2"),
                Share(_("3 oudlers"), "oudlers_3_won", "oudlers_3"),
            ),
        ),
        Section(
            _("With and against the taker"),
            (
                Share(_("Contracts brought down as a defender"), "defender_won", "defender"),
                Mean(_("Points a deal as a defender"), "defender_points", "defender"),
                Share(_("Contracts made as the called partner"), "partner_won", "partner"),
                Mean(_("Points a deal as the called partner"), "partner_points", "partner"),
                Share(_("The Small in the last trick: for one’s own side"), "small_last_for", "small_last"),
                Share(_("Handfuls shown"), "handfuls", "deals"),
                Share(_("Slams of one’s own side"), "slams", "with_taker"),
            ),
        ),
        Section(
            _("One for one"),
            (
                Share(_("First"), "one_for_one_first", "one_for_one"),
                Share(_("Points gained"), "one_for_one_gained", "one_for_one"),
                Mean(_("Points a deal"), "one_for_one_points", "one_for_one"),
            ),
        ),
    ),
)
