from __future__ import annotations

from collections.abc import Collection

from django.db.models import OuterRef, Subquery

from league.models import Evening, Round, Seat
from players.models import Player


def own_seats(evenings: Collection[Evening], player: Player | None) -> list[Seat]:
    """Return the player's seats in the last accepted round of each evening.

    Without a player or evenings, return [] and run no query.
    """
    if not player or not evenings:
        return []
    return current_seats(evenings, [player.pk])


def current_seats(evenings: Collection[Evening], players: Collection[int]) -> list[Seat]:
    """Return the players' seats in the last accepted round of each evening, sorted by evening, table and seat. One
    query.
    """
    rounds = Round.objects.accepted().filter(evening=OuterRef("round__evening")).order_by("-number")
    seats = Seat.objects.filter(
        player__in=players, round__evening__in=evenings, round=Subquery(rounds.values("pk")[:1])
    )
    related = seats.select_related("player", "table", "round__evening__season")
    return list(related.order_by("round__evening", "table__number", "number"))
