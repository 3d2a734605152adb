"""Sentences about remarkable deals of belote: every trick won by one pair. No Django."""

from scoring.games.belote.rules import PAIRS, Deal
from scoring.remarks import Remark, Remarks
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    "remark_all_tricks": _("Every trick for %(seats)s"),
    "remark_all_tricks_of_defence": _("Every trick of the defence: %(seats)s"),
}


def remarks(deal: Deal) -> tuple[Remark, ...]:
    if deal.taker is None or deal.all_tricks is None:
        return ()
    attack = next(side for side in PAIRS if deal.taker in side)
    if deal.all_tricks == "attack":
        return (Remark("remark_all_tricks", {"seats": attack}, 1),)
    defence = next(side for side in PAIRS if deal.taker not in side)
    return (Remark("remark_all_tricks_of_defence", {"seats": defence}, 2),)


REMARKS = Remarks(remarks, WORDS, frozenset(WORDS))
