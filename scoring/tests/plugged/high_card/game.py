"""High card on pages."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.game import Game

from .forms import DealForm
from .row import ROW
from .rules import RULES, Deal


def summary(deal: Deal, names: Sequence[str]) -> str:
    """A deal in a few words."""
    return gettext("Highest card: %(card)s") % {"card": max(deal.cards)}


GAME = Game(
    name=_("High card"),
    lead=_("Everyone draws a card, and the highest wins."),
    rules=RULES,
    deal_form=DealForm,
    row=ROW,
    summary=summary,
    usual_sizes=(3,),
)
