"""What tells one state of a club's boards from any other: a row for each transaction that changed what they show.

The rows are written by the database's triggers (migration 0035), with what they tell of: so no writer can forget one,
and none is seen before its change is. Nothing waits for anything, as it would for a counter in the club's own row.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final, NamedTuple, Self

from django.contrib.postgres.aggregates import StringAgg
from django.contrib.postgres.expressions import ArraySubquery
from django.db import models
from django.db.models import Exists, Min, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import MD5, Cast

from league.models.club import Club
from league.models.due import SOON, Due
from league.models.evening import Evening

EVERY_CLUB: Final = 0  # instead of a club's id: people's names, ratings, what a run computed
NO_CLUB: Final = -1  # what only boards of all clubs together show
SETTLED: Final = timedelta(hours=1)  # after which no transaction is still open that began before


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

    Besides the rows: the time zones of the clubs, when the next evening becomes final, and when a run will be near.
    """

    changes: str
    time_zones: Sequence[str]
    next_final: datetime | None
    next_due: datetime | None


def version_of_club(clubs: QuerySet[Any], now: datetime) -> BoardVersion | None:
    """Return the version of the boards of a club, given by a query for its id.

    None for no club, and for a database in which nothing was noted. One query.
    """
    found = (
        Club.objects.filter(pk__in=clubs)
        .annotate(
            changes=_digests(Q(club=OuterRef("pk")) | Q(club=EVERY_CLUB)),
            next_final=_next_final(now, season__club=OuterRef("pk")),
            next_due=_next_due(now, season__club=OuterRef("pk")),
        )
        .values_list("changes", "time_zone", "next_final", "next_due")
        .first()
    )
    return BoardVersion(found[0], [found[1]], *found[2:]) if found and found[0] else None


def version_of_all(now: datetime) -> BoardVersion | None:
    """Return the version of boards that show several clubs; one query."""
    zones = Club.objects.order_by("time_zone").distinct().values("time_zone")
    [row] = (
        _together(ClubChange.objects.all())
        .annotate(changes=_digest(), zones=ArraySubquery(zones), final=_next_final(now), due=_next_due(now))
        .values_list("changes", "zones", "final", "due")
    )
    return BoardVersion(*row) if row[0] else None


def _digests(whose: Q) -> Subquery:
    return Subquery(_together(ClubChange.objects.filter(whose)).annotate(all=_digest()).values("all"))


def _digest() -> MD5:
    stamp = Cast("stamp", models.TextField())
    return MD5(StringAgg(stamp, delimiter=Value(""), order_by=stamp))


def _next_final(now: datetime, **whose: OuterRef) -> Subquery:
    return _first(Evening.objects.filter(final_at__gt=now, **whose), "final_at")


def _next_due(now: datetime, **whose: OuterRef) -> Subquery:
    """Return when the next of what waits becomes near: what is near already is told by the row's coming and going."""
    return _first(Due.objects.filter(not_before__gt=now + SOON, **whose), "not_before")


def _first(rows: QuerySet[Any], name: str) -> Subquery:
    return Subquery(_together(rows).annotate(first=Min(name)).values("first"))


def _together(rows: QuerySet[Any]) -> QuerySet[Any]:
    """Return all rows as one group."""
    grouped: QuerySet[Any] = rows.order_by().annotate(one=Value(1)).values("one")
    return grouped
