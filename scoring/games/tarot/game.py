"""Tarot as the pages use it: its form, row of short codes, words, summary and statistics."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from scoring.game import Game
from scoring.games.tarot.forms import DealForm
from scoring.games.tarot.records import RECORDS
from scoring.games.tarot.remarks import REMARKS
from scoring.games.tarot.row import ROW
from scoring.games.tarot.rules import RULES
from scoring.games.tarot.spreadsheet import SPREADSHEET
from scoring.games.tarot.statistics import STATISTICS
from scoring.games.tarot.summary import summary
from scoring.games.tarot.tournament_presets import PRESETS
from scoring.rules.words import Words, gettext_noop

# Messages for forms. They replace the engine's messages with the same codes, because those mention JSON.
WORDS: Words = {
    "partner_is_taker": gettext_noop("%(seat)s is the taker. Choose another player, or “none, alone”."),
    "small_last_no_oudler": gettext_noop("The attack has no oudler, so it can't have won the Small."),
    "small_last_all_oudlers": gettext_noop(
        "The attack has all three oudlers, so the defence can't have won the Small."
    ),
    "small_last_against_slam": gettext_noop("The other side won every trick, so also the last one."),
    "handfuls_need_trumps": gettext_noop("These handfuls need %(given)s trumps; with the Excuse there are %(most)s."),
    "first_without_trick": gettext_noop("This pile has no trick, so leave its first trick empty."),
    "characters_without_trick": gettext_noop("This pile has no trick, so it can't hold %(given)s characters."),
    "tie_needs_characters": gettext_noop(
        "%(tied)s piles are equal. More kings, queens, knights and jacks come first: count them in each of these piles."
    ),
    "tie_needs_first_trick": gettext_noop(
        "%(tied)s piles are equal, also in their characters. Who won a trick first comes first: write the number of "
        "the first trick that each of them won."
    ),
    "small_last_not_in_pile": gettext_noop("The Small is not in the pile of %(seat)s."),
    "slam_without_all_tricks": gettext_noop("The pile of %(seat)s has not all %(tricks)s tricks."),
    "slam_not_told": gettext_noop("One pile has every trick: choose who made the slam (%(seats)s)."),
}


GAME = Game(
    name=_("Tarot"),
    lead=_("French tarot for 3 to 6: a taker against the others, or one for one when everyone passed."),
    rules=RULES,
    deal_form=DealForm,
    row=ROW,
    summary=summary,
    usual_sizes=(3, 4, 5),
    may_rest=True,
    ends={"deals": 4, "minutes": 60, "target": 1000, "hand": None},
    words=WORDS,
    statistics=STATISTICS,
    remarks=REMARKS,
    records=RECORDS,
    spreadsheet=SPREADSHEET,
    tournament_presets=PRESETS,
)
