"""High card's Django half."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.game import Game

from . import row, rules
from .forms import DealForm, HouseRulesForm, facts, form_field, shown


def summary(deal: rules.Deal, names: Sequence[str]) -> str:
    """A deal in a few words."""
    return gettext("Highest card: %(card)s") % {"card": max(deal.cards)}


GAME = Game(
    slug="high-card",
    folder=Path(__file__).parent,
    name=_("High card"),
    lead=_("Everyone draws a card, and the highest wins."),
    rules=rules,
    sizes=(2, 3, 4),
    usual_sizes=(3,),
    may_rest=False,
    strong_first=False,
    ends={"deals": 10, "hand": None},
    deal_form=DealForm,
    facts=facts,
    form_field=form_field,
    shown=shown,
    template="high_card/deal.html",
    row=row,
    house_rules_form=HouseRulesForm,
    summary=summary,
)
