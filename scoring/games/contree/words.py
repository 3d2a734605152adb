"""The English texts for contrée's codes: roles, sides, contracts, lines (reasons for points), warnings and errors."""

from scoring.rules.words import Words, ngettext_lazy, pgettext_lazy
from scoring.rules.words import gettext_noop as _

TRUMP_NAMES = {
    "spades": _("spades"),
    "hearts": _("hearts"),
    "diamonds": _("diamonds"),
    "clubs": _("clubs"),
    "no_trump": _("no trump"),
    "all_trumps": _("all trumps"),
}
WORDS: Words = {
    # roles
    "taker": _("taker"),
    "partner": _("taker's partner"),
    "defender": _("defender"),
    "passed": _("passed"),
    # sides
    "attack": _("the taker's side"),
    "defence": _("the defence"),
    # contracts, trumps, doubles
    "capot": _("Capot"),
    "generale": _("Générale"),
    **TRUMP_NAMES,
    "double": pgettext_lazy("contract", "doubled"),
    "redouble": pgettext_lazy("contract", "redoubled"),
    # lines
    "card_points": ngettext_lazy(
        "The taker's side has %(attack)s card point in its tricks, the defence %(defence)s.",
        "The taker's side has %(attack)s card points in its tricks, the defence %(defence)s.",
        "attack",
    ),
    "ten_of_last": _("The ten of the last trick goes to %(side)s."),
    "every_trick": _("Every trick was won by %(side)s: %(points)s points."),
    "made": _("%(contract)s made with %(full)s points: %(sum)s for the taker's side."),
    "made_every": _("%(contract)s made: %(sum)s for the taker's side."),
    "made_doubled": _("%(contract)s, %(double)s, made with %(full)s points: %(sum)s for the taker's side."),
    "made_every_doubled": _("%(contract)s, %(double)s, made: %(sum)s for the taker's side."),
    "failed": ngettext_lazy(
        "%(contract)s failed with %(full)s point: %(sum)s for the defence.",
        "%(contract)s failed with %(full)s points: %(sum)s for the defence.",
        "full",
    ),
    "failed_every": _("%(contract)s failed: %(sum)s for the defence."),
    "failed_doubled": ngettext_lazy(
        "%(contract)s, %(double)s, failed with %(full)s point: %(sum)s for the defence.",
        "%(contract)s, %(double)s, failed with %(full)s points: %(sum)s for the defence.",
        "full",
    ),
    "failed_every_doubled": _("%(contract)s, %(double)s, failed: %(sum)s for the defence."),
    "failed_against": _(
        "%(contract)s failed with %(full)s points, as the defence has %(against)s: %(sum)s for the defence."
    ),
    "failed_against_doubled": _(
        "%(contract)s, %(double)s, failed with %(full)s points, as the defence has %(against)s: "
        "%(sum)s for the defence."
    ),
    "belote": _("Belote of %(side)s: %(points)s points."),
    "belote_lost": _("The belote of %(side)s goes to the winners of the deal: %(points)s points."),
    "announcements": _("Announcements of %(side)s: %(points)s points."),
    "announcements_lost": _("The announcements of %(side)s go to the other side: %(points)s points."),
    "rounded_five_up": _("Rounded to the nearest ten, 5 up."),
    "rounded_six_up": _("Rounded to the nearest ten, 5 down and 6 up."),
    # warnings
    "no_such_points": ngettext_lazy(
        "No cards add up to %(points)s point: is it a slip of the pen?",
        "No cards add up to %(points)s points: is it a slip of the pen?",
        "points",
    ),
    "every_trick_too": _(
        "All card points and the last trick were won by %(side)s. If every trick was, the sheet has to say so."
    ),
    # errors
    "passed_alone": _("Everyone passed, so this must be left out; %(given)s was given."),
    "no_contract": _("%(given)s is no contract; allowed: 80, 90 and so on to 180, capot, generale."),
    "every_trick_of_attack": _(
        "The taker's side can only have won every trick with all 152 card points and the last trick; "
        "%(points)s points were given, and the last trick went to %(side)s."
    ),
    "every_trick_of_defence": _(
        "The defence can only have won every trick when the taker's side has no card points and not the last trick; "
        "%(points)s points were given, and the last trick went to %(side)s."
    ),
    "too_many_belotes": _("Belotes declared: %(given)s; with %(trump)s there are at most %(most)s."),
    "not_by_tens": _("%(given)s is no multiple of ten."),
    "both_announce": _(
        "Only one side's announcements count; %(attack)s were given for the taker's side, %(defence)s for the defence."
    ),
    "no_announcements": _("Announcements are not played by these house rules; %(given)s points were given."),
    "nothing_counts": _("Where only points made count, the points of a doubled deal can't be left out."),
    "mates_differ": _("Partners score the same: %(given)s and %(allowed)s were given."),
}
