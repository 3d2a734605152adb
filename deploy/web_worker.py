"""gunicorn's worker with threads, and a limit of the time in which a request has to arrive; its log without links.

gunicorn waits without end for a request that has begun: a few dozen connections that drip one would keep every thread.
A proxy in front does the same for a deployment.
"""

import logging
import socket
import time
from contextlib import suppress
from threading import Lock
from typing import Any

from gunicorn import glogging
from gunicorn.workers.gthread import TConn, ThreadWorker

from league.log_lines import blotted

ARRIVAL = 10.0  # seconds for a whole request; a form has some kB

# A connection that a browser opens ahead of its need holds a thread for some seconds: there are more of them.
OPTIONS = (
    *("--worker-class", "deploy.web_worker.Worker", "--threads", "8", "--worker-connections", "200"),
    *("--limit-request-line", "4094", "--limit-request-fields", "60", "--limit-request-field_size", "8190"),
    *("--timeout", "60", "--no-control-socket", "--logger-class", "deploy.web_worker.Logger"),
)


class Worker(ThreadWorker):
    """Stops to listen to a connection whose request takes longer than ARRIVAL; an answer still goes out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._arriving: dict[TConn, float] = {}
        self._lock = Lock()

    def enqueue_req(self, conn: TConn) -> None:
        """Have a thread handle a connection; its time runs already while it waits for one."""
        with self._lock:
            self._arriving[conn] = time.monotonic() + ARRIVAL
        super().enqueue_req(conn)

    def handle(self, conn: TConn) -> Any:
        """Handle a request, in a thread; a connection that we stopped to listen to is not kept for another."""
        kept = super().handle(conn)
        with self._lock:
            in_time = self._arriving.pop(conn, None) is not None
        return kept if in_time else False

    def notify(self) -> None:
        """Say that we live, as gunicorn asks every second, and end what is late."""
        super().notify()
        now = time.monotonic()
        with self._lock:
            late = [conn for conn, end in self._arriving.items() if end < now]
            for conn in late:
                del self._arriving[conn]
                with suppress(OSError):  # it may be gone already
                    conn.sock.shutdown(socket.SHUT_RD)  # who waits for the rest reads the end


class Logger(glogging.Logger):
    """gunicorn's log, which names the address of a request that failed, or of each if somebody has it log them."""

    def setup(self, cfg: Any) -> None:
        """Blot secrets out of each line."""
        super().setup(cfg)
        for handler in (*self.error_log.handlers, *self.access_log.handlers):
            if handler.formatter is not None:
                handler.setFormatter(_Blotting(handler.formatter))


class _Blotting(logging.Formatter):
    def __init__(self, formatter: logging.Formatter) -> None:
        super().__init__()
        self._formatter = formatter

    def format(self, record: logging.LogRecord) -> str:
        return blotted(self._formatter.format(record))
