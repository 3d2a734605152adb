"""A player's page: ratings with their history, and results by evening."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.db.models.functions import JSONArray
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.evenings.queries.json_rows import json_rows
from league.models import Evening, Seat, Standing
from league.models.evening import EveningState
from league.models.round import RoundState
from league.people.queries.known_clubs import clubs_of
from league.people.queries.player_results import evenings_attended, evenings_attended_of, results, season_sum
from league.ratings.queries.leaderboard import with_ranks
from league.seasons.queries.current_standings import current_standings
from league.seasons.queries.unranked import unranked
from league.statistics.queries.season_choice import chosen_season
from league.web.board_tags import board_of_all
from league.web.finding import players_seen
from league.web.line_chart import Chart, chart
from league.web.marks import arrow
from players.models import Player, RatingStep
from players.rating import k_factor
from players.rating.expectation import POINT
from players.rating.reference import START
from scoring import registry
from scoring.game import Game, find_game

if TYPE_CHECKING:
    from players.models.person import Reader

Dates: TypeAlias = Collection[tuple[str, date]] | None  # games and dates that the reader may know of; None for all

PAGE = 10  # evenings
MOVES = 10  # dates with their changes; the page of every change has the others


@dataclass(frozen=True)
class RatingPanel:
    """A game's rating as the page shows it, with its rank; `band` is in micro-points."""

    game: Game
    rating: Any
    band: int
    moves: list[RatingChange]  # the latest, newest first
    chart: Chart | None  # None where the reader may know of no date


class PlayedSeason(NamedTuple):
    """A season in which the player sat, for the form that chooses one."""

    pk: int
    name: str
    game: str
    club: str

    def __str__(self) -> str:
        return self.name


class SatEvening(NamedTuple):
    """An evening at which the player sat or rested, with its season's id, name and game and its club's name."""

    pk: int
    state: str
    date: date
    season: int
    name: str
    game: str
    club: str
    at_table: bool  # rather than resting in all rounds

    @property
    def of_season(self) -> PlayedSeason:
        """Its season."""
        return PlayedSeason(self.season, self.name, self.game, self.club)


COLUMNS = ("pk", "state", "date", "season", "season__name", "season__game", "season__club__name")  # of a SatEvening


class KnownStep(NamedTuple):
    """A rating after a date; a member of ten years has hundreds."""

    date: date
    micro: int
    weight: int
    tables: int


class RatingChange(NamedTuple):
    """A rating after a date, and what that date changed, in micro-points."""

    date: date
    micro: int
    change: int
    tables: int


class CurrentPlace(NamedTuple):
    """Where the player stands in a season that is going on; `unranked` says why there is no rank."""

    standing: Standing
    moved: str  # an arrow, with its words
    unranked: str


@board_of_all
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Whatever the reader may see of a player; of one who left his clubs the results there, which boards lead to."""
    [(person, known)] = players_seen(request.user, pk)
    own = person.user_id is not None and person.user_id == request.user.pk
    clubs = clubs_of(person, own, request.user)
    if own:
        there = evenings_attended_of(person, request.user)
    else:
        there = evenings_attended(person).filter(season__club__in=clubs.seen)
    seats = Seat.objects.filter(player=person, round__evening=OuterRef("pk"), round__state=RoundState.ACCEPTED)
    sat = [SatEvening(*row) for row in there.values_list(*COLUMNS, Exists(seats))]
    seasons = list(dict.fromkeys(each.of_season for each in sat))
    dates = None if own and not clubs.withheld else {(each.game, each.date) for each in sat if each.at_table}
    chosen = chosen_season(request, seasons)
    shown = [each for each in sat if chosen is None or each.season == chosen.pk]
    over = [each.pk for each in shown if each.state == EveningState.CLOSED]
    running = [each.pk for each in shown if each.state != EveningState.CLOSED]
    page = Paginator(over, PAGE if chosen is None else max(len(over), 1)).get_page(request.GET.get("page"))
    asked = [*page.object_list, *(running if page.number == 1 else ())]
    found = results(person, Evening.objects.filter(pk__in=asked))
    closed = [result for result in found if result.is_over]
    games = {season.game for season in seasons}
    context = {
        "person": person,
        "own": own,
        "known": known,
        "clubs": clubs.of_player,
        "seen": clubs.seen,
        "current": []
        if chosen
        else [
            CurrentPlace(row, arrow(row.rank, row.rank_before), unranked(row))
            for row in current_standings(person, own, clubs)
        ],
        "panels": rating_panels(person, request.user, dates, today=timezone.localdate()) if known else [],
        "seasons": seasons,
        "games": [find_game(slug) for slug in registry.slugs() if slug in games],
        "chosen": chosen,
        "page": page,
        "results": closed,
        "running": [result for result in found if not result.is_over],
        "sum": season_sum(person, found[0].evening.season, closed) if chosen and found else None,
    }
    return render(request, "league/people/player.html", context)


def rating_panels(person: Player, reader: Reader, dates: Dates, *, today: date) -> list[RatingPanel]:
    """Return the player's rated games, in menu order, each with its history; one query."""
    steps = RatingStep.objects.filter(player=person, game=OuterRef("game")).order_by("date")
    row = json_rows(steps.annotate(row=JSONArray("date", "micro", "weight", "tables")))
    ratings: dict[str, Any] = {
        rating.game: rating for rating in with_ranks(person.ratings.annotate(steps=row), reader, today=today)
    }
    return [_panel(ratings[slug], dates) for slug in registry.slugs() if slug in ratings]


def _panel(rating: Any, dates: Dates) -> RatingPanel:
    steps = [KnownStep(date.fromisoformat(on), *rest) for on, *rest in rating.steps]
    told = [step for step in steps if _is_told(rating.game, step, dates)]
    history = [(step.date, step.micro / POINT) for step in told]
    bands = [k_factor.band(step.weight) / POINT for step in told]
    return RatingPanel(
        game=find_game(rating.game),
        rating=rating,
        band=k_factor.band(rating.weight),
        moves=_moves(rating.game, steps, dates),
        chart=chart(history, bands) if history else None,
    )


def _is_told(game: str, step: KnownStep, dates: Dates) -> bool:
    return dates is None or (game, step.date) in dates


def _moves(game: str, steps: list[KnownStep], dates: Dates) -> list[RatingChange]:
    """The latest of these dates with what each changed, newest first; everyone starts at 1000."""
    before = [START, *(step.micro for step in steps)]
    found = [
        RatingChange(step.date, step.micro, after - held, step.tables)
        for step, (held, after) in zip(steps, pairwise(before), strict=True)
        if _is_told(game, step, dates)
    ]
    return found[: -MOVES - 1 : -1]
