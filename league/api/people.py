"""How the API names people, as pages do."""

from __future__ import annotations

from ninja import Schema

from players.models import Player


class PlayerOut(Schema):
    """A player: `/players/{id}` has the rest."""

    id: int
    name: str


def player_out(player: Player) -> PlayerOut:
    """Return a player as others name him."""
    return PlayerOut(id=player.pk, name=str(player))
