"""The rules of tarot: deals with a taker (taker.py), and deals "one for one", without a taker (one_for_one.py)."""

from collections.abc import Callable, Mapping
from typing import Any

from scoring.games.tarot import one_for_one, one_for_one_points, passed, taker
from scoring.games.tarot.one_for_one import OneForOneDeal
from scoring.games.tarot.options import HOUSE_RULES, Options
from scoring.games.tarot.passed import PassedDeal
from scoring.games.tarot.taker import TakerDeal
from scoring.games.tarot.words import WORDS
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules, Seats, TableLength
from scoring.rules.reading import check_zero_sum, quote, word
from scoring.rules.score import EngineScore

Deal = TakerDeal | OneForOneDeal | PassedDeal

READERS: Mapping[str, Callable[[int, Mapping[str, Any]], Deal]] = {
    **dict.fromkeys(taker.CONTRACT_RATES, taker.read),
    "one_for_one": one_for_one.read,
    "passed": passed.read,
}
CONTRACTS = tuple(READERS)


def read(seats: int, facts: object) -> Deal:
    if type(facts) is not dict and not isinstance(facts, Mapping):
        raise IllegalDeal("facts", "not_an_object", {"given": quote(facts)})
    contract = facts.get("contract")
    reader = READERS.get(contract) if type(contract) is str else None
    if reader is None:
        reader = READERS[word(contract, "contract", CONTRACTS)]
    return reader(seats, facts)


def score(deal: Deal, options: Options) -> EngineScore:
    if isinstance(deal, TakerDeal):
        return taker.score(deal, options)
    if isinstance(deal, OneForOneDeal):
        return one_for_one_points.score(deal, options)
    return passed.score(deal)


def roles(deal: Deal) -> tuple[str, ...]:
    """Return the role of each seat: "taker", "partner" or "defender"; without a taker "alone", "mate" or "passed"."""
    if isinstance(deal, TakerDeal):
        return taker.roles(deal)
    if isinstance(deal, OneForOneDeal):
        return ("mate" if deal.has_teams else "alone",) * deal.seats
    return ("passed",) * deal.seats


def formula(deal: Deal, options: Options, seat: int) -> str:
    """Return the computation of a seat's points in the notation of the documents; "" if the deal gives no points."""
    if isinstance(deal, TakerDeal):
        return taker.formula(deal, options, seat)
    if isinstance(deal, OneForOneDeal):
        return one_for_one_points.formula(deal, options, seat)
    return ""


def may_be_dealt_again(deal: Deal, options: Options) -> bool:
    return isinstance(deal, PassedDeal)


RULES = Rules(
    seats=Seats(3, 6),
    length=TableLength("deals", 4, 10, 20),
    words=WORDS,
    read=read,
    score=score,
    roles=roles,
    formula=formula,
    check_totals=check_zero_sum,
    options=Options,
    house_rules=HOUSE_RULES,
    may_be_dealt_again=may_be_dealt_again,
)
