"""How an evening is watched: signed addresses, and fragments of pages kept for all their watchers together.

A fragment is the same for everyone who holds its address, its names too, so that one watcher's request builds it and
the others are answered from the cache. Knows no rows: `league.evenings.views.live.parts` builds.
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

SALT = "league.evenings.views.live.fragments"
LIFETIME = timedelta(days=1)

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another
CODE = 8  # of them: one in a million million is right, so that nobody finds one by guessing
BY_CODE = 0  # no user has this id
POLL = 4  # seconds between a watcher's questions: the templates' hx-trigger
FRESH = 3.0  # seconds after which a fragment is built anew even if nobody said that its evening changed
KEPT = 10  # seconds after which even the one before is too old to be shown while the next is being built
ASKED = 10  # seconds after which it is asked again whether an address still opens its evening
TURN = 5  # seconds after which a request that is building the part counts as dead


class UnreadableAddress(ValueError):
    """No address of ours, or one more than a day old."""


class Watched(NamedTuple):
    """What a signed address says: which evening, in which language, for whom, and by whose right it was given.

    Names are those for members where `members` says so. `reader` is the user whose page gave the address, None where
    that was a public club's page for everybody, BY_CODE for the hall's screen; `version` is the evening's
    `live_version`.
    """

    evening: int
    language: str
    members: bool = False
    reader: int | None = None
    version: int = 0

    @property
    def readers(self) -> Audience:
        """Whom names are shown to."""
        return Audience.MEMBERS if self.members else Audience.PUBLIC


class Fragment(NamedTuple):
    """A part of a page; `over` when its evening is, so that it never changes again."""

    html: SafeString
    etag: str
    over: bool


def token(watched: Watched) -> str:
    """Return the signed part of an address."""
    return signing.dumps(watched, salt=SALT)


def short_code(evening: int, key: str, version: int = 0) -> str:
    """Return the code by which a screen finds an open evening: short enough to be typed, and ended with its key."""
    number = int.from_bytes(salted_hmac(f"{SALT}.short", f"{evening}:{key}:{version}", algorithm="sha256").digest())
    return "".join(LETTERS[number >> 5 * place & 31] for place in range(CODE))


def read(text: str) -> Watched:
    """Return what a token says. Raises UnreadableAddress."""
    try:
        return Watched(*signing.loads(text, salt=SALT, max_age=LIFETIME))
    except signing.BadSignature as wrong:  # also what is too old
        raise UnreadableAddress from wrong


def opens(watched: Watched, ask: Callable[[Watched], bool]) -> bool:
    """Return whether the address still opens its evening, as the cache has it; else by asking."""
    key = f"live:opens:{watched.evening}:{watched.version}:{watched.reader}:{watched.members}"
    found: bool | None = cache.get(key)
    if found is None:
        found = ask(watched)
        cache.set(key, found, ASKED)
    return found


def fragment(html: SafeString, *, over: bool) -> Fragment:
    """Return rendered HTML with its tag: the same words, the same tag."""
    return Fragment(html, f'"{sha256(html.encode()).hexdigest()[:24]}"', over)


def kept(watched: Watched, part: str, build: Callable[[], Fragment]) -> Fragment:
    """Return the part as it stands: from the cache, or built by this request while the others get the one before.

    The version is read before the building: a change meanwhile leaves a fragment that the next question renews.
    """
    key, says = f"live:{watched.evening}:{watched.language}:{watched.readers}:{part}", version_key(watched.evening)
    found = cache.get_many([key, says])
    version = found.get(says)
    stored: _Stored | None = found.get(key)
    if stored is not None:
        if stored.version == version and time() - stored.built_at < FRESH:
            return stored.fragment
        if not cache.add(f"{key}:turn", 1, TURN):
            return stored.fragment
    try:
        built = build()
        cache.set(key, _Stored(built, version, time()), KEPT)
    finally:
        cache.delete(f"{key}:turn")
    return built


class _Stored(NamedTuple):
    fragment: Fragment
    version: str | None
    built_at: float  # by the clock of all processes
