"""The steps of a player's rating whose dates the viewer may know: dates of visible evenings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.people.queries.player_results import evenings_of
from players.models import Player, RatingStep
from players.rating.reference import START

if TYPE_CHECKING:
    from players.models.person import Reader


def visible_step_filter(player: Player, game: str, reader: Reader) -> Q:
    """Return the condition that a step is the player's, on a date of an evening that the viewer may see."""
    dates = evenings_of(player, reader).filter(season__game_key=game).order_by().values("date")
    return Q(player=player, game=game, date__in=dates)


def visible_steps(player: Player, game: str, reader: Reader) -> QuerySet[RatingStep]:
    """Return the player's steps in a game, with `change` of the rating and `rated`: number of rated tables.

    A date is missing if the viewer may not see any of the player's evenings, so the changes may not add up to the
    rating.
    """
    before = RatingStep.objects.filter(player=player, game=game, date__lt=OuterRef("date")).order_by("-date")
    return RatingStep.objects.filter(visible_step_filter(player, game, reader)).annotate(
        change=F("micro") - Coalesce(Subquery(before.values("micro")[:1]), START),
        rated=F("tables") - Coalesce(Subquery(before.values("tables")[:1]), 0),
    )
