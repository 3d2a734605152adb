"""What a season's history keeps with a reason, for members to read: changed standings rules, and openings again."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from league.models import Season
from league.models.season import SeasonState


class ToldReason(NamedTuple):
    """Why an admin did something, and when."""

    at: datetime
    reason: str


class SeasonHistory(NamedTuple):
    """Changes of the standings rules after an evening was closed, and openings of the closed season; latest first."""

    rules_changes: list[ToldReason]
    reopenings: list[ToldReason]


def season_history(season: Season) -> SeasonHistory:
    """Return what was done with a reason. One query."""
    events = season.events.order_by("pgh_id")  # type: ignore[attr-defined]
    found = SeasonHistory([], [])
    rules: object = None
    state = ""
    for at, rules_then, state_then, context in events.values_list(
        "pgh_created_at", "standings_rules", "state", "pgh_context__metadata"
    ):
        if reason := (context or {}).get("reason"):
            told = ToldReason(at, reason)
            if rules_then != rules:
                found.rules_changes.insert(0, told)
            if (state, state_then) == (SeasonState.CLOSED, SeasonState.OPEN):
                found.reopenings.insert(0, told)
        rules, state = rules_then, state_then
    return found
