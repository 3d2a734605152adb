"""Memory and CPU time of processes with their child processes. Linux only."""

from __future__ import annotations

import os
import re
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
MEGABYTE = 1024  # kB


def family(pid: int) -> list[int]:
    """Return the ids of a process and of all its descendants."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    return [
        pid,
        *(child_pid for match in threads for child in match.read_text().split() for child_pid in family(int(child))),
    ]


def megabytes(pid: int) -> float:
    """Return the memory of a process and its descendants (PSS: shared memory is counted once)."""
    rolled = (Path(f"/proc/{process}/smaps_rollup").read_text() for process in family(pid))
    return sum(int(match[1]) for text in rolled if (match := re.search(r"^Pss:\s+(\d+)", text, re.M))) / MEGABYTE


def processor_seconds(pid: int) -> float:
    """Return the CPU seconds of a process and its descendants, including child processes that have ended."""
    stats = (Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in family(pid))
    return sum(sum(int(ticks) for ticks in stat[11:15]) for stat in stats) / TICKS
