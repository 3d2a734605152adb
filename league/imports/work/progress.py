"""The progress of an import. It is in the cache, since an import is one database transaction."""

from __future__ import annotations

from datetime import timedelta
from typing import Final, NamedTuple

from django.core.cache import cache

PROGRESS_LIFETIME: Final = timedelta(hours=1)


class Progress(NamedTuple):
    """The progress of an import: the number of finished steps, and of all steps. The action decides what a step is."""

    finished: int
    total: int


def store_progress(job_id: int, finished: int, total: int) -> None:
    cache.set(_cache_key(job_id), [finished, total], PROGRESS_LIFETIME.total_seconds())


def stored_progress(job_id: int) -> Progress | None:
    numbers = cache.get(_cache_key(job_id))
    return Progress(*numbers) if numbers else None


def _cache_key(job_id: int) -> str:
    return f"import:{job_id}"
