"""Cache parts of pages, one for each version of a club's rows, language and kind of viewer.

The version is the same as in the page's ETag (league/web/page_etags.py), so a cached part is never older than a 304
would allow. The viewer's own menu and messages are outside the part. The CSRF token of a form is not stored: the stored
part has a random text instead.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from league.models.club_change import PageVersion
from league.models.rights import Right
from league.web.page_etags import release_hash, version_dates, version_of_page
from players.naming import current_audience

CACHE_SECONDS: Final = 900  # seconds; old versions are never asked for again, and must not fill the cache's memory
TOKEN_PLACEHOLDER_LENGTH: Final = 32


def club_viewer_kind(request: HttpRequest, club_context: Mapping[str, object]) -> Hashable:
    """Return the part `kind` of the key under which `cached_template` caches a page of a club.

    It has the viewer's rights in the club, and the viewer's id, because the viewer's own row is marked. All visitors
    without an account have the same `kind`. Return None for a URL with a query: then nothing is cached. `club_context`
    is the return value of club_context().
    """
    if request.GET:
        return None
    return tuple(club_context[f"can_{right}"] for right in Right), club_context["lacks_second_factor"], request.user.pk


def viewer_kind(request: HttpRequest) -> Hashable:
    """Return the `kind` of `cached_template` for a page that belongs to no club: the viewer's id; None for a URL with a
    query.
    """
    return None if request.GET else ("reader", request.user.pk)


def cached_template(
    request: HttpRequest, template: str, kind: Hashable, context: Callable[[], Mapping[str, Any]]
) -> SafeString:
    """Return the template from the cache, or render it with `context()`; always render it if `kind` is None.

    The key of the cache has the page's path, the version of its rows, the language and the audience of names (public or
    members). If the template depends on anything else, usually the viewer's rights, `kind` must have it. The view must
    have a decorator of `league.web.page_etags`, and must have called a function that decides how names are shown.
    """
    version = version_of_page(request)
    if kind is None or version is None or connection.in_atomic_block:  # a transaction's own changes have no version yet
        return SafeString(render_to_string(template, dict(context()), request))
    key = _cache_key(request, version, (template, kind))
    stored: bytes | None = cache.get(key)
    if stored is None:
        # A random text, so that nobody can write it into a name to get it replaced.
        token_placeholder = get_random_string(TOKEN_PLACEHOLDER_LENGTH)
        rendered = render_to_string(template, {**context(), "csrf_token": token_placeholder}, request)
        stored = zlib.compress(f"{token_placeholder}{rendered}".encode(), level=1)
        cache.set(key, stored, CACHE_SECONDS)
    both = zlib.decompress(stored).decode()
    token_placeholder, text = both[:TOKEN_PLACEHOLDER_LENGTH], both[TOKEN_PLACEHOLDER_LENGTH:]
    return SafeString(text.replace(token_placeholder, get_token(request)) if token_placeholder in text else text)


def _cache_key(request: HttpRequest, version: PageVersion, kind: Hashable) -> str:
    user: Any = request.user
    follows_from = (
        version,
        version_dates(version, timezone.now()),
        (get_language(), current_audience(), user.is_superuser, user.is_staff),
        (request.build_absolute_uri(request.path), kind),
        (release_hash(), settings.TIME_ZONE, settings.SITE_ADDRESS),
    )
    return f"part:{salted_hmac('league.web.page_cache', repr(follows_from), algorithm='sha256').hexdigest()[:40]}"
