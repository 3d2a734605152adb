"""What shared caches may keep."""

import pytest
from django.test import Client

from tests.build import a_club, a_user

pytestmark = pytest.mark.django_db


def kept(client: Client, address: str) -> set[str]:
    """Return what an answer says to caches."""
    return {said for said in client.get(address).headers.get("Cache-Control", "").split(", ") if said}


def test_pages_of_somebody_signed_in_are_private_and_those_of_nobody_are_not(client: Client) -> None:
    address = "/games/tarot/rules"
    assert kept(client, address) == set()
    client.force_login(a_user())
    assert kept(client, address) == {"private"}


def test_boards_are_their_readers_own_and_asked_for_each_time(client: Client) -> None:
    addresses = ("/", a_club(public=True).get_absolute_url())
    for _reader in ("nobody", "somebody signed in"):
        for address in addresses:
            assert kept(client, address) == {"private", "no-cache"}
        client.force_login(a_user())
