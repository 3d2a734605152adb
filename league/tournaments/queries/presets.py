"""The program's presets of tournaments, in menu order: those of each game, then one for any game by totals."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from scoring.game import all_games
from scoring.tournament_presets import TournamentPreset

TOTALS_PRESET: Final = TournamentPreset("totals", _("Any game by totals"), {"unit_size": 1, "rounds": 4})


class GamePreset(NamedTuple):
    """A preset of tournaments, and the slug of its game; the slug is "" for the preset for any game."""

    preset: TournamentPreset
    game: str

    @property
    def values(self) -> dict[str, Any]:
        """The values of a new tournament, by field name of `Tournament`; "ties" are its tie-breaks."""
        return {**self.preset.values, "game": self.game}


def presets() -> list[GamePreset]:
    of_games = [GamePreset(preset, game.slug) for game in all_games() for preset in game.tournament_presets]
    return [*of_games, GamePreset(TOTALS_PRESET, "")]
