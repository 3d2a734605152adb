"""The application's worker and clock in small steps: `celery --app tests.faults.small worker`, or `beat`.

A league of some dozens of tables then has a run of some dozens of steps, and lost messages are sent again after half a
second. Nothing else differs from `league.celery`. Tests must not import it: they need the real sizes.
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

runs.SEASONS_PER_JOB = sizes.SLICE
jobs.MESSAGE_LOST_AFTER = sizes.LOST
kind = actions.job_kinds()["verification"]
actions._kinds[kind.name] = replace(kind, seconds=sizes.MESSAGE)
game_ratings.TABLES_PER_RANGE = sizes.TABLES_PER_RANGE  # type: ignore[misc] # final in each program, and this is another
app.conf.beat_schedule["tick of celery"]["schedule"] = sizes.TICK
