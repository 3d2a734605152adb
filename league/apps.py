from functools import cache
from importlib import import_module

from django.apps import AppConfig
from django.conf import settings
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
        """Import the kinds of jobs. Called when the first kind is needed, since they import most of the project."""
        for room in JOB_ROOMS:
            import_module(f"league.{room}.work.kinds")
        if settings.DEMO:
            import_module("league.demo.kinds")


class RepairsConfig(admin_apps.AdminConfig):
    default = False
    default_site = "league.repairs.RepairSite"
