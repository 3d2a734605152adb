"""The foot of a page names who answers for the installation, where its settings do."""

import pytest
from django.test import Client
from pytest_django import Settings

pytestmark = pytest.mark.django_db


def foot(client: Client, path: str = "/games/") -> str:
    return client.get(path).content.decode().partition("<footer")[2]


def test_publisher_host_and_contact(client: Client, settings: Settings) -> None:
    settings.PUBLISHER = "Tarot du mardi, 3 rue des Cartes <Paris>"
    settings.HOSTED_BY = "Hébergeur SAS"
    settings.CONTACT = "bureau@club.example"
    for path in ("/games/", "/account/login/", "/no-such-page"):
        text = foot(client, path)
        assert "Published by Tarot du mardi, 3 rue des Cartes &lt;Paris&gt;." in text
        assert "Hosted by Hébergeur SAS." in text
        assert '<a href="mailto:bureau@club.example">bureau@club.example</a>' in text


def test_nobody_where_nothing_is_set(client: Client) -> None:
    assert "mailto:" not in foot(client)
    assert "ublished by" not in foot(client)
