"""The rules of Two Way Street: 3 or more players play hands, 2 players play duels. No Django.

Each line (a reason for points) cites a numbered clause of RULES.md. The source is document 004; for duels, the pages of
the game's author.
"""

from typing import NamedTuple

from scoring.games.two_way_street import duel, hands
from scoring.games.two_way_street.duel import Duel
from scoring.games.two_way_street.hands import Hands
from scoring.games.two_way_street.words import WORDS
from scoring.rules.house_rules import HouseRule
from scoring.rules.interface import Rules, Seats, TableLength
from scoring.rules.score import EngineScore
from scoring.rules.words import gettext_noop as _

HAND_TRICKS = 10
HOUSE_RULES = (
    HouseRule(
        "hand_tricks",
        _("Tricks in a hand of three and more players"),
        {HAND_TRICKS: _("10: ask when the tricks add up to something else"), None: _("Any number: don't check")},
    ),
)

Deal = Hands | Duel


class Options(NamedTuple):
    """The house rules. `hand_tricks` is the number of tricks in a hand of 3 or more players; None: the number is not
    checked.
    """

    hand_tricks: int | None = HAND_TRICKS


def read(seats: int, facts: object) -> Deal:
    return duel.read(facts) if seats == 2 else hands.read(seats, facts)


def score(deal: Deal, options: Options) -> EngineScore:
    return duel.score(deal) if isinstance(deal, Duel) else hands.score(deal, options.hand_tricks)


def roles(deal: Deal) -> tuple[str, ...]:
    return duel.roles(deal) if isinstance(deal, Duel) else hands.roles(deal)


def points_formula(deal: Deal, options: Options, seat: int) -> str:
    """Return the computation of a seat's points in the notation of document 004: `(4 − 2) × 3 = 6`."""
    return duel.points_formula(deal, seat) if isinstance(deal, Duel) else hands.points_formula(deal, seat)


RULES = Rules(
    seats=Seats(2, None),  # no maximum: `read` checks the number of hands before it allocates memory for each seat
    length=TableLength("top", 12, 19, 25, "published"),
    words=WORDS,
    read=read,
    score=score,
    roles=roles,
    formula=points_formula,
    never_negative=True,  # negative scores are raised to zero
    options=Options,
    house_rules=HOUSE_RULES,
)
