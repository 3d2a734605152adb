"""Fixtures of the browser tests: the machine's Chromium, and pages that must stay free of errors."""

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from playwright.sync_api import BrowserContext, ConsoleMessage, WebError

from tests.browser import FLAGS, MISSING, chromium

# Playwright runs an event loop in the tests' thread; Django would refuse its database there.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "1")

_REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", ({effectiveDirective, blockedURI, sourceFile, lineNumber}) =>
    console.error(`policy ${effectiveDirective} blocked ${blockedURI} in ${sourceFile}:${lineNumber}`))
"""


@dataclass
class Console:
    """What the pages of a test complain about: errors, failed requests, violations of the content policy."""

    complaints: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def expect(self, text: str) -> None:
        """Allow complaints with this text, such as "403 (Forbidden)" when a test asks for a forbidden page."""
        self.expected.append(text)

    def unexpected(self) -> list[str]:
        """The complaints that no `expect` allows."""
        return [complaint for complaint in self.complaints if not any(text in complaint for text in self.expected)]

    def watch(self, context: BrowserContext) -> None:
        """Collect the complaints of all pages of a context."""

        def message(seen: ConsoleMessage) -> None:
            if seen.type == "error":
                self.complaints.append(f"{seen.text} ({seen.location['url']})")

        def error(seen: WebError) -> None:
            self.complaints.append(f"{seen.error} ({seen.page.url if seen.page else 'no page'})")

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
    """As pytest-playwright's, also behind `page`; the test fails if a page of any context complains."""

    def watched(**options: object) -> BrowserContext:
        context = new_context(**options)
        context.set_default_timeout(10_000)
        console.watch(context)
        return context

    yield watched
    assert console.unexpected() == []
