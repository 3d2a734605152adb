"""Writes of programs: each key is one write, and the same request sent again gets its first answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from league.actions.refusals import WrongState
from league.models import ApiToken, ApiWrite

RETENTION: Final = timedelta(days=7)  # of an answer
KEYS: Final = UUID("6f1c1c0e-5d0b-4a55-9d2e-3f0a6f3f7c11")  # namespace of the keys that the actions get

Answer = dict[str, Any]


class KeyReused(WrongState):
    """The key belongs to another request."""


@transaction.atomic
def write_once(token: ApiToken, key: str, digest: str, write: Callable[[UUID], Answer], *, now: datetime) -> Answer:
    """Call `write` with a key for its action, and store its answer. Return the first answer if the key is known.

    A write that raises an exception stores nothing: its key stays free. Of two requests at once, the second waits for
    the first. Raise KeyReused if the key came with another `digest` before.
    """
    ApiWrite.objects.filter(token=token, made_at__lt=now - RETENTION).delete()
    row, is_new = ApiWrite.objects.get_or_create(token=token, key=key, defaults={"digest": digest, "made_at": now})
    if not is_new:
        if row.digest != digest:
            raise KeyReused(_("This Idempotency-Key was sent with another request before. Use a new key."))
        return dict(row.answer)
    answer = write(uuid5(KEYS, f"{token.pk}:{key}"))
    row.answer = answer
    row.save(update_fields=["answer"])
    return answer
