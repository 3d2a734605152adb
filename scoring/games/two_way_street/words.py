"""The English texts for Two Way Street's codes: calls, roles, lines (reasons for points) and warnings."""

from scoring.rules.words import Words
from scoring.rules.words import gettext_noop as _

CALL_TEXTS = {"high": _("high"), "low": _("low")}
WORDS: Words = {
    # roles, and the calls
    **CALL_TEXTS,
    "forced_high": _("forced high"),
    "forced_low": _("forced low"),
    "dealer": _("dealer"),
    "opponent": _("opponent"),
    # lines: the penalty
    "case_a": _("No one is tied for second place: the penalty is the third best raw score, %(penalty)s."),
    "case_b": _("Second and third place are tied: the penalty is the fourth best raw score, %(penalty)s."),
    "case_c": _("All places after the first are tied up to the fourth: the penalty is their raw score, %(penalty)s."),
    "case_d": _("The first four or more are tied: the penalty is the best raw score outside the tie, %(penalty)s."),
    "all_tied": _("Everyone is tied: the penalty is the raw score of all, %(penalty)s."),
    # lines: a seat
    "doubled_high": _(
        "%(seat)s declared high: raw score %(raw)s, the tricks taken; less the penalty %(penalty)s leaves %(refined)s, "
        "doubled: %(points)s."
    ),
    "doubled_low": _(
        "%(seat)s declared low: raw score %(base)s − %(tricks)s = %(raw)s; less the penalty %(penalty)s leaves "
        "%(refined)s, doubled: %(points)s."
    ),
    "tripled_high": _(
        "%(seat)s was forced high: raw score %(raw)s, the tricks taken; less the penalty %(penalty)s leaves "
        "%(refined)s, tripled: %(points)s."
    ),
    "tripled_low": _(
        "%(seat)s was forced low: raw score %(base)s − %(tricks)s = %(raw)s; less the penalty %(penalty)s leaves "
        "%(refined)s, tripled: %(points)s."
    ),
    "nothing_high": _(
        "%(seat)s played high: raw score %(raw)s, the tricks taken; it is not above the penalty %(penalty)s, "
        "so nothing."
    ),
    "nothing_low": _(
        "%(seat)s played low: raw score %(base)s − %(tricks)s = %(raw)s; it is not above the penalty %(penalty)s, "
        "so nothing."
    ),
    "one_high": _("%(seat)s was forced high and is in the tie, with raw score %(raw)s: 1 point."),
    "one_low": _("%(seat)s was forced low and is in the tie, with raw score %(base)s − %(tricks)s = %(raw)s: 1 point."),
    "many": _(
        "For each of %(players)s players: raw score less the penalty %(penalty)s, doubled, or tripled when forced."
    ),
    # lines: a duel
    "duel_high": _(
        "The bid was high, and %(seat)s won by tricks, %(tricks)s to %(others)s: 2 points for each trick more."
    ),
    "duel_low": _(
        "The bid was low, and %(seat)s won by tricks, %(tricks)s to %(others)s: 2 points for each trick fewer."
    ),
    "duel_equal": _("Both took as many tricks: %(seat)s dealt, and gets 1 point."),
    # warnings
    "tricks_of_hand": _("The tricks add up to %(given)s; a hand has %(allowed)s."),
    "tricks_of_duel": _("The tricks add up to %(given)s; a duel has at least %(allowed)s."),
    "not_forced": _(
        "%(seat)s is forced %(call)s, but no more than half of the players declared the other way: "
        "%(given)s of %(players)s."
    ),
}
