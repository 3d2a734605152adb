"""How small the steps of the tests' workers are."""

from datetime import timedelta

SLICE = 6  # seasons of a task
SEASONS = 2  # of a step
STRETCH = 4  # tables of a step
LOST = timedelta(seconds=0.5)
TICK = 0.3  # seconds
