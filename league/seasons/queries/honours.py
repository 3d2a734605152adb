"""Who holds the records of some seasons of one game: for a season, a club's hall of fame, or a whole game."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from datetime import date
from typing import Any, Final, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Sum, When, Window
from django.db.models.functions import JSONObject, Rank, RowNumber

from league.models import Deal, Evening, Season, SeasonRecord, Standing, Table, visible
from league.models.season import SeasonQuerySet, SeasonState
from league.statistics.queries.deal_records import FEAT, HIGHEST_DEAL, LOWEST_DEAL
from league.statistics.queries.evening_records import BIGGEST_EVENING, CLOSEST_TABLE, RUN_OF_EVENINGS, RUN_OF_WINS, WINS
from league.statistics.queries.record_rows import NAMED
from players.models import RatingStep
from players.models.person import Reader
from players.naming import Names, nameless
from scoring import registry
from scoring.game import find_game
from scoring.records import NO_RECORDS, Records
from scoring.rules.words import gettext_noop as _

EVENINGS: Final = "evenings"
COUNTER: Final = "counter:"  # before the name of a game's own
# What every game has, in the order of the page; a game's own stand before the closest table.
EVERY_GAME: Final = {
    EVENINGS: _("Most evenings"),
    WINS: _("Most evenings won"),
    RUN_OF_EVENINGS: _("Most evenings in a row"),
    RUN_OF_WINS: _("Most wins in a row"),
    BIGGEST_EVENING: _("Best evening"),
    HIGHEST_DEAL: _("Best deal"),
    LOWEST_DEAL: _("Hardest deal"),
}
COMMON: Final = 10  # more who share it make it no record
LOWEST: Final = (LOWEST_DEAL, CLOSEST_TABLE)  # of which the least is the record
OF_POINTS: Final = (BIGGEST_EVENING, HIGHEST_DEAL, LOWEST_DEAL)  # others count evenings, deals or wins


class SeasonChampion(NamedTuple):
    """The first of a closed season, or one of them."""

    season_id: int
    player_id: int
    player: Names


class Holder(NamedTuple):
    """Who holds a record, if it is one's; and where it was, with the evening at which a run began."""

    player: int | None
    name: Names
    evening: Evening | None = None
    deal: Deal | None = None
    table: Table | None = None
    since: Evening | None = None


class Record(NamedTuple):
    """The best there is, and who holds it, the earliest first; `others` hold it too and are not named.

    `unit` says how the value is written: a "number", "points" with their sign, or how far "apart".
    """

    label: str
    unit: str
    value: int
    holders: list[Holder]
    others: int = 0


Found = dict[str, tuple[int, list[Holder], int]]  # by name: value, holders, how many more


class RatingGain(NamedTuple):
    """The largest gain of a rating in one evening, in micro-points."""

    step: RatingStep
    gain: int


def records(game: str, seasons: Collection[int]) -> dict[str, Record]:
    """Return the records of seasons, by their ids, of one game, by name in the order of the page; two queries."""
    own = _of_game(game)
    found = _best(SeasonRecord.objects.filter(season__in=seasons)).get(game, {})
    return _told(own, found | _sums(seasons, [EVENINGS, WINS, *(f"{COUNTER}{name}" for name in own.of_counters)]))


def records_of_months(seasons: Collection[int], first: date, last: date) -> dict[str, dict[str, Record]]:
    """Return the records of what was played from a month to another, by their first days, by game; one query.

    What is counted of seasons as a whole is not among them.
    """
    found = _best(SeasonRecord.objects.filter(season__in=seasons, month__range=(first, last)))
    return {game: _told(_of_game(game), found[game]) for game in registry.slugs() if game in found}


def _of_game(game: str) -> Records:
    return find_game(game).records if game in registry.slugs() else NO_RECORDS


def _told(own: Records, found: Found) -> dict[str, Record]:
    told = {name: Record(label, _unit(name), *found[name]) for name, label in _labels(own).items() if name in found}
    return {name: record for name, record in told.items() if _is_record(name, record)}


def _is_record(name: str, record: Record) -> bool:
    """Return whether it is one: more than once what anybody does, and not shared by everybody.

    A best deal won something, and the hardest one lost.
    """
    if len(record.holders) + record.others > COMMON or (record.unit == "number" and record.value < 2):
        return False
    return record.value > 0 if name == HIGHEST_DEAL else record.value < 0 if name == LOWEST_DEAL else True


def _labels(own: Records) -> dict[str, str]:
    feats = {f"{FEAT}{name}": label for name, label in own.of_deals.items()}
    counters = {f"{COUNTER}{name}": label for name, label in own.of_counters.items()}
    return {**EVERY_GAME, **feats, **counters, CLOSEST_TABLE: _("Closest table")}


def _unit(name: str) -> str:
    if name == CLOSEST_TABLE:
        return "apart"
    return "points" if name in OF_POINTS or name.startswith(FEAT) else "number"


def _best(rows: QuerySet[SeasonRecord, SeasonRecord]) -> dict[str, Found]:
    """Return the best of what each month had, by game and name: value, holders, and how many more hold it."""
    best = Case(When(name__in=LOWEST, then=-F("value")), default=F("value")).desc()
    held = Case(When(place=1, then=F("shared")), default=0)
    in_order = [best, F("evening__date").asc(), F("evening").asc(), F("season").asc(), F("place").asc()]
    each = ["season__game", "name"]
    ranked = (
        rows.exclude(name=WINS)
        .annotate(
            rank=Window(Rank(), partition_by=each, order_by=best),
            number=Window(RowNumber(), partition_by=each, order_by=in_order),
            holders=Window(Sum(held), partition_by=[*each, "value"]),
        )
        .filter(rank=1, number__lte=NAMED)
        .select_related("season", "player", "evening", "since", "table__round", "deal")
    )
    groups: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in ranked.order_by("name", "number"):
        groups[row.season.game, row.name].append(row)
    found: dict[str, Found] = defaultdict(dict)
    for (game, name), some in groups.items():
        found[game][name] = (some[0].value, [_holder(row) for row in some], some[0].holders - len(some))
    return found


def _holder(row: SeasonRecord) -> Holder:
    return Holder(
        row.player_id,
        row.player.names.of(row.player.pk) if row.player else nameless(),
        row.evening,
        row.deal,
        row.table,
        row.since,
    )


def _sums(seasons: Collection[int], names: Collection[str]) -> Found:
    """Return who has most of what is added up over seasons, by name."""
    given: dict[str, Any] = {
        "seasons": list(seasons),
        "names": list(names),
        "named": NAMED,
    }
    found: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_MOST, {**given, "named": NAMED})
        for name, *row in cursor.fetchall():
            found[name].append(tuple(row))
    return {
        name: (
            int(rows[0][0]),
            [Holder(player, Names(*json.loads(names)).of(player)) for *_number, player, names in rows],
            rows[0][1] - len(rows),
        )
        for name, rows in found.items()
    }


_MOST: Final = f"""
    WITH counted AS (
        SELECT '{EVENINGS}' AS name, player_id, sum(evenings) AS number
        FROM league_standing WHERE season_id = ANY(%(seasons)s) GROUP BY player_id
        UNION ALL
        SELECT name, player_id, sum(value)
        FROM league_seasonrecord
        WHERE season_id = ANY(%(seasons)s) AND name = '{WINS}'
        GROUP BY name, player_id
        UNION ALL
        SELECT asked.name, player_id, sum((counts ->> substr(asked.name, {len(COUNTER) + 1}))::bigint)
        FROM league_playerstatistics, unnest(%(names)s::text[]) AS asked (name)
        WHERE season_id = ANY(%(seasons)s) AND counts ? substr(asked.name, {len(COUNTER) + 1})
        GROUP BY asked.name, player_id
    ), most AS (
        SELECT *, rank() OVER (PARTITION BY name ORDER BY number DESC) AS rank,
            count(*) OVER (PARTITION BY name, number) AS shared
        FROM counted WHERE number > 0 AND name = ANY(%(names)s)
    ), named AS (
        SELECT most.*, names, row_number() OVER (PARTITION BY name ORDER BY sort_key, player_id) AS place
        FROM most JOIN players_player ON id = player_id WHERE rank = 1
    )
    SELECT name, number, shared, player_id, names FROM named WHERE place <= %(named)s ORDER BY name, place
"""  # noqa: S608


def champions(seasons: Iterable[Season]) -> dict[int, list[Standing]]:
    """Return the first of each of these seasons by its id, one or more; one query."""
    rows = Standing.objects.filter(season__in=[season.pk for season in seasons], rank=1).select_related("player")
    found: dict[int, list[Standing]] = defaultdict(list)
    for row in rows.order_by("season", "player__sort_key"):
        found[row.season_id].append(row)
    return found


def with_champions(seasons: SeasonQuerySet) -> SeasonQuerySet:
    """Annotate seasons with the first of each that is closed, for `champions_of`."""
    first = Standing.objects.filter(season=OuterRef("pk"), season__state=SeasonState.CLOSED, rank=1)
    row = JSONObject(season_id="season", player_id="player", name="player__names")
    return seasons.annotate(first=ArraySubquery(first.order_by("player__sort_key").values(row=row)))


def champions_of(season: Any) -> list[SeasonChampion]:
    """Return the first of a season that was fetched `with_champions`; none while it is not closed."""
    return [
        SeasonChampion(each["season_id"], each["player_id"], Names(*each["name"]).of(each["player_id"]))
        for each in season.first
    ]


def biggest_jump(game: str, seasons: Collection[int], reader: Reader) -> RatingGain | None:
    """Return who gained most in rating on one of the seasons' dates, of those whom the reader may see; one query.

    Where somebody was rated first there is nothing to gain from.
    """
    evenings = Evening.objects.closed().filter(season__in=seasons).order_by()
    steps = visible.rating_steps(reader).filter(
        game=game,
        player__in=Standing.objects.filter(season__in=seasons).values("player"),
        date__in=evenings.values("date"),
    )
    before = RatingStep.objects.filter(player=OuterRef("player"), game=game, date__lt=OuterRef("date"))
    gains = steps.annotate(gain=F("micro") - Subquery(before.order_by("-date").values("micro")[:1])).filter(gain__gt=0)
    step = gains.select_related("player").order_by("-gain", "date", "player__sort_key").first()
    return None if step is None else RatingGain(step, step.gain)
