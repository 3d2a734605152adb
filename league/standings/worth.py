"""What an evening is worth to those who played it, before its weight: by points, average, places, wins or opponents.

A rule of worth is a function of an evening's results and the rule's own keys. It answers exact numbers, one a result.
`WORTHS` has the rules by name: the next one is a function, its words, its keys and an example in examples.toml.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import lcm
from typing import NamedTuple

from league.standings import fields
from league.standings.fields import Key
from league.standings.season import PlayerEvening
from scoring.json_lines import MAX_DIGITS
from scoring.rules import reading
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import gettext_noop as _

_MOST_BITS = 10 * MAX_DIGITS // 3  # of an integer that is not longer than that


class Worths(NamedTuple):
    """What an evening is worth, result by result: numerators over one denominator, None where there is no worth."""

    numerators: Sequence[int | None]
    denominator: int = 1


class Worth(NamedTuple):
    """A rule of worth: its words, its function, and its keys beside `by`.

    `reads` names what it reads of a PlayerEvening beyond points, deals, membership and who left.
    """

    words: str
    worths: Callable[..., Worths]
    keys: Mapping[str, Key] = {}
    reads: Collection[str] = ()


def by_points(results: Sequence[PlayerEvening]) -> Worths:
    """Return the evening's total of points."""
    return Worths([each.points for each in results])


def by_average(results: Sequence[PlayerEvening]) -> Worths:
    """Return points per deal. Without a deal there is no worth."""
    common = common_denominator({each.deals for each in results if each.deals})
    return Worths([each.points * (common // each.deals) if each.deals else None for each in results], common)


def by_places(
    results: Sequence[PlayerEvening], *, points: Sequence[int], rest: int | None, among: str, shared: str
) -> Worths:
    """Return points by place, `rest` from the first place that the list lacks; a shared place as `shared` says.

    Among members only, guests take no place and get 0.
    """
    beyond = points[-1] if rest is None else rest
    in_it = [at for at, each in enumerate(results) if each.member or among == "all"]
    groups = shared_places([results[at] for at in in_it])
    common = common_denominator({len(group) for group in groups}) if shared == "mean" else 1
    numerators = [0] * len(results)
    ahead = 0
    for group in groups:
        taken = 1 if shared == "same" else len(group)  # the places whose points are shared out
        listed = points[ahead : ahead + taken]
        each_gets = (sum(listed) + beyond * (taken - len(listed))) * (common // taken)
        for at in group:
            numerators[in_it[at]] = each_gets
        ahead += len(group)
    return Worths(numerators, common)


def by_wins(results: Sequence[PlayerEvening], *, win: int, loss: int, exempt: int, plus_points: bool) -> Worths:
    """Return points for each table won, lost and missed as exempt, and the score on top if the season says so."""
    score = 1 if plus_points else 0
    return Worths([win * each.won + loss * each.lost + exempt * each.exempt + score * each.points for each in results])


def by_opponents(results: Sequence[PlayerEvening]) -> Worths:
    """Return the share of opponents placed behind, level ones half, added up over the tables."""
    common = 2 * common_denominator({table.opponents for each in results for table in each.tables})
    return Worths(
        [
            sum([(2 * behind + level) * (common // (2 * opponents)) for opponents, behind, level in each.tables])
            for each in results
        ],
        common,
    )


def shared_places(results: Sequence[PlayerEvening]) -> list[list[int]]:
    """Return who shares each place, best first, as indices: by points, those who left after those who stayed."""
    stayed: dict[int, list[int]] = {}
    left: dict[int, list[int]] = {}
    for at, each in enumerate(results):
        (left if each.left else stayed).setdefault(each.points, []).append(at)
    return [level[points] for level in (stayed, left) for points in sorted(level, reverse=True)]


def common_denominator(denominators: Iterable[int]) -> int:
    """Return the least common multiple. Raises IllegalDeal where exact numbers would become too long to be written."""
    common = 1
    for each in denominators:
        common = lcm(common, each)
        if common.bit_length() > _MOST_BITS:
            raise IllegalDeal("", "long_answer", {"most": MAX_DIGITS})
    return common


def _places_points(value: object, field: str) -> tuple[int, ...]:
    points = tuple(fields.count(each, field) for each in reading.items(value, field))
    if not points:
        raise IllegalDeal(field, "no_points")
    return points


WORTHS: Mapping[str, Worth] = {
    "points": Worth(_("the points of the evening"), by_points),
    "average": Worth(_("the average per deal"), by_average),
    "places": Worth(
        _("points by place"),
        by_places,
        {
            "points": Key(_places_points),
            "rest": Key(fields.count, None),
            "among": Key(fields.word("all", "members"), "all"),
            "shared": Key(fields.word("same", "mean"), "same"),
        },
    ),
    "wins": Worth(
        _("points for each table won and lost"),
        by_wins,
        {
            "win": Key(fields.integer),
            "loss": Key(fields.integer),
            "exempt": Key(fields.integer),
            "plus_points": Key(fields.flag, False),
        },
        reads=("won", "lost", "exempt"),
    ),
    "opponents": Worth(_("the share of opponents placed behind"), by_opponents, reads=("tables",)),
}
