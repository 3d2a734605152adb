"""The club's calendar."""

from django.apps import AppConfig


class LeagueConfig(AppConfig):
    name = "league"

    def ready(self) -> None:
        from league import checks  # noqa: F401  registers the system checks
