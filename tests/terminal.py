"""Typing at a command that asks at a terminal."""

from __future__ import annotations

import os
import pty
from collections.abc import Mapping, Sequence
from contextlib import suppress


def type_at(command: Sequence[str], answers: Sequence[tuple[str, str]], environment: Mapping[str, str]) -> str:
    """Run a command at a terminal of its own, and type each answer after its question; what stood there."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.execvpe(command[0], list(command), environment)
    seen, answered, left = "", 0, list(answers)
    with suppress(OSError):  # the end
        while text := os.read(terminal, 4096).decode(errors="replace"):
            seen += text
            if left and left[0][0] in seen[answered:]:
                answered = len(seen)
                os.write(terminal, f"{left.pop(0)[1]}\n".encode())
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    assert (status, left) == (0, []), seen
    return seen
