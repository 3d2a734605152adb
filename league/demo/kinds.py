"""Register the job of the nightly reset. `league.apps` imports this module in demo mode only."""

from league.actions.jobs import register_job_kind
from league.demo import reset

register_job_kind(reset.JOB_DEFINITION)
