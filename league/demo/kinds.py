"""Register the job of the nightly reset. `league.apps` imports this module in demo mode only."""

from league.actions.jobs import register
from league.demo import reset

register(reset.JOB_DEFINITION)
