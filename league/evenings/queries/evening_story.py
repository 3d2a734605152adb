"""Highlights of a closed evening: best deal, closest table, biggest gain of ranks, deals with a remark, such as slams.

The highlights are cached until a table or the rules change, because reading 2,000 deals takes a second.
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

MAX_REMARKS: Final = 6  # the rarest remarks are shown
CACHE_SECONDS: Final = 7 * 24 * 3600
CACHE_VERSION: Final = 4  # raised with each change of EveningHighlights or of its values


class DealLocation(NamedTuple):
    """A deal of an evening: its id (`deal`), and the numbers of its round, its table, and of the deal at the table."""

    deal: int
    round: int
    table: int
    number: int


class BestDeal(NamedTuple):
    """The deal with the most points of one player in an evening. `player` is an id."""

    location: DealLocation
    player: int
    points: int


class ClosestTable(NamedTuple):
    """The complete table with the smallest `spread`: the difference in points between its first and its last player.

    `table` is an id, `number` the table's number.
    """

    table: int
    round: int
    number: int
    spread: int


class DealRemark(NamedTuple):
    """A remark about a deal, such as a slam. `players` are the ids of its players, in the order of the seats."""

    location: DealLocation
    remark: Remark
    players: tuple[int, ...]


class RankGain(NamedTuple):
    """The player who gained the most ranks in the season's standings by the season's newest evening.

    `rank` is the new rank, `player` an id.
    """

    player: int
    name: Names
    ranks_gained: int
    rank: int


@dataclass(frozen=True)
class EveningHighlights:
    """The highlights of a closed evening. `more_remarks` is the number of further remarks, which are not shown."""

    best: BestDeal | None = None
    closest: ClosestTable | None = None
    remarks: tuple[DealRemark, ...] = ()
    more_remarks: int = 0


def read_highlights(evening: Evening, ranking: Sequence[RankingRow], writes: int) -> EveningHighlights:
    """Return the highlights of the evening, from the cache if nothing has changed.

    `writes` is the sum of the versions of the evening's tables: it grows with each write.
    """
    key = f"story:{evening.pk}:{_cache_key(evening, ranking, writes)}"
    story = cache.get(key)
    if not isinstance(story, EveningHighlights):
        story = _compute_highlights(evening)
        cache.set(key, story, CACHE_SECONDS)
    return story


def annotate_rank_gain(evenings: EveningQuerySet) -> EveningQuerySet:
    """Annotate each evening with `rank_gain_json` and `has_newer`, for `read_rank_gain`.

    `rank_gain_json` is the largest gain of ranks (`Standing.rank_before` minus `rank`) of a player who attended the
    evening. The standings store only the gain by the season's newest evening, so the value is valid only if
    `has_newer` is False. `has_newer` is True if a later evening of the season is closed.
    """
    season = Evening.objects.closed().filter(season=OuterRef("season"))
    newer = season.filter(Q(date__gt=OuterRef("date")) | Q(date=OuterRef("date"), pk__gt=OuterRef("pk")))
    rows = Standing.objects.filter(season=OuterRef("season"), rank__lt=F("rank_before"))
    rows = rows.filter(worth__has_key=Cast(OuterRef("pk"), TextField()))
    rows = rows.annotate(ranks_gained=F("rank_before") - F("rank"))
    row = JSONObject(player="player", name="player__names", ranks_gained="ranks_gained", rank="rank")
    best = rows.order_by("-ranks_gained", "rank", "player__sort_key").values(row=row)[:1]
    return evenings.annotate(has_newer=Exists(newer), rank_gain_json=Subquery(best))


def read_rank_gain(evening: Any) -> RankGain | None:
    """Return the biggest gain of ranks if the evening is the season's newest closed evening, else None.

    Fetch the evening by `annotate_rank_gain`.
    """
    if not evening.rank_gain_json or evening.has_newer:
        return None
    return RankGain(**{**evening.rank_gain_json, "name": Names(*evening.rank_gain_json["name"])})


def _cache_key(evening: Evening, ranking: Sequence[RankingRow], writes: int) -> str:
    """Return a key that changes with each write to a deal or a seat and with each change of the house rules."""
    seats = [(row.player, row.points, row.deals) for row in ranking]
    versions = (CACHE_VERSION, writes, evening.state, sorted(evening.house_rules.items(), key=str), seats)
    return sha256(repr(versions).encode()).hexdigest()[:24]


def _compute_highlights(evening: Evening) -> EveningHighlights:
    game = game_of_season(evening.season)
    rules = registry.rules(evening.season.game)
    best: BestDeal | None = None
    remarks: list[DealRemark] = []
    for row in _deals(evening):
        location = DealLocation(row["pk"], row["table__round__number"], row["table__number"], row["number"])
        players = tuple(player for player, _points in row["points_by_seat"])
        for player, points in row["points_by_seat"]:
            if points > (best.points if best else 0):
                best = BestDeal(location, player, points)
        try:
            [deal] = rules.read_earlier(len(players), [row["facts"]])
        except IllegalDeal:  # listed among the sheets
            continue
        remarks += (DealRemark(location, remark, players) for remark in game.remarks.find_remarks(deal))
    remarks.sort(key=lambda remark: -remark.remark.weight)
    return EveningHighlights(
        best, _closest_table(evening), tuple(remarks[:MAX_REMARKS]), max(len(remarks) - MAX_REMARKS, 0)
    )


def _deals(evening: Evening) -> Iterable[Mapping[str, Any]]:
    """Return the counted deals in order of play, as dicts. `points_by_seat` has [player id, points] by seat."""
    scores = Score.objects.filter(deal=OuterRef("pk")).order_by("seat__number")
    pairs = ArraySubquery(scores.values(row=JSONArray("seat__player", "points")))
    deals = Deal.objects.not_voided().filter(
        table__complete=True, table__round__evening=evening, table__round__state=RoundState.ACCEPTED
    )
    rows = deals.annotate(points_by_seat=pairs).order_by("table__round__number", "table__number", "number")
    return rows.values("pk", "number", "facts", "table", "table__number", "table__round__number", "points_by_seat")


def _closest_table(evening: Evening) -> ClosestTable | None:
    """Return the closest of the complete tables, also of tables with totals only.

    Return None if fewer than two tables are complete.
    """
    tables = Table.objects.filter(complete=True, round__evening=evening, round__state=RoundState.ACCEPTED)
    with_spread = tables.annotate(spread=Max("seats__points") - Min("seats__points"))
    rows = with_spread.order_by("spread", "round__number", "number")
    closest = list(rows.values_list("pk", "round__number", "number", "spread")[:2])
    return ClosestTable(*closest[0]) if len(closest) > 1 else None
