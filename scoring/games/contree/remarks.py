"""Sentences about remarkable deals of contrée: générales, capots, redoubles, and every trick won by one pair. No
Django.
"""

from collections.abc import Iterator

from scoring.games.contree.rules import CAPOT, GENERALE, PAIRS, Deal
from scoring.remarks import Remark, Remarks
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    "remark_generale": _("Générale made by %(seat)s"),
    "remark_generale_failed": _("Générale of %(seat)s brought down"),
    "remark_capot": _("Capot announced and made by %(seats)s"),
    "remark_capot_failed": _("Capot of %(seats)s brought down"),
    "remark_redoubled": _("Redoubled contract of %(seats)s"),
    "remark_all_tricks": _("Every trick for %(seats)s"),
    "remark_all_tricks_of_defence": _("Every trick of the defence: %(seats)s"),
}


def remarks(deal: Deal) -> tuple[Remark, ...]:
    return () if deal.taker is None else tuple(_remarks(deal, deal.taker))


def _remarks(deal: Deal, taker: int) -> Iterator[Remark]:
    attack = next(side for side in PAIRS if taker in side)
    defence = next(side for side in PAIRS if taker not in side)
    if deal.contract == GENERALE:
        contract_made = deal.all_tricks == "taker"
        yield Remark(
            "remark_generale" if contract_made else "remark_generale_failed", {"seat": taker}, 5 if contract_made else 3
        )
    elif deal.contract == CAPOT:
        contract_made = deal.all_tricks in ("attack", "taker")
        yield Remark(
            "remark_capot" if contract_made else "remark_capot_failed", {"seats": attack}, 4 if contract_made else 2
        )
    elif deal.all_tricks in ("attack", "taker"):
        yield Remark("remark_all_tricks", {"seats": attack}, 1)
    if deal.all_tricks == "defence":
        yield Remark("remark_all_tricks_of_defence", {"seats": defence}, 4)
    if deal.double == "redouble":
        yield Remark("remark_redoubled", {"seats": attack}, 2)


SLAMS = frozenset(("remark_generale", "remark_capot", "remark_all_tricks", "remark_all_tricks_of_defence"))
REMARKS = Remarks(remarks, WORDS, SLAMS)
