"""Which people and ratings somebody may see. A Player belongs to no club: memberships say who sees him."""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet

from league.models.club import Club, Membership
from league.models.round import Rest, RoundState
from league.models.table import Seat
from players.models import Player, Rating, RatingStep
from players.models.person import PlayerQuerySet, Reader


def players(reader: Reader) -> QuerySet[Player]:
    """Return members of clubs that the reader may see, and the reader's own player."""
    seen = Q(pk__in=Membership.objects.filter(club__in=Club.objects.visible_to(reader)).values("player_id"))
    return Player.objects.filter(seen | Q(user=reader) if reader.is_authenticated else seen)


def players_in_results(reader: Reader) -> QuerySet[Player]:
    """Return those whom the results of clubs that the reader may see name, though they are in none of them any more.

    For one player: asked of all it would look at each seat.
    """
    seen = {"round__evening__season__club__in": Club.objects.visible_to(reader), "round__state": RoundState.ACCEPTED}
    here = [kind.objects.filter(player=OuterRef("pk"), **seen) for kind in (Seat, Rest)]
    return Player.objects.filter(Exists(here[0]) | Exists(here[1]))


def players_of(club: Club) -> PlayerQuerySet:
    """Return everyone with a membership in the club, guests too."""
    found: PlayerQuerySet = Player.objects.filter(memberships__club=club)
    return found


def ratings(reader: Reader) -> QuerySet[Rating]:
    """Return ratings of players whom the reader may see."""
    return Rating.objects.filter(player__in=players(reader))


def rating_steps(reader: Reader) -> QuerySet[RatingStep]:
    """Return the history of those ratings."""
    return RatingStep.objects.filter(player__in=players(reader))
