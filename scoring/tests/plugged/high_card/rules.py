"""High card: the highest card wins 1 point from each other player. RULES.md has the clauses that lines cite."""

from typing import NamedTuple

from scoring.rules import payouts, reading
from scoring.rules.house_rules import HouseRule
from scoring.rules.interface import Length, Rules, Seats
from scoring.rules.score import Line, Score, Suspicion
from scoring.rules.totals import zero_sum
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

ACE, KING = 1, 13
WORDS: Words = {
    "highest": _("highest card"),
    "lower": _("lower card"),
    "won": _("%(seat)s has the highest card, %(card)s: 1 point from each other player."),
    "shared": _("The highest card, %(card)s, was drawn more than once: nobody scores."),
    "all_kings": _("Every card is a 13: is it a slip of the pen?"),
}
HOUSE_RULES = (HouseRule("ace_beats_all", _("The ace is"), {False: _("The lowest card"), True: _("The highest card")}),)


class Deal(NamedTuple):
    """Each seat's card, 1 to 13."""

    cards: tuple[int, ...]


class Options(NamedTuple):
    """A value for each of the house rules."""

    ace_beats_all: bool


def read(seats: int, facts: object) -> Deal:
    """A deal from its facts; IllegalDeal names the field that can't be right."""
    known = reading.keyed(facts, "facts", frozenset({"cards"}), frozenset({"cards"}))
    cards = reading.items(known["cards"], "cards", seats)
    return Deal(tuple(reading.whole(card, f"cards.{seat}", ACE, KING) for seat, card in enumerate(cards)))


def score(deal: Deal, options: Options) -> Score:
    """Points, lines and warnings of a deal."""
    seats, best = len(deal.cards), _best(deal, options)
    doubts = (Suspicion("cards", "all_kings", {}),) if set(deal.cards) == {KING} else ()
    if deal.cards.count(best) > 1:
        nothing = (0,) * seats
        return Score(nothing, (Line("shared", {"card": best}, "H1.3", nothing),), doubts)
    winner = deal.cards.index(best)
    points = payouts.collects(seats, winner, 1)
    return Score(points, (Line("won", {"seat": winner, "card": best}, "H1.2", points),), doubts)


def _best(deal: Deal, options: Options) -> int:
    return ACE if options.ace_beats_all and ACE in deal.cards else max(deal.cards)


def roles(deal: Deal) -> tuple[str, ...]:
    """Who drew the highest card, as written on the sheet."""
    return tuple("highest" if card == max(deal.cards) else "lower" for card in deal.cards)


RULES = Rules(
    seats=Seats(2, 4),
    length=Length("deals", 5, 10, 20),
    words=WORDS,
    read=read,
    score=score,
    roles=roles,
    check_totals=zero_sum,
    options=Options,
    house_rules=HOUSE_RULES,
)
