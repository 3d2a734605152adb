"""Conditional requests: respond 304 if nothing on a page has changed.

The ETag covers everything on which a page depends: the version of its clubs' rows (league/models/club_change.py), the
viewer, the language, the date and the release. It is computed without reading the page's rows.

    @conditional_club_page(Evening, club="season__club")
    def evening(request, pk): …
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition

from league.models.club_change import PageVersion, version_of_all_clubs, version_of_club
from league.web.demo_mode import demo_bar_values
from league.web.imprint import imprint

View = Callable[..., HttpResponse]
# Files that a page depends on.
RELEASE_PATHS: Final = ("league", "players", "scoring", "templates", "static", "locale", "requirements.txt")
RELEASE_SUFFIXES: Final = {".css", ".html", ".js", ".mo", ".py", ".svg", ".toml", ".txt"}


def conditional_club_page(model: Any, *, club: str) -> Callable[[View], View]:
    """Return a decorator that responds 304 if the page has not changed.

    The view shows the row of `model` with the URL's `pk` or `slug`. `club` is the lookup of the row's club. A viewer
    without access gets no ETag, because a 304 would reveal that the page exists.
    """

    def version(request: HttpRequest, **arguments: Any) -> PageVersion | None:
        lookup = {name: arguments[name] for name in ("pk", "slug") if name in arguments}
        rows = model.objects.visible_to(request.user).filter(**lookup)
        return version_of_club(rows.order_by().values(club), timezone.now(), request.user.pk)

    return _with_etag(version)


def conditional_page_of_all_clubs(view: View) -> View:
    """Decorate a view that depends on the rows of all clubs: respond 304 if nothing has changed."""
    return _with_etag(lambda _request, **_arguments: version_of_all_clubs(timezone.now()))(view)


def version_of_page(request: HttpRequest) -> PageVersion | None:
    """Return the version of the rows on which the page depends; None if its view has no decorator of this module.

    The decorator has read the version before the view reads the rows.
    """
    version: PageVersion | None = getattr(request, "page_version", None)
    return version


def _with_etag(version_of: Callable[..., PageVersion | None]) -> Callable[[View], View]:
    """Return the decorator for views whose rows have the version `version_of(request, **arguments)`."""

    def etag(request: HttpRequest, **arguments: Any) -> str | None:
        if settings.DEBUG or request.method not in ("GET", "HEAD"):
            return None
        version = version_of(request, **arguments)
        request.page_version = version  # type: ignore[attr-defined]
        return _etag(request, version) if version and _may_be_unchanged(request) else None

    def decorate(view: View) -> View:
        conditional: View = condition(etag_func=etag)(view)
        cacheable: View = cache_control(private=True, no_cache=True)(conditional)
        return cacheable

    return decorate


def _may_be_unchanged(request: HttpRequest) -> bool:
    """Return whether a 304 is possible: not if the page would show a message of Django's messages framework.

    `If-None-Match: *` gets no 304 either. It matches any page, so it does not prove that the browser has this page.
    """
    return request.headers.get("If-None-Match") != "*" and not len(get_messages(request))


def _etag(request: HttpRequest, version: PageVersion) -> str:
    user: Any = request.user
    follows_from = (
        version,
        version_dates(version, timezone.now()),
        (user.pk, user.get_username(), user.is_superuser, user.is_staff),
        getattr(getattr(user, "player", None), "pk", None),
        (get_language(), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)),
        request.COOKIES.get(settings.CSRF_COOKIE_NAME),  # the forms of the page contain it
        (request.headers.get("HX-Request"), request.build_absolute_uri()),
        (release_hash(), imprint(request)["imprint"], settings.TIME_ZONE, settings.SITE_ADDRESS),
        demo_bar_values(),
    )
    return f'"{salted_hmac("league.web.page_etags", repr(follows_from), algorithm="sha256").hexdigest()[:32]}"'


def version_dates(version: PageVersion, now: datetime) -> list[str]:
    """Return today's dates in the time zones of the clubs and of the server, and in UTC."""
    zones = {ZoneInfo(zone) for zone in version.time_zones} | {timezone.get_default_timezone(), UTC}
    return sorted({timezone.localdate(now, zone).isoformat() for zone in zones})


@cache
def release_hash() -> str:
    """Return a hash of this release's files, computed once per process."""
    digest = sha256()
    for source in RELEASE_PATHS:
        path = settings.BASE_DIR / source
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.suffix in RELEASE_SUFFIXES and "tests" not in file.parts:
                digest.update(f"{file.relative_to(settings.BASE_DIR)}\n".encode() + file.read_bytes())
    return digest.hexdigest()
