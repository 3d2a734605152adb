"""The application's worker and clock in small steps: `celery --app tests.faults.small worker`, or `beat`.

So a league of some dozens of tables has a night of some dozens of steps, and what was lost is handed out again after
half a second. Nothing else differs from `league.celery`. Not for import by a test, which keeps the real sizes.
"""

from dataclasses import replace

import django

from league.celery import app
from tests.faults import sizes

django.setup()

from league.actions import jobs as actions  # noqa: E402 (models: only now)
from league.operations.work import jobs  # noqa: E402 (models: only now)
from league.ratings.queries import game_ratings  # noqa: E402
from league.recompute.work import runs  # noqa: E402 (models: only now)

runs.SLICE = sizes.SLICE
jobs.LOST = sizes.LOST
kind = actions.kinds()["verification"]
actions._kinds[kind.name] = replace(kind, seconds=sizes.MESSAGE)
game_ratings.STRETCH = sizes.STRETCH  # type: ignore[misc] # final in each program, and this is another
app.conf.beat_schedule["tick of celery"]["schedule"] = sizes.TICK
