"""While an installation has no accounts, redirect each page to the setup page. The code for that page is in the log.

A public demo gets its accounts when it is filled for the first time; until then each page responds 503.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from league.operations.queries.setup_code import has_accounts, setup_code
from league.web.demo_mode import demo_reset_page

log = structlog.get_logger(__name__)

OPEN_PAGES: Final = ("setup", "language", "healthz", "livez", "metrics", "manifest", "service-worker", "offline")


class FirstStart:
    """The state of one process: whether it has found an account, and whether it has logged the setup code.

    After the process has found an account, it runs no query any more.
    """

    has_seen_account: bool = False
    has_logged_code: bool = False

    def is_setup_needed(self) -> bool:
        self.has_seen_account = self.has_seen_account or has_accounts()
        return not self.has_seen_account

    def log_code(self) -> None:
        if not self.has_logged_code:
            self.has_logged_code = True
            log.warning("setup_code", code=setup_code(), page=f"{settings.SITE_ADDRESS}{reverse('league:setup')}")


first_start: Final = FirstStart()


def redirect_to_setup(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Redirect each page to the setup page while the installation has no accounts."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if first_start.has_seen_account or request.path_info in {reverse(f"league:{name}") for name in OPEN_PAGES}:
            return get_response(request)
        if not first_start.is_setup_needed():
            return get_response(request)
        if settings.DEMO:
            return demo_reset_page()
        first_start.log_code()
        return redirect("league:setup")

    return middleware
