"""Shared locks: while an action writes in a season, the season cannot be closed, nor its rules changed."""

from __future__ import annotations

from collections.abc import Collection

from django.db import connection

from league.models import SeasonClosing

_LOCK_SEASON_OF_EVENING_SQL = """
    SELECT 1 FROM league_season JOIN league_evening ON league_evening.season_id = league_season.id
    WHERE league_evening.id = %s FOR SHARE OF league_season
"""
_LOCK_SEASONS_SQL = "SELECT 1 FROM league_season WHERE id = ANY (%s) ORDER BY id FOR SHARE"


def lock_season_of_evening_shared(evening_id: int) -> None:
    """Lock the evening's season FOR SHARE. Call it in a transaction, before reading the season's state."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_SEASON_OF_EVENING_SQL, [evening_id])


def lock_seasons_shared(seasons: Collection[int]) -> set[int]:
    """Lock seasons FOR SHARE; return the ids of the seasons that are not closed. Call it in a transaction."""
    with connection.cursor() as cursor:
        cursor.execute(_LOCK_SEASONS_SQL, [sorted(seasons)])
    return set(seasons) - set(SeasonClosing.objects.filter(season__in=seasons).values_list("season_id", flat=True))
