"""The rules of a game by totals (a club's own game): only the totals of a table are entered. No Django.

The club defines the sides, the winner and the sum of the totals. No deal is scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, NoReturn

from scoring.rules import reading
from scoring.rules.errors import DoubtfulTotals, IllegalDeal
from scoring.rules.interface import Rules, Seats, Sides, TableLength, one_seat_per_side
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

MAX_CHECK_SUM: Final = 99_999
WORDS: Words = {
    "by_totals": _("Deals of a game by totals are not scored: only the totals of a table are entered."),
    "mates_differ": _("Partners score the same: %(given)s and %(allowed)s were given."),
    "wrong_sum": _("The totals add up to %(given)s instead of %(must)s."),
}


class Options(NamedTuple):
    """A club's definition of its game.

    `two_sides`: the even seats play against the odd seats. `low_wins`: the lowest total wins. `check_sum`: the required
    sum of the written totals, one total for each side; None: no check. `per_deal`: the required sum is `check_sum` for
    each deal.
    """

    two_sides: bool = False
    low_wins: bool = False
    check_sum: int | None = None
    per_deal: bool = False


class TotalsRules(Rules):
    """Rules whose options are not house rules: a season copies them from the club's definition of the game."""

    def read_options(self, raw: object) -> Options:
        if raw is None:
            return Options()
        values: Mapping[str, Any] = reading.checked_object(raw, "options", frozenset(), frozenset(Options._fields))
        check_sum = values.get("check_sum")
        if check_sum is not None:
            check_sum = reading.integer(check_sum, "options.check_sum", -MAX_CHECK_SUM, MAX_CHECK_SUM)
        flags = {
            name: reading.boolean(values.get(name) or False, f"options.{name}")
            for name in ("two_sides", "low_wins", "per_deal")
        }
        return Options(check_sum=check_sum, **flags)


def refuse_deal(*_arguments: object) -> NoReturn:
    """Raise IllegalDeal in any case: a game by totals has no deals to read or to score."""
    raise IllegalDeal("game", "by_totals")


def sides(seats: int, options: Options) -> Sides:
    """Return the seats of each side: each player alone, or the even seats and the odd seats."""
    if not options.two_sides:
        return one_seat_per_side(seats, options)
    return tuple(range(0, seats, 2)), tuple(range(1, seats, 2))


def check_totals(totals: Sequence[int], deals: int, options: Options) -> None:
    """Check that partners have equal totals, and that the sides' totals have the required sum. Raise IllegalDeal."""
    sides_of_table = sides(len(totals), options)
    for side in sides_of_table:
        for seat in side[1:]:
            if totals[seat] != totals[side[0]]:
                raise IllegalDeal(f"totals.{seat}", "mates_differ", {"given": totals[seat], "allowed": totals[side[0]]})
    if options.check_sum is None:
        return
    must = options.check_sum * (deals if options.per_deal else 1)
    total = sum(totals[side[0]] for side in sides_of_table)
    if total != must:
        raise DoubtfulTotals("totals", "wrong_sum", {"given": total, "must": must})


RULES = TotalsRules(
    seats=Seats(2, 12),
    length=TableLength("deals", 1, 1, 1),  # deals may be of any length, so every table has its full weight in ratings
    words=WORDS,
    read=refuse_deal,
    score=refuse_deal,
    roles=refuse_deal,
    sides=sides,
    check_totals=check_totals,
    options=Options,
)
