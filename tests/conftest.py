"""Fixtures of the browser tests: the machine's Chromium, contexts that must stay free of errors, signed-in users."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from django.test import Client
from playwright.sync_api import BrowserContext, ConsoleMessage, Page, WebError, expect

from league.celery import app
from league.models.rights import Role
from tests.browser import FLAGS, MISSING, chromium
from tests.build import a_member, a_user
from tests.webserver import WebServer

if TYPE_CHECKING:
    from league.models import Table
    from players.models import User

# Playwright runs an event loop in the tests' thread; Django would refuse its database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

PATIENCE = 20_000  # ms, until an expected element appears on a busy machine
expect.set_options(timeout=PATIENCE)

_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", ({effectiveDirective, blockedURI, sourceFile, lineNumber}) =>
    console.error(`policy ${effectiveDirective} blocked ${blockedURI} in ${sourceFile}:${lineNumber}`))
"""


@dataclass
class Console:
    """Complaints of the pages of a test: errors, failed requests, violations of the content policy."""

    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def expect(self, text: str) -> None:
        """Allow complaints with this text, such as "403 (Forbidden)" when a test asks for a forbidden page."""
        self.expected.append(text)

    def unexpected(self) -> list[str]:
        """Return the complaints that no `expect` allows."""
        return [complaint for complaint in self.complaints if not any(text in complaint for text in self.expected)]

    def watch(self, context: BrowserContext) -> None:
        """Collect the complaints of all pages of a context."""

        def message(line: ConsoleMessage) -> None:
            if line.type == "error":
                self.complaints.append(f"{line.text} ({line.location['url']})")

        def error(raised: WebError) -> None:
            self.complaints.append(f"{raised.error} ({raised.page.url if raised.page else 'no page'})")

        context.on("console", message)
        context.on("weberror", error)
        context.add_init_script(_REPORT_VIOLATIONS)


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, object]) -> dict[str, object]:
    program = chromium()
    if program is None:
        pytest.fail(MISSING, pytrace=False)
    return {**browser_type_launch_args, "executable_path": program, "args": list(FLAGS)}


@pytest.fixture(scope="session")
def base_url() -> None:
    """None, as tests name whole addresses; pytest 9.2 warns of pytest-playwright's own fixture."""


@pytest.fixture
def console() -> Console:
    return Console()


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], console: Console
) -> Iterator[Callable[..., BrowserContext]]:
    """Extend pytest-playwright's fixture, which `page` uses too: a complaint of any context fails the test."""

    def watched(**options: object) -> BrowserContext:
        # Requests that a service worker answers pass by `page.route`.
        context = new_context(**{"service_workers": "block", **options})
        context.set_default_timeout(PATIENCE)
        console.watch(context)
        return context

    yield watched
    assert console.unexpected() == []


def add_session(context: BrowserContext, user: User, address: str) -> None:
    """Sign the user in without the two pages of a login."""
    client = Client()
    client.force_login(user)
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    context.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}])


@pytest.fixture
def browser_of(new_context: Callable[..., BrowserContext]) -> Callable[..., BrowserContext]:
    """Return a function that opens a browser context at an address, for a user or an anonymous visitor."""

    def opened(user: User | None, address: str, **options: object) -> BrowserContext:
        context = new_context(base_url=address, **options)
        if user:
            add_session(context, user, address)
        return context

    return opened


@pytest.fixture
def worker() -> Iterator[None]:
    """A Celery worker on the test's own queue and database."""
    app.control.purge()
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=20):
        yield


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[WebServer]:
    """Stop the server before the database is dropped."""
    server = WebServer(tmp_path_factory.mktemp("web"), relayed=True)
    yield server
    server.close()


@pytest.fixture
def server(served: WebServer, transactional_db: None) -> WebServer:
    """Return the application in its own process, whose network can be cut; its answers take as long as in use."""
    a_user()  # without an account, each page leads to the setup page
    served.start()
    served.connect()
    return served


@pytest.fixture
def desk(browser_of: Callable[..., BrowserContext], server: WebServer) -> Callable[[Table], Page]:
    """Return a function that opens a table's grid for the secretary of its club."""

    def opened(table: Table) -> Page:
        secretary = a_member(table.round.evening.season.club, Role.SECRETARY)
        page = browser_of(secretary.user, server.url).new_page()
        page.goto(f"/tables/{table.pk}/grid")
        return page

    return opened
