"""When and why a season's standings rules were changed: from its history, for members to read."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from league.models import Season


class RulesChange(NamedTuple):
    """A change of the rules after an evening was closed, which needs a reason."""

    at: datetime
    reason: str


def rules_changes(season: Season) -> list[RulesChange]:
    """Return the changes that have a reason, the latest first. One query."""
    events = season.events.order_by("pgh_id")  # type: ignore[attr-defined]
    found = []
    before: object = None
    for at, rules, context in events.values_list("pgh_created_at", "standings_rules", "pgh_context__metadata"):
        reason = (context or {}).get("reason")
        if reason and rules != before:
            found.append(RulesChange(at, reason))
        before = rules
    return found[::-1]
