"""What was remarkable about a closed evening: its best deal, its closest table, who jumped, slams and handfuls.

Every deal of the evening is read for it, which takes a second where two thousand play: what was found is kept in the
cache until something of the evening changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.core.cache import cache
from django.db.models import Exists, F, OuterRef, Q, Subquery, TextField
from django.db.models.functions import Cast, JSONArray, JSONObject

from league.evenings.queries.evening_ranking import Ranked
from league.models import Deal, Evening, Score, Standing
from league.models.evening import EveningQuerySet
from league.models.round import RoundState
from players.naming import Names
from scoring import registry
from scoring.game import find_game
from scoring.remarks import Remark
from scoring.rules.errors import IllegalDeal

REMARKS: Final = 6  # at most so many are told, the rarest first
KEPT: Final = 7 * 24 * 3600  # seconds
WAY: Final = 1  # one more when something else is found or kept


class Where(NamedTuple):
    """A deal, by where it was played."""

    deal: int
    round: int
    table: int
    number: int


class BestDeal(NamedTuple):
    """The deal that gave somebody most; the player by his id."""

    where: Where
    player: int
    points: int


class ClosestTable(NamedTuple):
    """The complete table at which the first and the last were the least apart, by as many points."""

    table: int
    round: int
    number: int
    spread: int


class ToldRemark(NamedTuple):
    """What a deal's game finds remarkable; `players` are those who played it, by their ids, in the engine's order."""

    where: Where
    remark: Remark
    players: tuple[int, ...]


class Jump(NamedTuple):
    """Who won most places in the season by its newest evening."""

    player: int
    name: Names
    places: int
    rank: int


@dataclass(frozen=True)
class EveningStory:
    """What was found; `others` is how many remarkable deals are left out."""

    best: BestDeal | None = None
    closest: ClosestTable | None = None
    remarks: tuple[ToldRemark, ...] = ()
    others: int = 0


def evening_story(evening: Evening, ranking: Sequence[Ranked], written: int) -> EveningStory:
    """Return the story: one query, or none while it is kept. `written` says how often its tables were."""
    key = f"story:{evening.pk}:{_stamp(evening, ranking, written)}"
    found = cache.get(key)
    if not isinstance(found, EveningStory):
        found = _told(evening)
        cache.set(key, found, KEPT)
    return found


def with_jump(evenings: EveningQuerySet) -> EveningQuerySet:
    """Annotate who won most places by the evening as `jump`, None unless it is the newest of its season."""
    season = Evening.objects.closed().filter(season=OuterRef("season"))
    newer = season.filter(Q(date__gt=OuterRef("date")) | Q(date=OuterRef("date"), pk__gt=OuterRef("pk")))
    rows = Standing.objects.filter(season=OuterRef("season"), rank__lt=F("rank_before"))
    came = rows.filter(worth__has_key=Cast(OuterRef("pk"), TextField())).annotate(places=F("rank_before") - F("rank"))
    row = JSONObject(player="player", name="player__names", places="places", rank="rank")
    best = came.order_by("-places", "rank", "player__sort_key").values(row=row)[:1]
    return evenings.annotate(newer=Exists(newer), jump=Subquery(best))


def jump_of(evening: Any) -> Jump | None:
    """Return who won most places by an evening that was fetched `with_jump`."""
    if not evening.jump or evening.newer:
        return None
    return Jump(**{**evening.jump, "name": Names(*evening.jump["name"])})


def _stamp(evening: Evening, ranking: Sequence[Ranked], written: int) -> str:
    """Return a text that is another one when a deal, a seat or the rules changed."""
    seats = [(place.player, place.points, place.deals) for place in ranking]
    told = (WAY, written, evening.state, sorted(evening.house_rules.items(), key=str), seats)
    return sha256(repr(told).encode()).hexdigest()[:24]


def _told(evening: Evening) -> EveningStory:
    game = find_game(evening.season.game)
    rules = registry.rules(evening.season.game)
    best: BestDeal | None = None
    remarks: list[ToldRemark] = []
    tables: dict[tuple[int, int, int], dict[int, int]] = {}
    for row in _deals(evening):
        where = Where(row["pk"], row["table__round__number"], row["table__number"], row["number"])
        players = tuple(player for player, _points in row["given"])
        totals = tables.setdefault((row["table"], where.round, where.table), {})
        for player, points in row["given"]:
            totals[player] = totals.get(player, 0) + points
            if points > (best.points if best else 0):
                best = BestDeal(where, player, points)
        try:
            [deal] = rules.read_earlier(len(players), [row["facts"]])
        except IllegalDeal:  # the list of sheets tells of it
            continue
        remarks += (ToldRemark(where, remark, players) for remark in game.remarks.find(deal))
    remarks.sort(key=lambda told: -told.remark.weight)
    return EveningStory(best, _closest(tables), tuple(remarks[:REMARKS]), max(len(remarks) - REMARKS, 0))


def _deals(evening: Evening) -> Iterable[Mapping[str, Any]]:
    """Return the counted deals in the order of play, each with what it has `given`: player and points by seat."""
    scores = Score.objects.filter(deal=OuterRef("pk")).order_by("seat__number")
    pairs = ArraySubquery(scores.values(row=JSONArray("seat__player", "points")))
    deals = Deal.objects.standing().filter(
        table__complete=True, table__round__evening=evening, table__round__state=RoundState.ACCEPTED
    )
    rows = deals.annotate(given=pairs).order_by("table__round__number", "table__number", "number")
    return rows.values("pk", "number", "facts", "table", "table__number", "table__round__number", "given")


def _closest(tables: Mapping[tuple[int, int, int], Mapping[int, int]]) -> ClosestTable | None:
    apart = {key: max(totals.values()) - min(totals.values()) for key, totals in tables.items() if totals}
    if len(apart) < 2:
        return None
    (table, round_, number), spread = min(apart.items(), key=lambda each: each[1])
    return ClosestTable(table, round_, number, spread)
