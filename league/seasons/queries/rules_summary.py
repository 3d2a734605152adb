"""A season's standings rules as one sentence.

Example: "the best 4 of 6 evenings count; places give 25-18-15 and 1 to everyone else; ties: the next best evening".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from typing import Any

from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext as _

from league.models import Evening, Season
from league.models.evening import EveningState
from league.standings.rules import StandingsRules
from league.standings.tie_breaks import TIE_BREAKS
from scoring.numbers import number_text
from scoring.rules.errors import IllegalDeal

DOUBLE_WEIGHT = 2


def season_rules_sentence(season: Season, evenings: Iterable[Evening]) -> str:
    try:
        rules = StandingsRules.from_json(season.standings_rules)
    except IllegalDeal:
        return unreadable_rules_text()
    held_evenings = [evening for evening in evenings if evening.state != EveningState.CANCELLED]
    return rules_sentence(
        rules, evenings=planned_evening_count(season, len(held_evenings)), final_weight=final_weight(held_evenings)
    )


def unreadable_rules_text() -> str:
    return _("The season's standings rules can't be read. Its admin can set them again.")


def final_weight(evenings: Iterable[Evening]) -> int:
    """Return the weight of the season's final, 1 without a final."""
    return next((evening.weight for evening in evenings if evening.season_final), 1)


def rules_or_default(rules: object) -> StandingsRules:
    """Parse stored standings rules; return the default rules if they are invalid."""
    try:
        return StandingsRules.from_json(rules)
    except IllegalDeal:
        return StandingsRules()


def planned_evening_count(season: Season, count: int) -> int | None:
    """Return the number of evenings that the season will have; None if unknown.

    It is the season's planned number, but at least `count`, the number of existing evenings.
    """
    return max(season.planned_evenings or 0, count) or None


def rules_sentence(rules: StandingsRules, *, evenings: int | None = None, final_weight: int = 1) -> str:
    """Return standings rules as one sentence.

    `evenings` is the season's number of evenings, if known; `final_weight` is the weight of its final evening.
    """
    counts, worth = dict(rules.counts.options), dict(rules.worth.options)
    clauses = [
        COUNTS_CLAUSES[rules.counts.name](evenings, **counts),
        *_final_clauses(rules, final_weight),
        *WORTH_CLAUSES[rules.worth.name](**worth),
        *_extra_clauses(rules),
        *_minimum_clauses(rules),
        _ties_clause(rules.ties),
    ]
    return join_clauses(clauses)


def join_clauses(clauses: Sequence[str]) -> str:
    return capfirst(reduce(_join_two_clauses, clauses)) + "."


def _join_two_clauses(before: str, clause: str) -> str:
    return _("%(before)s; %(clause)s") % {"before": before, "clause": clause}


def _all_evenings_clause(evenings: int | None) -> str:
    return _("all evenings count")


def _best_evenings_clause(evenings: int | None, *, n: int) -> str:
    if evenings is not None and evenings > n:
        text = ngettext("the best of %(evenings)s evenings counts", "the best %(n)s of %(evenings)s evenings count", n)
        return text % {"n": n, "evenings": evenings}
    return ngettext("the best evening counts", "the best %(n)s evenings count", n) % {"n": n}


def _dropped_evenings_clause(evenings: int | None, *, each: int, after: int) -> str:
    if after:
        text = ngettext(
            "all evenings count but the worst: one is dropped for each attended beyond %(after)s",
            "all evenings count but the worst: one is dropped for each %(each)s attended beyond %(after)s",
            each,
        )
    else:
        text = ngettext(
            "all evenings count but the worst: one is dropped for each attended",
            "all evenings count but the worst: one is dropped for each %(each)s attended",
            each,
        )
    return text % {"each": each, "after": after}


def _mean_clause(evenings: int | None, *, n: int | None) -> str:
    if n is None:
        return _("the mean of all evenings counts")
    if evenings is not None and evenings > n:
        text = ngettext(
            "the mean of the best of %(evenings)s evenings counts",
            "the mean of the best %(n)s of %(evenings)s evenings counts",
            n,
        )
        return text % {"n": n, "evenings": evenings}
    return ngettext("the mean of the best evening counts", "the mean of the best %(n)s evenings counts", n) % {"n": n}


def _final_clauses(rules: StandingsRules, weight: int) -> Iterator[str]:
    if rules.final and rules.counts.name != "all":
        yield _("the final is always one of them")
    if weight == DOUBLE_WEIGHT:
        yield _("the final counts double")
    elif weight != 1:
        yield _("the final counts %(weight)s times") % {"weight": weight}


def _points_clauses() -> Iterator[str]:
    yield _("an evening is worth its points")


def _average_clauses() -> Iterator[str]:
    yield _("an evening is worth its average per deal")


def _places_clauses(*, points: Sequence[int], rest: int | None, among: str, shared: str) -> Iterator[str]:
    rest = points[-1] if rest is None else rest
    params = {"points": "-".join(str(point) for point in points), "rest": rest}
    if rest:
        yield _("places give %(points)s and %(rest)s to everyone else") % params
    else:
        yield _("places give %(points)s and nothing to everyone else") % params
    if among == "members":
        yield _("guests take no place")
    if shared == "mean":
        yield _("who shares a place gets the mean of the places shared")


def _wins_clauses(*, win: int, loss: int, exempt: int, plus_points: bool) -> Iterator[str]:
    params = {"win": number_text(win), "loss": number_text(loss), "exempt": number_text(exempt)}
    if plus_points:
        yield (
            _("a table won gives %(win)s, one lost %(loss)s, an exempt round %(exempt)s, and the points on top")
            % params
        )
    else:
        yield _("a table won gives %(win)s, one lost %(loss)s, an exempt round %(exempt)s") % params


def _opponents_clauses() -> Iterator[str]:
    yield _("each table gives the share of opponents placed behind, level ones half")


def _extra_clauses(rules: StandingsRules) -> Iterator[str]:
    if rules.rests:
        yield _("a round sat out gives %(points)s") % {"points": number_text(rules.rests)}
    for name, points_each in rules.extras:
        if points_each:
            yield EXTRA_CLAUSES[name](points_each)


def _attendance_clause(points_each: int) -> str:
    return _("each evening attended gives %(points)s more") % {"points": number_text(points_each)}


def _minimum_clauses(rules: StandingsRules) -> Iterator[str]:
    ((name, minimum),) = rules.minimum.options
    yield from MINIMUM_CLAUSES[name](minimum)
    if rules.partners:
        yield ngettext(
            "ranked with at least %(n)s partner", "ranked with at least %(n)s different partners", rules.partners
        ) % {"n": rules.partners}


def _evenings_minimum_clauses(minimum: int) -> Iterator[str]:
    if minimum:
        yield ngettext("ranked from %(n)s evening on", "ranked from %(n)s evenings on", minimum) % {"n": minimum}


def _share_minimum_clauses(part: tuple[int, int]) -> Iterator[str]:
    share, total = part
    yield _("ranked from %(share)s of every %(of)s evenings held") % {"share": share, "of": total}


def tie_break_text(name: str) -> str:
    return gettext(TIE_BREAKS[name].description)


def _ties_clause(ties: Sequence[str]) -> str:
    if not ties:
        return _("equal totals share their rank")
    order = reduce(_append_tie_break, [tie_break_text(name) for name in ties])
    return _("ties: %(order)s") % {"order": order}


def _append_tie_break(before: str, tie_break: str) -> str:
    return _("%(before)s, then %(tie_break)s") % {"before": before, "tie_break": tie_break}


# Functions that return the clauses of a sentence for a rule, by the name of the rule.
COUNTS_CLAUSES: Mapping[str, Callable[..., str]] = {
    "all": _all_evenings_clause,
    "best": _best_evenings_clause,
    "drop": _dropped_evenings_clause,
    "average": _mean_clause,
}
WORTH_CLAUSES: Mapping[str, Callable[..., Iterator[str]]] = {
    "points": _points_clauses,
    "average": _average_clauses,
    "places": _places_clauses,
    "wins": _wins_clauses,
    "opponents": _opponents_clauses,
}
MINIMUM_CLAUSES: Mapping[str, Callable[[Any], Iterator[str]]] = {
    "evenings": _evenings_minimum_clauses,
    "share": _share_minimum_clauses,
}
EXTRA_CLAUSES: Mapping[str, Callable[[int], str]] = {"attendance": _attendance_clause}
