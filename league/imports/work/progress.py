"""The progress of an import. It is in the cache, since an import is one database transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Final, NamedTuple

from django.core.cache import cache

LIFETIME: Final = timedelta(hours=1)


class Progress(NamedTuple):
    finished: int
    total: int


def store_progress(pk: int, finished: int, total: int) -> None:
    cache.set(_key(pk), [finished, total], LIFETIME.total_seconds())


def stored_progress(pk: int) -> Progress | None:
    numbers = cache.get(_key(pk))
    return Progress(*numbers) if numbers else None


def _key(pk: int) -> str:
    return f"import:{pk}"
