"""Signed URLs of live pages (pages that poll for changes), and the cache of their HTML fragments.

A fragment is the same for every viewer of a URL, also its names. One request renders the fragment, the others read it
from the cache. `league.evenings.views.live.parts` renders fragments; this module reads no rows of the database.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from hashlib import sha256
from time import time
from typing import NamedTuple

from django.core import signing
from django.core.cache import cache
from django.utils.crypto import salted_hmac
from django.utils.safestring import SafeString

from league.messages import version_key
from players.naming import Audience

SALT = "league.live.fragments"
TOKEN_LIFETIME = timedelta(days=1)

CODE_CHARACTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # without O, 0, I and 1
CODE_LENGTH = 8  # 40 bits: too many to guess
SCREEN_CODE_VIEWER_ID = 0  # the `viewer_id` of a screen that was opened by its code; no user has this id
POLL_SECONDS = 4  # between two requests of a page; `hx-trigger` in the templates has the same number
# An older fragment is rendered again, even without a message that its evening changed.
MAX_FRAGMENT_AGE_SECONDS = 3.0
FRAGMENT_CACHE_SECONDS = 10  # an older fragment is not shown while the next is being rendered
RIGHTS_CACHE_SECONDS = 10  # a URL may still work for this time after its rights have ended
RENDER_LOCK_SECONDS = 5  # after this time, another request may render the part: the first request counts as dead


class InvalidLiveToken(ValueError):
    """The signature of a live page's token is wrong or older than a day."""


class LiveTokenContent(NamedTuple):
    """The signed content of a live page's URL: the evening's id, the language, and the rights of the viewer."""

    evening: int
    language: str
    shows_member_names: bool = False  # names are shown as members may see them
    # Id of the user whose page contained the URL. None: the page is public. SCREEN_CODE_VIEWER_ID: opened by the code.
    viewer_id: int | None = None
    version: int = 0  # the evening's `live_version`

    @property
    def audience(self) -> Audience:
        return Audience.MEMBERS if self.shows_member_names else Audience.PUBLIC


class Fragment(NamedTuple):
    """An HTML fragment of a live page. If `is_over`, the evening has ended and the fragment does not change again."""

    html: SafeString
    etag: str
    is_over: bool


def sign_live_token(token_content: LiveTokenContent) -> str:
    return signing.dumps(token_content, salt=SALT)


def hall_screen_code(evening: int, key: str, version: int = 0) -> str:
    """Return the 8 characters that a user types to open the hall's screen.

    `key` is the evening's `entry_key`, "" in a tournament. `version` is the evening's `live_version`: if a secretary
    raises it, all earlier codes end.
    """
    number = int.from_bytes(salted_hmac(f"{SALT}.short", f"{evening}:{key}:{version}", algorithm="sha256").digest())
    return "".join(CODE_CHARACTERS[number >> 5 * index & 31] for index in range(CODE_LENGTH))


def read_live_token(text: str) -> LiveTokenContent:
    """Return the signed content of the token. Raise InvalidLiveToken if it is forged or expired."""
    try:
        return LiveTokenContent(*signing.loads(text, salt=SALT, max_age=TOKEN_LIFETIME))
    except signing.BadSignature as error:  # SignatureExpired too
        raise InvalidLiveToken from error


def has_token_rights(content: LiveTokenContent, check_rights: Callable[[LiveTokenContent], bool]) -> bool:
    """Return whether the URL still has its rights: the result of `check_rights`, cached for some seconds."""
    key = f"live:opens:{content.evening}:{content.version}:{content.viewer_id}:{content.shows_member_names}"
    is_allowed: bool | None = cache.get(key)
    if is_allowed is None:
        is_allowed = check_rights(content)
        cache.set(key, is_allowed, RIGHTS_CACHE_SECONDS)
    return is_allowed


def make_fragment(html: SafeString, *, is_over: bool) -> Fragment:
    """Return a fragment with its ETag, which is a hash of the HTML."""
    return Fragment(html, f'"{sha256(html.encode()).hexdigest()[:24]}"', is_over)


def cached_fragment(token_content: LiveTokenContent, part: str, build: Callable[[], Fragment]) -> Fragment:
    """Return the fragment for the part of the page, from the cache if possible.

    If the cached fragment is missing, too old, or of another version of the evening, render it with `build` and store
    it. While another request renders it, return the old fragment, if there is one. The evening's version is read before
    rendering: if the evening changes meanwhile, the next request renders again.
    """
    key, version_of_evening = (
        f"live:{token_content.evening}:{token_content.language}:{token_content.audience}:{part}",
        version_key(token_content.evening),
    )
    cached = cache.get_many([key, version_of_evening])
    version = cached.get(version_of_evening)
    stored: _StoredFragment | None = cached.get(key)
    if stored is not None:
        if stored.version == version and time() - stored.built_at < MAX_FRAGMENT_AGE_SECONDS:
            return stored.fragment
        if not cache.add(f"{key}:turn", 1, RENDER_LOCK_SECONDS):
            return stored.fragment
    try:
        built = build()
        cache.set(key, _StoredFragment(built, version, time()), FRAGMENT_CACHE_SECONDS)
    finally:
        cache.delete(f"{key}:turn")
    return built


class _StoredFragment(NamedTuple):
    fragment: Fragment
    version: str | None
    built_at: float  # `time.time()`, which is the same in all processes
