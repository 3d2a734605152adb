"""What a season's history keeps with a reason, for members to read: changed standings rules, and openings again."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import JSONArray

from league.models.season import SeasonQuerySet, SeasonState


class ToldReason(NamedTuple):
    """Why an admin did something, and when."""

    at: datetime
    reason: str


class SeasonHistory(NamedTuple):
    """Changes of the standings rules after an evening was closed, and openings of the closed season; latest first."""

    rules_changes: list[ToldReason]
    reopenings: list[ToldReason]


def with_history(seasons: SeasonQuerySet) -> SeasonQuerySet:
    """Annotate seasons with what `history_of` reads."""
    events = apps.get_model("league", "SeasonEvent").objects.filter(pgh_obj=OuterRef("pk")).order_by("pgh_id")
    row = JSONArray("pgh_created_at", "standings_rules", "state", "pgh_context__metadata")
    return seasons.annotate(kept_events=ArraySubquery(events.values(row=row)))


def history_of(season: Any) -> SeasonHistory:
    """Return what was done with a reason to a season that was fetched `with_history`."""
    found = SeasonHistory([], [])
    rules: object = None
    state = ""
    for at, rules_then, state_then, context in season.kept_events:
        if reason := (context or {}).get("reason"):
            told = ToldReason(datetime.fromisoformat(at), reason)
            if rules_then != rules:
                found.rules_changes.insert(0, told)
            if (state, state_then) == (SeasonState.CLOSED, SeasonState.OPEN):
                found.reopenings.insert(0, told)
        rules, state = rules_then, state_then
    return found
