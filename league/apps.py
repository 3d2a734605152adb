"""The club's calendar, and the site of the repair pages."""

from django.apps import AppConfig
from django.contrib.admin import apps as admin_apps


class LeagueConfig(AppConfig):
    default = True
    name = "league"

    def ready(self) -> None:
        from league import celery, checks  # noqa: F401  the queue that messages go to; the system checks


class RepairsConfig(admin_apps.AdminConfig):
    default = False
    default_site = "league.repairs.RepairSite"
