"""Players in API responses. Their names are shown as on pages."""

from __future__ import annotations

from ninja import Field, Schema

from players.models import Player


class PlayerOut(Schema):
    """A player. `/players/{id}` has more fields."""

    id: int = Field(validation_alias="pk")
    name: str

    @staticmethod
    def resolve_name(player: Player) -> str:
        return str(player)
