"""The workers, clocks and queue of an installation: processes that a test may break, on a given database."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from kombu import Connection

from deploy import child, servers
from deploy.child import Child
from league.celery import app
from league.operations.tasks import jobs as messages

ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 60.0  # seconds, on a busy machine


def wait_for(ready: Callable[[], object], event: str) -> None:
    """Wait until `ready` is true, or fail."""
    end = time.monotonic() + PATIENCE
    while not ready():
        assert time.monotonic() < end, f"{event}: not within {PATIENCE:.0f} seconds"
        time.sleep(0.01)


def is_ready(worker: Child) -> bool:
    return "ready." in worker.log.read_text()


class Machines:
    """Workers and clocks as deploy/local.py starts them, in small steps; PostgreSQL knows each by its name."""

    def __init__(self, folder: Path, database: str) -> None:
        self.folder = folder
        self.database = database
        self.workers: dict[str, Child] = {}
        self.clocks: list[Child] = []
        self._started = 0
        self._queue = servers.start_valkey(folder / "valkey", folder / "valkey.log")

    @property
    def queue(self) -> str:
        """The address of the queue, the same after its loss."""
        return self._queue.url

    def start(self, workers: int) -> None:
        """Start workers; they take some seconds."""
        for _ in range(workers):
            self._add()

    def up(self) -> None:
        """Wait until all workers are ready."""
        for worker in self.workers.values():
            wait_for(partial(is_ready, worker), worker.name)

    def _add(self) -> None:
        self._started += 1
        name = f"worker{self._started}"
        options = ("--concurrency", "1", "--without-gossip", "--without-mingle", "--loglevel", "INFO")
        self.workers[name] = self._start(name, "worker", "--hostname", name, *options)

    def tick_along(self, clocks: int) -> None:
        """Start clocks (Celery beat), which tick by themselves."""
        for number in range(clocks):
            schedule = str(self.folder / f"schedule{number}")
            self.clocks.append(
                self._start(f"clock{number}", "beat", "--schedule", schedule, "--pidfile", "", "--loglevel", "INFO")
            )

    def start_with_clock(self) -> Child:
        """Start a worker that is a clock, too, as WORKER_OPTIONS=--beat does; the test stops it."""
        schedule = str(self.folder / "schedule of a worker")
        options = ("--concurrency", "1", "--loglevel", "INFO", "--schedule-filename", schedule, "--beat")
        return self._start("worker-with-clock", "worker", "--hostname", "worker-with-clock", *options)

    def ticks(self) -> list[int]:
        """Return the number of ticks of each clock."""
        return [clock.log.read_text().count("Sending due task tick of celery") for clock in self.clocks]

    def _start(self, name: str, *arguments: str) -> Child:
        command = child.module_command("celery", "--app", "tests.faults.small", "--quiet", *arguments)
        database = f"{self.database}?application_name={name}"
        env = {**os.environ, "DATABASE_URL": database, "REDIS_URL": self._queue.url, "LOG_LEVEL": "INFO"}
        return child.start_process(name, command, self.folder / f"{name}.log", cwd=ROOT, env=env)

    def kill(self, name: str) -> None:
        """Kill -9 a worker and its pool, and start another one."""
        worker = self.workers.pop(name)
        worker.process.kill()
        worker.process.wait()
        self._add()

    def kill_in_pool(self, name: str) -> None:
        """Kill -9 the process of the worker's pool; the worker itself continues."""
        pid = self.workers[name].process.pid
        [working] = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        os.kill(int(working), signal.SIGKILL)

    def signal(self, sign: signal.Signals) -> None:
        for worker in self.workers.values():
            worker.process.send_signal(sign)

    def lose_queue(self) -> None:
        """Kill -9 Valkey, and start an empty one at the same address."""
        self._queue.child.process.kill()
        self._queue.child.process.wait()
        self._queue = servers.start_valkey(self.folder / "valkey", self.folder / "valkey.log")

    def send(self, task: str, *arguments: object) -> None:
        """Put a message into the queue, over a new connection."""
        with self._broker() as broker:
            app.send_task(task, arguments, connection=broker)

    def tick(self) -> None:
        """Send a clock's message."""
        self.send(messages.tick.name)

    def hand_out(self, numbers: Sequence[int], *, times: int = 1) -> None:
        """Send the messages of a run's jobs."""
        for _ in range(times):
            for number in numbers:
                self.send(messages.work_on_job.name, number)

    def purge(self) -> int:
        """Delete the messages that no worker has yet; return their number."""
        with self._broker() as broker:
            return app.control.purge(broker)

    def _broker(self) -> Connection:
        return app.connection_for_write(self._queue.url)

    def log_of(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def rest(self) -> None:
        """Stop the clocks and empty the queue, for the next test."""
        for clock in self.clocks:
            clock.stop(signal.SIGTERM, 10)
        self.clocks.clear()
        self.purge()

    def stop(self) -> None:
        for program in (*self.clocks, *self.workers.values()):
            program.process.kill()
            program.process.wait()
        self._queue.stop()
