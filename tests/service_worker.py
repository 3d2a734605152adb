"""Pages with a service worker: waiting for it, and for the copies of pages that it stores."""

from __future__ import annotations

from time import monotonic

from playwright.sync_api import Error, Page

SECONDS = 20
CONTROLLED = "() => navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)"
STORED = """
async (path) => {
  for (const name of await caches.keys())
    if (name.startsWith('desk:') && await (await caches.open(name)).match(path)) return true;
  return false;
}
"""


def wait_until(page: Page, condition: str, argument: str | None = None) -> None:
    """Wait for an asynchronous condition. wait_for_function would take its promise for the result."""
    deadline = monotonic() + SECONDS
    while not _holds(page, condition, argument):
        assert monotonic() < deadline, condition
        page.wait_for_timeout(50)


def _holds(page: Page, condition: str, argument: str | None) -> bool:
    try:
        return bool(page.evaluate(condition, argument))
    except Error as error:
        # A click before may still replace the page: ask the next one.
        if "Execution context was destroyed" in error.message:
            return False
        raise


def visited(page: Page, *paths: str) -> None:
    """Open the pages, and wait until each is stored."""
    page.goto("/offline")
    wait_until(page, CONTROLLED)
    for path in paths:
        page.goto(path)
        wait_until(page, STORED, path)
