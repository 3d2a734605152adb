"""The weekly look through everything stored, in messages that are soon over.

How far it is and what it found stands in the database: killed at any point, another message goes on with the slice
that was begun. Two at the same slice do it twice, and one of them is heard.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime, timedelta
from enum import Enum
from time import monotonic
from typing import Any

import structlog
from django.db import connection, transaction
from django.db.models import F, QuerySet

from league.models import Verification
from league.operations.work.clock import Clock
from league.operations.work.verification import NAMED, Slice, following, look_at, note_end
from league.recompute.work.steps import TRIES, TROUBLES
from players.derived_rows import Difference
from players.rating.state import StateArrays

log = structlog.get_logger(__name__)

MESSAGE = 5.0  # seconds of a message's work: where one worker reads all queues, a closing waits so long at most
LOST = timedelta(minutes=2)  # without a slice, after which another message goes on
KEPT = 1000  # differences that are kept with all that is said of them; the others are counted


class MessageEnd(Enum):
    """How a message's work ended."""

    MORE = "more"  # its time is over
    LOOKED = "looked"  # everything has been looked at
    OTHER = "other"  # none is under way, or another message was faster


def begin(now: datetime) -> None:
    """Begin a look, or let the one that is under way go on."""
    fresh = {"started_at": now, "touched_at": now, "next": _named(Slice())}
    Verification.objects.get_or_create(pk=1, defaults=fresh)


def is_lost(now: datetime) -> bool:
    """Return whether a look is under way of which nothing was heard for a while; a time in the future says nothing."""
    within = (now - LOST, now + LOST)
    return Verification.objects.exclude(touched_at__range=within).exists()


def go_on(*, clock: Clock, seconds: float) -> MessageEnd:
    """Look at slice after slice until all are done or the time is over."""
    end = monotonic() + seconds
    before: StateArrays | None = None
    while under_way := Verification.objects.first():
        if under_way.next is None:
            return MessageEnd.LOOKED
        at = _slice(under_way.next)
        same = Verification.objects.filter(started_at=under_way.started_at, done=under_way.done)
        same.update(tries=F("tries") + 1, touched_at=clock.now())
        found, before = _looked(at, before, under_way.tries, same)
        later = following(at)
        told = [_told(difference) for difference in found]
        ahead = same.update(
            done=F("done") + 1,
            tries=0,
            touched_at=clock.now(),
            next=_named(later) if later else None,
            number=F("number") + len(told),
            found=[*under_way.found, *told][:KEPT],
        )
        if not ahead:
            return MessageEnd.OTHER
        if later is None:
            return MessageEnd.LOOKED
        if monotonic() > end:
            return MessageEnd.MORE
    return MessageEnd.OTHER


@transaction.atomic
def close(now: datetime) -> None:
    """Note what a look found that has come to its end."""
    looked = Verification.objects.select_for_update().filter(next__isnull=True).first()
    if looked:
        note_end([row["says"] for row in looked.found[:NAMED]], looked.number, now)
        looked.delete()


def _looked(
    at: Slice, before: StateArrays | None, tries: int, same: QuerySet[Verification]
) -> tuple[list[Difference], StateArrays | None]:
    """Look at a slice; where that can't be done, that is what was found, and the others are looked at."""
    if tries >= TRIES:
        return [_unseen(at, f"the worker ended in the middle of it, {tries} times")], None
    try:
        with connection.wrap_database_errors:  # a COPY raises the driver's own
            return look_at(at, before)
    except TROUBLES:
        with suppress(*TROUBLES):
            same.filter(tries__gt=0).update(tries=F("tries") - 1)  # no worker has died
        raise
    except Exception as error:
        log.exception("slice_failed", slice=_named(at))
        return [_unseen(at, f"{type(error).__name__}: {error}")], None


def _unseen(at: Slice, why: str) -> Difference:
    name = ", ".join(f"{part} {value}" for part, value in _named(at).items() if value)
    return Difference("Slice", name, "look", why, "an answer")


def _told(difference: Difference) -> dict[str, str]:
    return {**{name: str(value) for name, value in difference._asdict().items()}, "says": str(difference)}


def _named(at: Slice) -> dict[str, Any]:
    return {**at._asdict(), "since": at.since.isoformat()}


def _slice(named: dict[str, Any]) -> Slice:
    return Slice(**{**named, "since": date.fromisoformat(named["since"])})
