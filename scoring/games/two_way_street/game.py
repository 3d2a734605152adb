"""Two Way Street's Django half."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.game import Game
from scoring.games.two_way_street import row, rules
from scoring.games.two_way_street.duel import Duel
from scoring.games.two_way_street.forms import HouseRulesForm, deal_form, facts, form_field, shown


def summary(deal: rules.Deal, names: Sequence[str]) -> str:
    """A deal in a few words: “2 high, 3 low, 1 forced”."""
    if isinstance(deal, Duel):
        return gettext("Duel played %(direction)s: %(first)s – %(second)s") % {
            "direction": gettext(rules.WORDS[deal.direction]),
            "first": deal.tricks[0],
            "second": deal.tricks[1],
        }
    calls = [hand.call for hand in deal.hands]
    forced = sum(hand.forced for hand in deal.hands)
    text = gettext("%(high)s high, %(low)s low") % {"high": calls.count("high"), "low": calls.count("low")}
    if forced:
        text += ngettext(", %(forced)s forced", ", %(forced)s forced", forced) % {"forced": forced}
    return text


GAME = Game(
    slug="two-way-street",
    folder=Path(__file__).parent,
    name=_("Two Way Street"),
    lead=_("Ten tricks, everyone alone: high takes many, low takes few. Two players play duels."),
    rules=rules,
    sizes=(2, 3, 4, 5, 6, 7, 8, 9, 10),
    usual_sizes=(4, 5, 6, 7, 8),
    may_rest=False,
    strong_first=True,
    ends={"target": 25, "deals": 10, "minutes": 60, "hand": None},
    deal_form=deal_form,
    facts=facts,
    form_field=form_field,
    shown=shown,
    template="two_way_street/deal.html",
    row=row,
    house_rules_form=HouseRulesForm,
    summary=summary,
)
