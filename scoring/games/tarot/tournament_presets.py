"""Usual formats of tarot tournaments."""

from django.utils.translation import gettext_lazy as _

from scoring.tournament_presets import TournamentPreset

_FIVE_ROUNDS = {"rounds": 5, "deals": 4, "pairing": "lot", "exempt_wins": False}

PRESETS = (
    TournamentPreset("tarot-single", _("Tarot, 5 × 4 deals, individual"), {"unit_size": 1, **_FIVE_ROUNDS}),
    TournamentPreset(
        "tarot-teams",
        _("Tarot, teams of two"),
        {"unit_size": 2, "plays_apart": True, "team_best": 2, **_FIVE_ROUNDS},
    ),
)
