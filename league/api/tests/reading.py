"""Requests to the API."""

from __future__ import annotations

from typing import Any

from django.test import Client

from league.actions import api_tokens
from players.models import Player
from tests.build import NOW
from tests.readers import user_of


def a_token(player: Player, name: str = "A program") -> str:
    return api_tokens.create_token(user_of(player), name, None, now=NOW)


def read(client: Client, address: str, token: str = "", **headers: str) -> Any:
    """Return the JSON at an address below /api/v1."""
    authorization = {"authorization": f"Bearer {token}"} if token else {}
    answer = client.get(f"/api/v1/{address}", headers={**authorization, **headers})
    assert answer.status_code == 200, answer.content
    return answer.json()
