"""Asking the API."""

from __future__ import annotations

from typing import Any

from django.test import Client

from league.actions import api_tokens
from players.models import Player
from tests.build import NOW
from tests.readers import user_of


def a_token(player: Player, name: str = "A program") -> str:
    """Return a token of the player's."""
    return api_tokens.make(user_of(player), name, None, now=NOW)


def read(client: Client, address: str, token: str = "", **headers: str) -> Any:
    """Return what the API says at an address below /api/v1; it has an answer."""
    own = {"authorization": f"Bearer {token}"} if token else {}
    answer = client.get(f"/api/v1/{address}", headers={**own, **headers})
    assert answer.status_code == 200, answer.content
    return answer.json()
