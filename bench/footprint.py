"""What processes take of the machine: memory and processor, each with its children. Linux alone."""

from __future__ import annotations

import os
import re
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")
MEGABYTE = 1024  # kB


def family(pid: int) -> list[int]:
    """Return a process and all that it started."""
    threads = Path(f"/proc/{pid}/task").glob("*/children")
    return [
        pid,
        *(child_pid for match in threads for child in match.read_text().split() for child_pid in family(int(child))),
    ]


def megabytes(pid: int) -> float:
    """Return the memory of a process and its children, what several share counted once (PSS)."""
    rolled = (Path(f"/proc/{process}/smaps_rollup").read_text() for process in family(pid))
    return sum(int(match[1]) for text in rolled if (match := re.search(r"^Pss:\s+(\d+)", text, re.M))) / MEGABYTE


def processor_seconds(pid: int) -> float:
    """Return what a process and its children have used of the processors, those that have ended too."""
    stats = (Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split() for process in family(pid))
    return sum(sum(int(ticks) for ticks in stat[11:15]) for stat in stats) / TICKS
