"""How small the steps of the tests' workers are."""

from datetime import timedelta

SLICE = 2  # seasons of a task
TABLES_PER_RANGE = 4  # tables of a step
LOST = timedelta(seconds=0.5)
TICK = 0.3  # seconds
MESSAGE = 0.0  # seconds of the weekly look: a slice
