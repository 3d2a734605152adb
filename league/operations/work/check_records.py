from __future__ import annotations

from datetime import datetime

from django.db import transaction

from league.models import Check
from league.models.check import CheckKind

MAX_STORED_CHECKS = 50  # rows of each kind


@transaction.atomic
def record_check(kind: CheckKind, *, now: datetime, ok: bool, problems: int = 0, summary: str = "") -> Check:
    """Store the outcome of work such as a backup or a verification as a Check, and delete old rows of its kind.

    `problems` is the number of problems; `summary` describes the first problems, one per line, or the success.
    """
    check: Check = Check.objects.create(kind=kind, ended_at=now, ok=ok, found=problems, summary=summary)
    of_kind = Check.objects.filter(kind=kind)
    Check.objects.filter(pk__in=list(of_kind.values_list("pk", flat=True)[MAX_STORED_CHECKS:])).delete()
    return check
