"""Cache parts of pages, one for each version of a club's rows, language and kind of viewer.

The ETag of the page has the same version (league/web/board_tags.py), so a cached part is as new as a response 304. The
viewer's own menu, messages and forms are outside the cached part.
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

CACHE_SECONDS: Final = 900  # seconds; nobody reads a part of an old version again, so it must not stay in memory


def cached_part(request: HttpRequest, kind: Hashable, render: Callable[[], str]) -> SafeString:
    """Return a part of a page as HTML, from the cache or by `render`.

    The part may depend on the page's path, its rows, the language, the viewers to whom names are shown (public or
    members), and `kind`. `kind` has everything else: usually the viewer's rights and the query parameters. The view
    must have the decorator `conditional_page`, and must have called a function that decides how names are shown.
    """
    version = version_of_page(request)
    if version is None or connection.in_atomic_block:  # in a transaction the page's own changes have no version yet
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
    """Return the properties of the viewer on which a club's page depends: two rights, and the user's id.

    The id is needed because the viewer's own row is marked. All visitors without an account have the same kind. Return
    None, so that the page is not cached, if the URL has parameters or the viewer records results: such a page has forms
    with a CSRF token.
    """
    if request.GET or rights["can_record"]:
        return None
    return rights["can_read"], rights["can_collect"], request.user.pk


def cached_content(
    request: HttpRequest, template: str, kind: Hashable, context: Callable[[], Mapping[str, Any]]
) -> SafeString:
    """Return the rendered template, from the cache if it has this `kind` already.

    If `kind` is None, do not use the cache. `context` is called only to render.
    """

    def render() -> str:
        return render_to_string(template, dict(context()), request)

    return SafeString(render()) if kind is None else cached_part(request, (template, kind), render)
