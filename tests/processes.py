"""What still runs of a start: Linux only, as the promise is."""

import os
import time
from pathlib import Path


def processes_of(folder: Path) -> list[str]:
    """The command lines of all processes that work in this folder, or name it in their command or environment."""
    pids = []
    for process in Path("/proc").iterdir():
        if process.name.isdigit() and int(process.name) != os.getpid():
            try:
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ")
                process_texts = (command, (process / "environ").read_bytes(), os.fsencode((process / "cwd").readlink()))
            except OSError:  # it ended meanwhile, or is not ours
                continue
            if command and any(os.fsencode(folder) in text for text in process_texts):
                pids.append(command.decode(errors="replace"))
    return pids


def left_after(folder: Path, seconds: float) -> list[str]:
    """The processes of this folder that are still there after so many seconds, or as soon as there are none: []."""
    deadline = time.monotonic() + seconds
    while (remaining := processes_of(folder)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return remaining
