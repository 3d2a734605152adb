from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Field, Query, Router, Schema

from league.api.authentication import ApiRequest
from league.api.paging import PageOfItems, PageParameters, page_of
from league.api.people import PlayerOut
from league.models import Evening, Season, TournamentRank, visible
from league.people.queries.known_clubs import known_clubs
from league.people.queries.player_results import (
    EveningResult,
    results_by_evening,
    visible_evenings,
    visible_evenings_attended,
)
from league.ratings.queries.leaderboard import with_ranks
from league.ratings.queries.rating_steps import visible_steps
from league.seasons.queries.player_seasons import open_season_standings
from league.seasons.queries.season_game import visible_games
from league.seasons.queries.unranked_reason import unranked_reason
from league.statistics.queries.player_statistics import (
    MeanValue,
    ShareValue,
    counts_of_all_players,
    deal_counts,
    evaluate_sections,
)
from league.statistics.queries.tables_played import (
    MIN_SHARED_TABLES,
    SharedTables,
    table_statistics,
)
from league.tournaments.queries.tournament_results import player_tournament_ranks
from league.web.game import game_or_404
from players.models import Player, Rating
from players.rating import k_factor
from players.rating.expectation import MICRO_POINTS_PER_POINT
from scoring.game import Game

router = Router(tags=["players"])


class SeasonRankOut(Schema):
    """A player's rank in an open season. `unranked` is the reason why the player has no rank, or "".

    `rank_before` is the rank before the season's last evening.
    """

    season: int
    name: str
    rank: int | None
    rank_before: int | None
    unranked: str


class RatingOut(Schema):
    """A player's rating in one game, in points. `band` is its uncertainty (±) in points.

    The rank is counted among the players whom the user may see.
    """

    game: str
    rating: float = Field(validation_alias="points")
    band: float
    rank: int | None
    tables: int
    provisional: bool
    last_date: date

    @staticmethod
    def resolve_band(rating: Rating) -> float:
        return k_factor.uncertainty(rating.weight) / MICRO_POINTS_PER_POINT


class PlayerDetailOut(Schema):
    """A player with clubs (slugs), ranks in open seasons, and ratings.

    Players who have left all clubs that the user may see have no ratings here.
    """

    id: int
    name: str
    clubs: list[str]
    places: list[SeasonRankOut]
    ratings: list[RatingOut]
    page: str


class PlayedTableOut(Schema):
    """A table of the player, with the player's points and number of deals. `round` is the number of the round."""

    table: int
    round: int
    points: int
    deals: int


class ResultOut(Schema):
    """A player's evening: `rank` among `ranked` players, and the player's tables. `counts` is true once the evening
    is closed. `points` are the player's points of the evening times its factor (`counts_times` of `EveningOut`).
    """

    evening: int = Field(validation_alias="evening.pk")
    season: int = Field(validation_alias="evening.season_id")
    date: date
    rank: int | None
    ranked: int
    points: int
    counts: bool = Field(validation_alias="is_over")
    tables: list[PlayedTableOut]

    @staticmethod
    def resolve_date(result: EveningResult) -> object:
        return result.evening.date

    @staticmethod
    def resolve_rank(result: EveningResult) -> int | None:
        return result.ranking_row.rank if result.ranking_row else None


class TournamentResultOut(Schema):
    """A rank in a finished tournament, of the player or of the player's unit (pair or team).

    `competitors` is the number of ranked units or players. `score` is the value by which the tournament ranks
    (`ranked_by`).
    """

    tournament: int = Field(validation_alias="tournament_id")
    name: str = Field(validation_alias="tournament.name")
    date: date
    club: str = Field(validation_alias="tournament.club.slug")
    unit: str = Field(validation_alias="unit.title")
    rank: int
    competitors: int
    ranked_by: str = Field(validation_alias="tournament.ranked_by")
    score: float

    @staticmethod
    def resolve_date(result: TournamentRank) -> object:
        return result.tournament.date


class RatingStepOut(Schema):
    """A rating after a date, and its change on that date, in points.

    `tables` is the number of the player's rated tables up to that date.
    """

    date: date
    rating: float
    change: float
    tables: int


class StatisticOut(Schema):
    """A statistic of a player.

    `number` is the number of deals or tables. `average` is the same statistic of all players of these seasons.
    """

    label: str
    value: float
    number: int
    average: float | None


class SectionOut(Schema):
    """Statistics under one heading."""

    title: str
    statistics: list[StatisticOut]


class SharedTablesOut(Schema):
    """The tables that a player shared with one other player.

    `before` and `behind` are numbers of tables: with more, or fewer, points than the other player. `points` are the
    player's points at these tables, `difference` is the player's points minus the other player's.
    """

    player: PlayerOut
    tables: int
    before: int
    behind: int
    points: int
    difference: int

    @staticmethod
    def resolve_before(shared: SharedTables) -> int:
        return shared.ahead

    @staticmethod
    def resolve_player(shared: SharedTables) -> Player:
        return Player(pk=shared.player, names=shared.name)


class StatisticsOut(Schema):
    """A player's statistics in a game.

    `longest_run` and `current_run` are numbers of consecutively won tables; the current run ends with the last table.
    `opponents` and `partners` have only players with at least `least_shared` common tables. `nemesis` is the opponent
    who most often had the better rank, relative to the number of common tables.
    """

    deals: int
    points: int
    best_deal: int | None
    worst_deal: int | None
    sections: list[SectionOut]
    tables: int
    tables_won: int
    longest_run: int
    current_run: int
    least_shared: int
    opponents: list[SharedTablesOut]
    partners: list[SharedTablesOut]
    nemesis: PlayerOut | None


class ResultsParameters(PageParameters):
    """`season` is the id of a season; the default is all seasons."""

    season: int | None = Field(None, ge=1)


class SeasonParameter(Schema):
    """`season` is the id of a season; the default is all seasons."""

    season: int | None = Field(None, ge=1)


def _visible_player(request: ApiRequest, pk: int) -> tuple[Player, bool]:
    """Return the player, and whether the user may see the player outside of results.

    Results also name players who have left the club. Raise Http404 if the user may not see the player at all.
    """
    visible_player = visible.players(request.auth).filter(pk=pk).first()
    if visible_player is not None:
        return visible_player, True
    return get_object_or_404(visible.players_in_results(request.auth), pk=pk), False


@router.get(
    "/players/{int:player_id}",
    response=PlayerDetailOut,
    summary=_("A player’s clubs, current places and ratings"),
    url_name="player",
)
def player(request: ApiRequest, player_id: int) -> dict[str, Any]:
    person, is_known = _visible_player(request, player_id)
    is_own = person.user_id is not None and person.user_id == request.auth.pk
    ratings = with_ranks(person.ratings.order_by("game"), request.auth, today=timezone.localdate()) if is_known else []
    games = visible_games([rating.game for rating in ratings], request.auth)
    clubs = known_clubs(person, is_own, request.auth)
    return {
        "id": person.pk,
        "name": str(person),
        "clubs": [club.slug for club in clubs.player_clubs],
        "places": [
            {
                "season": row.season_id,
                "name": str(row.season),
                "rank": row.rank,
                "rank_before": row.rank_before,
                "unranked": unranked_reason(row),
            }
            for row in open_season_standings(person, is_own, clubs)
        ],
        "ratings": [rating for rating in ratings if rating.game in games],
        "page": f"/players/{person.pk}/",
    }


@router.get(
    "/players/{int:player_id}/results",
    response=PageOfItems[ResultOut],
    summary=_("A player’s results, evening by evening, the latest first"),
    url_name="player-results",
)
def player_results(request: ApiRequest, player_id: int, parameters: Query[ResultsParameters]) -> dict[str, Any]:
    person, _is_known = _visible_player(request, player_id)
    evenings = visible_evenings_attended(person, request.auth)
    if parameters.season is not None:
        evenings = evenings.filter(season=parameters.season)
    page = page_of(request, evenings.values_list("pk", flat=True), parameters, int)
    return {**page, "items": results_by_evening(person, Evening.objects.filter(pk__in=page["items"]))}


@router.get(
    "/players/{int:player_id}/tournaments",
    response=PageOfItems[TournamentResultOut],
    summary=_("A player’s ranks in finished tournaments, the latest first"),
    url_name="player-tournaments",
)
def player_tournaments(request: ApiRequest, player_id: int, parameters: Query[PageParameters]) -> dict[str, Any]:
    person, _is_known = _visible_player(request, player_id)
    return page_of(request, player_tournament_ranks(person, request.auth), parameters)


@router.get(
    "/players/{int:player_id}/ratings/{slug:game}",
    response=PageOfItems[RatingStepOut],
    summary=_("A player’s rating after each date, the latest first"),
    url_name="player-ratings",
)
def player_ratings(request: ApiRequest, player_id: int, game: str, parameters: Query[PageParameters]) -> dict[str, Any]:
    person = get_object_or_404(visible.players(request.auth), pk=player_id)
    steps = visible_steps(person, game_or_404(game, request.auth).slug, request.auth)
    return page_of(request, steps.order_by("-date"), parameters, _rating_step_fields)


def _rating_step_fields(step: Any) -> dict[str, Any]:
    return {
        "date": step.date,
        "rating": step.points,
        "change": step.change / MICRO_POINTS_PER_POINT,
        "tables": step.tables,
    }


@router.get(
    "/players/{int:player_id}/statistics/{slug:game}",
    response=StatisticsOut,
    summary=_("What a player did in a game’s deals and tables, beside everybody"),
    url_name="player-statistics",
)
def player_statistics(
    request: ApiRequest, player_id: int, game: str, parameters: Query[SeasonParameter]
) -> dict[str, Any]:
    played = game_or_404(game, request.auth)
    person, _is_known = _visible_player(request, player_id)
    played_seasons = visible_evenings(person, request.auth).filter(season__game_key=game).order_by().values("season")
    seasons = Season.objects.filter(pk__in=played_seasons)
    selected = list(seasons if parameters.season is None else seasons.filter(pk=parameters.season))
    counters = deal_counts(person, selected)
    tables, run, against, with_partners, worst = table_statistics(person, selected, played.slug)
    visible_sections = (
        evaluate_sections(played.statistics.sections, counters.counts, counts_of_all_players(selected))
        if counters
        else []
    )
    return {
        "deals": counters.counts["deals"] if counters else 0,
        "points": counters.counts["points"] if counters else 0,
        "best_deal": counters.best.deal if counters else None,
        "worst_deal": counters.worst.deal if counters else None,
        "sections": [
            {
                "title": str(section.title),
                "statistics": [_statistic_fields(statistic) for statistic in section.statistics],
            }
            for section in visible_sections
        ],
        "tables": len(tables),
        "tables_won": tables.won,
        "longest_run": run.longest,
        "current_run": run.current,
        "least_shared": MIN_SHARED_TABLES,
        "opponents": [_convert_shared_tables(opponent, played) for opponent in against],
        "partners": [_convert_shared_tables(partner, played) for partner in with_partners],
        "nemesis": Player(pk=worst.player, names=worst.name) if worst else None,
    }


def _statistic_fields(statistic: ShareValue | MeanValue) -> dict[str, Any]:
    return {
        "label": str(statistic.label),
        "value": float(statistic.share if isinstance(statistic, ShareValue) else statistic.mean),
        "number": statistic.total if isinstance(statistic, ShareValue) else statistic.number,
        "average": None if statistic.average is None else float(statistic.average),
    }


def _convert_shared_tables(shared: SharedTables, game: Game) -> SharedTables:
    """Return the comparison with points as on score sheets: with the opposite sign if the lowest total wins."""
    return replace(shared, points=game.convert_points(shared.points), difference=game.convert_points(shared.difference))
