"""Bytes and requests that a phone fetches in a first visit, as the application sends them without a proxy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as global_settings
from django.core.management import call_command
from django.test import Client, override_settings
from pytest_django import Settings

from league.actions import evenings
from league.models import Run, Season
from league.models.rights import Role
from league.recompute.work import runs
from tests.build import NOW, TODAY, a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in

pytestmark = [
    pytest.mark.django_db(transaction=True),  # an answer that is closed closes its connection
    pytest.mark.faults,  # static files are collected, which takes seconds
    pytest.mark.xdist_group("first visit"),  # they are collected once
]

WIRE = 75 * 1024  # bytes of a page with its styles, scripts and pictures
PAGE = 15 * 1024  # bytes of the page itself, checked by tests/test_budgets.py
REQUESTS = 15
SMALL = 1000  # bytes; smaller answers are not compressed
LATER = re.compile(r"@import|url\((?![\"']?(?:data:|#))")
WHITENOISE = {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
STORAGES = {**global_settings.STORAGES, "staticfiles": WHITENOISE}
# No measured page requests these files, and compressing them takes half a minute.
UNUSED_FILES = [
    "admin",
    "bootstrap-*",
    "*rtl*",
    "*.esm*",
    "bootstrap.css*",
    "bootstrap.js*",
    "bootstrap.bundle.js*",
    "ext",
]
NOT_COMPRESSED = ("map", "woff2", "png", "ico")
# Not the icon that a browser fetches only to install the app, and not feeds.
LINKED = re.compile(r'<(?:link(?! rel="(?:apple-touch-icon|alternate)")|script|img)[^>]*? (?:href|src)="(/[^"]+)"')


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the collected static files, with hashed names and compressed, as in a deployment."""
    folder = tmp_path_factory.mktemp("static")
    compression = {"WHITENOISE_SKIP_COMPRESS_EXTENSIONS": NOT_COMPRESSED}
    with override_settings(STATIC_ROOT=folder, STORAGES=STORAGES, **compression):
        call_command("collectstatic", interactive=False, verbosity=0, ignore_patterns=UNUSED_FILES)
    return folder


@pytest.fixture
def deployed(settings: Settings, collected: Path) -> Client:
    """Return a browser of a deployment without a proxy."""
    settings.STATIC_ROOT, settings.STORAGES = collected, STORAGES
    settings.WHITENOISE_USE_FINDERS = False
    return Client(headers={"accept-encoding": "gzip"})


@pytest.fixture
def https_client(deployed: Client) -> Client:
    """Return a browser that uses https, where it accepts Brotli."""
    return Client(headers={"accept-encoding": "gzip, br"})


def fetched(client: Client, address: str, encoding: str = "gzip") -> tuple[bytes, Mapping[str, str]]:
    """Return an answer's body as it goes over the wire, and its headers."""
    with closing(client.get(address)) as answer:
        assert answer.status_code == 200, address
        body = answer.getvalue()
    assert len(body) < SMALL or answer.headers["Content-Encoding"] == encoding, address
    return body, answer.headers


def linked_from(client: Client, address: str) -> list[str]:
    """Return the styles, scripts and pictures that a page asks for."""
    html = client.get(address, headers={"accept-encoding": "identity"}).content.decode()
    names = sorted(set(LINKED.findall(html)))
    assert any("bootstrap" in name for name in names), "the styles were not found"
    return names


def a_played_season() -> Season:
    """Return a season of ten evenings, of one table to ten."""
    season = a_season(a_club(public=True, colour="#1f3f6e"), end_number=1)
    for number in range(1, 11):
        evening = an_evening(season, on=TODAY - timedelta(days=number))
        for _table in range(number):
            a_deal(a_table(evening))
        evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    return season


def addresses(season: Season) -> list[str]:
    """Return the pages that a message or a search engine links to."""
    largest = season.evenings.earliest("date")
    player = season.standings.all()[0].player_id
    pages = [page.get_absolute_url() for page in (season.club, season, largest)]
    game = f"/games/{season.game}"
    player_pages = [f"/players/{player}/", f"/players/{player}/statistics/{season.game}"]
    return ["/", *pages, *player_pages, f"{game}/leaderboard", f"{game}/rules", f"{game}/calculator", "/account/login/"]


def test_a_first_visit_is_light(deployed: Client) -> None:
    for address in addresses(a_played_season()):
        sizes = {name: len(fetched(deployed, name)[0]) for name in (address, *linked_from(deployed, address))}
        assert sum(sizes.values()) <= WIRE, sizes
        assert len(sizes) <= REQUESTS, sizes


def test_what_boards_need_leaves_room_for_the_largest_page(deployed: Client) -> None:
    for address in addresses(a_played_season()):
        if not address.endswith("/calculator"):  # it fetches parts of itself, and is small
            sizes = {name: len(fetched(deployed, name)[0]) for name in linked_from(deployed, address)}
            assert sum(sizes.values()) <= WIRE - PAGE, sizes


def test_so_does_what_any_page_needs_by_https(https_client: Client) -> None:
    season = a_played_season()
    sign_in(https_client, a_member(season.club, Role.ADMIN))
    for address in addresses(season):
        if address.startswith("/account/"):  # redirects signed-in users
            continue
        sizes = {name: len(fetched(https_client, name, "br")[0]) for name in linked_from(https_client, address)}
        assert sum(sizes.values()) <= WIRE - PAGE, sizes


def test_a_page_names_all_that_it_needs(deployed: Client) -> None:
    """A file that a stylesheet loads would arrive late: after the page and after the stylesheet."""
    for address in addresses(a_played_season()):
        for name in linked_from(deployed, address):
            if name.endswith(".css"):
                with closing(deployed.get(name, headers={"accept-encoding": "identity"})) as answer:
                    assert not LATER.search(answer.getvalue().decode()), name


def test_what_was_fetched_once_is_kept(deployed: Client) -> None:
    for name in linked_from(deployed, "/"):
        if name == "/app.webmanifest":  # asked for again by those who installed the app
            continue
        _body, headers = fetched(deployed, name)
        assert "immutable" in headers["Cache-Control"], name
