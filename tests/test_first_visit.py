"""What a phone has to fetch: the bytes and requests of a first visit, as the application itself sends them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import Settings

from league.actions import evenings
from league.models import Season
from tests.build import NOW, TODAY, a_club, a_deal, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db(transaction=True)  # an answer that is closed closes its connection

WIRE = 75 * 1024  # bytes of a page with all that it needs before it is drawn and used
REQUESTS = 15
SMALL = 1000  # bytes that nobody compresses
LINKED = re.compile(r'<(?:link|script|img)[^>]*? (?:href|src)="(/[^"]+)"')


@pytest.fixture
def deployed(settings: Settings, tmp_path: Path) -> Client:
    """Return a browser of a deployment without a proxy: names are hashed, files are compressed beforehand."""
    settings.STATIC_ROOT = tmp_path
    settings.WHITENOISE_USE_FINDERS = False
    whitenoise = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": whitenoise}
    call_command("collectstatic", interactive=False, verbosity=0)
    return Client(headers={"accept-encoding": "gzip"})


def fetched(client: Client, address: str) -> tuple[bytes, Mapping[str, str]]:
    """Return an answer's body as it goes over the wire, and its headers."""
    with closing(client.get(address)) as answer:
        assert answer.status_code == 200, address
        body = answer.getvalue()
    assert len(body) < SMALL or answer.headers["Content-Encoding"] == "gzip", address
    return body, answer.headers


def linked_from(client: Client, address: str) -> list[str]:
    """Return the styles, scripts and pictures that a page asks for."""
    html = client.get(address, headers={"accept-encoding": "identity"}).content.decode()
    found = sorted(set(LINKED.findall(html)))
    assert any("bootstrap" in name for name in found), "the styles were not found"
    return found


def a_played_season() -> Season:
    """Return a season of ten evenings, of one table to ten."""
    season = a_season(a_club(public=True, colour="#1f3f6e"), end_number=1)
    for number in range(1, 11):
        evening = an_evening(season, on=TODAY - timedelta(days=number))
        for _table in range(number):
            a_deal(a_table(evening))
        evenings.close(evening.pk, now=NOW)
    return season


def test_a_first_visit_is_light(deployed: Client) -> None:
    season = a_played_season()
    largest = season.evenings.earliest("date")
    pages = [each.get_absolute_url() for each in (season.club, season, largest)]
    for address in ("/", *pages, "/account/login/"):
        sizes = {name: len(fetched(deployed, name)[0]) for name in (address, *linked_from(deployed, address))}
        assert sum(sizes.values()) <= WIRE, sizes
        assert len(sizes) <= REQUESTS, sizes


def test_what_was_fetched_once_is_kept(deployed: Client) -> None:
    for name in linked_from(deployed, "/"):
        _body, headers = fetched(deployed, name)
        assert "immutable" in headers["Cache-Control"], name
