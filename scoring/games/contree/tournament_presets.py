"""Usual formats of contrée tournaments."""

from django.utils.translation import gettext_lazy as _

from scoring.tournament_presets import TournamentPreset

PRESETS = (
    TournamentPreset(
        "contree-cannes",
        _("Contrée, Cannes style: 5 rounds of 2,001 points or 40 minutes"),
        {
            "unit_size": 2,
            "rounds": 5,
            "target": 2001,
            "minutes": 40,
            "ranked_by": "match_points",
            "ties": ["difference", "points"],
        },
    ),
)
