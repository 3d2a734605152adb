"""The club's own site, at another address, shows its boards: what an admin copies works there."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from playwright.sync_api import BrowserContext, expect

from league.clubs.tests.test_embed import played
from league.models.rights import Role
from tests.build import a_club, a_member, a_tournament, a_unit
from tests.test_every_page import AXE, OVERFLOW, RUN
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def other_site(tmp_path: Path) -> Iterator[str]:
    """Serve the files of a folder at an origin of its own."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path)) as site:
        Thread(target=site.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{site.server_port}/"
        site.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """Says nothing of what is asked for."""

    def log_message(self, *_args: object) -> None: ...


def test_a_page_of_another_site_shows_them(
    browser_of: Callable[..., BrowserContext], server: WebServer, other_site: str, tmp_path: Path
) -> None:
    club = a_club(name="Tarot du mardi", public=True)
    season = played(club)
    admin = browser_of(a_member(club, Role.ADMIN).user, server.url).new_page()
    admin.goto(f"{club.get_absolute_url()}embed")
    copied = admin.get_by_role("region", name="Autumn").get_by_label("For a page", exact=True).input_value()
    data = admin.get_by_role("region", name="Autumn").get_by_label("As data (JSON)", exact=True).input_value()
    assert copied.startswith("<iframe ")

    context = browser_of(None, server.url)
    page = context.new_page()
    (tmp_path / "index.html").write_text(
        f"<!doctype html><html lang=en><title>Our club</title><h1>Our club</h1>{copied}"
    )
    page.goto(other_site)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_role("row", name="Ann Durand")).to_be_visible()
    text = page.evaluate("async (address) => JSON.stringify(await (await fetch(address)).json())", data)
    assert json.loads(text)["standings"][0]["player"] == "Ann Durand"

    board = context.new_page()
    for address in (f"/embed/seasons/{season.pk}", f"/embed/clubs/{club.slug}"):
        for width, colours in ((300, "light"), (900, "dark")):
            board.set_viewport_size({"width": width, "height": 600})
            board.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
            board.goto(address)
            board.evaluate(AXE)
            assert board.evaluate(RUN, {}) == []
            assert board.evaluate(OVERFLOW) == 0


@pytest.mark.faults
def test_a_visitor_of_the_clubs_site_registers_for_a_tournament_in_a_new_window(
    browser_of: Callable[..., BrowserContext], server: WebServer, other_site: str, tmp_path: Path
) -> None:
    tournament = a_tournament(a_club(public=False), public=True)
    a_unit(tournament, "Anne Petit", "Bruno Grand", names_public=True)
    admin = browser_of(a_member(tournament.club, Role.ADMIN).user, server.url).new_page()
    admin.goto(f"{tournament.club.get_absolute_url()}embed")
    copied = admin.get_by_label("For a page", exact=True).input_value()

    page = browser_of(None, server.url).new_page()
    (tmp_path / "index.html").write_text(
        f"<!doctype html><html lang=en><title>Our club</title><h1>Our club</h1>{copied}"
    )
    page.goto(other_site)
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("Anne Petit – Bruno Grand")).to_be_visible()
    with page.expect_popup() as popup:
        frame.get_by_role("link", name="Register").click()
    form = popup.value
    form.get_by_label("Player 1").fill("Chloé Roy")
    form.get_by_label("Player 2").fill("David Blanc")
    form.get_by_label("E-mail").fill("chloe@club.example")
    form.get_by_label("I agree").check()
    form.get_by_role("button", name="Register").click()
    expect(form.get_by_role("heading", name="You have a place.")).to_be_visible()

    framed = browser_of(None, server.url).new_page()
    for width, colours in ((300, "light"), (900, "dark")):
        framed.set_viewport_size({"width": width, "height": 600})
        framed.emulate_media(color_scheme=colours)  # type: ignore[arg-type]
        framed.goto(f"/embed/tournaments/{tournament.pk}")
        framed.evaluate(AXE)
        assert framed.evaluate(RUN, {}) == []
        assert framed.evaluate(OVERFLOW) == 0
