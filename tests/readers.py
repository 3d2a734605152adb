"""Signing in, with a password and a second factor."""

import base64
import hmac
import secrets
import struct
import time

from allauth.mfa.models import Authenticator
from allauth.mfa.utils import encrypt
from django.test import Client
from django.urls import reverse

from players.models import Player, User
from tests.build import PASSWORD


def user_of(player: Player) -> User:
    """Return the login that the player has."""
    assert player.user is not None
    return player.user


def signed_in(client: Client, player: Player) -> Client:
    """Return the client, signed in as the player."""
    client.force_login(user_of(player))
    return client


def set_up_second_factor(user: User) -> str:
    """Set up an authenticator app; return its secret, for `second_factor_code`."""
    secret = base64.b32encode(secrets.token_bytes(20)).decode()
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": encrypt(secret)})
    return secret


def second_factor_code(secret: str) -> str:
    """Return the code that an authenticator app shows now (RFC 6238)."""
    digest = hmac.digest(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30), "sha1")
    offset = digest[-1] & 15
    return f"{(int.from_bytes(digest[offset : offset + 4]) & 0x7FFF_FFFF) % 1_000_000:06}"


def give_password(client: Client) -> None:
    """Have who is signed in give his password again, as dangerous steps ask."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def confirmed(client: Client, player: Player) -> Client:
    """Return the client, signed in as the player, who gave his password again a moment ago."""
    give_password(signed_in(client, player))
    return client
