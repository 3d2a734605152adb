"""A player's page: ratings with their history, and results by evening."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from league.models import Club, Evening, Season, Standing
from league.models.evening import EveningState
from league.models.season import SeasonState
from league.people.season_choice import chosen_season
from league.results.leaderboard import ranks_of
from league.results.player_results import evenings_of, results, season_sum
from league.seasons.tables import unranked
from league.web.board_tags import board_of_all
from league.web.finding import players_seen
from league.web.line_chart import Chart, chart
from league.web.marks import arrow
from players.models import Player, Rating
from players.rating import k_factor
from players.rating.expectation import POINT
from players.rating.reference import START
from scoring import registry
from scoring.game import Game, find_game

if TYPE_CHECKING:
    from players.models.person import Reader

Dates: TypeAlias = Collection[tuple[str, date]] | None  # games and dates that the reader may know of; None for all

PAGE = 12  # evenings
MOVES = 10  # dates with their changes; the page of every change has the others


@dataclass(frozen=True)
class RatingPanel:
    """A game's rating as the page shows it; `band` is in micro-points."""

    game: Game
    rating: Rating
    rank: int | None
    band: int
    moves: list[RatingChange]  # the latest, newest first
    chart: Chart | None  # None where the reader may know of no date


class KnownStep(NamedTuple):
    """A rating after a date; a member of ten years has hundreds."""

    game: str
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


class Belongs(NamedTuple):
    """A club of the player; `linked` if the reader may see its page."""

    club: Club
    linked: bool


@board_of_all
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Whatever the reader may see of a player; of one who left his clubs the results there, which boards lead to."""
    [(person, known)] = players_seen(request.user, pk)
    own = person.user_id is not None and person.user_id == request.user.pk
    sat = list(evenings_of(person, request.user).values_list("pk", "season", "state", "date"))
    seasons = list(Season.objects.with_club().filter(pk__in={season for _pk, season, _state, _date in sat}))
    games = {season.pk: season.game for season in seasons}
    dates = None if own else {(games[season], on) for _pk, season, _state, on in sat}
    chosen = chosen_season(request, seasons)
    shown = [(pk, state) for pk, season, state, _date in sat if chosen is None or season == chosen.pk]
    over = [pk for pk, state in shown if state == EveningState.CLOSED]
    running = [pk for pk, state in shown if state != EveningState.CLOSED]
    page = Paginator(over, PAGE if chosen is None else max(len(over), 1)).get_page(request.GET.get("page"))
    asked = [*page.object_list, *(running if page.number == 1 else ())]
    found = results(person, Evening.objects.filter(pk__in=asked), request.user)
    closed = [result for result in found if result.is_over]
    context = {
        "person": person,
        "own": own,
        "known": known,
        "clubs": clubs_of(person, own, request.user),
        "current": current_places(person, own, request.user) if chosen is None else [],
        "panels": rating_panels(person, request.user, dates, today=timezone.localdate()) if known else [],
        "seasons": seasons,
        "games": [find_game(slug) for slug in registry.slugs() if slug in {season.game for season in seasons}],
        "chosen": chosen,
        "page": page,
        "results": closed,
        "running": [result for result in found if not result.is_over],
        "sum": season_sum(person, chosen, closed) if chosen else None,
    }
    return render(request, "league/people/player.html", context)


def clubs_of(person: Player, own: bool, reader: Reader) -> list[Belongs]:
    """Return clubs of the player that the reader may see; all of one's own, also those where one is a guest."""
    visible = Exists(Club.objects.visible_to(reader).filter(pk=OuterRef("pk")))
    clubs: Iterable[Any] = Club.objects.filter(memberships__player=person).annotate(linked=visible)
    return [Belongs(club, club.linked) for club in clubs if own or club.linked]


def current_places(person: Player, own: bool, reader: Reader) -> list[CurrentPlace]:
    """Return the player's places in seasons that are going on, of clubs that the reader may see; one query."""
    rows = Standing.objects.filter(player=person, season__state=SeasonState.OPEN).select_related("season__club")
    if not own:
        rows = rows.filter(season__club__in=Club.objects.visible_to(reader))
    return [CurrentPlace(row, arrow(row.rank, row.rank_before), unranked(row)) for row in rows.order_by("-season__pk")]


def rating_panels(person: Player, reader: Reader, dates: Dates, *, today: date) -> list[RatingPanel]:
    """Return the player's rated games, in menu order; of their history the steps of these games' dates."""
    ratings = {rating.game: rating for rating in person.ratings.all()}
    history: dict[str, list[KnownStep]] = defaultdict(list)
    for step in person.rating_steps.order_by("date").values_list(*KnownStep._fields):
        history[step[0]].append(KnownStep(*step))
    ranks = ranks_of(ratings.values(), reader, today=today)
    return [
        _panel(ratings[slug], history[slug], dates, ranks.get(slug)) for slug in registry.slugs() if slug in ratings
    ]


def _panel(rating: Rating, steps: list[KnownStep], dates: Dates, rank: int | None) -> RatingPanel:
    told = [step for step in steps if _is_told(step, dates)]
    history = [(step.date, step.micro / POINT) for step in told]
    bands = [k_factor.band(step.weight) / POINT for step in told]
    return RatingPanel(
        game=find_game(rating.game),
        rating=rating,
        rank=rank,
        band=k_factor.band(rating.weight),
        moves=_moves(steps, dates),
        chart=chart(history, bands) if history else None,
    )


def _is_told(step: KnownStep, dates: Dates) -> bool:
    return dates is None or (step.game, step.date) in dates


def _moves(steps: list[KnownStep], dates: Dates) -> list[RatingChange]:
    """The latest of these dates with what each changed, newest first; everyone starts at 1000."""
    before = [START, *(step.micro for step in steps)]
    found = [
        RatingChange(step.date, step.micro, after - held, step.tables)
        for step, (held, after) in zip(steps, pairwise(before), strict=True)
        if _is_told(step, dates)
    ]
    return found[: -MOVES - 1 : -1]
