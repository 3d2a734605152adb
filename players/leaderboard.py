"""A game's leaderboard: players by rating, ranked among those whom the reader may see."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, TypedDict

from django.db.models import F, QuerySet, Window
from django.db.models.functions import Rank

from players.models import Player, Rating
from players.rating import ACTIVE_DAYS

if TYPE_CHECKING:
    from django_stubs_ext import WithAnnotations

    from league.models.club import Reader

    class Place(TypedDict):
        rank: int

    Ranked = WithAnnotations[Rating, Place]


def active_since(today: date) -> date:
    """The first date whose rated tables still keep a player on the leaderboard today."""
    return today - timedelta(days=ACTIVE_DAYS - 1)


def leaderboard(reader: Reader, game: str, *, today: date, inactive: bool = False) -> QuerySet[Ranked]:
    """The game's ratings with `rank`, best first, and their players; the inactive only when asked for.

    A rank counts those shown: equal ratings share it, and the next one skips (1, 2, 2, 4).
    """
    ratings = Rating.objects.filter(game=game, player__in=Player.objects.visible_to(reader))
    if not inactive:
        ratings = ratings.filter(last_date__gte=active_since(today))
    ranked: QuerySet[Ranked] = (
        ratings.annotate(rank=Window(Rank(), order_by=F("micro").desc()))
        .select_related("player")
        .order_by("rank", "player__sort_key", "pk")
    )
    return ranked


def rank_of(rating: Rating, reader: Reader, *, today: date) -> int | None:
    """The rank that the leaderboard shows this reader, None for an inactive player."""
    if rating.last_date < active_since(today):
        return None
    board = Rating.objects.filter(
        game=rating.game, player__in=Player.objects.visible_to(reader), last_date__gte=active_since(today)
    )
    return board.filter(micro__gt=rating.micro).count() + 1
