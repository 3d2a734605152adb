"""The application's worker and clock in small steps: `celery --app tests.faults.small worker`, or `beat`.

So a league of some dozens of tables has a night of some dozens of steps, and what was lost is handed out again after
half a second. Nothing else differs from `league.celery`. Not for import by a test, which keeps the real sizes.
"""

import django

from league.celery import app
from tests.faults import sizes

django.setup()

from players import night_tasks, nightly, rated  # noqa: E402 (models: only now)

nightly.SLICE = sizes.SLICE
nightly.LOST = sizes.LOST
night_tasks.SEASONS = sizes.SEASONS
rated.STRETCH = sizes.STRETCH  # type: ignore[misc] # final in each program, and this is another
app.conf.beat_schedule["tick"]["schedule"] = sizes.TICK
