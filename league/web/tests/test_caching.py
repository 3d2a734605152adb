"""What shared caches may keep."""

import pytest
from django.test import Client

from tests.build import a_club, a_user

pytestmark = pytest.mark.django_db


def test_pages_of_somebody_signed_in_are_private_and_those_of_nobody_are_not(client: Client) -> None:
    addresses = ("/", a_club(public=True).get_absolute_url())
    for address in addresses:
        assert "Cache-Control" not in client.get(address)
    client.force_login(a_user())
    for address in addresses:
        assert client.get(address)["Cache-Control"] == "private"
