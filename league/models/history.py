"""History of facts, kept by the database's triggers: who changed what, when and why. Never of derived rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

import pghistory
from django.db import models

M = TypeVar("M", bound=type[models.Model])


def tracked(event_model: str, *, fields: list[str] | None = None, exclude: list[str] | None = None) -> Callable[[M], M]:
    """Keep each insert, change and deletion of the fields in the model `event_model`, with user and reason."""
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
    """Keep the reason with the changes made inside. Without one nothing is added to the statements."""
    return pghistory.context(reason=reason) if reason else nullcontext()
