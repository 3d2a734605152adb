"""The leaderboard of a game, today or on a past date: the players by rating. Ranks count only players whom the viewer
may see.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

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
from players.models.person import Viewer
from players.rating.reference import ACTIVE_DAYS, PROVISIONAL_DATES, PROVISIONAL_OPPONENTS, PROVISIONAL_TABLES


def active_since(today: date) -> date:
    """Return the first day of the active period: a player without a rated table since then is inactive on `today`."""
    return today - timedelta(days=ACTIVE_DAYS - 1)


class LeaderboardScope(NamedTuple):
    include_inactive: bool = False
    club: Club | None = None
    only_established: bool = False  # exclude provisional ratings
    # Show only these players; their ranks still count all players.
    searched_players: QuerySet[Player, Player] | None = None


DEFAULT_SCOPE = LeaderboardScope()


def leaderboard(
    viewer: Viewer, game: str, *, today: date, scope: LeaderboardScope = DEFAULT_SCOPE
) -> QuerySet[Any, Any]:
    """Return the ratings of the game, best first, each with its player.

    They are annotated with `rank` (1, 2, 2, 4) and `known`: True if the viewer may see the name that members see.
    """
    ratings = visible.ratings(viewer).filter(game=game)
    if not scope.include_inactive:
        ratings = ratings.filter(last_date__gte=active_since(today))
    if scope.only_established:
        ratings = ratings.filter(provisional=False)
    return _add_ranks(ratings, scope, viewer)


def past_leaderboard(
    viewer: Viewer, game: str, *, day: date, scope: LeaderboardScope = DEFAULT_SCOPE
) -> QuerySet[Any, Any]:
    """Return a rating step for each player: the rating after the player's last rated date up to `day`.

    They are sorted and annotated as in `leaderboard`. Players are visible by the viewer's rights of today.
    """
    last = visible.rating_steps(viewer).filter(game=game, date__lte=day)
    steps = RatingStep.objects.filter(pk__in=last.order_by("player_id", "-date").distinct("player_id").values("pk"))
    if not scope.include_inactive:
        steps = steps.filter(date__gte=active_since(day))
    is_provisional = (
        Q(tables__lt=PROVISIONAL_TABLES) | Q(dates__lt=PROVISIONAL_DATES) | Q(opponents__lt=PROVISIONAL_OPPONENTS)
    )
    if scope.only_established:
        steps = steps.exclude(is_provisional)
    rows: QuerySet[Any, Any] = _add_ranks(steps, scope, viewer).annotate(
        last_date=F("date"), provisional=ExpressionWrapper(is_provisional, BooleanField())
    )
    return rows


def _add_ranks(rows: QuerySet[Any, Any], scope: LeaderboardScope, viewer: Viewer) -> QuerySet[Any, Any]:
    if scope.club is not None:
        rows = rows.filter(player__in=visible.visible_player_ids_of(scope.club, viewer))
    rank: Any = Window(Rank(), order_by=F("micro").desc())
    if scope.searched_players is not None:
        # A window function would see only the rows that match the search.
        better = rows.filter(micro__gt=OuterRef("micro")).order_by().values("game").annotate(number=Count("player"))
        rank = Coalesce(Subquery(better.values("number")), 0) + 1
        rows = rows.filter(player__in=scope.searched_players)
    is_known = Q(player__in=visible.players_with_member_names(viewer)) if viewer.is_authenticated else Q(player=None)
    ranked: QuerySet[Any, Any] = rows.annotate(rank=rank, known=ExpressionWrapper(is_known, BooleanField()))
    return ranked.select_related("player").order_by("rank", "player__sort_key", "pk")


def computed_at(game: str) -> datetime | None:
    """Return the end of the last finished recompute of the game's ratings; None if there was none."""
    rows = Run.objects.filter(games__contains=[{"game": game}], finished_at__isnull=False)
    ended_at: datetime | None = rows.order_by("-finished_at").values_list("finished_at", flat=True).first()
    return ended_at


def with_ranks(ratings: QuerySet[Rating], viewer: Viewer, *, today: date) -> QuerySet[Any, Any]:
    """Annotate the ratings of one player with `rank`, by a subquery for each; None if the player is inactive."""
    since = active_since(today)
    better = visible.ratings(viewer).filter(game=OuterRef("game"), micro__gt=OuterRef("micro"), last_date__gte=since)
    count = Subquery(better.order_by().values("game").annotate(count=Count("pk")).values("count"))
    return ratings.annotate(rank=Case(When(last_date__gte=since, then=Coalesce(count, 0) + 1)))
