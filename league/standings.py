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
    now, before = _Totals(), _Totals()
    deals: dict[int, int] = defaultdict(int)
    evenings: dict[int, dict[tuple[str, int], int]] = defaultdict(dict)
    for player, evening, order, points, played, member, weight in everything:
        deals[player] += played
        evenings[player][order] = evening
        now.add(player, points * weight, member=member)
        if order != newest:
            before.add(player, points * weight, member=member)
    rank, rank_before = now.ranks(adjustments or {}), before.ranks(adjustments or {})
    places = [
        Place(
            player=player,
            rank=rank.get(player),
            points=points,
            deals=deals[player],
            counted=tuple(evening for _, evening in sorted(evenings[player].items())),
            rank_before=rank_before.get(player),
        )
        for player, points in now.points.items()
    ]
    return sorted(places, key=lambda place: (place.rank is None, -place.points, place.player))


class _Totals:
    """Everyone's points, and who was a member."""

    def __init__(self) -> None:
        self.points: dict[int, int] = defaultdict(int)
        self.members: set[int] = set()

    def add(self, player: int, points: int, *, member: bool) -> None:
        self.points[player] += points
        if member:
            self.members.add(player)

    def ranks(self, adjustments: Mapping[int, int]) -> dict[int, int]:
        """The members' ranks, after the adjustments are counted in."""
        for player in self.points:
            self.points[player] += adjustments.get(player, 0)
        ranked = [player for player in self.points if player in self.members]
        return dict(zip(ranked, ranks([self.points[player] for player in ranked]), strict=True))
