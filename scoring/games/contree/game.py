"""Contrée as the pages use it: its form, row of short codes, words, summary and statistics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext_lazy as _

from scoring.game import FormAndRow, Game
from scoring.games.contree.forms import DealForm
from scoring.games.contree.options import Options
from scoring.games.contree.paper import PAPER_ERRORS
from scoring.games.contree.records import RECORDS
from scoring.games.contree.remarks import REMARKS
from scoring.games.contree.row import ROW, ROW_WITH_ANNOUNCEMENTS
from scoring.games.contree.rules import RULES, Deal
from scoring.games.contree.spreadsheet import SPREADSHEET
from scoring.games.contree.statistics import STATISTICS
from scoring.games.contree.tournament_presets import PRESETS
from scoring.games.contree.words import TRUMP_NAMES
from scoring.numbers import number_text


def summary(deal: Deal, names: Sequence[str]) -> str:
    """Return a short description of a deal: “Anne & Carole: 100 spades, doubled: 104, last trick”."""
    if deal.taker is None:
        return gettext("Passed")
    contract = (
        number_text(deal.contract) if isinstance(deal.contract, int) else gettext(str(RULES.words[deal.contract]))
    )
    bid = gettext("%(taker)s & %(partner)s: %(contract)s %(trump)s") % {
        "taker": names[deal.taker],
        "partner": names[(deal.taker + 2) % 4],
        "contract": contract,
        "trump": gettext(TRUMP_NAMES[deal.trump]),
    }
    parts = [bid]
    if deal.double is not None:
        parts.append(pgettext("contract", "doubled") if deal.double == "double" else pgettext("contract", "redoubled"))
    parts += _result_parts(deal)
    return ", ".join(parts)


def _result_parts(deal: Deal) -> list[str]:
    if deal.all_tricks is not None:
        parts = [gettext("all tricks to the defence") if deal.all_tricks == "defence" else gettext("all tricks")]
    else:
        text = ngettext("%(points)s point", "%(points)s points", deal.points)
        parts = [text % {"points": number_text(deal.points)}]
        if deal.last_trick == "attack":
            parts.append(gettext("last trick"))
    parts += _belote_parts(*deal.belotes)
    if any(deal.announcements):
        parts.append(gettext("announcements: %(points)s") % {"points": number_text(sum(deal.announcements))})
    return parts


def _belote_parts(attack: int, defence: int) -> Iterator[str]:
    if attack == 1:
        yield gettext("belote")
    elif attack:
        yield ngettext("%(number)s belote", "%(number)s belotes", attack) % {"number": attack}
    if defence == 1:
        yield gettext("belote of the defence")
    elif defence:
        text = ngettext("%(number)s belote of the defence", "%(number)s belotes of the defence", defence)
        yield text % {"number": defence}


def entry_for_options(options: Options) -> FormAndRow:
    row = ROW_WITH_ANNOUNCEMENTS if options.announcements else ROW
    return FormAndRow(partial(DealForm, options=options), row)


GAME = Game(
    name=_("Contrée"),
    lead=_(
        "Belote with bids, also called coinche: a pair names how many points it will make, and the others may double."
    ),
    rules=RULES,
    deal_form=DealForm,
    row=ROW,
    summary=summary,
    ends={"deals": 12, "target": 1000, "minutes": 60, "hand": None},
    entry_for_options=entry_for_options,
    statistics=STATISTICS,
    remarks=REMARKS,
    records=RECORDS,
    spreadsheet=SPREADSHEET,
    paper_errors=PAPER_ERRORS,
    tournament_presets=PRESETS,
)
