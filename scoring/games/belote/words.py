"""The English texts for belote's codes: roles, sides, lines (reasons for points), warnings and errors."""

from scoring.rules.words import Words, ngettext_lazy
from scoring.rules.words import gettext_noop as _

WORDS: Words = {
    # roles
    "taker": _("taker"),
    "partner": _("taker's partner"),
    "defender": _("defender"),
    "passed": _("passed"),
    "penalised": _("irregularity"),
    "penalised_mate": _("irregularity of the partner"),
    "unpenalised": _("irregularity of the other side"),
    # sides
    "attack": _("the taker's side"),
    "defence": _("the defence"),
    # lines
    "card_points": ngettext_lazy(
        "The taker's side has %(attack)s card point in its tricks, the defence %(defence)s.",
        "The taker's side has %(attack)s card points in its tricks, the defence %(defence)s.",
        "attack",
    ),
    "ten_of_last": _("The ten of the last trick goes to %(side)s."),
    "belote": _("Belote and rebelote were declared by %(side)s: 20 points."),
    "contract_lost": _("The contract is lost, as %(full)s is below %(limit)s: all points go to the defence."),
    "slam": _("The taker's side won every trick: a slam, %(points)s points for each of the two."),
    "belote_stays": _("The %(points)s points of the belote stay with the side that declared it."),
    "in_dispute": _("%(full)s to %(full)s, a dispute: the taker's side's points are held for who wins the next deal."),
    "dispute_lapses": _("%(full)s to %(full)s, a dispute in the last deal: the taker's side's points are nobody's."),
    "held_before": _("The %(points)s points held since the dispute go to %(side)s, who won this deal."),
    "held_before_penalty": _("The %(points)s points held since the dispute go to the side without the irregularity."),
    "dispute_shared": _("%(full)s to %(full)s, a dispute in the last deal: each side scores its own points."),
    "lost_at_limit": _("%(full)s to %(full)s: the contract is lost, and all points go to the defence."),
    "replayed": _("%(full)s to %(full)s: the deal counts nothing."),
    "slam_of_defence_wins": _("The defence won every trick: %(points)s points for each of the two."),
    "penalty": _("Irregularity of %(seat)s: the other side scores %(points)s."),
    "rounded": _("Rounded to the nearest %(to)s."),
    "rounded_six_up": _("Rounded to the nearest %(to)s, 5 down and 6 up."),
    # warnings
    "no_such_points": ngettext_lazy(
        "No cards add up to %(points)s point: is it a slip of the pen?",
        "No cards add up to %(points)s points: is it a slip of the pen?",
        "points",
    ),
    # errors
    "passed_alone": _("Everyone passed, so this must be left out; %(given)s was given."),
    "penalty_alone": _("With an irregularity, this must be left out; %(given)s was given."),
    "slam_of_attack": _(
        "The taker's side can only have won every trick with all 152 card points and the last trick; "
        "%(points)s points were given, and the last trick went to %(side)s."
    ),
    "slam_of_defence": _(
        "The defence can only have won every trick when the taker's side has no card points and not the last trick; "
        "%(points)s points were given, and the last trick went to %(side)s."
    ),
    "totals_too_many": ngettext_lazy(
        "Both sides together have %(given)s points; %(deals)s deal gives at most %(most)s.",
        "Both sides together have %(given)s points; %(deals)s deals give at most %(most)s.",
        "deals",
    ),
    "mates_differ": _("Partners score the same: %(given)s and %(allowed)s were given."),
}
