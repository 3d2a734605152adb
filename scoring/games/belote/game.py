"""Belote's Django half."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.game import Game
from scoring.games.belote import row, rules
from scoring.games.belote.forms import DealForm, HouseRulesForm, facts, form_field, shown
from scoring.numbers import number


def summary(deal: rules.Deal, names: Sequence[str]) -> str:
    """A deal in a few words: “Anne & Carole take: 75”."""
    if deal.taker is None:
        return gettext("Passed")
    return gettext("%(taker)s & %(partner)s take: %(points)s") % {
        "taker": names[deal.taker],
        "partner": names[(deal.taker + 2) % 4],
        "points": number(deal.points),
    }


GAME = Game(
    slug="belote",
    folder=Path(__file__).parent,
    name=_("Belote"),
    lead=_("Belote for two fixed pairs: one pair takes, and scores more than half of the cards or nothing."),
    rules=rules,
    sizes=(4,),
    usual_sizes=(4,),
    may_rest=False,
    strong_first=False,
    ends={"deals": 12, "target": 1000, "minutes": 60, "hand": None},
    deal_form=DealForm,
    facts=facts,
    form_field=form_field,
    shown=shown,
    template="belote/deal.html",
    row=row,
    house_rules_form=HouseRulesForm,
    summary=summary,
)
