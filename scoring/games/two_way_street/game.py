"""Two Way Street as the pages use it: its form, row of short codes, words, summary and statistics."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from scoring.game import Game
from scoring.games.two_way_street.duel import Duel
from scoring.games.two_way_street.forms import deal_form
from scoring.games.two_way_street.records import RECORDS
from scoring.games.two_way_street.remarks import REMARKS
from scoring.games.two_way_street.row import ROW
from scoring.games.two_way_street.rules import RULES, Deal
from scoring.games.two_way_street.spreadsheet import SPREADSHEET
from scoring.games.two_way_street.statistics import STATISTICS
from scoring.games.two_way_street.words import CALL_TEXTS


def summary(deal: Deal, names: Sequence[str]) -> str:
    """Return a short description of a deal: the numbers of high and low calls, then the tricks of each seat.

    For example “1 high, 2 low: 6 2 2”. A duel: its direction, then the tricks of the two players.
    """
    if isinstance(deal, Duel):
        return gettext("Duel played %(direction)s: %(first)s – %(second)s") % {
            "direction": gettext(CALL_TEXTS[deal.direction]),
            "first": deal.tricks[0],
            "second": deal.tricks[1],
        }
    calls = [hand.call for hand in deal.hands]
    forced = sum(hand.forced for hand in deal.hands)
    text = gettext("%(high)s high, %(low)s low") % {"high": calls.count("high"), "low": calls.count("low")}
    if forced:
        text += ngettext(", %(forced)s forced", ", %(forced)s forced", forced) % {"forced": forced}
    tricks = " ".join(str(hand.tricks) for hand in deal.hands)
    return gettext("%(calls)s: %(tricks)s") % {"calls": text, "tricks": tricks}


GAME = Game(
    name=_("Two Way Street"),
    lead=_("Ten tricks, everyone alone: high takes many, low takes few. Two players play duels."),
    rules=RULES,
    deal_form=deal_form,
    row=ROW,
    summary=summary,
    sizes=(2, 3, 4, 5, 6, 7, 8, 9, 10),
    usual_sizes=(4, 5, 6, 7, 8),
    strong_first=True,
    ends={"target": 25, "deals": 10, "minutes": 60, "hand": None},
    statistics=STATISTICS,
    remarks=REMARKS,
    records=RECORDS,
    spreadsheet=SPREADSHEET,
)
