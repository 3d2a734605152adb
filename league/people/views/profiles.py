"""A player's page: current seasons, ratings with history, and results by evening."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.db.models.functions import JSONArray
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.evenings.queries.json_rows import json_rows
from league.models import Evening, Seat
from league.models.evening import EveningState
from league.models.round import RoundState
from league.people.queries.known_clubs import known_clubs
from league.people.queries.player_results import (
    evenings_attended,
    results_by_evening,
    season_sum,
    visible_evenings_attended,
)
from league.people.views.achievements import achievements
from league.people.views.season_cards import charted_evening_ids, open_season_standings, season_card
from league.ratings.queries.leaderboard import with_ranks
from league.seasons.queries.player_seasons import player_standings
from league.seasons.queries.season_game import visible_games
from league.statistics.queries.season_choice import chosen_season
from league.tournaments.queries.tournament_results import player_tournament_ranks
from league.web.calendar_chart import year_strip
from league.web.line_chart import Chart, rating_chart
from league.web.lookups import visible_players_or_404
from league.web.page_cache import cached_template, viewer_kind
from league.web.page_etags import conditional_page_of_all_clubs
from players.models import Player, RatingStep
from players.models.person import Viewer
from players.rating import k_factor
from players.rating.expectation import MICRO_POINTS_PER_POINT
from players.rating.reference import START_RATING
from scoring.game import Game

VisibleDates: TypeAlias = Collection[tuple[str, date]] | None  # (game, date) that the viewer may see; None for all

PAGE_SIZE = 10  # evenings per page
LATEST_TOURNAMENTS = 50
# Number of current seasons with a chart of the last evenings, which needs the ranking of each evening.
MAX_SEASON_CHARTS = 3
LATEST_CHANGES = 10  # latest rating changes; the rating history page lists all


@dataclass(frozen=True)
class RatingPanel:
    """A rating on the player's page, with its rank.

    `band` is the uncertainty (±) in micro-points (millionths of a point).
    """

    game: Game
    rating: Any
    band: int
    changes: list[RatingChange]  # the latest changes, newest first
    chart: Chart | None  # None if the viewer may see no date


class PlayedSeason(NamedTuple):
    """A season with an attendance of the player. `game` is the key of the game in ratings."""

    pk: int
    name: str
    game: str
    club: str

    def __str__(self) -> str:
        return self.name


class AttendedEvening(NamedTuple):
    """An evening that the player attended. `season` is an id, `game` the key of its game in ratings."""

    pk: int
    state: str
    date: date
    season: int
    name: str
    game: str
    club: str
    at_table: bool  # False if the player sat out all rounds

    @property
    def played_season(self) -> PlayedSeason:
        return PlayedSeason(self.season, self.name, self.game, self.club)


# The fields of AttendedEvening, without `at_table`.
COLUMNS = (
    "pk",
    "state",
    "date",
    "season",
    "season__name",
    "season__game_key",
    "season__club__name",
)


class RatingAfterDate(NamedTuple):
    """A player's rating after a date, in micro-points (millionths of a point), and the number of rated `tables`.

    `weight` is the weighted number of tables, in thousandths. This is a NamedTuple, because a member of ten years has
    hundreds of them.
    """

    date: date
    micro: int
    weight: int
    tables: int


class RatingChange(NamedTuple):
    """A player's rating after a date, and its change on that date, both in micro-points (millionths of a point)."""

    date: date
    micro: int
    change: int
    tables: int


@conditional_page_of_all_clubs
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player's page.

    Leaderboards link to former members of the viewer's clubs. Their page shows only their results in these clubs.
    """
    [(person, is_member)] = visible_players_or_404(request.user, pk)

    def context() -> dict[str, Any]:
        return _player_context(request, person, is_member=is_member)

    content = cached_template(request, "league/people/_player.html", viewer_kind(request), context)
    return render(request, "league/people/player.html", {"person": person, "content": content})


def _player_context(request: HttpRequest, person: Player, *, is_member: bool) -> dict[str, Any]:
    is_self = person.user_id is not None and person.user_id == request.user.pk
    clubs = known_clubs(person, is_self, request.user)
    if is_self:
        attended = visible_evenings_attended(person, request.user)
    else:
        attended = evenings_attended(person).filter(season__club__in=clubs.visible_ids)
    seats = Seat.objects.filter(player=person, round__evening=OuterRef("pk"), round__state=RoundState.ACCEPTED)
    evenings = [AttendedEvening(*row) for row in attended.values_list(*COLUMNS, Exists(seats))]
    seasons = list(dict.fromkeys(evening.played_season for evening in evenings))
    sees_all_dates = is_self and not clubs.withheld_ids
    dates = None if sees_all_dates else {(evening.game, evening.date) for evening in evenings if evening.at_table}
    season = chosen_season(request, seasons)
    listed_evenings = [evening for evening in evenings if season is None or evening.season == season.pk]
    closed = [evening.pk for evening in listed_evenings if evening.state == EveningState.CLOSED]
    running = [evening.pk for evening in listed_evenings if evening.state != EveningState.CLOSED]
    page = Paginator(closed, PAGE_SIZE if season is None else max(len(closed), 1)).get_page(request.GET.get("page"))
    standings = [] if season else player_standings(person, is_self, clubs)
    current = open_season_standings(standings, [evening.season for evening in evenings])
    pks = {*page.object_list, *(running if page.number == 1 else ())}
    all_results = results_by_evening(
        person, Evening.objects.filter(pk__in=pks | charted_evening_ids(current[:MAX_SEASON_CHARTS]))
    )
    evening_results = [result for result in all_results if result.evening.pk in pks]
    closed_results = [result for result in evening_results if result.is_over]
    games = {played.game for played in seasons}
    today = timezone.localdate()
    closed_evenings = [evening for evening in evenings if evening.state == EveningState.CLOSED]
    return {
        "person": person,
        "is_self": is_self,
        "is_member": is_member,
        "clubs": clubs.player_clubs,
        "visible_clubs": clubs.visible_ids,
        "current": [
            season_card(row, all_results if index < MAX_SEASON_CHARTS else None) for index, row in enumerate(current)
        ],
        "strip": None if season else year_strip(_seated_by_date(closed_evenings), today),
        "achievements": achievements(standings, [evening.date for evening in closed_evenings if evening.at_table]),
        "tournaments": [] if season else list(player_tournament_ranks(person, request.user)[:LATEST_TOURNAMENTS]),
        "panels": rating_panels(person, request.user, dates, today=today) if is_member else [],
        "seasons": seasons,
        "games": list(visible_games(games, request.user).values()),
        "chosen": season,
        "page": page,
        "results": closed_results,
        "running": [result for result in evening_results if not result.is_over],
        "sum": season_sum(person, evening_results[0].evening.season, closed_results)
        if season and evening_results
        else None,
    }


def _seated_by_date(evenings: Iterable[AttendedEvening]) -> dict[date, bool]:
    """Return {date: whether the player sat at a table}."""
    days: dict[date, bool] = {}
    for evening in evenings:
        days[evening.date] = days.get(evening.date, False) or evening.at_table
    return days


def rating_panels(person: Player, viewer: Viewer, dates: VisibleDates, *, today: date) -> list[RatingPanel]:
    """Return the player's ratings with history, as far as the viewer may see them."""
    steps = RatingStep.objects.filter(player=person, game=OuterRef("game")).order_by("date")
    row = json_rows(steps.annotate(row=JSONArray("date", "micro", "weight", "tables")))
    ratings: dict[str, Any] = {
        rating.game: rating for rating in with_ranks(person.ratings.annotate(steps=row), viewer, today=today)
    }
    return [_rating_panel(game, ratings[key], dates) for key, game in visible_games(ratings, viewer).items()]


def _rating_panel(game: Game, rating: Any, dates: VisibleDates) -> RatingPanel:
    steps = [RatingAfterDate(date.fromisoformat(day), *values) for day, *values in rating.steps]
    visible_steps = [step for step in steps if _is_visible(rating.game, step, dates)]
    history = [(step.date, step.micro / MICRO_POINTS_PER_POINT) for step in visible_steps]
    bands = [k_factor.uncertainty(step.weight) / MICRO_POINTS_PER_POINT for step in visible_steps]
    return RatingPanel(
        game=game,
        rating=rating,
        band=k_factor.uncertainty(rating.weight),
        changes=_latest_changes(rating.game, steps, dates),
        chart=rating_chart(history, bands) if history else None,
    )


def _is_visible(game: str, step: RatingAfterDate, dates: VisibleDates) -> bool:
    return dates is None or (game, step.date) in dates


def _latest_changes(game: str, steps: list[RatingAfterDate], dates: VisibleDates) -> list[RatingChange]:
    ratings = [START_RATING, *(step.micro for step in steps)]
    changes = [
        RatingChange(step.date, step.micro, after - before, step.tables)
        for step, (before, after) in zip(steps, pairwise(ratings), strict=True)
        if _is_visible(game, step, dates)
    ]
    return changes[: -LATEST_CHANGES - 1 : -1]
