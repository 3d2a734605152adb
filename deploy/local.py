"""Run the whole application on this machine: `make run`, or `python -m deploy.local`.

Starts PostgreSQL and Valkey (unless DATABASE_URL and REDIS_URL are set), migrates the database, creates the demo club
in an empty database, then starts gunicorn, a Celery worker and Celery beat, and supervises them. Ctrl-C, SIGTERM and
SIGHUP stop them in reverse order. A process that ends is restarted; if it ends four times within a minute, all others
are stopped too. All persistent data is in var/: the database, the secret key, the logs, and var/env for other commands
while this runs:

    set -a; . var/env; set +a; .venv/bin/python manage.py …
"""

import argparse
import fcntl
import http.client
import os
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType

from deploy import child, servers, var, web_worker
from deploy.child import Child
from deploy.places import database_folder, temporary_folder
from deploy.servers import Server, ServerError

PROJECT_FOLDER = Path(__file__).resolve().parent.parent
DEMO_LOGINS = ("secretary@demo.example", "treasurer@demo.example", "member@demo.example", "admin@demo.example")
DEMO_PASSWORD = "petit-au-bout-2026"
MAX_RESTARTS = 3  # per minute; a process that ends more often needs a repair, not a restart
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class StartFailure(Exception):
    """The application cannot start or run. The message is a line for the user, possibly followed by lines of a log."""


class StopSignalReceived(Exception):
    """A signal asked the program to stop."""


@dataclass(frozen=True)
class Options:
    """Options from the command line and the environment."""

    host: str
    port: int
    var: Path
    with_parent: bool
    demo: bool

    @property
    def address(self) -> str:
        """The URL for a browser on this machine."""
        host = f"[{self.reachable_host}]" if ":" in self.reachable_host else self.reachable_host
        return f"http://{host}:{self.port}/"

    @property
    def reachable_host(self) -> str:
        """The host for requests from this machine: 127.0.0.1 instead of 0.0.0.0, which means all interfaces."""
        return "127.0.0.1" if self.host in ("0.0.0.0", "") else self.host


@dataclass
class SupervisedProcess:
    """A supervised process, and the function that starts it."""

    child: Child
    start: Callable[[], Child]
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 10
    restarts: list[float] = field(default_factory=list)  # times of restarts within the last minute

    def stop(self) -> None:
        self.child.stop(self.stop_signal, self.grace)

    def restart(self, now: float) -> bool:
        """Restart the process and return True. After `MAX_RESTARTS` within a minute, do nothing and return False."""
        self.restarts = [moment for moment in self.restarts if moment > now - 60]
        if len(self.restarts) >= MAX_RESTARTS:
            return False
        self.restarts.append(now)
        self.child = self.start()
        return True


@dataclass
class LocalServices:
    """The running processes of the application and of its local servers."""

    options: Options
    stack: ExitStack
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    running: list[SupervisedProcess] = field(default_factory=list)
    complete: bool = False  # all processes have started; processes that end later are restarted

    @property
    def logs(self) -> Path:
        return self.options.var / "log"

    def new_log_path(self, name: str) -> Path:
        """Return the path of a process's log. Rename an existing log to .log.1."""
        path = self.logs / f"{name}.log"
        if path.exists():
            path.replace(path.with_suffix(".log.1"))
        return path

    def start_servers(self) -> None:
        """Start PostgreSQL and Valkey, and add their addresses to the environment.

        A server whose address is already in the environment is not started.
        """
        sockets = self.stack.enter_context(temporary_folder())
        if not self.environment.get("DATABASE_URL"):
            folder = database_folder(self.options.var)
            if folder != self.options.var:
                reason = f"PostgreSQL does not run as root, and others can't enter {self.options.var}"
                write_line(f"The database is in {folder}: {reason}.")
            self.environment["DATABASE_URL"] = self._supervise_server(
                lambda: servers.start_postgres(
                    folder / "postgres", sockets / "postgres", self.new_log_path("postgres"), durable=True
                )
            )
        if not self.environment.get("REDIS_URL"):
            self.environment["REDIS_URL"] = self._supervise_server(
                lambda: servers.start_valkey(sockets / "valkey", self.new_log_path("valkey"))
            )

    def _supervise_server(self, start: Callable[[], Server]) -> str:
        """Start and supervise a server. Return its URL, which stays the same after a restart."""
        server = start()
        self._add_process(SupervisedProcess(server.child, lambda: start().child, server.stop_signal, grace=20))
        return server.url

    def supervise_process(self, name: str, log: str, command: list[str]) -> Child:
        """Start and supervise a process of the application."""

        def start() -> Child:
            return child.start_process(name, command, self.new_log_path(log), cwd=PROJECT_FOLDER, env=self.environment)

        part = SupervisedProcess(start(), start)
        self._add_process(part)
        return part.child

    def _add_process(self, part: SupervisedProcess) -> None:
        """Supervise the process, and stop it when the application stops."""
        self.stack.callback(part.stop)
        self.running.append(part)

    def start_process(self, name: str, log: str, command: list[str]) -> Child:
        """Start a process that is not restarted. It is stopped when the application stops."""
        started = child.start_process(name, command, self.new_log_path(log), cwd=PROJECT_FOLDER, env=self.environment)
        self.stack.callback(started.stop, signal.SIGTERM, 10)
        return started

    def run_management_command(self, *arguments: str) -> str:
        """Run a management command and return its output. Raise StartFailure if it fails."""
        started = self.start_process(
            f"the command manage.py {arguments[0]}", arguments[0], [sys.executable, "manage.py", *arguments]
        )
        while (status := started.exit_text()) is None:
            self.check_processes()
            time.sleep(0.05)
        if status != "ended with status 0":
            raise StartFailure(describe_end(started, status))
        return started.log.read_text()

    def check_processes(self) -> None:
        """Restart supervised processes that have ended.

        Raise StartFailure during the start, or after too many restarts.
        """
        for part in self.running:
            part.child.rotate_log()
            if status := part.child.exit_text():
                description = describe_end(part.child, status)  # before the restart renames the log
                if not self.complete or not part.restart(time.monotonic()):
                    raise StartFailure(description)
                write_line(f"{description.partition(';')[0]}; it is started again.")

    def wait_until(self, ready: Callable[[], object], name: str, seconds: float = 60) -> None:
        """Wait until `ready` is true. Raise StartFailure after `seconds`."""
        deadline = time.monotonic() + seconds
        while not ready():
            self.check_processes()
            if time.monotonic() > deadline:
                raise StartFailure(f"{name} is not there after {seconds:.0f} seconds: see {self.logs}")
            time.sleep(0.05)


def run_application(options: Options, stack: ExitStack) -> None:
    """Start and supervise everything. Raise StopSignalReceived or StartFailure; never return."""
    (options.var / "log").mkdir(parents=True, exist_ok=True)
    stack.enter_context(lock_var_folder(options))
    check_port(options)
    if not os.environ.get("DATABASE_URL"):
        check_database(database_folder(options.var))
    local = LocalServices(options, stack)
    local.environment.setdefault("LOCAL_STATIC", "1")  # serve static/ without collectstatic
    local.environment.setdefault("SITE_ADDRESS", options.address)
    local.environment.setdefault("EMAIL_URL", f"file:///{options.var}/mail")
    local.environment["SECRET_KEY"] = local.environment.get("SECRET_KEY") or var.secret_key(options.var / "secret-key")
    write_line("Starting the servers …")
    local.start_servers()
    var.write_environment(options.var / "env", local.environment)
    write_line("Bringing the database up to date …")
    local.run_management_command("migrate", "--no-input")
    demo = options.demo and (local.run_management_command("demo", "--if-empty") or not os.environ.get("DATABASE_URL"))
    write_line("Starting the application …")
    start_application(local)
    write_line(f"\n    {options.address}\n")
    if demo and not local.environment.get("DEMO"):  # visitors of a public demo have no passwords
        write_line(f"    demo logins  {'  '.join(DEMO_LOGINS)}\n    password     {DEMO_PASSWORD}\n")
    write_line(f"Data and logs are in {options.var}. Ctrl-C stops everything.")
    local.complete = True
    while True:
        local.check_processes()
        time.sleep(0.25)


def start_application(local: LocalServices) -> None:
    """Start gunicorn and Celery, and wait until they are ready."""
    host = f"[{local.options.host}]" if ":" in local.options.host else local.options.host
    bind = f"{host}:{local.options.port}"
    workers = ("--preload", "--workers", "2", "--graceful-timeout", "5", *web_worker.OPTIONS)
    alone = ("--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "INFO")
    celery = child.module_command("celery", "--app", "league.celery", "--quiet")
    schedule = str(local.options.var / "beat-schedule")
    gunicorn = child.module_command("gunicorn", "league.wsgi", "--bind", bind)
    web = local.supervise_process("the web server (gunicorn)", "web", [*gunicorn, *workers])
    # One worker without --queues reads all queues of the settings (docs/watching.md).
    worker = local.supervise_process(
        "the worker (Celery)", "worker", [*child.LOW_PRIORITY_PREFIX, *celery, "worker", *alone]
    )
    local.supervise_process(
        "the clock (Celery beat)", "beat", [*celery, "beat", "--schedule", schedule, "--pidfile", ""]
    )
    local.wait_until(lambda: "ready." in worker.log.read_text(errors="replace"), worker.name)
    local.wait_until(lambda: livez_status(local.options), local.options.address)
    if (status := livez_status(local.options) or 0) >= 500:
        raise StartFailure(
            f"{local.options.address} answers with error {status}; the end of {web.log}:\n{web.last_log_lines()}"
        )


@contextmanager
def lock_var_folder(options: Options) -> Iterator[None]:
    """Lock the var folder inside the block. Raise StartFailure if another start has locked it."""
    with (options.var / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise StartFailure(f"It runs here already: {lock.read().strip()}") from None
        lock.truncate(0)
        lock.write(f"{options.address}, process {os.getpid()}, data in {options.var}\n")
        lock.flush()
        yield


def check_port(options: Options) -> None:
    """Raise StartFailure if the port is not available."""
    try:
        socket.getaddrinfo(options.host or None, None)
    except (OSError, UnicodeError):
        raise StartFailure(f"HOST is {options.host!r}: set it to an address or a name of this machine") from None
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.host, options.port))
        except (OSError, OverflowError) as error:
            reason = error.strerror if isinstance(error, OSError) else "no such port"
            raise StartFailure(
                f"Port {options.port} of {options.host}: {reason}. Choose another: make run PORT=8001"
            ) from None


def check_database(folder: Path) -> None:
    """Raise StartFailure if the database in this folder is older than the first migration."""
    if older := var.find_older_database(folder):
        raise StartFailure(
            f"{older} is of an older version, which this one can't read; nothing was changed. "
            f"To start with a new database, move it away: mv {older} {older}-old"
        )


def livez_status(options: Options) -> int | None:
    """Request /livez of the running application. Return the HTTP status, or None without a response."""
    connection = http.client.HTTPConnection(options.reachable_host, options.port, timeout=10)
    try:
        connection.request("GET", "/livez")
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def describe_end(process: Child, status: str) -> str:
    """Return a line about the end of a process, followed by the last lines of its log.

    `status` is the result of `exit_text`.
    """
    name = process.name[0].upper() + process.name[1:]
    return f"{name} {status}; the end of {process.log}:\n{process.last_log_lines()}".rstrip()


def write_line(text: str) -> None:
    """Print the text without buffering, because the output may be a pipe."""
    print(text, flush=True)


@contextmanager
def raise_on_stop_signals() -> Iterator[Callable[[], None]]:
    """Raise StopSignalReceived at the first stop signal.

    Yield a function that makes the process ignore later stop signals, so that these do not interrupt the cleanup.
    """

    def stop(number: int, frame: FrameType | None) -> None:
        ignore()
        raise StopSignalReceived

    def ignore() -> None:
        for sign in _STOP_SIGNALS:
            signal.signal(sign, signal.SIG_IGN)

    for sign in _STOP_SIGNALS:
        # nohup ignores SIGHUP, and so does this program then. A shell also ignores SIGINT for `&`, but handle it here.
        if sign is not signal.SIGHUP or signal.getsignal(sign) is not signal.SIG_IGN:
            signal.signal(sign, stop)
    yield ignore


def parse_options(arguments: list[str] | None = None) -> Options:
    """Read the command line. The environment variables PORT, HOST and LEAGUE_VAR are the defaults."""
    parser = argparse.ArgumentParser(
        prog="python -m deploy.local", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--port", type=int, help="default: PORT, else 8000")
    parser.add_argument(
        "--host",
        default=os.environ.get("HOST") or "127.0.0.1",
        help="default: HOST, else 127.0.0.1; see ALLOWED_HOSTS before you open it to others",
    )
    parser.add_argument(
        "--var",
        type=Path,
        default=os.environ.get("LEAGUE_VAR") or PROJECT_FOLDER / "var",
        help="folder of what lasts; default: LEAGUE_VAR, else var/",
    )
    parser.add_argument(
        "--with-parent", action="store_true", help="stop when the process that started this one dies (Linux)"
    )
    parser.add_argument("--no-demo", action="store_false", dest="demo", help="leave an empty database empty")
    namespace = parser.parse_args(arguments)
    if namespace.port is None:
        port = os.environ.get("PORT") or "8000"
        if not port.isdecimal() or not 0 < int(port) < 2**16:
            parser.exit(2, f"PORT is {port!r}: set it to a number, 1 to 65535\n")
        namespace.port = int(port)
    return Options(namespace.host, namespace.port, namespace.var.absolute(), namespace.with_parent, namespace.demo)


def main() -> int:
    """Run the application until a stop signal. Return 0 after a stop signal, 1 after a failure."""
    options = parse_options()
    with raise_on_stop_signals() as ignore_signals:
        if options.with_parent:
            child.die_with_parent(signal.SIGTERM)
        try:
            with ExitStack() as stack:
                try:
                    run_application(options, stack)
                finally:
                    ignore_signals()  # the stack now stops all processes in order
        except StopSignalReceived:
            write_line("\nStopped.")
            return 0
        except (StartFailure, ServerError) as problem:
            print(problem, file=sys.stderr)
        except OSError as problem:
            print(f"{problem.filename or 'The system says'}: {problem.strerror}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
