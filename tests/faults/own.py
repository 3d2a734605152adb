"""A PostgreSQL of the tests' own, to stop, restart and fill, and Django connected to it."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from django.db import connection
from psycopg.conninfo import conninfo_to_dict

from deploy import servers
from deploy.places import server_account
from tests.processes import left_after

DISK = "256m"  # a new cluster, our tables and some of PostgreSQL's logs are half of it


class Database:
    """A lasting PostgreSQL; its data are on a small tmpfs if one can be mounted (`disk`)."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "postgres"
        self._sockets = folder / "sockets"
        self._folder.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(self._folder)]
        self.disk = subprocess.run(mount, stderr=subprocess.DEVNULL).returncode == 0
        self._ballast = self._folder / "ballast"
        self._limited: list[int] = []
        self._log = folder / "postgres.log"
        self.start()

    def start(self) -> None:
        self._server = servers.start_postgres(self._folder, self._sockets, self._log, durable=True)
        self.url = self._server.url

    def stop(self, sign: signal.Signals) -> None:
        """Stop it by a signal, and wait until no process is left."""
        self._server.child.process.send_signal(sign)
        self._server.child.process.wait()
        assert left_after(self._folder / "data", seconds=30) == []

    def has_ended(self) -> bool:
        """Return whether it stopped by itself."""
        return self._server.child.exit_text() is not None

    def read_log(self) -> str:
        return self._log.read_text(errors="replace")

    def fill(self, name: str) -> str:
        """Fill its disk, or limit the size of files that it writes for the named client. Return the method."""
        if not self.disk:
            self._limited = _pids(name)
            self._limit("1")
            return "a limit of the size of files, of one byte"
        with self._ballast.open("wb", buffering=0) as ballast, suppress(OSError):
            while ballast.write(bytes(4096)):
                pass
        return f"a disk (tmpfs) of {DISK}"

    def give_back(self) -> None:
        """Free the space, and start it if it has stopped."""
        self._ballast.unlink(missing_ok=True)
        self._limit("unlimited")
        if self.has_ended():
            self.start()

    def _limit(self, size: str) -> None:
        """Set the limit as PostgreSQL's own account: root may lack the right in a container."""
        account = server_account(self._folder)
        for pid in self._limited:
            subprocess.run(
                ["prlimit", f"--pid={pid}", f"--fsize={size}:unlimited"],
                stderr=subprocess.DEVNULL,  # "No such process" afterwards: then its limit is gone as well
                user=account.uid if account else None,
                group=account.gid if account else None,
                extra_groups=[] if account else None,
            )

    def close(self) -> None:
        self._server.stop()
        if self.disk:
            subprocess.run(["umount", self._folder], check=True)


def _pids(name: str) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pid FROM pg_stat_activity WHERE application_name = %s", [name])
        return [pid for (pid,) in cursor.fetchall()]


@contextmanager
def django_moved_to(url: str) -> Iterator[None]:
    """Connect Django to this database inside the block."""
    target, before = conninfo_to_dict(url), dict(connection.settings_dict)
    connection.close()
    connection.settings_dict |= {
        "HOST": target["host"],
        "NAME": target["dbname"],
        "USER": target["user"],
        "PASSWORD": "",
        "PORT": "",
    }
    try:
        yield
    finally:
        connection.close()
        connection.settings_dict.clear()
        connection.settings_dict |= before
