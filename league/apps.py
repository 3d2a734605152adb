from functools import cache
from importlib import import_module

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps

JOB_ROOMS = (
    "clubs",
    "imports",
    "notifications",
    "operations",
    "recompute",
    "tournaments",
    "webhooks",
)  # that have kinds of jobs


class LeagueConfig(AppConfig):
    default = True
    name = "league"

    def ready(self) -> None:
        from league import celery, checks  # noqa: F401  the queue that messages go to; the system checks

    @cache  # noqa: B019  there is one configuration
    def load_job_kinds(self) -> None:
        """Called when the first kind is needed, since kinds import most of the project."""
        for room in JOB_ROOMS:
            import_module(f"league.{room}.work.kinds")


class RepairsConfig(admin_apps.AdminConfig):
    default = False
    default_site = "league.repairs.RepairSite"
