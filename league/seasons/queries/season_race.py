"""The season race, a chart: the ranks of the best players and of the viewer after each of the last evenings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.core.cache import cache
from django.db.models import F, Func, Q, TextField

from league.models import Evening, Season, Standing, versions
from league.models.season import SeasonQuerySet
from league.models.standing import TOTAL_EXPRESSION
from league.seasons.queries.season_evenings import UnreadableRules, standings_inputs
from league.standings.season_ranking import ranks_after_evenings

MAX_RACERS: Final = 10  # best players in the chart
MAX_RACE_EVENINGS: Final = 20
MAX_RACE_RESULTS: Final = 300_000  # to rank, which takes 0.25 s; for larger seasons the chart has fewer evenings
CACHE_SECONDS: Final = 24 * 60 * 60
CACHE_VERSION: Final = 1

RanksByEvening = list[tuple[int, dict[int, int]]]  # (evening id, rank by player id), oldest evening first


class Racer(NamedTuple):
    standing: Standing
    ranks: Sequence[int | None]  # after each evening of the race
    is_own: bool


class SeasonRace(NamedTuple):
    """The content of the chart: evenings, players with a line, and for each evening all player ids in order of rank."""

    evenings: Sequence[Evening]
    racers: Sequence[Racer]
    orders: Sequence[Sequence[int]]


class _StandingsDigest(Func):
    """A digest of a season's stored standings. It is raw SQL, since building an ORM expression is slow."""

    template = (
        "(SELECT md5(string_agg(standing::text, ',' ORDER BY standing.player_id)) "
        "FROM league_standing standing WHERE standing.season_id = %(expressions)s)"
    )
    output_field = TextField()


def with_standings_digest(seasons: SeasonQuerySet) -> SeasonQuerySet:
    """Annotate `standings_digest`, which changes with each change of the stored standings; None without standings."""
    return seasons.annotate(standings_digest=_StandingsDigest(F("pk")))


def season_race(season: Any, evenings: Sequence[Evening], player: int | None) -> SeasonRace | None:
    """Return the ranks of the best players and of the player with id `player` after each of the last evenings.

    Return None if fewer than two evenings have ranks. `season` must be annotated by `with_standings_digest`; `evenings`
    are its closed evenings. The ranks are cached with ids only; names are read from the standings.
    """
    if not season.standings_digest or not evenings:
        return None
    by_id = {evening.pk: evening for evening in evenings}
    ranks = [(pk, players) for pk, players in _cached_ranks(season, evenings) if players and pk in by_id]
    rows = season.standings.select_related("player").only("rank", "player__names", "season", "player")
    rows = rows.filter(Q(rank__lte=MAX_RACERS) | Q(player=player, rank__isnull=False))
    ordered = list(rows.order_by(F("rank"), TOTAL_EXPRESSION.desc(), "player__sort_key", "pk"))
    if len(ranks) < 2:
        return None
    first_rows = [row for index, row in enumerate(ordered) if index < MAX_RACERS or row.player_id == player]
    last = {row.player_id: index for index, row in enumerate(ordered)}
    return SeasonRace(
        [by_id[pk] for pk, _players in ranks],
        [
            Racer(row, [players.get(row.player_id) for _pk, players in ranks], row.player_id == player)
            for row in first_rows
        ],
        [_order_players(players, last) for _pk, players in ranks],
    )


def _order_players(ranks: Mapping[int, int], last: Mapping[int, int]) -> list[int]:
    """Sort the player ids by rank; equal ranks in the order of the current standings, so that fewer lines cross."""
    return sorted(ranks, key=lambda player: (ranks[player], last.get(player, len(last)), player))


def _cached_ranks(season: Any, evenings: Sequence[Evening]) -> RanksByEvening:
    facts = [(evening.pk, evening.date, evening.weight, evening.season_final) for evening in evenings]
    stamp = repr((CACHE_VERSION, versions.STANDINGS, season.standings_digest, season.standings_rules, facts))
    key = f"race:{season.pk}:{sha256(stamp.encode()).hexdigest()[:24]}"
    ranks: RanksByEvening | None = cache.get(key)
    if ranks is None:
        ranks = _compute_ranks(season)
        cache.set(key, ranks, CACHE_SECONDS)
    return ranks


def _compute_ranks(season: Season) -> RanksByEvening:
    try:
        facts = standings_inputs([season])[season.pk]
    except UnreadableRules:
        return []
    return ranks_after_evenings(*facts, max_evenings=MAX_RACE_EVENINGS, max_results=MAX_RACE_RESULTS)
