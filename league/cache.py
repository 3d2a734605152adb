"""A cache that may fail: without Redis or Valkey, pages are slower but work.

All cached data can be lost without harm. Sessions are stored in the database as well. While the cache is down, failed
sign-ins are not limited. A logout in this time ends the session in the database; the session's copy in the cache ends
when it is next written.
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
PAUSE_AFTER_FAILURE = 5  # seconds without requests after a failure, so that a page waits once and not twenty times


class FaultTolerantClient(RedisCacheClient):
    """A Redis client that raises no error. If the server is down, reads find nothing and writes do nothing."""

    down_until = 0.0  # time by `time.monotonic()`

    def __init__(self, servers: Any, **options: Any) -> None:
        """Wait for at most a second and do not retry, because a user waits for the page."""
        no_retry = Retry(NoBackoff(), 0)
        super().__init__(servers, retry=no_retry, socket_connect_timeout=1, socket_timeout=1, **options)

    def add(self, key: Any, value: Any, timeout: Any) -> bool:
        """Store the value if the key is missing.

        Return True while the server is down, so that the caller computes the value.
        """
        return self._call_unless_down(lambda: bool(super(FaultTolerantClient, self).add(key, value, timeout)), True)

    def get(self, key: Any, default: Any) -> Any:
        return self._call_unless_down(lambda: super(FaultTolerantClient, self).get(key, default), default)

    def get_many(self, keys: Any) -> dict[Any, Any]:
        return self._call_unless_down(lambda: super(FaultTolerantClient, self).get_many(keys), {})

    def set(self, key: Any, value: Any, timeout: Any) -> None:
        self._call_unless_down(lambda: super(FaultTolerantClient, self).set(key, value, timeout), None)

    def delete(self, key: Any) -> bool:
        return self._call_unless_down(lambda: bool(super(FaultTolerantClient, self).delete(key)), False)

    def has_key(self, key: Any) -> bool:
        return self._call_unless_down(lambda: bool(super(FaultTolerantClient, self).has_key(key)), False)

    def delete_matching(self, pattern: str) -> bool:
        """Delete all keys that match the glob `pattern`. Return False if the server is down."""

        def delete() -> bool:
            client = self.get_client(None, write=True)
            for key in client.scan_iter(match=pattern, count=1000):
                client.delete(key)
            return True

        return self._call_unless_down(delete, False)

    def _call_unless_down(self, call: Callable[[], T], fallback: T) -> T:
        """Return `call()`; or `fallback` if the server is down, or failed in the last PAUSE_AFTER_FAILURE seconds."""
        if monotonic() < self.down_until:
            return fallback
        try:
            return call()
        except RedisError as error:
            self.down_until = monotonic() + PAUSE_AFTER_FAILURE
            log.warning("cache_away", error=str(error))
            return fallback


class FaultTolerantCache(RedisCache):
    """Django's cache in Redis, with a client that raises no error."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = FaultTolerantClient

    def delete_all_keys(self) -> bool:
        """Delete all cached data of this installation. Return False if the server is down.

        Django's `clear` would empty the whole server, including the queue.
        """
        client = self._cache
        assert isinstance(client, FaultTolerantClient)
        return client.delete_matching(f"{self.key_prefix}:*")
