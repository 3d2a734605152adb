"""Tie-breaks between players with equal totals.

A tie-break is a function. It gets the players who are still tied, and returns a key for each: a higher key ranks first,
and players with equal keys stay tied. To add a tie-break to `TIE_BREAKS`, write a function, its description and an
example in examples.toml. docs/standings.md contains the function's docstring.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from league.standings.player_season import PlayerSeason, SeasonEvenings
from league.standings.season import ExactNumber, exact_number
from scoring.rules.words import gettext_noop as _

TiedGroup = Sequence[PlayerSeason]
SortKeys = Sequence[Any]  # one for each player of the group; a higher key ranks first
Numbers = tuple[ExactNumber, ...]  # what a tie-break compares, for display: the numbers of one player


# The following functions return the numbers for display from a player's sort key. A number is shown as it is; a value
# is a numerator over the season's common denominator.


def as_number(key: Any, denominator: int) -> Numbers:
    return (key,)


def as_value(key: Any, denominator: int) -> Numbers:
    return (exact_number(key, denominator),)


def as_values(key: Any, denominator: int) -> Numbers:
    return tuple(exact_number(value, denominator) for value in key)


def as_optional_number(key: Any, denominator: int) -> Numbers:
    """Return the number of a sort key `(has_number, number)` as a tuple; () if `has_number` is False.

    `denominator` is not used, because only values have the season's denominator.
    """
    has_number, number = key
    return (exact_number(number, 1),) if has_number else ()


def as_optional_value(key: Any, denominator: int) -> Numbers:
    """Return the value of a sort key `(has_value, numerator)` as a tuple; () if `has_value` is False."""
    has_value, numerator = key
    return (exact_number(numerator, denominator),) if has_value else ()


def as_negated_number(key: Any, denominator: int) -> Numbers:
    """Return the number of a sort key that is negative because fewer is better."""
    return (-key,)


class TieBreak(NamedTuple):
    """A tie-break. `unit`: it compares counts, points of tables, or the worth of evenings by the season's rules."""

    description: str
    keys: Callable[[TiedGroup, SeasonEvenings], SortKeys]
    numbers: Callable[[Any, int], Numbers] = as_number  # (key, denominator of the values) -> numbers for display
    unit: Literal["count", "points", "worth"] = "count"
    needed_fields: Collection[str] = ()  # as in `WorthRule`


def next_best_evenings(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return the values of each player's dropped evenings, best first; after equal values, more evenings are better."""
    return [
        tuple(sorted(_without_none([season.values[index] for index in season.dropped]), reverse=True))
        for season in tied_group
    ]


def evenings_won(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return the number of evenings that each player won, alone or shared."""
    return [sum([person.player in season.winners[index] for index in person.indexes]) for person in tied_group]


def total_points(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return each player's sum of points of all evenings, not of the worth that the season's rules give them."""
    return [sum([result.points for result in person.results]) for person in tied_group]


def average_per_deal(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return each player's points per deal over all evenings; players without deals come last."""
    points = total_points(tied_group, season)
    deals = [sum([result.deals for result in person.results]) for person in tied_group]
    return [(True, Fraction(total, n)) if n else (False, 0) for total, n in zip(points, deals, strict=True)]


def best_evening(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return the highest value of each player's evenings; players without values come last."""
    return [max([(True, value) for value in _without_none(person.values)], default=(False, 0)) for person in tied_group]


def points_on_common_evenings(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return each player's sum of values over the evenings where all tied players have a value.

    Without such an evening, the players stay tied.
    """
    all_values = [
        {index: value for index, value in zip(person.indexes, person.values, strict=True) if value is not None}
        for person in tied_group
    ]
    common = set(all_values[0]).intersection(*all_values[1:])
    return [sum([values[index] for index in common]) for values in all_values]


def wins(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return the number of tables that each player won on all evenings."""
    return [sum([result.won for result in person.results]) for person in tied_group]


def more_evenings(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return the number of evenings that each player attended: more is better."""
    return [len(person.results) for person in tied_group]


def fewer_evenings(tied_group: TiedGroup, season: SeasonEvenings) -> SortKeys:
    """Return the number of evenings that each player attended: fewer is better."""
    return [-len(person.results) for person in tied_group]


def _without_none(values: Iterable[int | None]) -> list[int]:
    return [value for value in values if value is not None]


TIE_BREAKS: Mapping[str, TieBreak] = {
    "next_best": TieBreak(_("the next best evening"), next_best_evenings, as_values, "worth"),
    "evenings_won": TieBreak(_("evenings won"), evenings_won),
    "total_points": TieBreak(_("points of all evenings"), total_points, unit="points"),
    "average": TieBreak(_("average per deal"), average_per_deal, as_optional_number, "points"),
    "best_evening": TieBreak(_("best evening"), best_evening, as_optional_value, "worth"),
    "direct": TieBreak(_("points on the evenings in common"), points_on_common_evenings, as_value, "worth"),
    "wins": TieBreak(_("tables won"), wins, needed_fields=("won",)),
    "more_evenings": TieBreak(_("more evenings"), more_evenings),
    "fewer_evenings": TieBreak(_("fewer evenings"), fewer_evenings, as_negated_number),
}
