"""What tells one state of a club's boards from any other: a row for each transaction that changed what they show.

The rows are written by the database's triggers (migration 0035), with what they tell of: so no writer can forget one,
and none is seen before its change is. Nothing waits for anything, as it would for a counter in the club's own row.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, NamedTuple, Self

from allauth.mfa.models import Authenticator
from django.db import connection, models
from django.db.models import Exists, F, Func, OuterRef, Q, QuerySet, Value

from league.models.club import Club
from league.models.due import SOON

EVERY_CLUB: Final = 0  # instead of a club's id: people's names, ratings, what a run computed
NO_CLUB: Final = -1  # what only boards of all clubs together show
SETTLED: Final = timedelta(hours=1)  # after which no transaction is still open that began before
_OF_ALL: Final = "SELECT league_version_of_all(%s, %s), ARRAY(SELECT DISTINCT time_zone FROM league_club ORDER BY 1)"


class ClubChangeQuerySet(models.QuerySet["ClubChange"]):
    """Changes by whose boards they concern."""

    def outdated(self, now: datetime) -> Self:
        """Return those that a later one of the same club stands for."""
        later = ClubChange.objects.filter(club=OuterRef("club"), at__gt=OuterRef("at"))
        return self.filter(Exists(later), at__lt=now - SETTLED)


class ClubChange(models.Model):
    """A transaction changed what boards of a club show; `stamp` is random, so that two states never have one version.

    Rows are told apart by time as well: transactions are numbered anew after a restore.
    """

    pk = models.CompositePrimaryKey("club", "transaction", "at")
    club = models.BigIntegerField()
    transaction = models.BigIntegerField()
    at = models.DateTimeField()
    stamp = models.UUIDField()

    objects: ClassVar = ClubChangeQuerySet.as_manager()

    def __str__(self) -> str:
        return f"{self.club} {self.at}"


class BoardVersion(NamedTuple):
    """What a board follows from; another value means that it may show something else.

    `rows` is a digest of the rows, when the next evening becomes final, and when a run will be near: what is near
    already is told by the row's coming and going. The time zones are those of the clubs. `has_factor` says whether the
    reader has the second factor that the club asks for.
    """

    rows: str
    time_zones: Sequence[str]
    has_factor: bool = False


def version_of_club(clubs: QuerySet[Any], now: datetime, reader: int | None = None) -> BoardVersion | None:
    """Return the version of the boards of a club, given by a query for its id, for the user of that id.

    None for no club, and for a database in which nothing was noted. One query.
    """
    asked = _VersionOfClub(F("pk"), Value(now), Value(now + SOON))
    own = Q(asks_second_factor=True) & Exists(Authenticator.objects.filter(user=reader))
    has_factor = models.ExpressionWrapper(own, models.BooleanField())
    found = Club.objects.filter(pk__in=clubs).order_by().values_list(asked, "time_zone", has_factor).first()
    return BoardVersion(found[0], [found[1]], found[2]) if found and found[0] else None


def version_of_all(now: datetime) -> BoardVersion | None:
    """Return the version of boards that show several clubs; one query."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_ALL, [now, now + SOON])
        rows, time_zones = cursor.fetchone()
    return BoardVersion(rows, time_zones) if rows else None


class _VersionOfClub(Func):
    """What the database tells of a club's boards (migration 0043); NULL where nothing was noted."""

    function = "league_version_of_club"
    output_field = models.TextField()
