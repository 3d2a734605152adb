"""The folder where the processes of the web server count requests together.

prometheus_client reads the environment variable when it is imported. gunicorn imports the application once (--preload)
and then forks, so that all processes get the same folder. Each process writes its own files there. The page /metrics
adds them up.
"""

from __future__ import annotations

import atexit
import os
from shutil import rmtree
from tempfile import mkdtemp
from typing import Final

METRICS_FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"


def share_metrics() -> None:
    """Create an empty folder, unless the environment names a folder. The process that created the folder removes it."""
    if os.environ.get(METRICS_FOLDER_VARIABLE):
        return
    folder, maker = mkdtemp(prefix="league-metrics-"), os.getpid()
    os.environ[METRICS_FOLDER_VARIABLE] = folder

    @atexit.register
    def remove() -> None:
        if os.getpid() == maker:  # a forked process may end while the others still count
            rmtree(folder, ignore_errors=True)
