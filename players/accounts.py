"""Adding people, with or without a login."""

from __future__ import annotations

from typing import Any

from players.models import Player


def add_player(given_name: str, family_name: str = "", **fields: Any) -> Player:
    """Add a person, with the display name and the sort key that follow from the names."""
    player = Player(given_name=given_name, family_name=family_name, **fields)
    player.name()
    player.save()
    return player
