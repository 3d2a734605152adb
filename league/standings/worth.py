"""Rules for the worth of an evening for each player, before its weight: by points, average, ranks, wins or opponents.

Such a rule is a function. It gets the results of an evening and the rule's own keys, and returns one exact number for
each result. To add a rule to `WORTH_RULES`, write a function, its description, its keys and an example in
examples.toml. docs/standings.md contains the function's docstring.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import lcm
from typing import NamedTuple

from league.standings import fields
from league.standings.fields import JsonKey
from league.standings.season import Id, PlayerEvening
from scoring.json_lines import MAX_DIGITS
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import gettext_noop as _

_MOST_BITS = 10 * MAX_DIGITS // 3  # size of an integer with MAX_DIGITS digits


class WorthFractions(NamedTuple):
    """The worth of each result of an evening, as numerators over one denominator; None for a result without a worth."""

    numerators: Sequence[int | None]
    denominator: int = 1


class WorthRule(NamedTuple):
    """A rule for the worth of an evening."""

    description: str
    worths: Callable[..., WorthFractions]
    keys: Mapping[str, JsonKey] = {}  # further JSON keys of the rule; `by` is its name
    needed_fields: Collection[str] = ()  # of PlayerEvening, besides player, points, deals, member and left


def worth_by_points(results: Sequence[PlayerEvening]) -> WorthFractions:
    """Return each player's points of the evening."""
    return WorthFractions([result.points for result in results])


def worth_by_average(results: Sequence[PlayerEvening]) -> WorthFractions:
    """Return each player's points per deal; a result without deals has no worth."""
    common = common_denominator({result.deals for result in results if result.deals})
    numerators = [result.points * (common // result.deals) if result.deals else None for result in results]
    return WorthFractions(numerators, common)


def worth_by_ranks(
    results: Sequence[PlayerEvening], *, points: Sequence[int], rest: int | None, among: str, shared: str
) -> WorthFractions:
    """Return the points for each player's rank: `points` lists the points for the first ranks; each lower rank gets
    `rest`, or the last entry of `points` if there is no `rest`.

    Players who share a rank get the points of that rank, or the mean over the ranks that they cover if `shared` is
    "mean". If `among` is "members", guests take no rank and get 0.
    """
    lower_rank_points = points[-1] if rest is None else rest
    eligible = [index for index, result in enumerate(results) if result.member or among == "all"]
    groups = groups_by_rank([results[index] for index in eligible])
    common = common_denominator({len(group) for group in groups}) if shared == "mean" else 1
    numerators = [0] * len(results)
    better = 0
    for group in groups:
        covered = 1 if shared == "same" else len(group)  # number of ranks whose points are shared
        covered_points = points[better : better + covered]
        numerator = (sum(covered_points) + lower_rank_points * (covered - len(covered_points))) * (common // covered)
        for index in group:
            numerators[eligible[index]] = numerator
        better += len(group)
    return WorthFractions(numerators, common)


def worth_by_wins(
    results: Sequence[PlayerEvening], *, win: int, loss: int, exempt: int, plus_points: bool
) -> WorthFractions:
    """Return for each player `win` points per table won, `loss` per table lost and `exempt` per round without a table;
    with `plus_points`, also the player's points.
    """
    points_factor = 1 if plus_points else 0
    return WorthFractions(
        [
            win * result.won + loss * result.lost + exempt * result.exempt + points_factor * result.points
            for result in results
        ]
    )


def worth_by_opponents(results: Sequence[PlayerEvening]) -> WorthFractions:
    """Return the share of a player's opponents with a lower total, added up over the tables.

    Opponents with an equal total count half.
    """
    common = 2 * common_denominator({table.opponents for result in results for table in result.tables})
    return WorthFractions(
        [
            sum([(2 * behind + level) * (common // (2 * opponents)) for opponents, behind, level in result.tables])
            for result in results
        ],
        common,
    )


def groups_by_rank(results: Sequence[PlayerEvening]) -> list[list[int]]:
    """Return the indexes of the results in groups of equal rank, the first rank first.

    Players who left early rank after all others.
    """
    stayed: dict[int, list[int]] = {}  # indexes of the results by points
    left_early: dict[int, list[int]] = {}
    for index, result in enumerate(results):
        (left_early if result.left else stayed).setdefault(result.points, []).append(index)
    return [by_points[points] for by_points in (stayed, left_early) for points in sorted(by_points, reverse=True)]


def winners(results: Sequence[PlayerEvening]) -> set[Id]:
    first = next(iter(groups_by_rank(results)), [])
    return {results[index].player for index in first}


def common_denominator(denominators: Iterable[int]) -> int:
    """Return the least common multiple. Raise IllegalDeal if it is too long for an answer in JSON."""
    common = 1
    for denominator in denominators:
        common = lcm(common, denominator)
        if common.bit_length() > _MOST_BITS:
            raise IllegalDeal("", "long_answer", {"most": MAX_DIGITS})
    return common


def _parse_rank_points(value: object, field: str) -> tuple[int, ...]:
    points = tuple(fields.count(item, field) for item in reading.items(value, field))
    if not points:
        raise IllegalDeal(field, "no_points")
    return points


WORTH_RULES: Mapping[str, WorthRule] = {
    "points": WorthRule(_("the points of the evening"), worth_by_points),
    "average": WorthRule(_("the average per deal"), worth_by_average),
    "places": WorthRule(
        _("points by place"),
        worth_by_ranks,
        {
            "points": JsonKey(_parse_rank_points),
            "rest": JsonKey(fields.count, None),
            "among": JsonKey(fields.word_parser("all", "members"), "all"),
            "shared": JsonKey(fields.word_parser("same", "mean"), "same"),
        },
    ),
    "wins": WorthRule(
        _("points for each table won and lost"),
        worth_by_wins,
        {
            "win": JsonKey(fields.integer),
            "loss": JsonKey(fields.integer),
            "exempt": JsonKey(fields.integer),
            "plus_points": JsonKey(fields.flag, False),
        },
        needed_fields=("won", "lost", "exempt"),
    ),
    "opponents": WorthRule(_("the share of opponents placed behind"), worth_by_opponents, needed_fields=("tables",)),
}
