"""Two Way Street: facts in, points out. 3 and more seats play hands, 2 seats play duels.

Pure: standard library and the kernel only. RULES.md beside this file has the numbered clauses that lines cite;
the law is the document 004, and the author's own pages for duels.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.games.two_way_street import duel, hands
from scoring.games.two_way_street.duel import Duel
from scoring.games.two_way_street.hands import Hands
from scoring.games.two_way_street.words import WORDS as WORDS
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Length
from scoring.rules.score import Score

LENGTH = Length("top", 12, 19, 25, "published")
SEATS = "2 or more"
HAND_TRICKS = 10

Deal = Hands | Duel

_OPTIONS = frozenset({"hand_tricks"})


class Options(NamedTuple):
    """House rules. `hand_tricks`: how many tricks a hand of 3 and more has; None for no check."""

    hand_tricks: int | None = HAND_TRICKS


def check_seats(seats: object) -> int:
    """2 or more; any number, for nothing is made before the hands are counted."""
    if type(seats) is not int or seats < 2:
        raise IllegalDeal("seats", "wrong_seats", {"given": reading.given(seats), "allowed": SEATS})
    return seats


def read_options(raw: object) -> Options:
    """Options from JSON. Here null is a value, no check; only an option left out is the default."""
    known: Mapping[str, object] = reading.keyed(raw, "options", frozenset(), _OPTIONS)
    given = known.get("hand_tricks", HAND_TRICKS)
    if given is None:
        return Options(None)
    return Options(reading.option(given, "options.hand_tricks", (HAND_TRICKS, None)))


def read(seats: int, facts: object) -> Deal:
    """A hand or, with 2 seats, a duel; IllegalDeal names the field that can't be right."""
    return duel.read(facts) if seats == 2 else hands.read(seats, facts)


def score(deal: Deal, options: Options) -> Score:
    """Points, lines and warnings of a deal."""
    return duel.score(deal) if isinstance(deal, Duel) else hands.score(deal, options.hand_tricks)


def roles(deal: Deal) -> tuple[str, ...]:
    """The call of each seat (`high`, `forced_low`, …), or who dealt a duel."""
    return duel.roles(deal) if isinstance(deal, Duel) else hands.roles(deal)


def formula(deal: Deal, options: Options, seat: int) -> str:
    """A seat's points as 004 works them out: `(4 − 2) × 3 = 6`."""
    return duel.formula(deal, seat) if isinstance(deal, Duel) else hands.formula(deal, seat)


def sides(seats: int) -> tuple[tuple[int, ...], ...]:
    """Everyone alone."""
    return tuple((seat,) for seat in range(seats))


def check_totals(totals: Sequence[int], deals: int) -> None:
    """Any integers are possible: nothing ties one player's total to another's."""
