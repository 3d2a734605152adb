"""Boards that are read again while nothing changed: the browser has them still, and is told so by a 304.

The tag is made of all that a board follows from: the version of its clubs' rows (league/models/club_change.py), who
reads it and in which language, the day, and the release. Nothing of the board is read for it.

    @board_of(Evening, club="season__club")
    def evening(request, pk): …
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final, Protocol
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.messages import get_messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition

from league.models.club_change import BoardVersion, version_of_all, version_of_club
from league.web.imprint import imprint

if TYPE_CHECKING:
    from players.models.person import Reader

View = Callable[..., HttpResponse]
# What a page is made of besides rows and settings.
SOURCES: Final = ("league", "players", "scoring", "templates", "static", "locale", "requirements.txt")
KINDS: Final = {".css", ".html", ".js", ".mo", ".py", ".svg", ".toml", ".txt"}


class _Seen(Protocol):
    """A manager that knows who may see its rows."""

    def visible_to(self, user: Reader, /) -> QuerySet[Any]: ...


class _Shown(Protocol):
    """A model of which each row has a page."""

    @property
    def objects(self) -> _Seen: ...


def board_of(model: _Shown, *, club: str) -> Callable[[View], View]:
    """Make a view the board of a row, found by its `pk` or `slug`, which leads to its club by the lookup `club`.

    Who may not see the row gets no tag, and so never a 304: that would say that the page is there.
    """

    def tag(request: HttpRequest, **arguments: Any) -> str | None:
        if not _may_be_kept(request):
            return None
        one = {name: arguments[name] for name in ("pk", "slug") if name in arguments}
        rows = model.objects.visible_to(request.user).filter(**one)
        return _tag(request, version_of_club(rows.order_by().values(club), timezone.now(), request.user.pk))

    return _tagged(tag)


def board_of_all(view: View) -> View:
    """Make a view a board of several clubs."""

    def tag(request: HttpRequest, **_arguments: Any) -> str | None:
        return _tag(request, version_of_all(timezone.now())) if _may_be_kept(request) else None

    return _tagged(tag)(view)


def _tagged(tag: Callable[..., str | None]) -> Callable[[View], View]:
    def decorate(view: View) -> View:
        tagged: View = condition(etag_func=tag)(view)
        kept: View = cache_control(private=True, no_cache=True)(tagged)
        return kept

    return decorate


def _may_be_kept(request: HttpRequest) -> bool:
    """Whether the answer follows from the rows alone: not if it brings a message that is shown once.

    Only who got a page has its tag: `*`, any tag, asks for nothing that a browser has.
    """
    asked = request.method in ("GET", "HEAD") and request.headers.get("If-None-Match") != "*"
    return asked and not settings.DEBUG and not len(get_messages(request))


def _tag(request: HttpRequest, version: BoardVersion | None) -> str | None:
    if version is None:
        return None
    user: Any = request.user
    follows_from = (
        version,
        _dates(version, timezone.now()),
        (user.pk, user.get_username(), user.is_superuser, user.is_staff),
        getattr(getattr(user, "player", None), "pk", None),
        (get_language(), request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)),
        request.COOKIES.get(settings.CSRF_COOKIE_NAME),  # a form of the page is sent with it
        (request.headers.get("HX-Request"), request.build_absolute_uri()),
        (release(), imprint(request)["imprint"], settings.TIME_ZONE, settings.SITE_ADDRESS),
    )
    return f'"{salted_hmac("league.web.board_tags", repr(follows_from), algorithm="sha256").hexdigest()[:32]}"'


def _dates(version: BoardVersion, now: datetime) -> list[str]:
    """Return what day it is for each of the clubs, here, and for what counts by UTC."""
    zones = {ZoneInfo(zone) for zone in version.time_zones} | {timezone.get_default_timezone(), UTC}
    return sorted({timezone.localdate(now, zone).isoformat() for zone in zones})


@cache
def release() -> str:
    """Return what tells this release of the program from others: a digest of its files, read once a process."""
    found = sha256()
    for source in SOURCES:
        path = settings.BASE_DIR / source
        for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if each.suffix in KINDS and "tests" not in each.parts:
                found.update(f"{each.relative_to(settings.BASE_DIR)}\n".encode() + each.read_bytes())
    return found.hexdigest()
