"""What the workers and the clock load."""

import subprocess
import sys


def test_they_start_without_the_pages() -> None:
    """30 MB in each of three processes: the pages come when the first letter needs an address."""
    program = (
        "import sys, django; django.setup()\n"
        "from league.celery import app\n"
        "app.loader.import_default_modules()\n"
        "print('league.operations.tasks.jobs.tick' in app.tasks, 'league.urls' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.stdout == "True False\n", done.stderr
