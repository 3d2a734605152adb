"""The arithmetic of rankings and standings. Pure: players and evenings are ids here."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
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
    everything = list(results)
    newest = max((result.order for result in everything), default=None)
    now = _totals(everything, adjustments or {})
    before = _totals([result for result in everything if result.order != newest], adjustments or {})
    rank_before = {place.player: place.rank for place in before}
    return [place._replace(rank_before=rank_before.get(place.player)) for place in now]


def _totals(results: Sequence[Result], adjustments: Mapping[int, int]) -> list[Place]:
    points: dict[int, int] = defaultdict(int)
    deals: dict[int, int] = defaultdict(int)
    evenings: dict[int, dict[tuple[str, int], int]] = defaultdict(dict)
    members: set[int] = set()
    for result in results:
        points[result.player] += result.points * result.weight
        deals[result.player] += result.deals
        evenings[result.player][result.order] = result.evening
        if result.member:
            members.add(result.player)
    for player in points:
        points[player] += adjustments.get(player, 0)
    ranked = [player for player in points if player in members]
    rank = dict(zip(ranked, ranks([points[player] for player in ranked]), strict=True))
    places = [
        Place(
            player=player,
            rank=rank.get(player),
            points=points[player],
            deals=deals[player],
            counted=tuple(evening for _, evening in sorted(evenings[player].items())),
        )
        for player in points
    ]
    return sorted(places, key=lambda place: (place.rank is None, -place.points, place.player))
