"""The club's calendar."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from league import celery, checks  # noqa: F401  the queue that messages go to; the system checks
