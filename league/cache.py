"""The cache as a comfort: while Redis or Valkey is away, or hangs, pages are slower and nothing else.

What is kept there can be done without: sessions stand in the database as well, and without a memory the limits on
failed sign-ins let everyone try. A logout during an outage ends the session in the database; a copy that survives in
the cache of a server that comes back ends with it the next time it is written.
"""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any, TypeVar

import structlog
from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

log = structlog.get_logger(__name__)

T = TypeVar("T")
PAUSE = 5  # seconds without a question after one that failed: a server that hangs costs a page one wait, not twenty


class ForgivingClient(RedisCacheClient):
    """Answers as an empty cache would that takes everything, when the server does not."""

    away_until = 0.0  # by the monotonic clock

    def __init__(self, servers: Any, **options: Any) -> None:
        """Wait one second for the server, and don't try twice: somebody waits for the page."""
        once = Retry(NoBackoff(), 0)
        super().__init__(servers, retry=once, socket_connect_timeout=1, socket_timeout=1, **options)

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        """Return whether the key is new. It is while the cache is away, when nobody else builds a part to wait for."""
        return self._unless_away(lambda: bool(super(ForgivingClient, self).add(key, value, timeout)), True)

    def get(self, key: Any, default: Any) -> Any:
        """Return the value, else the default."""
        return self._unless_away(lambda: super(ForgivingClient, self).get(key, default), default)

    def get_many(self, keys: Any) -> dict[Any, Any]:
        """Return the values of those keys that are there."""
        return self._unless_away(lambda: super(ForgivingClient, self).get_many(keys), {})

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        """Keep the value, or don't."""
        self._unless_away(lambda: super(ForgivingClient, self).set(key, value, timeout), None)

    def delete(self, key: Any) -> bool:
        """Return whether there was something to delete."""
        return self._unless_away(lambda: bool(super(ForgivingClient, self).delete(key)), False)

    def has_key(self, key: Any) -> bool:
        """Return whether the key is there."""
        return self._unless_away(lambda: bool(super(ForgivingClient, self).has_key(key)), False)

    def forget(self, keys: str) -> bool:
        """Delete what has keys of this pattern, and return whether that could be done."""

        def delete() -> bool:
            client = self.get_client(None, write=True)
            for key in client.scan_iter(match=keys, count=1000):
                client.delete(key)
            return True

        return self._unless_away(delete, False)

    def _unless_away(self, ask: Callable[[], T], otherwise: T) -> T:
        if monotonic() < self.away_until:
            return otherwise
        try:
            return ask()
        except RedisError as error:
            self.away_until = monotonic() + PAUSE
            log.warning("cache_away", error=str(error))
            return otherwise


class ForgivingCache(RedisCache):
    """Django's cache in Redis, that may be away."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = ForgivingClient

    def forget_all(self) -> bool:
        """Delete every key of ours, and return whether that could be done.

        `clear` empties the whole server, where the queue lies as well, and perhaps what others keep there.
        """
        client = self._cache
        assert isinstance(client, ForgivingClient)
        return client.forget(f"{self.key_prefix}:*")
