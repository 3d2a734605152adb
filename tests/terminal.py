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
    output, answer_count, remaining = "", 0, list(answers)
    with suppress(OSError):  # the end
        while text := os.read(terminal, 4096).decode(errors="replace"):
            output += text
            if remaining and remaining[0][0] in output[answer_count:]:
                answer_count = len(output)
                os.write(terminal, f"{remaining.pop(0)[1]}\n".encode())
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.close(terminal)
    assert (status, remaining) == (0, []), output
    return output
