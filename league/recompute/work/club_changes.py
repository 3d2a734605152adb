"""Delete old changes of clubs when a run ends: pages are cached by the newest change of their club."""

from __future__ import annotations

from datetime import datetime

from django.db import connection

from league.models import ClubChange
from league.models.club_change import EVERY_CLUB


def delete_outdated(now: datetime) -> None:
    """Call it in a transaction.

    Note a change of every club: else the newest remaining one could be from before a change that was committed late.
    """
    if ClubChange.objects.outdated(now).delete()[0]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT league_note_change(%s)", [EVERY_CLUB])
