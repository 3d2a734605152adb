"""English texts for the error codes of rankings and pairings."""

from league.standings.words import WORDS as STANDINGS_WORDS
from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    **STANDINGS_WORDS,
    "unknown_unit": _("%(given)s is not one of the units."),
    "unit_twice": _("%(given)s is there more than once."),
    "one_side": _("A table has at least two sides."),
    "points_with_forfeit": _("At a table with a forfeit no side has points."),
    "not_a_pair": _("%(given)s is not a pair of two different units."),
}
