"""The whole application on this machine: `make run`, or `python -m deploy.local`.

Starts PostgreSQL and Valkey (or uses DATABASE_URL and REDIS_URL, each if given), brings the database up to date, makes
the demo club if there is nothing yet, then starts gunicorn, a Celery worker and Celery beat, and watches them all.
Ctrl-C, SIGTERM and SIGHUP stop them in the reverse order. If one of them ends it is started again; if it ends four
times in a minute, the others are stopped too. Everything that lasts lies in var/: the database, the secret key, the
logs, and var/env for other commands while this runs:

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
from deploy.places import lasting, scratch
from deploy.servers import Server, ServerError

ROOT = Path(__file__).resolve().parent.parent
DEMO_LOGINS = ("secretary@demo.example", "treasurer@demo.example", "member@demo.example", "admin@demo.example")
DEMO_PASSWORD = "petit-au-bout-2026"
OFTEN = 3  # a part that ends more often in a minute has a reason that another start does not mend
_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Failure(Exception):
    """Something that ends the start or the run; its message is one line for the user, then perhaps lines of a log."""


class Stopped(Exception):
    """We were asked to stop."""


@dataclass(frozen=True)
class Options:
    """What the command line and the environment ask for."""

    host: str
    port: int
    var: Path
    with_parent: bool
    demo: bool

    @property
    def address(self) -> str:
        """The page's address in a browser on this machine."""
        host = f"[{self.reachable}]" if ":" in self.reachable else self.reachable
        return f"http://{host}:{self.port}/"

    @property
    def reachable(self) -> str:
        """The host to ask; 0.0.0.0 listens everywhere but is no address."""
        return "127.0.0.1" if self.host in ("0.0.0.0", "") else self.host


@dataclass
class Part:
    """A part that should run, and how it is started; when it was started again in the last minute."""

    child: Child
    begin: Callable[[], Child]
    stop_signal: signal.Signals = signal.SIGTERM
    grace: float = 10
    again: list[float] = field(default_factory=list)

    def stop(self) -> None:
        """End it in good order, whichever start it is of."""
        self.child.stop(self.stop_signal, self.grace)

    def start_again(self, now: float) -> bool:
        """Start it again; not if that was done `OFTEN` times in a minute."""
        self.again = [moment for moment in self.again if moment > now - 60]
        if len(self.again) >= OFTEN:
            return False
        self.again.append(now)
        self.child = self.begin()
        return True


@dataclass
class Local:
    """The running parts, and how to start more of them."""

    options: Options
    stack: ExitStack
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))
    running: list[Part] = field(default_factory=list)
    complete: bool = False  # all is started: what ends from now on is started again

    @property
    def logs(self) -> Path:
        """The folder of the logs, one file a part."""
        return self.options.var / "log"

    def log(self, name: str) -> Path:
        """Return the log of a part; the one of the start before is kept beside it."""
        path = self.logs / f"{name}.log"
        if path.exists():
            path.replace(path.with_suffix(".log.1"))
        return path

    def start_servers(self) -> None:
        """Start the servers whose address is not given, and put their addresses into the environment."""
        sockets = self.stack.enter_context(scratch())
        if not self.environment.get("DATABASE_URL"):
            place = lasting(self.options.var)
            if place != self.options.var:
                why = f"PostgreSQL does not run as root, and others can't enter {self.options.var}"
                say(f"The database is in {place}: {why}.")
            self.environment["DATABASE_URL"] = self._keep(
                lambda: servers.postgres(place / "postgres", sockets / "postgres", self.log("postgres"), durable=True)
            )
        if not self.environment.get("REDIS_URL"):
            self.environment["REDIS_URL"] = self._keep(lambda: servers.valkey(sockets / "valkey", self.log("valkey")))

    def _keep(self, begin: Callable[[], Server]) -> str:
        """Start a server that is to run on, return its address, which stays the same from start to start."""
        server = begin()
        self._watch(Part(server.child, lambda: begin().child, server.stop_signal, grace=20))
        return server.url

    def keep(self, name: str, log: str, command: list[str]) -> Child:
        """Start a part of the application that is to run on."""

        def begin() -> Child:
            return child.start(name, command, self.log(log), cwd=ROOT, env=self.environment)

        part = Part(begin(), begin)
        self._watch(part)
        return part.child

    def _watch(self, part: Part) -> None:
        self.stack.callback(part.stop)
        self.running.append(part)

    def start(self, name: str, log: str, command: list[str]) -> Child:
        """Start a part of the application; it ends with the stack."""
        started = child.start(name, command, self.log(log), cwd=ROOT, env=self.environment)
        self.stack.callback(started.stop, signal.SIGTERM, 10)
        return started

    def manage(self, *arguments: str) -> str:
        """Run a management command to its end, return what it printed. Throws Failure if it fails."""
        started = self.start(
            f"the command manage.py {arguments[0]}", arguments[0], [sys.executable, "manage.py", *arguments]
        )
        while (how := started.ended()) is None:
            self.check()
            time.sleep(0.05)
        if how != "ended with status 0":
            raise Failure(describe(started, how))
        return started.log.read_text()

    def check(self) -> None:
        """Start a part again that should run and has ended. Throws Failure if it ends at once, or again and again."""
        for part in self.running:
            part.child.rotate()
            if how := part.child.ended():
                ended = describe(part.child, how)  # before the next start takes its log away
                if not self.complete or not part.start_again(time.monotonic()):
                    raise Failure(ended)
                say(f"{ended.partition(';')[0]}; it is started again.")

    def wait_until(self, ready: Callable[[], object], what: str, seconds: float = 60) -> None:
        """Wait until `ready` is true, or throw Failure."""
        deadline = time.monotonic() + seconds
        while not ready():
            self.check()
            if time.monotonic() > deadline:
                raise Failure(f"{what} is not there after {seconds:.0f} seconds: see {self.logs}")
            time.sleep(0.05)


def run(options: Options, stack: ExitStack) -> None:
    """Start everything, say so, and watch it. Throws Stopped or Failure, never returns."""
    (options.var / "log").mkdir(parents=True, exist_ok=True)
    stack.enter_context(only_one(options))
    check_port(options)
    if not os.environ.get("DATABASE_URL"):
        check_database(lasting(options.var))
    local = Local(options, stack)
    local.environment.setdefault("LOCAL_STATIC", "1")  # files as they lie in static/, no collectstatic
    local.environment.setdefault("SITE_ADDRESS", options.address)
    local.environment.setdefault("EMAIL_URL", f"file:///{options.var}/mail")
    local.environment["SECRET_KEY"] = local.environment.get("SECRET_KEY") or var.secret_key(options.var / "secret-key")
    say("Starting the servers …")
    local.start_servers()
    var.write_environment(options.var / "env", local.environment)
    say("Bringing the database up to date …")
    local.manage("migrate", "--no-input")
    demo = options.demo and (local.manage("demo", "--if-empty") or not os.environ.get("DATABASE_URL"))
    say("Starting the application …")
    start_application(local)
    say(f"\n    {options.address}\n")
    if demo:
        say(f"    demo logins  {'  '.join(DEMO_LOGINS)}\n    password     {DEMO_PASSWORD}\n")
    say(f"Data and logs are in {options.var}. Ctrl-C stops everything.")
    local.complete = True
    while True:
        local.check()
        time.sleep(0.25)


def start_application(local: Local) -> None:
    """Start what serves pages and what works in the background, and wait until it does."""
    host = f"[{local.options.host}]" if ":" in local.options.host else local.options.host
    bind = f"{host}:{local.options.port}"
    workers = ("--preload", "--workers", "2", "--graceful-timeout", "5", *web_worker.OPTIONS)
    alone = ("--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "INFO")
    celery = child.module("celery", "--app", "league.celery", "--quiet")
    schedule = str(local.options.var / "beat-schedule")
    gunicorn = child.module("gunicorn", "league.wsgi", "--bind", bind)
    web = local.keep("the web server (gunicorn)", "web", [*gunicorn, *workers])
    # One worker for all queues: told none, it reads the night's and the weekly verification's (docs/watching.md).
    worker = local.keep("the worker (Celery)", "worker", [*child.NICE, *celery, "worker", *alone])
    local.keep("the clock (Celery beat)", "beat", [*celery, "beat", "--schedule", schedule, "--pidfile", ""])
    local.wait_until(lambda: "ready." in worker.log.read_text(errors="replace"), worker.name)
    local.wait_until(lambda: ask(local.options), local.options.address)
    if (status := ask(local.options) or 0) >= 500:
        raise Failure(f"{local.options.address} answers with error {status}; the end of {web.log}:\n{web.last_lines()}")


@contextmanager
def only_one(options: Options) -> Iterator[None]:
    """Hold this var folder. Throws Failure if another launcher does."""
    with (options.var / "lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise Failure(f"It runs here already: {lock.read().strip()}") from None
        lock.truncate(0)
        lock.write(f"{options.address}, process {os.getpid()}, data in {options.var}\n")
        lock.flush()
        yield


def check_port(options: Options) -> None:
    """Throws Failure if the port can't be had."""
    try:
        socket.getaddrinfo(options.host or None, None)
    except (OSError, UnicodeError):
        raise Failure(f"HOST is {options.host!r}: set it to an address or a name of this machine") from None
    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as trying:
        trying.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trying.bind((options.host, options.port))
        except (OSError, OverflowError) as problem:
            why = problem.strerror if isinstance(problem, OSError) else "no such port"
            raise Failure(f"Port {options.port} of {options.host}: {why}. Choose another: make run PORT=8001") from None


def check_database(place: Path) -> None:
    """Throws Failure if the database in this folder is older than the migrations; a new one is marked."""
    if older := var.older_database(place):
        raise Failure(
            f"{older} is of an older version, which this one can't read; nothing was changed. "
            f"To start with a new database, move it away: mv {older} {older}-old"
        )


def ask(options: Options) -> int | None:
    """Return the status of /livez, None if nobody answers yet."""
    connection = http.client.HTTPConnection(options.reachable, options.port, timeout=10)
    try:
        connection.request("GET", "/livez")
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


def describe(part: Child, how: str) -> str:
    """Return what to tell about a part that ended: one line, then the end of its log."""
    name = part.name[0].upper() + part.name[1:]
    return f"{name} {how}; the end of {part.log}:\n{part.last_lines()}".rstrip()


def say(text: str) -> None:
    """Print it now, also into a pipe."""
    print(text, flush=True)


@contextmanager
def stopping_on_signals() -> Iterator[Callable[[], None]]:
    """Turn the first stop signal into Stopped; gives a function after which they are ignored, for the clearing up."""

    def stop(number: int, frame: FrameType | None) -> None:
        ignore()
        raise Stopped

    def ignore() -> None:
        for sign in _STOP_SIGNALS:
            signal.signal(sign, signal.SIG_IGN)

    for sign in _STOP_SIGNALS:
        # Under nohup we stay. SIGINT is ignored too in what a shell script starts with &, but there it is meant for us.
        if sign is not signal.SIGHUP or signal.getsignal(sign) is not signal.SIG_IGN:
            signal.signal(sign, stop)
    yield ignore


def parse(arguments: list[str] | None = None) -> Options:
    """Read the command line; PORT, HOST and LEAGUE_VAR of the environment are its defaults."""
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
        default=os.environ.get("LEAGUE_VAR") or ROOT / "var",
        help="folder of what lasts; default: LEAGUE_VAR, else var/",
    )
    parser.add_argument(
        "--with-parent", action="store_true", help="stop when the process that started this one dies (Linux)"
    )
    parser.add_argument("--no-demo", action="store_false", dest="demo", help="leave an empty database empty")
    given = parser.parse_args(arguments)
    if given.port is None:
        port = os.environ.get("PORT") or "8000"
        if not port.isdecimal() or not 0 < int(port) < 2**16:
            parser.exit(2, f"PORT is {port!r}: set it to a number, 1 to 65535\n")
        given.port = int(port)
    return Options(given.host, given.port, given.var.absolute(), given.with_parent, given.demo)


def main() -> int:
    """Run until stopped; 0 if that was asked for, 1 after a failure."""
    options = parse()
    with stopping_on_signals() as ignore_signals:
        if options.with_parent:
            child.die_with_parent(signal.SIGTERM)
        try:
            with ExitStack() as stack:
                try:
                    run(options, stack)
                finally:
                    ignore_signals()  # the stack now stops what runs, in order
        except Stopped:
            say("\nStopped.")
            return 0
        except (Failure, ServerError) as problem:
            print(problem, file=sys.stderr)
        except OSError as problem:
            print(f"{problem.filename or 'The system says'}: {problem.strerror}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
