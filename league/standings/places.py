"""The arithmetic of rankings and standings. Pure: players and evenings are ids here."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from league.standings import ranking
from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, PointsGiven, SeasonEvening

SUM_OF_ALL = StandingsRules()


class EveningPoints(NamedTuple):
    """What one player brought home from one evening that counts; several of one evening are added up.

    `order` sorts evenings in time (a date, an id); `weight` is how often the evening counts.
    """

    player: int
    evening: int
    order: tuple[str, int]
    points: int
    deals: int
    member: bool
    weight: int = 1


class Place(NamedTuple):
    """A row of the standings; `counted` are the evenings, in time's order. Guests have no rank."""

    player: int
    rank: int | None
    points: int
    deals: int
    counted: tuple[int, ...]
    tie_break: str = ""
    rank_before: int | None = None


def ranks(points: Sequence[int]) -> list[int]:
    """Return ranks as 1, 2, 2, 4: each one's is one more than those with more points."""
    ordered = sorted(points, reverse=True)
    first: dict[int, int] = {}
    for index, value in enumerate(ordered):
        first.setdefault(value, index + 1)
    return [first[value] for value in points]


def standings(results: Iterable[EveningPoints], adjustments: Mapping[int, int] | None = None) -> list[Place]:
    """Return the places of a season by the sum of points, best first; whoever was a member on any evening is ranked.

    The rank before is the rank without the newest evening. Adjustments are points by player.
    """
    brought: dict[tuple[str, int], dict[int, EveningPoints]] = defaultdict(dict)
    deals: dict[int, int] = defaultdict(int)
    for each in results:
        deals[each.player] += each.deals
        evening = brought[each.order]
        earlier = evening.get(each.player)
        evening[each.player] = _once(each) if earlier is None else _together(earlier, each)
    evenings = [
        SeasonEvening(
            evening, day, [PlayerEvening(each.player, each.points, each.deals, each.member) for each in at.values()]
        )
        for (day, evening), at in sorted(brought.items())
    ]
    given = [PointsGiven(player, points) for player, points in (adjustments or {}).items()]
    before = ranking.ranks_by_player(SUM_OF_ALL, evenings[:-1], given)
    return [
        Place(
            row.player,
            row.rank,
            int(row.total),
            deals[row.player],
            row.counted,
            row.tie_break,
            before.get(row.player),
        )
        for row in ranking.standings(SUM_OF_ALL, evenings, given)
        if row.evenings
    ]


def _once(result: EveningPoints) -> EveningPoints:
    """Return a result of an evening that counts once: the rules of the simple sum know no more than points."""
    return result if result.weight == 1 else result._replace(points=result.points * result.weight, weight=1)


def _together(earlier: EveningPoints, later: EveningPoints) -> EveningPoints:
    """Return two results of a player in one evening as one."""
    return earlier._replace(
        points=earlier.points + later.points * later.weight,
        deals=earlier.deals + later.deals,
        member=earlier.member or later.member,
    )
