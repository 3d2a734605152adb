"""History of facts, written by database triggers: user, change, time and reason. Derived rows have none."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import pghistory
from django.db import models

M = TypeVar("M", bound=type[models.Model])


def tracked(event_model: str, *, fields: list[str] | None = None, exclude: list[str] | None = None) -> Callable[[M], M]:
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


def because(reason: str) -> AbstractContextManager[object]:
    """Store the reason with the changes in this block; an empty reason does nothing."""
    return pghistory.context(reason=reason) if reason else nullcontext()
