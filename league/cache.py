"""The cache as a comfort: while Redis or Valkey is away, or hangs, pages are slower and nothing else.

What is kept there can be done without: sessions stand in the database as well, and without a memory the limits on
failed sign-ins let everyone try. A logout during an outage ends the session in the database; a copy that survives in
the cache of a server that comes back ends with it the next time it is written.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, TypeVar

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

T = TypeVar("T")


class ForgivingClient(RedisCacheClient):
    """Answers as an empty cache would that takes everything, when the server does not."""

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        """Whether the key is new: true, or who waits for his turn would wait for ever."""
        return _unless_away(lambda: bool(super(ForgivingClient, self).add(key, value, timeout)), True)

    def get(self, key: Any, default: Any) -> Any:
        """The value, else the default."""
        return _unless_away(lambda: super(ForgivingClient, self).get(key, default), default)

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        """Keep the value, or don't."""
        _unless_away(lambda: super(ForgivingClient, self).set(key, value, timeout), None)

    def delete(self, key: Any) -> bool:
        """Whether there was something to delete."""
        return _unless_away(lambda: bool(super(ForgivingClient, self).delete(key)), False)

    def has_key(self, key: Any) -> bool:
        """Whether the key is there."""
        return _unless_away(lambda: bool(super(ForgivingClient, self).has_key(key)), False)


class ForgivingCache(RedisCache):
    """Django's cache in Redis, that may be away."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = ForgivingClient


def _unless_away(ask: Callable[[], T], otherwise: T) -> T:
    try:
        return ask()
    except RedisError as error:
        logger.warning("The cache is away, the page goes on without it: %s", error)
        return otherwise
