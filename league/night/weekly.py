"""The weekly look through everything stored, also by `manage.py verify`: looks, and notes how that ended."""

from __future__ import annotations

from django.utils import timezone

from league.models.check import CheckKind
from league.monitoring.checks import note
from league.night.verification import verify
from players.derived_rows import Difference

NAMED = 5  # differences that the note names


def look_through() -> list[Difference]:
    """Every difference between what is stored and what follows from the facts; how many there are is noted.

    A deal recorded, or a run done, while we look can seem a difference: only what a second look finds too is one.
    """
    found = list(verify())
    if found:
        again = {str(difference) for difference in verify()}
        found = [difference for difference in found if str(difference) in again]
    named = "\n".join(map(str, found[:NAMED]))
    # Its end, which may be minutes after whoever asked said "now".
    note(CheckKind.VERIFY, now=timezone.now(), ok=not found, found=len(found), summary=named)
    return found
