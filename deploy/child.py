"""Child processes that never outlive their parent, not even after its kill -9.

Linux sends a process the signal of its choice when its parent dies (prctl(2), PR_SET_PDEATHSIG); elsewhere a child
outlives a killed parent. The choice is not inherited by fork, so `python -m deploy.child MODULE …` runs a Python module
whose own children (gunicorn's workers, Celery's pool) make it too. Knows nothing of what it runs.
"""

import ctypes
import os
import runpy
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from deploy.places import Account

_PR_SET_PDEATHSIG = 1
_libc = ctypes.CDLL(None)


@dataclass(frozen=True)
class Child:
    """A running process, and the file its output goes to."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def ended(self) -> str | None:
        """Return how it ended, as the rest of a sentence, or nothing while it runs."""
        status = self.process.poll()
        if status is None:
            return None
        if status < 0:
            return f"was killed by {signal.Signals(-status).name}"
        return f"ended with status {status}"

    def last_lines(self, count: int = 12) -> str:
        """Return the end of the log, indented."""
        lines = self.log.read_text(errors="replace").splitlines()[-count:]
        return "\n".join(f"    {line}" for line in lines)

    def rotate(self, limit: int = 10_000_000) -> None:
        """Copy a log of more than `limit` bytes to its .1 and empty it; the process writes on at its end."""
        if self.log.stat().st_size > limit:
            shutil.copy(self.log, self.log.with_suffix(".log.1"))
            os.truncate(self.log, 0)

    def stop(self, sign: signal.Signals, grace: float) -> None:
        """Send the signal, wait, and kill the process after `grace` seconds.

        The signal goes to this process alone: Celery's pool can hang when its whole group gets it.
        """
        if self.process.poll() is None:
            self.process.send_signal(sign)
        try:
            self.process.wait(grace)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start(
    name: str,
    command: Sequence[str | Path],
    log: Path,
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    account: Account | None = None,
    on_orphaned: signal.Signals = signal.SIGKILL,
) -> Child:
    """Start a command, as `account` if given, that gets `on_orphaned` when this process dies.

    It gets a session of its own, so that Ctrl-C reaches only us and we stop the children in the right order; what it
    writes, its log too, nobody else can read. To be called in the main thread: Linux takes the end of the calling
    thread for the parent's death.
    """
    log.unlink(missing_ok=True)  # whoever could read an older one
    with os.fdopen(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "wb") as output:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env=env,
            start_new_session=True,
            user=account.uid if account else None,
            group=account.gid if account else None,
            extra_groups=[] if account else None,
            preexec_fn=dying_with_us(on_orphaned),
            umask=0o077,
        )
    return Child(name, process, log)


NICE = ("nice", "-n", "15")  # before a command: it takes what others leave of the processors


def module(name: str, *arguments: str) -> list[str]:
    """Return the command that runs a Python module whose children die with it."""
    return [sys.executable, "-m", "deploy.child", name, *arguments]


def dying_with_us(sign: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """Return the preexec_fn of a child that gets the signal when this process dies."""
    return _dying_with(os.getpid(), sign)


def die_with_parent(sign: signal.Signals) -> None:
    """Have this process get the signal when its parent dies. Does nothing outside Linux."""
    _dying_with(os.getppid(), sign)()


def _dying_with(parent: int, sign: signal.Signals) -> Callable[[], None]:
    """Return what a child of `parent` calls after its fork."""

    def bind() -> None:
        if sys.platform != "linux":
            return
        _libc.prctl(_PR_SET_PDEATHSIG, sign)
        if os.getppid() != parent:  # it died before we asked
            os.kill(os.getpid(), sign)

    return bind


def main() -> None:
    """Run the module that the arguments name, as `python -m` would."""
    # In a forked child, the hook's parent is the process that forked it; who that is can only be asked here.
    os.register_at_fork(after_in_child=lambda: die_with_parent(signal.SIGKILL))
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
