"""Sentences about remarkable hands of Two Way Street: every trick won by one player. No Django."""

from scoring.games.two_way_street.duel import Duel
from scoring.games.two_way_street.hands import Hands
from scoring.remarks import Remark, Remarks
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    "remark_every_trick_high": _("Every trick, high, for %(seat)s"),
    "remark_every_trick_low": _("Every trick, low, for %(seat)s"),
}


def remarks(deal: Hands | Duel) -> tuple[Remark, ...]:
    """Return a remark if one player won every trick of a hand. A duel has no remarks."""
    if isinstance(deal, Duel):
        return ()
    tricks = sum(hand.tricks for hand in deal.hands)
    return tuple(
        Remark(f"remark_every_trick_{hand.call}", {"seat": seat}, 1)
        for seat, hand in enumerate(deal.hands)
        if tricks and hand.tricks == tricks
    )


REMARKS = Remarks(remarks, WORDS, frozenset(WORDS))
