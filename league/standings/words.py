"""English texts for the error codes of the standings. Pages translate the same texts."""

from scoring import json_lines
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    **json_lines.WORDS,
    "not_a_text": _("%(given)s is not a text."),
    "not_a_date": _("%(given)s is not a date like 2026-10-02."),
    "no_points": _("At least the first place needs its points."),
    "above_one": _("%(given)s of %(most)s is more than all."),
    "two_minimums": _("Only one of these can be the minimum: %(allowed)s."),
    "two_finals": _("A season has one final at most."),
    "evening_twice": _("Two evenings have the id %(given)s."),
    "player_twice": _("%(given)s has two results on this evening."),
    "too_many_placed": _("%(given)s placed behind or level are more than the %(most)s opponents."),
    "long_answer": _("The exact answer has numbers of more than %(most)s digits."),
}
