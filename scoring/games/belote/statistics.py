"""Counters of a deal of belote for players' statistics. No Django.

A passed deal and a replayed deal (B6.6) add to no counter here. A deal in dispute (B6.1) counts neither as made nor as
lost. After an irregularity only the irregularity is counted.
"""

from collections.abc import Sequence

from scoring.games.belote.options import Options
from scoring.games.belote.rules import Deal, is_disputed, is_made, is_replayed, roles
from scoring.rules.words import gettext_noop as _
from scoring.statistics import CounterIncrements, Mean, Section, Share, Statistics


def tally(deal: Deal, options: Options, points: Sequence[int]) -> tuple[CounterIncrements, ...]:
    if deal.penalty is not None:
        return tuple({"penalties": int(seat == deal.penalty)} for seat in range(len(points)))
    if deal.taker is None or is_replayed(deal, options):
        return ({},) * len(points)
    disputed, contract_made = is_disputed(deal, options), is_made(deal, options)
    return tuple(
        _seat_increments(deal, role, gained, disputed=disputed, contract_made=contract_made)
        for role, gained in zip(roles(deal), points, strict=True)
    )


def _seat_increments(deal: Deal, role: str, points: int, *, disputed: bool, contract_made: bool) -> CounterIncrements:
    side = "defence" if role == "defender" else "attack"
    won = not disputed and contract_made == (side == "attack")
    counters = {"with_taker": 1, role: 1, f"{role}_points": points, f"{role}_won": int(won)}
    if disputed:
        counters[f"{role}_disputed"] = 1
    if deal.all_tricks == side:
        counters["slams"] = 1
    if deal.belote == side:
        counters["belotes"] = 1
    return counters


STATISTICS = Statistics(
    tally,
    (
        Section(
            _("As taker"),
            (
                Share(_("Deals taken"), "taker", "with_taker"),
                Share(_("Contracts made"), "taker_won", "taker"),
                Share(_("Contracts in dispute"), "taker_disputed", "taker"),
                Mean(_("Points a deal"), "taker_points", "taker"),
            ),
        ),
        Section(
            _("With and against the taker"),
            (
                Share(_("Contracts made by the partner"), "partner_won", "partner"),
                Mean(_("Points a deal as the taker’s partner"), "partner_points", "partner"),
                Share(_("Contracts brought down as a defender"), "defender_won", "defender"),
                Mean(_("Points a deal as a defender"), "defender_points", "defender"),
            ),
        ),
        Section(
            _("What the pair held"),
            (
                Share(_("Belote and rebelote"), "belotes", "with_taker"),
                Share(_("Every trick won"), "slams", "with_taker"),
            ),
        ),
        Section(_("Irregularities"), (Share(_("Deals with an irregularity"), "penalties", "deals"),)),
    ),
)
