"""Which changes of clubs are forgotten when a run ends: boards are told apart by what is left."""

from __future__ import annotations

from datetime import datetime

from django.db import connection

from league.models import ClubChange
from league.models.club_change import EVERY_CLUB


def forget(now: datetime) -> None:
    """Delete those that later ones stand for. Call it in a transaction.

    One more is noted, else what is left could be what stood there before a change that was committed late.
    """
    if ClubChange.objects.outdated(now).delete()[0]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT league_note_change(%s)", [EVERY_CLUB])
