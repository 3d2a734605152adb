"""Warnings, as sentences, about standings rules that are valid but probably a mistake."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models.season import WORTHS_IN_POINTS
from league.standings.rules import StandingsRules


def rules_warnings(rules: StandingsRules, planned_evenings: int | None, *, low_wins: bool = False) -> list[str]:
    """Return warnings about standings rules, as sentences. `low_wins`: the lowest total of a table wins."""
    return [
        *absence_warnings(rules, planned_evenings, low_wins=low_wins),
        *_counts_warnings(rules, planned_evenings),
        *_worth_warnings(rules),
        *_minimum_warnings(rules, planned_evenings),
        *_ties_warnings(rules),
    ]


def absence_warnings(rules: StandingsRules, planned_evenings: int | None, *, low_wins: bool) -> Iterator[str]:
    """Yield a warning if the lowest total wins and the rules add up points: absent players would have lower sums.

    No warning is needed if a rank requires as many evenings as count.
    """
    if not low_wins or rules.worth.name not in WORTHS_IN_POINTS or rules.counts.name == "average":
        return
    needed_evenings = dict(rules.counts.options).get("n", planned_evenings)
    attended_evenings = dict(rules.minimum.options).get("evenings", 0)
    if needed_evenings is None or attended_evenings < needed_evenings:
        yield _(
            "The lowest total wins and the evenings are added up: whoever is absent has an advantage. Count the mean "
            "of the evenings or points by place, or rank only members who attended as many evenings as count."
        )


def _counts_warnings(rules: StandingsRules, planned_evenings: int | None) -> Iterator[str]:
    options = dict(rules.counts.options)
    n, after = options.get("n"), options.get("after", 0)
    if planned_evenings is None:
        return
    if n is not None and n >= planned_evenings:
        yield ngettext(
            "The best %(n)s in a season of one evening: nothing would ever be dropped.",
            "The best %(n)s in a season of %(planned)s evenings: nothing would ever be dropped.",
            planned_evenings,
        ) % {"n": n, "planned": planned_evenings}
    if rules.counts.name == "drop" and after + options["each"] > planned_evenings:
        yield ngettext(
            "The season has one evening: nothing would ever be dropped.",
            "The season has %(planned)s evenings: nothing would ever be dropped.",
            planned_evenings,
        ) % {"planned": planned_evenings}


def _worth_warnings(rules: StandingsRules) -> Iterator[str]:
    options = dict(rules.worth.options)
    if rules.worth.name == "places":
        points = [*options["points"], *([] if options["rest"] is None else [options["rest"]])]
        if any(worse > better for better, worse in pairwise(points)):
            yield _("A later place gives more than an earlier one.")
    if rules.worth.name == "wins" and options["loss"] > options["win"]:
        yield _("A table lost gives more than one won.")


def _minimum_warnings(rules: StandingsRules, planned_evenings: int | None) -> Iterator[str]:
    minimum = dict(rules.minimum.options)
    share, held_evenings = minimum.get("share", (0, 1))
    if share == held_evenings or (planned_evenings is not None and minimum.get("evenings") == planned_evenings):
        yield _("Whoever misses an evening is not ranked.")


def _ties_warnings(rules: StandingsRules) -> Iterator[str]:
    if "next_best" in rules.ties and _counts_all_evenings(rules):
        yield _("All evenings count, so that the next best one never decides between equals.")
    if {"more_evenings", "fewer_evenings"} <= set(rules.ties):
        yield _("Who came more often can’t be placed both first and last: the second of these never decides.")


def _counts_all_evenings(rules: StandingsRules) -> bool:
    return rules.counts.name == "all" or dict(rules.counts.options).get("n", 0) is None
