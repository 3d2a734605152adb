"""Marks of seasons and games: a worker must compute their standings, ratings and statistics again.

Actions add marks. A computation (Run) deletes exactly the marks that it has read. In all functions, `not_before` is the
time from which a run may compute the season or game again, and `why` is the reason.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Min

from league.messages import send_tick
from league.models import Club, Evening, PendingRecompute, Season

CORRECTION_DELAY: Final = timedelta(minutes=1)  # delay after a correction, so that several corrections are one run


def next_nightly_run(now: datetime) -> datetime:
    local = now.astimezone(ZoneInfo(settings.TIME_ZONE))
    night = local.replace(hour=settings.NIGHT_HOUR, minute=0, second=0, microsecond=0)
    return night if night > local else night + timedelta(days=1)


def previous_nightly_run(now: datetime) -> datetime:
    return next_nightly_run(now) - timedelta(days=1)


def mark_evening_for_recompute(evening: Evening, *, not_before: datetime, why: PendingRecompute.Reason) -> None:
    """Mark the evening's season, and the ratings of its game from the evening's date on."""
    PendingRecompute.objects.bulk_create(
        [
            PendingRecompute(season_id=evening.season_id, not_before=not_before, why=why),
            PendingRecompute(game=evening.season.game_key, date=evening.date, not_before=not_before, why=why),
        ]
    )


def mark_corrected_evening(evening: Evening, *, now: datetime, why: PendingRecompute.Reason) -> None:
    """Mark a closed evening after a correction of its results. Do nothing for other evenings."""
    if evening.closed_at is not None:
        mark_evening_for_recompute(evening, not_before=now + CORRECTION_DELAY, why=why)


def mark_season(season: Season, *, not_before: datetime, why: PendingRecompute.Reason) -> None:
    PendingRecompute.objects.create(season=season, not_before=not_before, why=why)


def mark_season_and_ratings(season: Season, *, not_before: datetime, why: PendingRecompute.Reason) -> None:
    """Mark the season, and the ratings of its game from the date of its first closed evening on."""
    mark_season(season, not_before=not_before, why=why)
    first = season.evenings.closed().aggregate(first=Min("date"))["first"]
    if first is not None:
        mark_game(season.game_key, first, not_before=not_before, why=why)


def mark_game(game: str, date: date, *, not_before: datetime, why: PendingRecompute.Reason) -> None:
    """Mark the ratings of a game from `date` on."""
    PendingRecompute.objects.create(game=game, date=date, not_before=not_before, why=why)


@transaction.atomic
def mark_club(club: Club, *, now: datetime) -> None:
    """Mark all seasons of the club, and the ratings of its games from the first closed evening on."""
    for season in club.seasons.all():
        mark_season(season, not_before=now, why=PendingRecompute.Reason.BUTTON)
    closed = Evening.objects.closed().filter(season__club=club).with_season()
    for evening in closed.order_by("season__game_key", "date", "pk").distinct("season__game_key"):
        mark_evening_for_recompute(evening, not_before=now, why=PendingRecompute.Reason.BUTTON)
    transaction.on_commit(send_tick)
