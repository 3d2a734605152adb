"""The honours of one or more seasons of a game: records with their holders, podiums, champions, medals."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from django.contrib.postgres.expressions import ArraySubquery
from django.db import connection
from django.db.models import Case, F, OuterRef, QuerySet, Subquery, Sum, When, Window
from django.db.models.functions import JSONObject, Rank, RowNumber

from league.models import Club, ClubGame, Deal, Evening, Season, SeasonRecord, Standing, Table, visible
from league.models.club_game import club_game_id
from league.models.season import SeasonQuerySet, SeasonState
from league.standings.podium import PODIUM_RANKS
from league.statistics.queries.deal_records import DEAL_RECORD_PREFIX, HIGHEST_DEAL, LOWEST_DEAL
from league.statistics.queries.evening_records import BIGGEST_EVENING, CLOSEST_TABLE, RUN_OF_EVENINGS, RUN_OF_WINS, WINS
from league.statistics.queries.record_rows import MAX_HOLDERS
from players.models import Player, RatingStep
from players.models.person import Viewer
from players.naming import Names, nameless
from scoring import registry
from scoring.game import find_game
from scoring.records import NO_RECORDS, Records
from scoring.rules.words import gettext_noop as _

EVENINGS_RECORD: Final = "evenings"
COUNTER_PREFIX: Final = "counter:"  # prefix of the counters that a game defines
# Records of every game, in the order of the page. The game's own records follow, then the closest table.
RECORDS_OF_EVERY_GAME: Final = {
    EVENINGS_RECORD: _("Most evenings"),
    WINS: _("Most evenings won"),
    RUN_OF_EVENINGS: _("Most evenings in a row"),
    RUN_OF_WINS: _("Most wins in a row"),
    BIGGEST_EVENING: _("Best evening"),
    HIGHEST_DEAL: _("Best deal"),
    LOWEST_DEAL: _("Hardest deal"),
}
MAX_MEDAL_ROWS: Final = 10  # players in the table of medals
MAX_SHIELDS: Final = 12  # seasons whose champions have a shield on the page
MAX_HOLDERS_OF_RECORD: Final = 10  # a value shared by more players is no record
LOWEST_VALUE_RECORDS: Final = (LOWEST_DEAL, CLOSEST_TABLE)  # the best value of these records is the smallest
POINTS_RECORDS: Final = (BIGGEST_EVENING, HIGHEST_DEAL, LOWEST_DEAL)  # records whose value is points


class SeasonChampion(NamedTuple):
    season_id: int
    player_id: int
    player: Names


class MedalRow(NamedTuple):
    """The numbers of seasons in which a player has rank 1 (gold), 2 (silver) and 3 (bronze)."""

    player: int
    name: Player
    gold: int
    silver: int
    bronze: int


class RecordHolder(NamedTuple):
    player: int | None  # None if the record belongs to a whole table
    name: Names
    evening: Evening | None = None
    deal: Deal | None = None
    table: Table | None = None
    since: Evening | None = None  # the first evening of a run of evenings


class Record(NamedTuple):
    label: str
    unit: str  # of the value: "number" (a count), "points" (with a sign) or "apart" (a difference of points)
    value: int
    holders: list[RecordHolder]  # earliest first
    others: int = 0  # number of holders that are not listed


BestValues = dict[str, tuple[int, list[RecordHolder], int]]  # by name: value, listed holders, number of other holders


class RatingGain(NamedTuple):
    """The largest gain of rating on one date, in millionths of a rating point."""

    step: RatingStep
    gain: int


def records(game: str, seasons: Collection[int]) -> dict[str, Record]:
    """Return the records of a game over these seasons, by name, in the order of the page."""
    definitions = _record_definitions(game)
    best = _best_values(SeasonRecord.objects.filter(season__in=seasons)).get(game, {})
    counters = [f"{COUNTER_PREFIX}{name}" for name in definitions.counter_record_titles]
    return _convert_records(
        game, _shown_records(definitions, best | _highest_sums(seasons, [EVENINGS_RECORD, WINS, *counters]))
    )


def records_of_months(seasons: Collection[int], first: date, last: date) -> dict[str, dict[str, Record]]:
    """Return the records of evenings from the month `first` to the month `last`, by game and by name of the record.

    `first` and `last` are first days of months. Records that count whole seasons are left out.
    """
    best = _best_values(SeasonRecord.objects.filter(season__in=seasons, month__range=(first, last)))
    return {game: _convert_records(game, _shown_records(_record_definitions(game), best[game])) for game in best}


def _convert_records(game: str, records: dict[str, Record]) -> dict[str, Record]:
    """Return the records with points in the sign on score sheets. One query for a club's own game, else none."""
    pk = club_game_id(game)
    if pk is None or not ClubGame.objects.filter(pk=pk, low_wins=True).exists():
        return records
    return {
        name: record._replace(value=-record.value) if record.unit == "points" else record
        for name, record in records.items()
    }


def _record_definitions(game: str) -> Records:
    return find_game(game).records if game in registry.slugs() else NO_RECORDS  # none in a club's own game


def _shown_records(definitions: Records, best: BestValues) -> dict[str, Record]:
    candidates = {
        name: Record(label, _record_unit(name), *best[name])
        for name, label in _record_labels(definitions).items()
        if name in best
    }
    return {name: record for name, record in candidates.items() if _is_worth_showing(name, record)}


def _is_worth_showing(name: str, record: Record) -> bool:
    """Return whether a page shows the record.

    Pages leave out a count of 1, a record with many holders, a best deal that lost points, and a worst deal that won
    points.
    """
    if len(record.holders) + record.others > MAX_HOLDERS_OF_RECORD or (record.unit == "number" and record.value < 2):
        return False
    return record.value > 0 if name == HIGHEST_DEAL else record.value < 0 if name == LOWEST_DEAL else True


def _record_labels(definitions: Records) -> dict[str, str]:
    of_deals = {f"{DEAL_RECORD_PREFIX}{name}": label for name, label in definitions.deal_record_titles.items()}
    counters = {f"{COUNTER_PREFIX}{name}": label for name, label in definitions.counter_record_titles.items()}
    return {**RECORDS_OF_EVERY_GAME, **of_deals, **counters, CLOSEST_TABLE: _("Closest table")}


def _record_unit(name: str) -> str:
    if name == CLOSEST_TABLE:
        return "apart"
    return "points" if name in POINTS_RECORDS or name.startswith(DEAL_RECORD_PREFIX) else "number"


def _best_values(rows: QuerySet[SeasonRecord, SeasonRecord]) -> dict[str, BestValues]:
    best = Case(When(name__in=LOWEST_VALUE_RECORDS, then=-F("value")), default=F("value")).desc()
    holders_of_row = Case(When(place=1, then=F("shared")), default=0)
    in_order = [best, F("evening__date").asc(), F("evening").asc(), F("season").asc(), F("place").asc()]
    key = ["season__game_key", "name"]
    ranked = (
        rows.exclude(name=WINS)
        .annotate(
            rank=Window(Rank(), partition_by=key, order_by=best),
            number=Window(RowNumber(), partition_by=key, order_by=in_order),
            holders=Window(Sum(holders_of_row), partition_by=[*key, "value"]),
        )
        .filter(rank=1, number__lte=MAX_HOLDERS)
        .select_related("season", "player", "evening", "since", "table__round", "deal")
    )
    groups: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for row in ranked.order_by("name", "number"):
        groups[row.season.game_key, row.name].append(row)
    best_values: dict[str, BestValues] = defaultdict(dict)
    for (game, name), group in groups.items():
        best_values[game][name] = (
            group[0].value,
            [_record_holder(row) for row in group],
            group[0].holders - len(group),
        )
    return best_values


def _record_holder(row: SeasonRecord) -> RecordHolder:
    return RecordHolder(
        row.player_id,
        row.player.names.with_player(row.player.pk) if row.player else nameless(),
        row.evening,
        row.deal,
        row.table,
        row.since,
    )


def _highest_sums(seasons: Collection[int], names: Collection[str]) -> BestValues:
    rows_by_name: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(_HIGHEST_SUMS_SQL, {"seasons": list(seasons), "names": list(names), "named": MAX_HOLDERS})
        for name, *row in cursor.fetchall():
            rows_by_name[name].append(tuple(row))
    return {
        name: (
            int(rows[0][0]),
            [RecordHolder(player, Names(*json.loads(names)).with_player(player)) for *_number, player, names in rows],
            rows[0][1] - len(rows),
        )
        for name, rows in rows_by_name.items()
    }


_HIGHEST_SUMS_SQL: Final = f"""
    WITH counted AS (
        SELECT '{EVENINGS_RECORD}' AS name, player_id, sum(evenings) AS number
        FROM league_standing WHERE season_id = ANY(%(seasons)s) GROUP BY player_id
        UNION ALL
        SELECT name, player_id, sum(value)
        FROM league_seasonrecord
        WHERE season_id = ANY(%(seasons)s) AND name = '{WINS}'
        GROUP BY name, player_id
        UNION ALL
        SELECT asked.name, player_id, sum((counts ->> substr(asked.name, {len(COUNTER_PREFIX) + 1}))::bigint)
        FROM league_playerstatistics, unnest(%(names)s::text[]) AS asked (name)
        WHERE season_id = ANY(%(seasons)s) AND counts ? substr(asked.name, {len(COUNTER_PREFIX) + 1})
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


def podiums(seasons: Iterable[Season]) -> dict[int, list[Standing]]:
    """Return {season id: the standings of the first three ranks, in order of rank}."""
    rows = Standing.objects.filter(season__in=[season.pk for season in seasons], rank__lte=PODIUM_RANKS)
    by_season: dict[int, list[Standing]] = defaultdict(list)
    # The season's evenings are large, and no podium shows them.
    for row in rows.select_related("player").defer("counted", "dropped", "worth", "extras"):
        by_season[row.season_id].append(row)
    return {season: sorted(rows, key=_podium_order) for season, rows in by_season.items()}


def _podium_order(row: Standing) -> tuple[int, str]:
    return row.rank or 0, row.player.sort_key


def medal_table(podiums_by_season: Mapping[int, Sequence[Standing]]) -> list[MedalRow]:
    """Return the ten players with the most medals: first ranks decide, then second, then third ranks.

    `podiums_by_season` is the result of `podiums`.
    """
    players: dict[int, Player] = {}
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for rows in podiums_by_season.values():
        for row in rows:
            players[row.player_id] = row.player
            counts[row.player_id][row.rank or 0] += 1
    medals = [
        MedalRow(pk, players[pk], *(count[rank] for rank in range(1, PODIUM_RANKS + 1))) for pk, count in counts.items()
    ]
    medals.sort(key=lambda row: (-row.gold, -row.silver, -row.bronze, row.name.sort_key))
    return medals[:MAX_MEDAL_ROWS]


def past_champions(season: Season) -> list[tuple[Season, list[SeasonChampion]]]:
    """Return the latest closed seasons of the same club and game with their champions, newest first.

    If `season` is closed, it is one of them.
    """
    closed = Season.objects.without_tournaments().filter(club=season.club_id, state=SeasonState.CLOSED)
    seasons: Any = with_champions(closed.filter(game_key=season.game_key))
    return [(row, champions_of(row)) for row in seasons[:MAX_SHIELDS]]


def with_champions(seasons: SeasonQuerySet) -> SeasonQuerySet:
    """Annotate `first`, which `champions_of` reads: the players with rank 1, if the season is closed."""
    first = Standing.objects.filter(season=OuterRef("pk"), season__state=SeasonState.CLOSED, rank=1)
    row = JSONObject(season_id="season", player_id="player", name="player__names")
    return seasons.annotate(first=ArraySubquery(first.order_by("player__sort_key").values(row=row)))


def champions_of(season: Any) -> list[SeasonChampion]:
    return [
        SeasonChampion(row["season_id"], row["player_id"], Names(*row["name"]).with_player(row["player_id"]))
        for row in season.first
    ]


def largest_rating_gain(game: str, seasons: Collection[int], viewer: Viewer) -> RatingGain | None:
    """Return the largest gain of rating on a date of these seasons that the viewer may see, or None.

    A player's first rated date does not count.
    """
    evenings = Evening.objects.closed().filter(season__in=seasons).order_by()
    steps = visible.rating_steps(viewer).filter(
        game=game,
        player__in=Standing.objects.filter(season__in=seasons).values("player"),
        date__in=evenings.values("date"),
    )
    before = RatingStep.objects.filter(player=OuterRef("player"), game=game, date__lt=OuterRef("date"))
    gains = steps.annotate(gain=F("micro") - Subquery(before.order_by("-date").values("micro")[:1])).filter(gain__gt=0)
    step = gains.select_related("player").order_by("-gain", "date", "player__sort_key").first()
    return None if step is None else RatingGain(step, step.gain)


class HallOfFame(NamedTuple):
    games: Mapping[str, str]  # titles of the games by slug
    game: str  # slug of the selected game; "" if the club has played none
    seasons: list[Season]  # all seasons of the game, for its records
    champions: list[tuple[Season, list[Standing]]]  # of closed seasons, the latest first
    podium: Sequence[Standing]  # the first three ranks of the latest closed season
    medals: list[MedalRow]


def hall_of_fame(club: Club, game: str) -> HallOfFame:
    """Return the honours of a club in a game. If the club has no season of this game, another game is selected."""
    seasons = list(club.seasons.without_tournaments().exclude(state=SeasonState.DRAFT).select_related("club_game"))
    games = {season.game_key: season.game_title for season in sorted(seasons, key=lambda season: season.game_key)}
    if game not in games:
        closed_games = {season.game_key for season in seasons if season.state == SeasonState.CLOSED}
        game = next((slug for slug in games if slug in closed_games), next(iter(games), ""))
    of_game = [season for season in seasons if season.game_key == game]
    closed = [season for season in of_game if season.state == SeasonState.CLOSED]
    rows_by_season = podiums(closed)
    champions = [(season, [row for row in rows_by_season.get(season.pk, ()) if row.rank == 1]) for season in closed]
    latest = rows_by_season.get(closed[0].pk, ()) if closed else ()
    return HallOfFame(games, game, of_game, champions, latest, medal_table(rows_by_season))
