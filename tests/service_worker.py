"""Waiting for the service worker of a page."""

from __future__ import annotations

from time import monotonic

from playwright.sync_api import Page

SECONDS = 20
CONTROLLED = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"


def wait_until(page: Page, condition: str, argument: str | None = None) -> None:
    """Wait for an asynchronous condition. wait_for_function would take its promise for the result."""
    deadline = monotonic() + SECONDS
    while not page.evaluate(condition, argument):
        assert monotonic() < deadline, condition
        page.wait_for_timeout(50)
