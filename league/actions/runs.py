"""The action behind the button that computes a club's standings and ratings again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from league.actions import due
from league.messages import send_tick
from league.models import Club, Due, Evening


@transaction.atomic
def request_run(club: Club, *, now: datetime) -> None:
    """Mark all seasons of the club, and the ratings of its games, for a computation now.

    The ratings of a game are computed from the club's first closed evening on.
    """
    for season in club.seasons.all():
        due.mark_season(season, not_before=now, why=Due.Reason.BUTTON)
    for evening in first_closed_evenings(club):
        due.mark_evening(evening, not_before=now, why=Due.Reason.BUTTON)
    transaction.on_commit(send_tick)


def first_closed_evenings(club: Club) -> list[Evening]:
    closed = Evening.objects.closed().filter(season__club=club).with_season()
    return list(closed.order_by("season__game_key", "date", "pk").distinct("season__game_key"))
