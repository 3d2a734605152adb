"""People and ratings."""

from django.apps import AppConfig


class PlayersConfig(AppConfig):
    name = "players"
