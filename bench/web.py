"""gunicorn with two workers on DATABASE_URL, and the duration of each response from its own log."""

from __future__ import annotations

import http.client
import signal
import socket
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from deploy import child

ROOT = Path(__file__).parent.parent
WORKERS, THREADS = 2, 8  # as in the local start
KEEP_ALIVE = 120  # seconds; long, so that a measured request never waits for a new connection
START = 60  # limit in seconds


class Reply(NamedTuple):
    """A response: status, header Location, body, and ETag."""

    status: int
    location: str
    body: bytes
    tag: str


class Browser:
    """A connection that stays open, with a session cookie. It sends forms like a browser, with a CSRF token."""

    def __init__(self, port: int, session: str) -> None:
        self.token = "a" * 32  # the CSRF cookie; the same text is a valid token in a form
        self.cookies = f"sessionid={session}; csrftoken={self.token}"
        self.connection = http.client.HTTPConnection("localhost", port, timeout=60)
        self.connection.connect()
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def get(self, path: str, tag: str = "") -> Reply:
        """Request a page. If `tag` is not "", send it in the header If-None-Match."""
        return self._ask("GET", path, None, {"If-None-Match": tag} if tag else {})

    def post(self, path: str, form: Mapping[str, str]) -> Reply:
        """Send a form."""
        body = urlencode({**form, "csrfmiddlewaretoken": self.token})
        return self._ask("POST", path, body, {"Content-Type": "application/x-www-form-urlencoded"})

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Reply:
        self.connection.request(method, path, body, {"Cookie": self.cookies, **headers})
        answer = self.connection.getresponse()
        return Reply(answer.status, answer.getheader("Location", ""), answer.read(), answer.getheader("ETag", ""))


class Web(NamedTuple):
    """A running server. Its log has method, path and microseconds of each response."""

    port: int
    log: Path

    def milliseconds(self) -> dict[str, list[float]]:
        """Return the durations of all responses so far, in order, by "METHOD /path"."""
        by_request: dict[str, list[float]] = defaultdict(list)
        for line in self.log.read_text().splitlines():
            request_line, _space, microseconds = line.rpartition(" ")
            by_request[request_line].append(int(microseconds) / 1000)
        return by_request


@contextmanager
def web_server() -> Iterator[Web]:
    """Start gunicorn, wait until it listens, and stop it at the end of the block. Call it in the main thread."""
    with tempfile.TemporaryDirectory() as folder, socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        web = Web(port, Path(folder, "answers"))
        command = child.module_command(
            *("gunicorn", "league.wsgi", "--preload", "--bind", f"127.0.0.1:{port}", "--no-control-socket"),
            *("--workers", str(WORKERS), "--threads", str(THREADS), "--keep-alive", str(KEEP_ALIVE)),
            *("--access-logfile", str(web.log), "--access-logformat", "%(m)s %(U)s %(D)s", "--graceful-timeout", "2"),
        )
        running = child.start_process("the web server", command, Path(folder, "log"), cwd=ROOT)
        try:
            deadline = time.monotonic() + START
            while not _listens(port):
                if (how := running.exit_text()) or time.monotonic() > deadline:
                    raise SystemExit(f"{running.name} {how or 'does not listen'}:\n{running.last_log_lines()}")
                time.sleep(0.05)
            yield web
        finally:
            running.stop(signal.SIGTERM, 10)


def _listens(port: int) -> bool:
    with socket.socket() as trying:
        return trying.connect_ex(("127.0.0.1", port)) == 0


def p50(values: list[float]) -> float:
    """Return the median."""
    return statistics.median(values)


def p95(values: list[float]) -> float:
    """Return the 95th percentile."""
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]
