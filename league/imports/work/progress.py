"""How far a worker is with a list: told through the cache, as its transaction is seen by nobody before its end."""

from __future__ import annotations

from datetime import timedelta
from typing import Final, NamedTuple

from django.core.cache import cache

KEPT: Final = timedelta(hours=1)


class Progress(NamedTuple):
    """How many tables are written, of how many."""

    done: int
    of: int


def note(pk: int, done: int, of: int) -> None:
    """Say how far a list is."""
    cache.set(_key(pk), [done, of], KEPT.total_seconds())


def of_import(pk: int) -> Progress | None:
    """Return how far a list is; None where nothing is known, as without a cache."""
    found = cache.get(_key(pk))
    return Progress(*found) if found else None


def _key(pk: int) -> str:
    return f"import:{pk}"
