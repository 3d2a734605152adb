"""High card: the highest card wins 1 point from each other player. RULES.md has the clauses that lines cite."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from scoring.rules import payouts, reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Length
from scoring.rules.score import Line, Score, Suspicion
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

LENGTH = Length("deals", 5, 10, 20, "club")
SEATS = "2 to 4"
ACE, KING = 1, 13
WORDS: Words = {
    "highest": _("highest card"),
    "lower": _("lower card"),
    "won": _("%(seat)s has the highest card, %(card)s: 1 point from each other player."),
    "shared": _("The highest card, %(card)s, was drawn more than once: nobody scores."),
    "all_kings": _("Every card is a 13: is it a slip of the pen?"),
    "totals_not_zero": _("The totals add up to %(given)s; every deal adds up to 0, so they must too."),
}


class Deal(NamedTuple):
    """Each seat's card, 1 to 13."""

    cards: tuple[int, ...]


class Options(NamedTuple):
    """House rules."""

    ace_beats_all: bool = False


def check_seats(seats: object) -> int:
    """2 to 4."""
    if type(seats) is not int or not 2 <= seats <= 4:
        raise IllegalDeal("seats", "wrong_seats", {"given": reading.given(seats), "allowed": SEATS})
    return seats


def read_options(raw: object) -> Options:
    """House rules from JSON."""
    known: Mapping[str, object] = reading.keyed(raw, "options", frozenset(), frozenset({"ace_beats_all"}))
    return Options(reading.flag(known.get("ace_beats_all"), "options.ace_beats_all"))


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


def formula(deal: Deal, options: Options, seat: int) -> str:
    """A seat's points: `1 × 2 = 2`; "" when nobody scored."""
    points = score(deal, options).points[seat]
    return f"1 × {points} = {points}" if points > 0 else f"−1 × 1 = −{-points}" if points else ""


def sides(seats: int) -> tuple[tuple[int, ...], ...]:
    """Everyone alone."""
    return tuple((seat,) for seat in range(seats))


def check_totals(totals: Sequence[int], deals: int) -> None:
    """A table's totals add up to 0."""
    if sum(totals):
        raise IllegalDeal("totals", "totals_not_zero", {"given": sum(totals)})
