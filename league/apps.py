from functools import cache
from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
from django.contrib.admin import apps as admin_apps

# The rooms that register kinds of jobs.
JOB_ROOMS = (
    "clubs",
    "imports",
    "notifications",
    "operations",
    "recompute",
    "tournaments",
    "webhooks",
)


class LeagueConfig(AppConfig):
    default = True
    name = "league"

    def ready(self) -> None:
        from league import celery, checks  # noqa: F401  registers the Celery app and the system checks

    @cache  # noqa: B019  there is only one configuration object
    def load_job_kinds(self) -> None:
        """Import the modules that register kinds of jobs.

        This is called when the first kind is needed, because these modules import most of the project.
        """
        for room in JOB_ROOMS:
            import_module(f"league.{room}.work.kinds")
        if settings.DEMO:
            import_module("league.demo.kinds")


class RepairsConfig(admin_apps.AdminConfig):
    default = False
    default_site = "league.repairs.RepairSite"
