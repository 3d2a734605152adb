"""Players in API responses, named as on pages."""

from __future__ import annotations

from ninja import Schema

from players.models import Player
from players.naming import Names


class PlayerOut(Schema):
    """A player: `/players/{id}` has the rest."""

    id: int
    name: str


def player_out(player: Player) -> PlayerOut:
    return PlayerOut(id=player.pk, name=str(player))


def named_player(player: int, names: Names) -> PlayerOut:
    """Return a player with the name shown to the current reader."""
    return PlayerOut(id=player, name=str(names.for_player(player)))
