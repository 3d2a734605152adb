"""API requests that write, with an Idempotency-Key: a request that is sent twice is done once.

The second request gets the stored answer of the first.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID, uuid5

from django.db import transaction
from django.utils.translation import gettext as _

from league.actions.refusals import WrongState
from league.models import ApiToken, ApiWrite

ANSWER_RETENTION: Final = timedelta(days=7)  # how long answers are stored
# Namespace of the client keys (version 5 UUIDs) that the actions get.
CLIENT_KEY_NAMESPACE: Final = UUID("6f1c1c0e-5d0b-4a55-9d2e-3f0a6f3f7c11")

Answer = dict[str, Any]


class IdempotencyKeyReused(WrongState):
    """Another request was sent with this Idempotency-Key."""


@transaction.atomic
def write_once(token: ApiToken, key: str, digest: str, write: Callable[[UUID], Answer], *, now: datetime) -> Answer:
    """Call `write` once for each token and Idempotency-Key (`key`), store the answer, and return it.

    If the key was used before, return the stored answer without a call. `write` gets a UUID, the client key for its
    action. If `write` raises an exception, nothing is stored and the key can be used again. Two simultaneous requests
    with one key run one after the other. `digest` identifies the request: raise IdempotencyKeyReused if the key was
    used before with another digest.
    """
    ApiWrite.objects.filter(token=token, made_at__lt=now - ANSWER_RETENTION).delete()
    row, is_new = ApiWrite.objects.get_or_create(token=token, key=key, defaults={"digest": digest, "made_at": now})
    if not is_new:
        if row.digest != digest:
            raise IdempotencyKeyReused(_("This Idempotency-Key was sent with another request before. Use a new key."))
        return dict(row.answer)
    answer = write(uuid5(CLIENT_KEY_NAMESPACE, f"{token.pk}:{key}"))
    row.answer = answer
    row.save(update_fields=["answer"])
    return answer
