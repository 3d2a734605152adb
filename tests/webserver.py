"""The application as it is served, in a process of its own on the tests' database, to be stopped and restarted."""

from __future__ import annotations

import os
import signal
import socket
import time
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from urllib.request import Request, urlopen

from django.db import connection

from deploy import child, web_worker
from deploy.child import Child
from tests.relay import Relay

ROOT = Path(__file__).resolve().parent.parent


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


class WebServer:
    """gunicorn as deploy/local.py starts it, at one address from start to start.

    With `relayed`, its network can be cut.
    """

    def __init__(self, folder: Path, *, workers: int = 1, relayed: bool = False, **environment: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._own_port = free_port() if relayed else self.port
        self._relay = Relay(self.port, self._own_port) if relayed else None
        self.log = folder / "web.log"
        self.options = ("--workers", str(workers), *(("--preload",) if workers > 1 else ()))
        self.environment = environment
        self._child: Child | None = None

    def start(self) -> None:
        """Start it, unless it runs, and wait until it answers.

        One process: a test is one person, and each process imports what it needs at its first answers.
        """
        if self._child is not None:
            return
        own_url = f"http://127.0.0.1:{self._own_port}"
        address = urlsplit(os.environ["DATABASE_URL"])
        database = urlunsplit(address._replace(path=f"/{connection.settings_dict['NAME']}"))
        options = (*self.options, "--graceful-timeout", "2", *web_worker.OPTIONS)
        command = child.module_command("gunicorn", "league.wsgi", "--bind", f"127.0.0.1:{self._own_port}", *options)
        env = {**os.environ, "DATABASE_URL": database, **self.environment}
        self._child = child.start_process("the web server", command, self.log, cwd=ROOT, env=env)
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            try:
                probe = Request(own_url, headers={"X-Forwarded-Proto": "https"})  # or HTTPS would send us away
                with urlopen(probe, timeout=deadline - time.monotonic()) as answer:
                    assert answer.status == 200
            except OSError:
                assert self._child.exit_text() is None, self._child.last_log_lines()
                time.sleep(0.05)
            else:
                return
        raise AssertionError(self._child.last_log_lines())

    def connect(self) -> None:
        """Let requests reach the server."""
        assert self._relay is not None
        self._relay.connect()

    def disconnect(self) -> None:
        """Refuse connections, as without a network; the server keeps running."""
        assert self._relay is not None
        self._relay.cut()

    def kill(self) -> None:
        """kill -9: whoever waits for an answer gets none. Its children end with it."""
        if self._child is not None:
            self._child.process.kill()
            self._child.process.wait()
            self._child = None

    def stop(self) -> None:
        """Stop it; whoever asks is refused from now on."""
        if self._child is not None:
            self._child.stop(signal.SIGTERM, 10)
            self._child = None

    def close(self) -> None:
        """Stop it, and end its relay."""
        self.stop()
        if self._relay is not None:
            self._relay.close()
