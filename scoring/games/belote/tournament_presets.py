"""Usual formats of belote tournaments."""

from typing import Any

from django.utils.translation import gettext_lazy as _

from scoring.tournament_presets import TournamentPreset

HALF_OF_TWELVE_DEALS = 972  # points: half of 12 × 162
_TWELVE_DEALS: dict[str, Any] = {
    "unit_size": 2,
    "rounds": 4,
    "deals": 12,
    "exempt_points": HALF_OF_TWELVE_DEALS,
    "forfeit_points": HALF_OF_TWELVE_DEALS,  # as for a rest: the pair has no opponents
}

PRESETS = (
    TournamentPreset("belote-sum", _("Belote, 4 × 12 deals, sum of points"), _TWELVE_DEALS),
    TournamentPreset(
        "belote-wins", _("Belote, wins then points"), {**_TWELVE_DEALS, "ranked_by": "wins", "ties": ["points"]}
    ),
    TournamentPreset(
        "belote-minutes",
        _("Belote, 40 minutes or 2,000 points"),
        {
            "unit_size": 2,
            "rounds": 4,
            "target": 2000,
            "minutes": 40,
            "ranked_by": "wins",
            "ties": ["points", "against"],
            "exempt_points": 1000,
            "forfeit_points": 1000,
        },
    ),
)
