"""History of facts (rows that users enter), written by database triggers: user, change, time and reason. Computed rows
have no history.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import pghistory
from django.db import models

M = TypeVar("M", bound=type[models.Model])


def track_history(
    event_model: str, *, fields: list[str] | None = None, exclude: list[str] | None = None
) -> Callable[[M], M]:
    """Return a class decorator for a model: triggers store each change of its rows in the new model `event_model`."""
    decorate: Callable[[M], M] = pghistory.track(
        pghistory.InsertEvent(),
        pghistory.UpdateEvent(),
        pghistory.DeleteEvent(),
        fields=fields,
        exclude=exclude,
        append_only=True,
        model_name=event_model,
        obj_field=pghistory.ObjForeignKey(related_name="events"),
    )
    return decorate


def history_reason(reason: str) -> AbstractContextManager[object]:
    """Store `reason` with the history of all changes inside the `with` block. An empty reason stores nothing."""
    return pghistory.context(reason=reason) if reason else nullcontext()
