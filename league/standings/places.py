"""The arithmetic of rankings and standings. Pure: players and evenings are ids here."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple


class Result(NamedTuple):
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
    """1, 2, 2, 4: each one's rank is one more than those with more points."""
    ordered = sorted(points, reverse=True)
    first: dict[int, int] = {}
    for index, value in enumerate(ordered):
        first.setdefault(value, index + 1)
    return [first[value] for value in points]


def standings(results: Iterable[Result], adjustments: Mapping[int, int] | None = None) -> list[Place]:
    """The places of a season by the sum of points, best first; whoever was a member on any evening is ranked.

    The rank before is the rank without the newest evening. Adjustments are points by player.
    """
    played: dict[int, list[Result]] = defaultdict(list)
    for result in sorted(results, key=_ORDER):
        played[result.player].append(result)
    newest = max((brought[-1].order for brought in played.values()), default=None)
    earlier = {player: [each for each in brought if each.order != newest] for player, brought in played.items()}
    points, rank = _ranked(played, adjustments or {})
    _, rank_before = _ranked(earlier, adjustments or {})
    places = [
        Place(
            player=player,
            rank=rank.get(player),
            points=points[player],
            deals=sum([each.deals for each in brought]),
            counted=tuple(dict.fromkeys([each.evening for each in brought])),
            rank_before=rank_before.get(player),
        )
        for player, brought in played.items()
    ]
    return sorted(places, key=lambda place: (place.rank is None, -place.points, place.player))


_ORDER = attrgetter("order")


def _ranked(
    played: Mapping[int, Sequence[Result]], adjustments: Mapping[int, int]
) -> tuple[dict[int, int], dict[int, int]]:
    """Everyone's points with the adjustments, and the members' ranks."""
    points = {
        player: sum([each.points * each.weight for each in brought]) + adjustments.get(player, 0)
        for player, brought in played.items()
    }
    members = [player for player, brought in played.items() if any(each.member for each in brought)]
    return points, dict(zip(members, ranks([points[player] for player in members]), strict=True))
