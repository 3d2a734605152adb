"""The folder that the processes of the web server share to count requests.

prometheus_client reads the variable when it is imported. gunicorn imports the application once (--preload) and then
forks, so that all processes get the same folder. Each process writes files of its own there; /metrics adds them up.
"""

from __future__ import annotations

import atexit
import os
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final

VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"


def share_metrics() -> None:
    """Make an empty folder, unless the operator names one. It is removed at the end of the process that made it."""
    if os.environ.get(VARIABLE):
        return
    folder, maker = mkdtemp(prefix="league-metrics-"), os.getpid()
    os.environ[VARIABLE] = folder

    @atexit.register
    def remove() -> None:
        if os.getpid() == maker:  # a forked process ends while the others still count
            rmtree(folder, ignore_errors=True)
