"""Little Barbu: tricks, queens or a king that nobody wants. RULES.md has the clauses that lines cite."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.rules import payouts, reading
from scoring.rules.errors import IllegalDeal, Param
from scoring.rules.house_rules import HouseRule
from scoring.rules.interface import Rules, Seats, TableLength
from scoring.rules.score import DealWarning, EngineScore, Line, total
from scoring.rules.words import Words, ngettext_lazy
from scoring.rules.words import gettext_noop as _


class Contract(NamedTuple):
    """The number of penalty cards or tricks in a deal, and the cost of each."""

    number: int
    cost: int


CONTRACTS: Mapping[str, Contract] = {"tricks": Contract(8, 2), "queens": Contract(4, 4), "barbu": Contract(1, 16)}
COST_OF_DEAL = 16

NAMES = {"tricks": _("No tricks"), "queens": _("No queens"), "barbu": _("Barbu")}
WORDS: Words = {
    **NAMES,
    # roles
    "dealer": _("dealer"),
    "doubling": _("doubled the dealer"),
    "player": _("player"),
    # lines
    "penalties": _("%(contract)s: each that was taken costs %(cost)s points."),
    "double": ngettext_lazy(
        "%(seats)s: the dealer was doubled, and the difference of %(difference)s is paid once more.",
        "%(seats)s: the dealer was doubled, and the difference of %(difference)s is paid %(times)s times more.",
        "times",
    ),
    # warnings
    "named_again": _("%(seat)s has named this contract before: %(contract)s."),
    # illegal
    "not_all_taken": ngettext_lazy(
        "%(given)s was taken; a deal has %(all)s.", "%(given)s were taken; a deal has %(all)s.", "given"
    ),
    "dealer_doubles": _("%(seat)s deals, so it is the others who may double."),
    "totals_of_deals": ngettext_lazy(
        "The totals add up to %(given)s; %(deals)s deal adds up to %(must)s.",
        "The totals add up to %(given)s; %(deals)s deals add up to %(must)s.",
        "deals",
    ),
}
HOUSE_RULES = (
    HouseRule("double", _("The difference to a doubled dealer is paid"), {1: _("once more"), 2: _("twice more")}),
)


class Deal(NamedTuple):
    """`taken` (penalty cards or tricks) and `doubled` have a value for each seat."""

    contract: str
    dealer: int
    taken: tuple[int, ...]
    doubled: tuple[bool, ...]


class Options(NamedTuple):
    double: int


def read(seats: int, facts: object) -> Deal:
    needed = frozenset({"contract", "dealer", "taken"})
    values = reading.checked_object(facts, "facts", needed, needed | {"doubled"})
    contract = reading.word(values["contract"], "contract", tuple(CONTRACTS))
    dealer = reading.seat(values["dealer"], "dealer", seats)
    number = CONTRACTS[contract].number
    counts = reading.items(values["taken"], "taken", seats)
    taken = tuple(reading.integer(count, f"taken.{seat}", 0, number) for seat, count in enumerate(counts))
    if sum(taken) != number:
        raise IllegalDeal("taken", "not_all_taken", {"given": sum(taken), "all": number})
    flags = reading.items(values.get("doubled") or [False] * seats, "doubled", seats)
    doubled = tuple(reading.boolean(flag, f"doubled.{seat}") for seat, flag in enumerate(flags))
    if doubled[dealer]:
        raise IllegalDeal(f"doubled.{dealer}", "dealer_doubles", {"seat": dealer})
    return Deal(contract, dealer, taken, doubled)


def score(deal: Deal, options: Options) -> EngineScore:
    seats, cost = len(deal.taken), CONTRACTS[deal.contract].cost
    penalties = tuple(-cost * count for count in deal.taken)
    lines = [Line("penalties", {"contract": deal.contract, "cost": cost}, "L2.1", penalties)]
    for seat in range(seats):
        difference = penalties[deal.dealer] - penalties[seat]
        if deal.doubled[seat] and difference:
            params: dict[str, Param] = {
                "seats": (seat, deal.dealer),
                "difference": abs(difference),
                "times": options.double,
            }
            shares = tuple((payee == deal.dealer) - (payee == seat) for payee in range(seats))
            lines.append(Line("double", params, "L3.1", payouts.payout(shares, options.double * difference)))
    return EngineScore(total(seats, lines), tuple(lines), ())


def roles(deal: Deal) -> tuple[str, ...]:
    return tuple(
        "dealer" if seat == deal.dealer else "doubling" if doubled else "player"
        for seat, doubled in enumerate(deal.doubled)
    )


def warnings_from_earlier(deal: Deal, options: Options, earlier: Sequence[Deal]) -> tuple[DealWarning, ...]:
    """Warn about a contract that its dealer has named before."""
    if (deal.dealer, deal.contract) not in {(before.dealer, before.contract) for before in earlier}:
        return ()
    return (DealWarning("contract", "named_again", {"seat": deal.dealer, "contract": deal.contract}),)


def next_facts(seats: int, earlier: Sequence[Deal]) -> dict[str, int]:
    """The seat after the last dealer deals next."""
    return {"dealer": (earlier[-1].dealer + 1) % seats if earlier else 0}


def check_totals(totals: Sequence[int], deals: int, options: Options) -> None:
    must = -COST_OF_DEAL * deals
    if sum(totals) != must:
        raise IllegalDeal("totals", "totals_of_deals", {"given": sum(totals), "deals": deals, "must": must})


RULES = Rules(
    seats=Seats(3, 5),
    length=TableLength("deals", 6, 9, 12),
    words=WORDS,
    read=read,
    score=score,
    roles=roles,
    warnings_from_earlier=warnings_from_earlier,
    check_totals=check_totals,
    options=Options,
    house_rules=HOUSE_RULES,
)
