"""Requests to the API, by tokens that read or write."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.test import Client

from league.actions import api_tokens
from league.models import Club
from league.models.api_token import Scope
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


def a_writing_token(player: Player, club: Club | None = None, scopes: tuple[str, ...] = tuple(Scope)) -> str:
    return api_tokens.create_token(
        user_of(player), f"Program {uuid4()}", None, now=NOW, scopes=[str(scope) for scope in scopes], club=club
    )


def write(client: Client, address: str, body: Any, token: str, key: str = "", **headers: str) -> Any:
    """Return the response to JSON that is sent to an address below /api/v1, with a new key or this one."""
    sent = {"authorization": f"Bearer {token}", "idempotency-key": key or str(uuid4()), **headers}
    return client.post(f"/api/v1/{address}", body, content_type="application/json", headers=sent)
