"""Signing in as somebody."""

from django.test import Client

from players.models import Player, User


def user_of(player: Player) -> User:
    """Return the login that the player has."""
    assert player.user is not None
    return player.user


def signed_in(client: Client, player: Player) -> Client:
    """Return the client, signed in as the player."""
    client.force_login(user_of(player))
    return client
