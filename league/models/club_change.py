"""Versions of a club's leaderboards and standings pages: one row for each transaction that changed their content.

Database triggers write the rows in the same transaction (`migrations/0001_functions.sql`), so no code path can skip
them, and a version becomes visible together with its change. Unlike a counter in the club's row, this needs no lock.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, NamedTuple, Self

from allauth.mfa.models import Authenticator
from django.db import connection, models
from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, Value

from league.models.club import Club
from league.models.pending_recompute import RECOMPUTE_NOTICE_TIME

# Stored instead of a club's id for changes of all clubs' pages: names, ratings, results of a run. For pages that belong
# to no club, the triggers store -1.
ALL_CLUBS_ID: Final = 0
MAX_TRANSACTION_TIME: Final = timedelta(hours=1)  # longer than any transaction stays open
_ALL_CLUBS_QUERY: Final = (
    "SELECT league_version_of_all(%s, %s), ARRAY(SELECT DISTINCT time_zone FROM league_club ORDER BY 1)"
)


class ClubChangeQuerySet(models.QuerySet["ClubChange"]):
    def outdated(self, now: datetime) -> Self:
        """Return the rows that can be deleted: the club has a later row, and the transaction has ended."""
        later = ClubChange.objects.filter(club=OuterRef("club"), at__gt=OuterRef("at"))
        return self.filter(Exists(later), at__lt=now - MAX_TRANSACTION_TIME)


class ClubChange(models.Model):
    """A transaction that changed the content of a club's pages. `stamp` is random, so that two states never have the
    same version.

    The primary key includes the time, because transaction numbers start again after a restore.
    """

    pk = models.CompositePrimaryKey("club", "transaction", "at")
    club = models.BigIntegerField()
    transaction = models.BigIntegerField()
    at = models.DateTimeField()
    stamp = models.UUIDField()

    objects: ClassVar = ClubChangeQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.club} {self.at}"


class PageVersion(NamedTuple):
    """The version of a cached page. Pages with equal versions have the same content.

    `rows` contains a digest of the club's changes, the time when the next evening becomes final, and the time of the
    next run. `time_zones` are the time zones of the clubs on the page. `has_factor`: the user has the second factor
    that the club requires.
    """

    rows: str
    time_zones: Sequence[str]
    has_factor: bool = False


def version_of_club(clubs: QuerySet[Any], now: datetime, viewer_id: int | None = None) -> PageVersion | None:
    """Return the version of a club's pages. None if `clubs` is empty, or if nothing has changed in the club yet.

    `clubs` is a queryset of at most one club. `viewer_id` is the id of the user who views the page. One query.
    """
    rows = _VersionOfClub(F("pk"), Value(now), Value(now + RECOMPUTE_NOTICE_TIME))
    factor_condition = Q(asks_second_factor=True) & Exists(Authenticator.objects.filter(user=viewer_id))
    has_factor = models.ExpressionWrapper(factor_condition, models.BooleanField())
    row = Club.objects.filter(pk__in=clubs).order_by().values_list(rows, "time_zone", has_factor).first()
    return PageVersion(row[0], [row[1]], row[2]) if row and row[0] else None


def version_of_all_clubs(now: datetime) -> PageVersion | None:
    """Return the version of pages with rows of all clubs. None if there was no change yet. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_ALL_CLUBS_QUERY, [now, now + RECOMPUTE_NOTICE_TIME])
        rows, time_zones = cursor.fetchone()
    return PageVersion(rows, time_zones) if rows else None


class _VersionOfClub(Func):
    """The SQL function for `PageVersion.rows` of a club. NULL if there was no change yet."""

    function = "league_version_of_club"
    output_field = models.TextField()
