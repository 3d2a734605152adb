"""Demo mode (setting `DEMO`): refused pages, the bar at the top of each page, and the pause during the nightly reset.

The visitors of a public demo share its users. So no page may end or reveal another visitor's access. Uploaded files are
refused by league/web/request_body.py.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.core.exceptions import MiddlewareNotUsed
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from league.actions.demo_lock import visitor_write_lock
from league.actions.pending_recomputes import next_nightly_run

GetResponse = Callable[[HttpRequest], HttpResponse]

READ_METHODS: Final = frozenset(("GET", "HEAD", "OPTIONS", "TRACE"))
RETRY_AFTER_SECONDS: Final = 60  # seconds until a visitor tries again; a reset takes a minute or two
SIGN_IN_URL_NAME: Final = "account_login"
# The pages of allauth that stay open.
OPEN_ACCOUNT_PAGES: Final = frozenset((SIGN_IN_URL_NAME, "account_logout", "account_inactive"))
# URL names. All methods are refused, also GET, because a form that cannot be sent is useless.
REFUSED_URL_NAMES: Final = frozenset(
    f"league:{name}"
    for name in (
        # Accounts: the demo's users are shared, and "own data" has the addresses of other visitors.
        *("account-delete", "own-data", "tokens", "token-revoke"),
        # New accounts.
        *("invitation", "invitation-renew", "members-invite", "member-invite", "member-send", "member-agree", "join"),
        # Roles and records of the shared users, and the club that everybody visits.
        *("member-role", "member-end", "committee", "merge", "merge-undo", "second-factors"),
        *("club-delete", "club-keep"),
        # Messages to other servers.
        *("webhooks", "webhook", "webhook-test", "webhook-secret", "webhook-pause", "webhook-resume", "webhook-delete"),
        # The installation.
        *("setup", "watch", "test-email", "test-backup", "jobs", "job-retry", "job-cancel", "looks"),
        *("audit-site", "audit-site-csv", "audit-site-xlsx"),
    )
)
ACCOUNT_PREFIXES: Final = ("account_", "mfa_", "usersessions_", "openid_connect_")
ADMIN_NAMESPACE: Final = "admin"


class DemoRole(NamedTuple):
    """A role that a visitor of a public demo can choose."""

    email: str  # of the demo's user with this role
    name: str | Promise
    label: str | Promise


DEMO_ROLES: Final = {
    "member": DemoRole("member@demo.example", _("Member"), _("Look as a member")),
    "secretary": DemoRole("secretary@demo.example", _("Secretary"), _("Look as a secretary")),
    "admin": DemoRole("admin@demo.example", _("Admin"), _("Look as an admin")),
}


class DemoBar(NamedTuple):
    """The bar at the top of each page of a public demo: next reset, and links to sign in with another role."""

    next_reset: datetime  # in the installation's time zone
    time_zone: str

    @property
    def roles(self) -> dict[str, DemoRole]:
        return DEMO_ROLES


def is_refused_in_demo(name: str) -> bool:
    """Return whether a public demo refuses the page with the URL name `name`, such as "league:merge"."""
    is_account_page = name.startswith(ACCOUNT_PREFIXES) and name not in OPEN_ACCOUNT_PAGES
    return name in REFUSED_URL_NAMES or is_account_page or name.partition(":")[0] == ADMIN_NAMESPACE


def refuse_in_demo(get_response: GetResponse) -> GetResponse:
    """Respond 403 with a reason to refused pages. Redirect from the sign-in page to the page that offers roles."""
    _require_demo()

    def middleware(request: HttpRequest) -> HttpResponse:
        return get_response(request)

    def process_view(request: HttpRequest, _view: object, _args: object, _kwargs: object) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name == SIGN_IN_URL_NAME:
            target = request.GET.get(REDIRECT_FIELD_NAME)
            return redirect(reverse("league:demo", query={REDIRECT_FIELD_NAME: target} if target else None))
        if is_refused_in_demo(name):
            return render(request, "demo_refused.html", status=HTTPStatus.FORBIDDEN)
        return None

    middleware.process_view = process_view  # type: ignore[attr-defined]
    return middleware


def close_during_reset(get_response: GetResponse) -> GetResponse:
    """Respond 503 to writes during the nightly reset, so that they do not wait for its end. Reads show the old rows."""
    _require_demo()

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.method in READ_METHODS:
            return get_response(request)
        with visitor_write_lock() as is_open:
            return get_response(request) if is_open else demo_reset_page()

    return middleware


def demo_reset_page() -> HttpResponse:
    """Return the page for the time of a reset, with status 503.

    It uses no user or session, because the reset may delete their rows.
    """
    page = render_to_string("demo_reset.html")
    return HttpResponse(page, status=HTTPStatus.SERVICE_UNAVAILABLE, headers={"Retry-After": str(RETRY_AFTER_SECONDS)})


def demo_bar(_request: HttpRequest) -> dict[str, Any]:
    """Context processor: `demo_mode` has the values of the bar that each page of a public demo shows, or None."""
    return {"demo_mode": demo_bar_values()}


def demo_bar_values() -> DemoBar | None:
    """Return the values of the bar that each page of a public demo shows; None if this is no demo. No query."""
    return DemoBar(next_nightly_run(timezone.now()), settings.TIME_ZONE) if settings.DEMO else None


def _require_demo() -> None:
    """Leave the calling middleware out of an installation that is no public demo: raise MiddlewareNotUsed."""
    if not settings.DEMO:
        raise MiddlewareNotUsed
