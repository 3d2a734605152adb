"""The presets of all games, and the one of any game by totals, in the order of the menu."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from scoring.game import all_games
from scoring.tournament_presets import TournamentPreset

BY_TOTALS: Final = TournamentPreset("totals", _("Any game by totals"), {"unit_size": 1, "rounds": 4})


class GamePreset(NamedTuple):
    """A tournament preset with the slug of its game; "" if it is for any game."""

    preset: TournamentPreset
    game: str

    @property
    def values(self) -> dict[str, Any]:
        return {**self.preset.values, "game": self.game}


def presets() -> list[GamePreset]:
    of_games = [GamePreset(preset, game.slug) for game in all_games() for preset in game.tournament_presets]
    return [*of_games, GamePreset(BY_TOTALS, "")]
