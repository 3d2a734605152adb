"""gunicorn's threaded worker with a time limit for receiving a request, and a logger that removes secrets from URLs.

gunicorn waits without a limit for the rest of a request, so that a few dozen slow connections could block all threads.
On a server with a proxy, the proxy has the same limit.
"""

import logging
import socket
import time
from contextlib import suppress
from threading import Lock
from typing import Any

from gunicorn import glogging
from gunicorn.workers.gthread import TConn, ThreadWorker

from league.log_lines import replace_secret_links

REQUEST_TIME_LIMIT = 10.0  # seconds until a request must be received; a form has some kB

# 8 threads, because browsers open connections in advance, and each connection occupies a thread for some seconds.
OPTIONS = (
    *("--worker-class", "deploy.web_worker.Worker", "--threads", "8", "--worker-connections", "200"),
    *("--limit-request-line", "4094", "--limit-request-fields", "60", "--limit-request-field_size", "8190"),
    *("--timeout", "60", "--no-control-socket", "--logger-class", "deploy.web_worker.Logger"),
)


class Worker(ThreadWorker):
    """Stop reading from a connection if its request takes longer than REQUEST_TIME_LIMIT. A response is still sent."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._deadlines: dict[TConn, float] = {}  # by connection: end of the time to receive its request
        self._lock = Lock()

    def enqueue_req(self, conn: TConn) -> None:
        """Queue a connection. Its time limit includes the time in the queue."""
        with self._lock:
            self._deadlines[conn] = time.monotonic() + REQUEST_TIME_LIMIT
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> Any:
        """Handle a request in a thread. Return False, which closes the connection, if the request was late."""
        keep_alive = super().handle(conn)
        with self._lock:
            in_time = self._deadlines.pop(conn, None) is not None
        return keep_alive if in_time else False

    def notify(self) -> None:
        """Report to gunicorn that the worker is alive, and stop reading late requests.

        This method is called every second.
        """
        super().notify()
        now = time.monotonic()
        with self._lock:
            late = [conn for conn, end in self._deadlines.items() if end < now]
            for conn in late:
                del self._deadlines[conn]
                with suppress(OSError):  # the connection may be closed already
                    conn.sock.shutdown(socket.SHUT_RD)  # the reading thread receives the end of the stream


class Logger(glogging.Logger):
    """Remove secrets from the URLs in gunicorn's error and access logs."""

    def setup(self, cfg: Any) -> None:
        super().setup(cfg)
        for handler in (*self.error_log.handlers, *self.access_log.handlers):
            if handler.formatter is not None:
                handler.setFormatter(_RedactingFormatter(handler.formatter))


class _RedactingFormatter(logging.Formatter):
    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self._formatter = formatter

    def format(self, record: logging.LogRecord) -> str:
        return replace_secret_links(self._formatter.format(record))
