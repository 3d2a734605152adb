"""The records in tarot: slams, large handfuls, and the highest contracts that were made. No Django."""

from collections.abc import Iterator
from typing import Any

from scoring.games.tarot import taker
from scoring.games.tarot.one_for_one import OneForOneDeal
from scoring.games.tarot.options import Options
from scoring.games.tarot.taker import TakerDeal
from scoring.records import RecordCandidate, Records
from scoring.rules.words import gettext_noop as _

RECORD_HANDFULS = ("triple", "double")
RECORD_CONTRACTS = ("guard_against", "guard_without")


def record_candidates(deal: Any, options: Options) -> tuple[RecordCandidate, ...]:
    if isinstance(deal, TakerDeal):
        return tuple(_candidates_with_taker(deal, options))
    if isinstance(deal, OneForOneDeal):
        return tuple(_candidates_one_for_one(deal))
    return ()


def _candidates_with_taker(deal: TakerDeal, options: Options) -> Iterator[RecordCandidate]:
    if deal.slam is None and deal.contract not in RECORD_CONTRACTS and not deal.handfuls:
        return  # nearly all deals
    outcome = taker.outcome_of(deal, options)
    if outcome is None:
        return
    won, _margin = outcome
    if deal.slam is not None:
        for seat, role in enumerate(taker.roles(deal)):
            if (role == "defender") == (deal.slam == "defence"):
                yield RecordCandidate("slam", seat)
    if won and deal.contract in RECORD_CONTRACTS:
        yield RecordCandidate(deal.contract, deal.taker)
    for handful in deal.handfuls:
        if handful.size in RECORD_HANDFULS:
            yield RecordCandidate(f"{handful.size}_handful", handful.seat)


def _candidates_one_for_one(deal: OneForOneDeal) -> Iterator[RecordCandidate]:
    if deal.slam is not None:
        for seat in deal.members[deal.pile_of(deal.slam)]:
            yield RecordCandidate("slam", seat)
    for handful in deal.handfuls:
        if handful.size in RECORD_HANDFULS:
            yield RecordCandidate(f"{handful.size}_handful", handful.seat)


RECORDS = Records(
    record_candidates,
    {
        "slam": _("Slam"),
        "guard_against": _("Guard against made"),
        "guard_without": _("Guard without made"),
        "triple_handful": _("Triple handful"),
        "double_handful": _("Double handful"),
    },
    {"slams": _("Most slams"), "handfuls": _("Most handfuls")},
)
