"""The steps of a player's rating whose dates a reader may know: of evenings that he may see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from league.people.queries.player_results import evenings_of
from players.models import Player, RatingStep
from players.rating.reference import START

if TYPE_CHECKING:
    from players.models.person import Reader


def told(player: Player, game: str, reader: Reader) -> Q:
    """Return the condition that a step is one of the player's, and of a date on which the reader may see him play."""
    dates = evenings_of(player, reader).filter(season__game=game).order_by().values("date")
    return Q(player=player, game=game, date__in=dates)


def told_steps(player: Player, game: str, reader: Reader) -> QuerySet[RatingStep]:
    """Return the player's steps in a game, with `change` and `rated`: what the date changed, and its rated tables.

    A date is left out if the player sat only at evenings of it that the reader may not see. What it changed is not told
    either, so that the changes don't always add up to the rating.
    """
    before = RatingStep.objects.filter(player=player, game=game, date__lt=OuterRef("date")).order_by("-date")
    return RatingStep.objects.filter(told(player, game, reader)).annotate(
        change=F("micro") - Coalesce(Subquery(before.values("micro")[:1]), START),
        rated=F("tables") - Coalesce(Subquery(before.values("tables")[:1]), 0),
    )
