"""Noting how a verification or a backup ended, or that admins were written to."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from league.models import Check
from league.models.check import CheckKind

KEPT = 50  # rows of each kind


@transaction.atomic
def note(kind: CheckKind, *, now: datetime, ok: bool, found: int = 0, summary: str = "") -> Check:
    """Write that it ended at `now`, well or not, and delete the oldest of its kind.

    `found` counts what was wrong, `summary` names the first few, one a line.
    """
    made: Check = Check.objects.create(kind=kind, ended_at=now, ok=ok, found=found, summary=summary)
    of_kind = Check.objects.filter(kind=kind)
    Check.objects.filter(pk__in=list(of_kind.values_list("pk", flat=True)[KEPT:])).delete()
    return made
