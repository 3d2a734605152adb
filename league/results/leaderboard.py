"""A game's leaderboard, today's or a past date's: players by rating, ranked among those whom the reader may see."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING, TypedDict

from django.db.models import BooleanField, Count, ExpressionWrapper, F, Q, QuerySet, Window
from django.db.models.functions import Rank

from league.models import Run, visible
from players.models import Rating, RatingStep
from players.rating.reference import ACTIVE_DAYS, PROVISIONAL_DATES, PROVISIONAL_OPPONENTS, PROVISIONAL_TABLES

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    from players.models.person import Reader

    class Place(TypedDict):
        rank: int

    class PastPlace(TypedDict):
        rank: int
        last_date: date
        provisional: bool

    Ranked = WithAnnotations[Rating, Place]
    RankedStep = WithAnnotations[RatingStep, PastPlace]


def active_since(today: date) -> date:
    """Return the first date whose rated tables still keep a player on the leaderboard today."""
    return today - timedelta(days=ACTIVE_DAYS - 1)


def leaderboard(reader: Reader, game: str, *, today: date, inactive: bool = False) -> QuerySet[Ranked]:
    """Return the game's ratings with `rank`, best first, and their players; the inactive only when asked for.

    A rank counts those shown: equal ratings share it, and the next one skips (1, 2, 2, 4).
    """
    ratings = visible.ratings(reader).filter(game=game)
    if not inactive:
        ratings = ratings.filter(last_date__gte=active_since(today))
    ranked: QuerySet[Ranked] = (
        ratings.annotate(rank=Window(Rank(), order_by=F("micro").desc()))
        .select_related("player")
        .order_by("rank", "player__sort_key", "pk")
    )
    return ranked


def past_leaderboard(reader: Reader, game: str, *, on: date, inactive: bool = False) -> QuerySet[RankedStep]:
    """Return the leaderboard as of a past date.

    What each one's last rated date up to it left him with, by today's facts.

    Rows and ranks as in `leaderboard`.
    """
    last = visible.rating_steps(reader).filter(game=game, date__lte=on)
    steps = RatingStep.objects.filter(pk__in=last.order_by("player_id", "-date").distinct("player_id").values("pk"))
    if not inactive:
        steps = steps.filter(date__gte=active_since(on))
    few = Q(tables__lt=PROVISIONAL_TABLES) | Q(dates__lt=PROVISIONAL_DATES) | Q(opponents__lt=PROVISIONAL_OPPONENTS)
    ranked: QuerySet[RankedStep] = (
        steps.annotate(
            rank=Window(Rank(), order_by=F("micro").desc()),
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


def ranks_of(ratings: Iterable[Rating], reader: Reader, *, today: date) -> dict[str, int]:
    """Return the ranks that the leaderboards show this reader, by game, of one player's ratings.

    None for an inactive one.
    """
    since = active_since(today)
    active = [rating for rating in ratings if rating.last_date >= since]
    if not active:
        return {}
    board = visible.ratings(reader).filter(last_date__gte=since)
    better = [Q(game=rating.game, micro__gt=rating.micro) for rating in active]
    counts = {f"better{number}": Count("pk", filter=condition) for number, condition in enumerate(better)}
    found = board.filter(game__in=[rating.game for rating in active]).aggregate(**counts)
    return {rating.game: found[name] + 1 for name, rating in zip(counts, active, strict=True)}
