"""Cache-Control of pages."""

import pytest
from django.test import Client

from tests.build import a_club, a_user

pytestmark = pytest.mark.django_db


def cache_control(client: Client, address: str) -> set[str]:
    return {directive for directive in client.get(address).headers.get("Cache-Control", "").split(", ") if directive}


def test_pages_of_somebody_signed_in_are_private_and_those_of_nobody_are_not(client: Client) -> None:
    address = "/games/tarot/rules"
    assert cache_control(client, address) == set()
    client.force_login(a_user())
    assert cache_control(client, address) == {"private"}


def test_boards_are_their_readers_own_and_asked_for_each_time(client: Client) -> None:
    addresses = ("/", a_club(public=True).get_absolute_url())
    for _reader in ("nobody", "somebody signed in"):
        for address in addresses:
            assert cache_control(client, address) == {"private", "no-cache"}
        client.force_login(a_user())
