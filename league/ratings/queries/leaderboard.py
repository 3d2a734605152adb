"""A game's leaderboard, today's or a past date's: players by rating, ranked among those whom the reader may see."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from django.db.models import (
    BooleanField,
    Case,
    Count,
    ExpressionWrapper,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    When,
    Window,
)
from django.db.models.functions import Coalesce, Rank

from league.models import Club, Run, visible
from players.models import Player, Rating, RatingStep
from players.rating.reference import ACTIVE_DAYS, PROVISIONAL_DATES, PROVISIONAL_OPPONENTS, PROVISIONAL_TABLES

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    from players.models.person import Reader

    class Place(TypedDict):
        rank: int
        known: bool

    class PastPlace(TypedDict):
        rank: int
        known: bool
        last_date: date
        provisional: bool

    Ranked = WithAnnotations[Rating, Place]
    RankedStep = WithAnnotations[RatingStep, PastPlace]


def active_since(today: date) -> date:
    """Return the first date whose rated tables still keep a player on the leaderboard today."""
    return today - timedelta(days=ACTIVE_DAYS - 1)


class Whose(NamedTuple):
    """Whose ratings are shown: the inactive too, those of one club, without those that can't be trusted yet.

    Of them those of the players `found`; their ranks are among all.
    """

    inactive: bool = False
    club: Club | None = None
    established: bool = False
    found: QuerySet[Player, Player] | None = None


ACTIVE = Whose()


def leaderboard(reader: Reader, game: str, *, today: date, whose: Whose = ACTIVE) -> QuerySet[Ranked]:
    """Return the game's ratings with `rank`, best first, and their players; the active ones' unless said otherwise.

    `known` are those whom the reader knows by another name than everyone.

    A rank counts those shown: equal ratings share it, and the next one skips (1, 2, 2, 4).
    """
    ratings = visible.ratings(reader).filter(game=game)
    if not whose.inactive:
        ratings = ratings.filter(last_date__gte=active_since(today))
    if whose.club is not None:
        ratings = ratings.filter(player__in=visible.people_shown_in(whose.club, reader))
    if whose.established:
        ratings = ratings.filter(provisional=False)
    ranked: QuerySet[Ranked] = (
        _named(_found(ratings, whose), reader).select_related("player").order_by("rank", "player__sort_key", "pk")
    )
    return ranked


def _named(board: QuerySet[Any, Any], reader: Reader) -> QuerySet[Any, Any]:
    """Annotate rows with whether the reader knows the player by another name than everyone, as `known`."""
    known = Q(player__in=visible.known_names(reader)) if reader.is_authenticated else Q(player=None)
    named: QuerySet[Any, Any] = board.annotate(known=ExpressionWrapper(known, BooleanField()))
    return named


def _found(board: QuerySet[Any, Any], whose: Whose) -> QuerySet[Any, Any]:
    """Annotate the board's rows with `rank`, and leave those of the players found.

    Their ranks are counted one by one: a window is applied to the rows that are left.
    """
    ranked: QuerySet[Any, Any]
    if whose.found is None:
        ranked = board.annotate(rank=Window(Rank(), order_by=F("micro").desc()))
        return ranked
    better = board.filter(micro__gt=OuterRef("micro")).order_by().values("game").annotate(number=Count("player"))
    rank = Coalesce(Subquery(better.values("number")), 0) + 1
    ranked = board.filter(player__in=whose.found).annotate(rank=rank)
    return ranked


def past_leaderboard(reader: Reader, game: str, *, on: date, whose: Whose = ACTIVE) -> QuerySet[RankedStep]:
    """Return the leaderboard as of a past date.

    What each one's last rated date up to it left him with, by today's facts.

    Rows and ranks as in `leaderboard`.
    """
    last = visible.rating_steps(reader).filter(game=game, date__lte=on)
    steps = RatingStep.objects.filter(pk__in=last.order_by("player_id", "-date").distinct("player_id").values("pk"))
    if not whose.inactive:
        steps = steps.filter(date__gte=active_since(on))
    if whose.club is not None:
        steps = steps.filter(player__in=visible.people_shown_in(whose.club, reader))
    few = Q(tables__lt=PROVISIONAL_TABLES) | Q(dates__lt=PROVISIONAL_DATES) | Q(opponents__lt=PROVISIONAL_OPPONENTS)
    if whose.established:
        steps = steps.exclude(few)
    ranked: QuerySet[RankedStep] = (
        _named(_found(steps, whose), reader)
        .annotate(
            last_date=F("date"),
            provisional=ExpressionWrapper(few, BooleanField()),
        )
        .select_related("player")
        .order_by("rank", "player__sort_key", "pk")
    )
    return ranked


def computed_at(game: str) -> datetime | None:
    """Return when the last run that computed the game's ratings ended."""
    rows = Run.objects.filter(games__contains=[{"game": game}], finished_at__isnull=False)
    found: datetime | None = rows.order_by("-finished_at").values_list("finished_at", flat=True).first()
    return found


def with_ranks(ratings: QuerySet[Rating], reader: Reader, *, today: date) -> QuerySet[Any, Any]:
    """Annotate ratings with the `rank` that the leaderboards show this reader; None for an inactive one.

    For one player's ratings: each is compared by itself.
    """
    since = active_since(today)
    better = visible.ratings(reader).filter(game=OuterRef("game"), micro__gt=OuterRef("micro"), last_date__gte=since)
    count = Subquery(better.order_by().values("game").annotate(count=Count("pk")).values("count"))
    return ratings.annotate(rank=Case(When(last_date__gte=since, then=Coalesce(count, 0) + 1)))
