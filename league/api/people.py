"""How the API names people, as pages do."""

from __future__ import annotations

from ninja import Schema

from players.models import Player
from players.naming import Names


class PlayerOut(Schema):
    """A player: `/players/{id}` has the rest."""

    id: int
    name: str


def player_out(player: Player) -> PlayerOut:
    """Return a player as others name him."""
    return PlayerOut(id=player.pk, name=str(player))


def named(player: int, names: Names) -> PlayerOut:
    """Return a player of whom the names are known, as this reader reads him."""
    return PlayerOut(id=player, name=str(names.for_player(player)))
