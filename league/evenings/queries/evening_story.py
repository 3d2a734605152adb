"""Highlights of a closed evening: best deal, closest table, biggest jump, slams and handfuls.

Reading all deals of the evening takes a second for two thousand deals, so the result is cached until a table or the
rules change.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.core.cache import cache
from django.db.models import Exists, F, Max, Min, OuterRef, Q, Subquery, TextField
from django.db.models.functions import Cast, JSONArray, JSONObject

from league.evenings.queries.evening_ranking import RankingRow
from league.models import Deal, Evening, Score, Standing, Table
from league.models.evening import EveningQuerySet
from league.models.round import RoundState
from league.seasons.queries.season_game import game_of_season
from players.naming import Names
from scoring import registry
from scoring.remarks import Remark
from scoring.rules.errors import IllegalDeal

MAX_REMARKS: Final = 6  # the rarest
CACHE_SECONDS: Final = 7 * 24 * 3600
CACHE_VERSION: Final = 3  # raised with each change of EveningStory or of its values


class DealLocation(NamedTuple):
    deal: int
    round: int
    table: int
    number: int


class BestDeal(NamedTuple):
    location: DealLocation
    player: int
    points: int


class ClosestTable(NamedTuple):
    """The complete table with the smallest `spread`: the points between first and last."""

    table: int
    round: int
    number: int
    spread: int


class DealRemark(NamedTuple):
    """A remarkable deal; `players` are ids in the order of the engine's seats."""

    location: DealLocation
    remark: Remark
    players: tuple[int, ...]


class RankJump(NamedTuple):
    """The player who gained most ranks in the season's standings by its newest evening."""

    player: int
    name: Names
    places: int
    rank: int


@dataclass(frozen=True)
class EveningStory:
    """The highlights; `more_remarks` counts remarkable deals beyond the limit."""

    best: BestDeal | None = None
    closest: ClosestTable | None = None
    remarks: tuple[DealRemark, ...] = ()
    more_remarks: int = 0


def evening_story(evening: Evening, ranking: Sequence[RankingRow], writes: int) -> EveningStory:
    """Return the highlights, from the cache if nothing changed.

    `writes` is the sum of the versions of the evening's tables.
    """
    key = f"story:{evening.pk}:{_cache_key(evening, ranking, writes)}"
    story = cache.get(key)
    if not isinstance(story, EveningStory):
        story = _read_story(evening)
        cache.set(key, story, CACHE_SECONDS)
    return story


def with_jump(evenings: EveningQuerySet) -> EveningQuerySet:
    """Annotate `jump`, the player who gained most ranks, and `newer`: whether a later evening is closed."""
    season = Evening.objects.closed().filter(season=OuterRef("season"))
    newer = season.filter(Q(date__gt=OuterRef("date")) | Q(date=OuterRef("date"), pk__gt=OuterRef("pk")))
    rows = Standing.objects.filter(season=OuterRef("season"), rank__lt=F("rank_before"))
    rows = rows.filter(worth__has_key=Cast(OuterRef("pk"), TextField()))
    rows = rows.annotate(places=F("rank_before") - F("rank"))
    row = JSONObject(player="player", name="player__names", places="places", rank="rank")
    best = rows.order_by("-places", "rank", "player__sort_key").values(row=row)[:1]
    return evenings.annotate(newer=Exists(newer), jump=Subquery(best))


def jump_of(evening: Any) -> RankJump | None:
    """Return the jump of the season's newest evening; None for any other evening. Fetch the evening by `with_jump`."""
    if not evening.jump or evening.newer:
        return None
    return RankJump(**{**evening.jump, "name": Names(*evening.jump["name"])})


def _cache_key(evening: Evening, ranking: Sequence[RankingRow], writes: int) -> str:
    """The key changes with each deal, seat and house rule."""
    seats = [(row.player, row.points, row.deals) for row in ranking]
    versions = (CACHE_VERSION, writes, evening.state, sorted(evening.house_rules.items(), key=str), seats)
    return sha256(repr(versions).encode()).hexdigest()[:24]


def _read_story(evening: Evening) -> EveningStory:
    game = game_of_season(evening.season)
    rules = registry.rules(evening.season.game)
    best: BestDeal | None = None
    remarks: list[DealRemark] = []
    for row in _deals(evening):
        location = DealLocation(row["pk"], row["table__round__number"], row["table__number"], row["number"])
        players = tuple(player for player, _points in row["given"])
        for player, points in row["given"]:
            if points > (best.points if best else 0):
                best = BestDeal(location, player, points)
        try:
            [deal] = rules.read_earlier(len(players), [row["facts"]])
        except IllegalDeal:  # listed among the sheets
            continue
        remarks += (DealRemark(location, remark, players) for remark in game.remarks.find(deal))
    remarks.sort(key=lambda remark: -remark.remark.weight)
    return EveningStory(best, _closest_table(evening), tuple(remarks[:MAX_REMARKS]), max(len(remarks) - MAX_REMARKS, 0))


def _deals(evening: Evening) -> Iterable[Mapping[str, Any]]:
    """Return the counted deals in order of play, each with (player, points) by seat."""
    scores = Score.objects.filter(deal=OuterRef("pk")).order_by("seat__number")
    pairs = ArraySubquery(scores.values(row=JSONArray("seat__player", "points")))
    deals = Deal.objects.standing().filter(
        table__complete=True, table__round__evening=evening, table__round__state=RoundState.ACCEPTED
    )
    rows = deals.annotate(given=pairs).order_by("table__round__number", "table__number", "number")
    return rows.values("pk", "number", "facts", "table", "table__number", "table__round__number", "given")


def _closest_table(evening: Evening) -> ClosestTable | None:
    """Return the closest of at least two complete tables; tables that handed in only totals count, too."""
    tables = Table.objects.filter(complete=True, round__evening=evening, round__state=RoundState.ACCEPTED)
    spreads = tables.annotate(spread=Max("seats__points") - Min("seats__points"))
    rows = spreads.order_by("spread", "round__number", "number").values_list("pk", "round__number", "number", "spread")
    closest = list(rows[:2])
    return ClosestTable(*closest[0]) if len(closest) > 1 else None
