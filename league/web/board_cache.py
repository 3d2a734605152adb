"""Parts of pages in the cache, rendered once for each version of the club's rows, language and kind of reader.

The version is the one of the page's ETag (league/web/board_tags.py), so a cached part is never older than a 304 would
allow. The reader's own menu, messages and forms are outside the part.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Hashable, Mapping
from typing import Any, Final

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from league.web.board_tags import release_hash, version_dates, version_of_page
from players.naming import current_audience

CACHE_SECONDS: Final = 900  # seconds; old versions are never asked for again, and must not fill the cache's memory


def cached_part(request: HttpRequest, kind: Hashable, render: Callable[[], str]) -> SafeString:
    """Return the part from the cache, or render it.

    `kind` is what the part depends on beside the page's path, its rows, the language and the audience of names: the
    reader's rights, mostly, and the parameters of the address. Everything else about the reader must stay out of the
    part. The view is a `conditional_page`, and has set the audience of names.
    """
    version = version_of_page(request)
    if version is None or connection.in_atomic_block:  # inside a transaction, its own changes have no version yet
        return SafeString(render())
    user: Any = request.user
    key_parts = (
        version,
        version_dates(version, timezone.now()),
        (get_language(), current_audience(), user.is_superuser, user.is_staff),
        (request.build_absolute_uri(request.path), kind),
        (release_hash(), settings.TIME_ZONE, settings.SITE_ADDRESS),
    )
    key = f"part:{salted_hmac('league.web.board_cache', repr(key_parts), algorithm='sha256').hexdigest()[:40]}"
    stored: bytes | None = cache.get(key)
    if stored is None:
        stored = zlib.compress(render().encode(), level=1)
        cache.set(key, stored, CACHE_SECONDS)
    return SafeString(zlib.decompress(stored).decode())


def kind_of_reader(request: HttpRequest, rights: Mapping[str, object]) -> Hashable:
    """Return what a club's page depends on beside its rows: whether the reader may read the club as a member, whether
    they may take fees, and who they are, since their own row is marked.

    All visitors without an account share a kind. Return None, for a page that is not cached, if the address has
    parameters or the reader records results: these pages have forms with a token.
    """
    if request.GET or rights["can_record"]:
        return None
    return rights["can_read"], rights["can_collect"], request.user.pk


def cached_content(
    request: HttpRequest, template: str, kind: Hashable, context: Callable[[], Mapping[str, Any]]
) -> SafeString:
    """Return the template from the cache, or render it with `context()`; always render it if `kind` is None."""

    def render() -> str:
        return render_to_string(template, dict(context()), request)

    return SafeString(render()) if kind is None else cached_part(request, (template, kind), render)
