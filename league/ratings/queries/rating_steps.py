"""The rating steps (ratings after a date) of a player, limited to dates of evenings that the viewer may see."""

from __future__ import annotations

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.people.queries.player_results import visible_evenings
from players.models import Player, RatingStep
from players.models.person import Viewer
from players.rating.reference import START_RATING


def visible_step_filter(player: Player, game: str, viewer: Viewer) -> Q:
    """Return the condition for the player's rating steps on dates of evenings that the viewer may see."""
    dates = visible_evenings(player, viewer).filter(season__game_key=game).order_by().values("date")
    return Q(player=player, game=game, date__in=dates)


def visible_steps(player: Player, game: str, viewer: Viewer) -> QuerySet[RatingStep]:
    """Return the player's rating steps on dates of evenings that the viewer may see.

    They are annotated with `change` (in micro-points) and `rated` (the date's number of rated tables). Because of
    hidden dates, the changes need not add up to the rating.
    """
    before = RatingStep.objects.filter(player=player, game=game, date__lt=OuterRef("date")).order_by("-date")
    return RatingStep.objects.filter(visible_step_filter(player, game, viewer)).annotate(
        change=F("micro") - Coalesce(Subquery(before.values("micro")[:1]), START_RATING),
        rated=F("tables") - Coalesce(Subquery(before.values("tables")[:1]), 0),
    )
