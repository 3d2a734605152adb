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
        *(child_pid for match in threads for child in _text_of(match).split() for child_pid in family(int(child))),
    ]


def _text_of(file: Path) -> str:
    """Return the text; none of a process that has just ended."""
    try:
        return file.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""


def megabytes(pid: int) -> float:
    """Return the memory of a process and its children, what several share counted once (PSS)."""
    rolled = (_text_of(Path(f"/proc/{process}/smaps_rollup")) for process in family(pid))
    return sum(int(match[1]) for text in rolled if (match := re.search(r"^Pss:\s+(\d+)", text, re.M))) / MEGABYTE


def processor_seconds(pid: int) -> float:
    """Return what a process and its children have used of the processors, those that have ended too."""
    stats = (_text_of(Path(f"/proc/{process}/stat")).rpartition(")")[2].split() for process in family(pid))
    return sum(sum(int(ticks) for ticks in stat[11:15]) for stat in stats) / TICKS
