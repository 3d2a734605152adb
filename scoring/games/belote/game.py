"""Belote as the pages use it: its form, row of short codes, words, summary and statistics."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.game import Game, TypingVariant
from scoring.games.belote.forms import DealForm, DealFormWithTen
from scoring.games.belote.paper import PAPER_ERRORS
from scoring.games.belote.records import RECORDS
from scoring.games.belote.remarks import REMARKS
from scoring.games.belote.row import ROW, ROW_WITH_TEN
from scoring.games.belote.rules import RULES, TEN_OF_LAST, Deal
from scoring.games.belote.spreadsheet import SPREADSHEET
from scoring.games.belote.statistics import STATISTICS
from scoring.games.belote.tournament_presets import PRESETS
from scoring.numbers import number_text


def summary(deal: Deal, names: Sequence[str]) -> str:
    """Return a short description of a deal: “Anne & Carole take: 75, last trick, belote of the defence”. The points do
    not include the ten of the last trick.
    """
    return _summary(deal, names, deal.points)


def summary_with_ten(deal: Deal, names: Sequence[str]) -> str:
    return _summary(deal, names, deal.points + TEN_OF_LAST * (deal.last_trick == "attack"))


def _summary(deal: Deal, names: Sequence[str], points: int) -> str:
    if deal.penalty is not None:
        return gettext("Irregularity of %(name)s") % {"name": names[deal.penalty]}
    if deal.taker is None:
        return gettext("Passed")
    contract = gettext("%(taker)s & %(partner)s take: %(points)s") % {
        "taker": names[deal.taker],
        "partner": names[(deal.taker + 2) % 4],
        "points": number_text(points),
    }
    parts = [contract]
    if deal.all_tricks:
        parts.append(gettext("all tricks") if deal.all_tricks == "attack" else gettext("all tricks to the defence"))
    elif deal.last_trick == "attack":
        parts.append(gettext("last trick"))
    if deal.belote:
        parts.append(gettext("belote") if deal.belote == "attack" else gettext("belote of the defence"))
    return ", ".join(parts)


GAME = Game(
    name=_("Belote"),
    lead=_("Belote for two fixed pairs: one pair takes, and scores more than half of the cards or nothing."),
    rules=RULES,
    deal_form=DealForm,
    row=ROW,
    summary=summary,
    ends={"deals": 12, "target": 1000, "minutes": 60, "hand": None},
    typing_label=_("Sheets give the points of the taker’s side"),
    default_typing_label=_("without the ten of the last trick"),
    typing_variants={
        "with_ten": TypingVariant(_("with the ten of the last trick"), DealFormWithTen, ROW_WITH_TEN, summary_with_ten),
    },
    statistics=STATISTICS,
    remarks=REMARKS,
    records=RECORDS,
    spreadsheet=SPREADSHEET,
    paper_errors=PAPER_ERRORS,
    tournament_presets=PRESETS,
)
