"""Belote on pages."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.game import Game
from scoring.games.belote.forms import DealForm
from scoring.games.belote.row import ROW
from scoring.games.belote.rules import RULES, Deal
from scoring.numbers import number


def summary(deal: Deal, names: Sequence[str]) -> str:
    """Return a deal in a few words: “Anne & Carole take: 75, last trick, belote of the defence”."""
    if deal.taker is None:
        return gettext("Passed")
    taken = gettext("%(taker)s & %(partner)s take: %(points)s") % {
        "taker": names[deal.taker],
        "partner": names[(deal.taker + 2) % 4],
        "points": number(deal.points),
    }
    told = [taken]
    if deal.all_tricks:
        told.append(gettext("all tricks") if deal.all_tricks == "attack" else gettext("all tricks to the defence"))
    elif deal.last_trick == "attack":
        told.append(gettext("last trick"))
    if deal.belote:
        told.append(gettext("belote") if deal.belote == "attack" else gettext("belote of the defence"))
    return ", ".join(told)


GAME = Game(
    name=_("Belote"),
    lead=_("Belote for two fixed pairs: one pair takes, and scores more than half of the cards or nothing."),
    rules=RULES,
    deal_form=DealForm,
    row=ROW,
    summary=summary,
    ends={"deals": 12, "target": 1000, "minutes": 60, "hand": None},
)
