"""Signing in as somebody."""

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


def give_password(client: Client) -> None:
    """Have who is signed in give his password again, as dangerous steps ask."""
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})


def confirmed(client: Client, player: Player) -> Client:
    """Return the client, signed in as the player, who gave his password again a moment ago."""
    give_password(signed_in(client, player))
    return client
