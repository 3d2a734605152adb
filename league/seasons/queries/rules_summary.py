"""Standings rules in one sentence, in the reader's language: every rule that can be expressed has its words here.

The best 4 of 6 evenings count; places give 25-18-15 and 1 to everyone else; ties: the next best evening.
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
from scoring.numbers import number
from scoring.rules.errors import IllegalDeal

DOUBLE = 2


def summary_of(season: Season, evenings: Iterable[Evening]) -> str:
    """Return the season's rules in a sentence, given its evenings."""
    try:
        rules = StandingsRules.from_json(season.standings_rules)
    except IllegalDeal:
        return unreadable()
    there = [evening for evening in evenings if evening.state != EveningState.CANCELLED]
    return summary(rules, evenings=planned_evenings(season, len(there)), final_weight=final_weight(there))


def unreadable() -> str:
    """Say that a season's rules can't be read, and who can help."""
    return _("The season's standings rules can't be read. Its admin can set them again.")


def final_weight(evenings: Iterable[Evening]) -> int:
    """Return how often the final among the season's evenings counts; 1 while there is none."""
    return next((evening.weight for evening in evenings if evening.season_final), 1)


def readable(rules: object) -> StandingsRules:
    """Return rules that were stored, or those of every new season where they can't be read."""
    try:
        return StandingsRules.from_json(rules)
    except IllegalDeal:
        return StandingsRules()


def planned_evenings(season: Season, count: int) -> int | None:
    """Return how many evenings the season is meant to have: as it says, or the `count` of those that are there."""
    return max(season.planned_evenings or 0, count) or None


def summary(rules: StandingsRules, *, evenings: int | None = None, final_weight: int = 1) -> str:
    """Return the rules in a sentence. `evenings` are those of the season, `final_weight` how often its final counts."""
    counts, worth = dict(rules.counts.options), dict(rules.worth.options)
    clauses = [
        COUNTS[rules.counts.name](evenings, **counts),
        *_final(rules, final_weight),
        *WORTHS[rules.worth.name](**worth),
        *_on_top(rules),
        *_ranked(rules),
        _ties(rules.ties),
    ]
    return sentence(clauses)


def sentence(clauses: Sequence[str]) -> str:
    """Return clauses, one at least, as a sentence: "The one; the other."."""
    return capfirst(reduce(_and_then, clauses)) + "."


def _and_then(before: str, clause: str) -> str:
    return _("%(before)s; %(clause)s") % {"before": before, "clause": clause}


def _all(evenings: int | None) -> str:
    return _("all evenings count")


def _best(evenings: int | None, *, n: int) -> str:
    if evenings is not None and evenings > n:
        said = ngettext("the best of %(evenings)s evenings counts", "the best %(n)s of %(evenings)s evenings count", n)
        return said % {"n": n, "evenings": evenings}
    return ngettext("the best evening counts", "the best %(n)s evenings count", n) % {"n": n}


def _drop(evenings: int | None, *, each: int, after: int) -> str:
    if after:
        said = ngettext(
            "all evenings count but the worst: one is dropped for each attended beyond %(after)s",
            "all evenings count but the worst: one is dropped for each %(each)s attended beyond %(after)s",
            each,
        )
    else:
        said = ngettext(
            "all evenings count but the worst: one is dropped for each attended",
            "all evenings count but the worst: one is dropped for each %(each)s attended",
            each,
        )
    return said % {"each": each, "after": after}


def _average(evenings: int | None, *, n: int | None) -> str:
    if n is None:
        return _("the mean of all evenings counts")
    if evenings is not None and evenings > n:
        said = ngettext(
            "the mean of the best of %(evenings)s evenings counts",
            "the mean of the best %(n)s of %(evenings)s evenings counts",
            n,
        )
        return said % {"n": n, "evenings": evenings}
    return ngettext("the mean of the best evening counts", "the mean of the best %(n)s evenings counts", n) % {"n": n}


def _final(rules: StandingsRules, weight: int) -> Iterator[str]:
    if rules.final and rules.counts.name != "all":
        yield _("the final is always one of them")
    if weight == DOUBLE:
        yield _("the final counts double")
    elif weight != 1:
        yield _("the final counts %(weight)s times") % {"weight": weight}


def _by_points() -> Iterator[str]:
    yield _("an evening is worth its points")


def _by_average() -> Iterator[str]:
    yield _("an evening is worth its average per deal")


def _by_places(*, points: Sequence[int], rest: int | None, among: str, shared: str) -> Iterator[str]:
    rest = points[-1] if rest is None else rest
    said = {"points": "-".join(str(each) for each in points), "rest": rest}
    if rest:
        yield _("places give %(points)s and %(rest)s to everyone else") % said
    else:
        yield _("places give %(points)s and nothing to everyone else") % said
    if among == "members":
        yield _("guests take no place")
    if shared == "mean":
        yield _("who shares a place gets the mean of the places shared")


def _by_wins(*, win: int, loss: int, exempt: int, plus_points: bool) -> Iterator[str]:
    said = {"win": number(win), "loss": number(loss), "exempt": number(exempt)}
    if plus_points:
        yield (
            _("a table won gives %(win)s, one lost %(loss)s, an exempt round %(exempt)s, and the points on top") % said
        )
    else:
        yield _("a table won gives %(win)s, one lost %(loss)s, an exempt round %(exempt)s") % said


def _by_opponents() -> Iterator[str]:
    yield _("each table gives the share of opponents placed behind, level ones half")


def _on_top(rules: StandingsRules) -> Iterator[str]:
    if rules.rests:
        yield _("a round sat out gives %(points)s") % {"points": number(rules.rests)}
    for name, each in rules.extras:
        if each:
            yield EXTRAS[name](each)


def _attendance(each: int) -> str:
    return _("each evening attended gives %(points)s more") % {"points": number(each)}


def _ranked(rules: StandingsRules) -> Iterator[str]:
    ((name, said),) = rules.minimum.options
    yield from MINIMUMS[name](said)
    if rules.partners:
        yield ngettext(
            "ranked with at least %(n)s partner", "ranked with at least %(n)s different partners", rules.partners
        ) % {"n": rules.partners}


def _from_evenings(least: int) -> Iterator[str]:
    if least:
        yield ngettext("ranked from %(n)s evening on", "ranked from %(n)s evenings on", least) % {"n": least}


def _from_share(part: tuple[int, int]) -> Iterator[str]:
    share, of = part
    yield _("ranked from %(share)s of every %(of)s evenings held") % {"share": share, "of": of}


def tie_break_words(name: str) -> str:
    """Return a tie-break in words."""
    return gettext(TIE_BREAKS[name].words)


def _ties(ties: Sequence[str]) -> str:
    if not ties:
        return _("equal totals share their rank")
    order = reduce(_then, [tie_break_words(name) for name in ties])
    return _("ties: %(order)s") % {"order": order}


def _then(before: str, tie_break: str) -> str:
    return _("%(before)s, then %(tie_break)s") % {"before": before, "tie_break": tie_break}


# By the names of the rules: a new one has its words here.
COUNTS: Mapping[str, Callable[..., str]] = {"all": _all, "best": _best, "drop": _drop, "average": _average}
WORTHS: Mapping[str, Callable[..., Iterator[str]]] = {
    "points": _by_points,
    "average": _by_average,
    "places": _by_places,
    "wins": _by_wins,
    "opponents": _by_opponents,
}
MINIMUMS: Mapping[str, Callable[[Any], Iterator[str]]] = {"evenings": _from_evenings, "share": _from_share}
EXTRAS: Mapping[str, Callable[[int], str]] = {"attendance": _attendance}
