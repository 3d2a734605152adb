"""The notice of a newer release: read from the feed of a real server, once a day, if a setting names the feed."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from typing import Any

import pytest
from django.utils import timezone

from league.models import Check
from league.models.check import CheckKind
from league.operations.work import releases
from league.operations.work.health import health
from league.operations.work.status_checks import Colour, StatusCheck, all_checks
from tests.run_jobs import run_tick

pytestmark = pytest.mark.django_db(transaction=True)
ATOM = """<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title>{}</feed>"""
ENTRY = '<entry><title>{}</title><link rel="alternate" href="https://git.example/league/releases/tag/{}"/></entry>'
RSS = """<rss version="2.0"><channel><title>Releases</title>
<item><title>The second one</title><link>https://git.example/league/releases/tag/v0.2.0</link></item></channel></rss>"""


class Feed(HTTPServer):
    text = b""
    requests = 0


class Handler(BaseHTTPRequestHandler):
    server: Feed

    def do_GET(self) -> None:
        self.server.requests += 1
        self.send_response(200 if self.server.text else 500)
        self.end_headers()
        self.wfile.write(self.server.text)

    def log_message(self, *args: Any) -> None:
        pass


@pytest.fixture
def feed(settings: Any) -> Iterator[Feed]:
    with Feed(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        settings.RELEASES_FEED = f"http://127.0.0.1:{server.server_port}/releases.atom"
        settings.RELEASE = "0.1.0"
        yield server
        server.shutdown()


def status() -> StatusCheck:
    return next(check for check in all_checks(timezone.now()) if check.title == "Release")


def test_a_newer_release_is_shown_and_nobody_is_alarmed(feed: Feed) -> None:
    feed.text = ATOM.format(
        ENTRY.format("Cards", "v0.2.0") + ENTRY.format("v0.10.0", "a") + ENTRY.format("v0.9", "b")
    ).encode()
    assert status().colour == Colour.GREY
    run_tick("feed")
    assert status().colour == Colour.AMBER
    assert "0.10.0" in status().message
    assert "feed" not in health(timezone.now()).as_json()


def test_this_release_is_the_newest(feed: Feed) -> None:
    feed.text = ATOM.format(ENTRY.format("v0.1.0", "v0.1.0") + ENTRY.format("v0.2.0rc1", "v0.2.0rc1")).encode()
    run_tick("feed")
    assert status().colour == Colour.GREEN


def test_the_feed_is_read_once_a_day(feed: Feed) -> None:
    feed.text = RSS.encode()
    run_tick("feed")
    run_tick("feed")
    assert feed.requests == 1
    Check.objects.update(ended_at=timezone.now() - timedelta(days=1))
    run_tick("feed")
    assert feed.requests == 2


def test_a_release_that_was_installed_is_no_longer_new(feed: Feed, settings: Any) -> None:
    """Before the feed is read again."""
    feed.text = RSS.encode()
    run_tick("feed")
    settings.RELEASE = "0.2.0"
    assert status().colour == Colour.GREEN


@pytest.mark.parametrize(
    "text", ["", "no feed", "<feed/>", ATOM.format(ENTRY.format("Cards", "cards")), "x" * (releases.MAX_FEED_BYTES + 1)]
)
def test_a_feed_that_cannot_be_read_is_shown(feed: Feed, text: str) -> None:
    feed.text = text.encode()
    run_tick("feed")
    assert status().colour == Colour.AMBER
    assert Check.objects.get(kind=CheckKind.FEED).summary in status().message


def test_without_the_setting_nothing_is_asked() -> None:
    run_tick("feed")
    assert not Check.objects.exists()
    assert "Release" not in [check.title for check in all_checks(timezone.now())]
