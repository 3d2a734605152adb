"""The English texts for tarot's codes: roles, lines (reasons for points), warnings, errors, and words in them."""

from scoring.rules.words import Words, gettext_noop

_ = gettext_noop

CONTRACTS = {
    "take": _("Take"),
    "guard": _("Guard"),
    "guard_without": _("Guard without"),
    "guard_against": _("Guard against"),
}
WORDS: Words = {
    # Contracts, sides, handfuls, oudlers, characters
    **CONTRACTS,
    "one_for_one": _("One for one"),
    "attack": _("attack"),
    "defence": _("defence"),
    "simple": _("simple"),
    "double": _("double"),
    "triple": _("triple"),
    "21": _("21 of trumps"),
    "excuse": _("Excuse"),
    "small": _("Small"),
    "kings": _("kings"),
    "queens": _("queens"),
    "knights": _("knights"),
    "jacks": _("jacks"),
    # Roles
    "taker": _("taker"),
    "partner": _("partner"),
    "defender": _("defender"),
    "alone": _("one for one"),
    "mate": _("in a team"),
    "passed": _("passed"),
    # Lines: with a taker
    "contract_won": _("%(contract)s won: 25, times %(rate)s."),
    "contract_lost": _("%(contract)s lost: 25, times %(rate)s."),
    "margin_won": _(
        "Won by %(margin)s with %(contract)s (×%(rate)s): %(points)s points where "
        "%(limit)s are needed (oudlers: %(oudlers)s)."
    ),
    "margin_lost": _(
        "Lost by %(margin)s with %(contract)s (×%(rate)s): %(points)s points where "
        "%(limit)s are needed (oudlers: %(oudlers)s)."
    ),
    "small_last_attack": _("The attack won the Small in the last trick: %(value)s, with %(contract)s (×%(rate)s)."),
    "small_last_defence": _("The defence won the Small in the last trick: %(value)s, with %(contract)s (×%(rate)s)."),
    "handful_attack": _("Handful (%(size)s) of %(seat)s: %(value)s for the attack, which won the deal."),
    "handful_defence": _("Handful (%(size)s) of %(seat)s: %(value)s for the defence, which won the deal."),
    "slam_announced_made": _("Slam, announced and made: %(value)s for the attack."),
    "slam_made": _("Slam, made without an announcement: %(value)s for the attack."),
    "slam_announced_failed": _("Slam, announced but not made: %(value)s for the defence."),
    "slam_defence": _("The defence won every trick: %(value)s for the defence."),
    "half_point_void": _("Exactly half a point short: by the house rule nothing is scored."),
    # Lines: one for one
    "places": _("Places: %(seats)s. Rates: %(rates)s; each is worth 4 × %(value)s."),
    "places_disputed": _(
        "Places: %(seats)s; the last %(disputed)s piles won no trick and are in dispute. "
        "Rates: %(rates)s; each is worth 4 × %(value)s."
    ),
    "best": _("The best difference, %(difference)s, counts as %(best)s: 4 times that, times each one's rate."),
    "best_floored": _("The best difference is %(difference)s; by the house rule it counts as %(best)s."),
    "dog": _("The hidden dog's points, %(points)s, count as %(dog)s: 4 times that, times each one's rate."),
    "own_handful": _("Handful (%(size)s) of %(seat)s: %(factor)s × %(value)s from every opponent."),
    "own_slam": _("Slam of %(seat)s: %(factor)s × %(value)s from every opponent."),
    "own_small_last": _("%(seat)s won the Small in the last trick: %(factor)s × %(value)s from every opponent."),
    "all_passed": _("Everyone passed: nothing is scored."),
    # Warnings
    "half_with_even_seats": _(
        "%(given)s: with %(players)s players card points are whole, as every trick is an even number of cards."
    ),
    "less_than_oudlers": _(
        "%(given)s points are less than the %(least)s that the oudlers of this pile are worth alone."
    ),
    "less_than_hidden": _("%(given)s points are less than the %(least)s of the oudlers that are in no pile."),
    # Errors: with a taker
    "points_of_oudlers": _(
        "%(given)s points are not possible with this number of oudlers: %(oudlers)s; allowed: %(least)s to %(most)s."
    ),
    "partner_needs_five": _(
        "%(given)s was given, but with %(players)s players the taker has no partner; allowed: null."
    ),
    "partner_is_taker": _("%(seat)s is the taker; the partner is another seat, or null when the taker is alone."),
    "slam_attack_needs_all": _(
        "The attack has %(points)s points, oudlers: %(oudlers)s; its slam needs 91 points and 3, or 87 points and 2 "
        "when the defence keeps the Excuse."
    ),
    "slam_attack_needs": _(
        "The attack has %(points)s points; its slam needs %(least)s or more, the rest is in the dog."
    ),
    "slam_defence_leaves": _("The attack has %(points)s points; a slam of the defence leaves it %(most)s at most."),
    "slam_defence_takes_all": _(
        "The attack has %(points)s points, oudlers: %(oudlers)s; a slam of the defence in guard against leaves 0 "
        "points and 0, or 4 points and 1 for the Excuse."
    ),
    "small_last_no_oudler": _("The attack won the Small, but its oudlers are %(oudlers)s; allowed: null or defence."),
    "small_last_all_oudlers": _(
        "The defence won the Small, but the attack's oudlers are %(oudlers)s; allowed: null or attack."
    ),
    "small_last_against_slam": _(
        "%(given)s won the last trick, but the %(slam)s won every trick; allowed: null or the same side."
    ),
    "handful_twice": _("%(seat)s has shown a handful already; allowed: one a seat."),
    "handfuls_need_trumps": _("These handfuls need %(given)s trumps; there are %(most)s with the Excuse."),
    # Errors: one for one
    "teams_need_even": _("%(given)s was given for %(players)s players; teams of two are for 4 or 6."),
    "teams_not_each_once": _("%(given)s leaves a seat out; each seat from 0 to %(most)s is in one team."),
    "points_not_all": _("The points of the piles and the dog add up to %(given)s; they must be %(all)s."),
    "tricks_not_all": _("The tricks of the piles add up to %(given)s; allowed: %(allowed)s."),
    "oudler_twice": _("%(oudler)s was given twice; there is one."),
    "points_without_trick": _("%(points)s points without a trick; allowed: 0, or 4.5 for the Excuse alone."),
    "first_without_trick": _("%(given)s was given as the first trick of a pile without a trick; allowed: null."),
    "characters_without_trick": _("Characters (%(given)s) in a pile without a trick; allowed: none."),
    "too_many_characters": _("There are more than %(most)s %(kind)s with these %(given)s."),
    "first_trick_twice": _("Trick %(given)s was given for two piles; one pile won it."),
    "tie_needs_characters": _(
        "%(tied)s piles have the same difference: the kings, queens, knights and jacks in each decide."
    ),
    "tie_needs_first_trick": _(
        "%(tied)s piles have the same difference and characters: who won a trick first decides."
    ),
    "small_last_not_in_pile": _(
        "The Small is not in the pile of %(seat)s; allowed: null, or the seat whose pile has it."
    ),
    "slam_without_all_tricks": _("%(seat)s has not won all %(tricks)s tricks; allowed: null, or the seat that has."),
    "slam_not_told": _("One pile has every trick, so the slam is of %(seats)s; null was given."),
}
