"""Little Barbu on pages."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.game import Game

from .forms import DealForm
from .row import ROW
from .rules import NAMES, RULES, Deal, next_facts


def summary(deal: Deal, names: Sequence[str]) -> str:
    """Return a deal in a few words: “Anne deals: No queens”."""
    return gettext("%(dealer)s deals: %(contract)s") % {
        "dealer": names[deal.dealer],
        "contract": gettext(NAMES[deal.contract]),
    }


GAME = Game(
    name=_("Little Barbu"),
    lead=_("Eight tricks and nobody wants them: the dealer names what costs points."),
    rules=RULES,
    deal_form=DealForm,
    row=ROW,
    summary=summary,
    usual_sizes=(4,),
    ends={"deals": 12, "minutes": 60, "hand": None},
    next_facts=next_facts,
)
