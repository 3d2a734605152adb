"""Child processes that end with their parent, even after kill -9.

On Linux a process can receive a signal when its parent dies (prctl(2), PR_SET_PDEATHSIG). On other systems a child
survives a killed parent. A forked process does not inherit this setting. So `python -m deploy.child MODULE …` runs a
Python module whose own children (gunicorn's workers, Celery's pool) get the same setting.
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
    """A running child process, and its log file."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path

    def exit_text(self) -> str | None:
        """Return the end of the process in words, such as "ended with status 1"; None while the process runs."""
        status = self.process.poll()
        if status is None:
            return None
        if status < 0:
            return f"was killed by {signal.Signals(-status).name}"
        return f"ended with status {status}"

    def last_log_lines(self, count: int = 12) -> str:
        """Return the last lines of the log, indented."""
        lines = self.log.read_text(errors="replace").splitlines()[-count:]
        return "\n".join(f"    {line}" for line in lines)

    def rotate_log(self, limit: int = 10_000_000) -> None:
        """Copy a log of more than `limit` bytes to .log.1, and truncate the log. The process continues to append."""
        if self.log.stat().st_size > limit:
            shutil.copy(self.log, self.log.with_suffix(".log.1"))
            os.truncate(self.log, 0)

    def stop(self, sign: signal.Signals, grace: float) -> None:
        """Send the signal, wait, and kill the process after `grace` seconds.

        Only this process gets the signal: Celery's pool can hang if its whole process group gets it.
        """
        if self.process.poll() is None:
            self.process.send_signal(sign)
        try:
            self.process.wait(grace)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def start_process(
    name: str,
    command: Sequence[str | Path],
    log: Path,
    *,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    account: Account | None = None,
    on_orphaned: signal.Signals = signal.SIGKILL,
) -> Child:
    """Start a command, optionally as another account. The child receives `on_orphaned` when this process dies.

    The child has its own session: Ctrl-C does not reach it, and this process can stop its children in order. Other
    users cannot read its files and log. Call this function in the main thread: for Linux, the end of the calling thread
    is the death of the parent.
    """
    log.unlink(missing_ok=True)  # an older log could be readable by other users
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
            preexec_fn=preexec_to_die_with_parent(on_orphaned),
            umask=0o077,
        )
    return Child(name, process, log)


LOW_PRIORITY_PREFIX = ("nice", "-n", "15")  # prefix of a command with low CPU priority


def module_command(name: str, *arguments: str) -> list[str]:
    """Return the command that runs a Python module whose children die with it."""
    return [sys.executable, "-m", "deploy.child", name, *arguments]


def preexec_to_die_with_parent(sign: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """Return a `preexec_fn` for subprocess: the child receives the signal when this process dies."""
    return _parent_death_hook(os.getpid(), sign)


def die_with_parent(sign: signal.Signals) -> None:
    """Request that this process receives the signal when its parent dies. Do nothing outside Linux."""
    _parent_death_hook(os.getppid(), sign)()


def _parent_death_hook(parent: int, sign: signal.Signals) -> Callable[[], None]:
    """Return a function that a child of the process `parent` (a PID) calls after its fork."""

    def request_signal() -> None:
        if sys.platform != "linux":
            return
        _libc.prctl(_PR_SET_PDEATHSIG, sign)
        if os.getppid() != parent:  # the parent died before prctl
            os.kill(os.getpid(), sign)

    return request_signal


def main() -> None:
    """Run a module with arguments, like `python -m`.

    When this process ends, the child processes of the module are killed.
    """
    # The hook runs in the forked child, where getppid() is the process that forked it.
    os.register_at_fork(after_in_child=lambda: die_with_parent(signal.SIGKILL))
    del sys.argv[0]
    runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
