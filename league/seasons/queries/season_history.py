"""The changes of a season for which an admin gave a reason: changes of standings rules, and reopenings."""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef
from django.db.models.functions import JSONArray

from league.models.season import SeasonQuerySet, SeasonState


class ChangeReason(NamedTuple):
    explained_at: datetime
    reason: str


class SeasonHistory(NamedTuple):
    """The changes of a season's standings rules, and its reopenings, each with time and reason; newest first."""

    rules_changes: list[ChangeReason]
    reopenings: list[ChangeReason]


def with_history(seasons: SeasonQuerySet) -> SeasonQuerySet:
    """Annotate `history_rows`, which `history_of` reads."""
    events = apps.get_model("league", "SeasonEvent").objects.filter(pgh_obj=OuterRef("pk")).order_by("pgh_id")
    row = JSONArray("pgh_created_at", "standings_rules", "state", "pgh_context__metadata")
    return seasons.annotate(history_rows=ArraySubquery(events.values(row=row)))


def history_of(season: Any) -> SeasonHistory:
    history = SeasonHistory([], [])
    rules: object = None
    state = ""
    for changed_at, new_rules, new_state, context in season.history_rows:
        if reason := (context or {}).get("reason"):
            explanation = ChangeReason(datetime.fromisoformat(changed_at), reason)
            if new_rules != rules:
                history.rules_changes.insert(0, explanation)
            if (state, new_state) == (SeasonState.CLOSED, SeasonState.OPEN):
                history.reopenings.insert(0, explanation)
        rules, state = new_rules, new_state
    return history
