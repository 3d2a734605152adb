"""The results matrix of a season: for each player the result of each evening, and whether it counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from league.models import Evening, Standing
from league.models.evening import EveningState
from league.standings.season import ExactNumber


class ResultKind(StrEnum):
    COUNTED = "counted"
    DROPPED = "dropped"
    ABSENT = "absent"
    UNKNOWN = "unknown"  # absent, or attended without a worth: stored standings do not say which


class EveningResult(NamedTuple):
    evening: int
    kind: ResultKind
    value: ExactNumber | None  # the worth of the evening by the standings rules; None without a result


def matrix_evenings(evenings: Iterable[Evening], until: date | None = None) -> list[Evening]:
    """Return the closed evenings up to the date `until`, oldest first."""
    closed = [evening for evening in evenings if evening.state == EveningState.CLOSED]
    evenings_in_time = [evening for evening in closed if until is None or evening.date <= until]
    return sorted(evenings_in_time, key=lambda evening: (evening.date, evening.pk))


def evening_results(row: Standing, evenings: Sequence[int]) -> list[EveningResult]:
    """Return a player's result for each of these evening ids. The row's JSON fields must be fetched."""
    counted, worths = set(row.counted), row.worths
    missing = ResultKind.ABSENT if row.evenings == len(worths) else ResultKind.UNKNOWN
    return [
        EveningResult(pk, ResultKind.COUNTED if pk in counted else ResultKind.DROPPED, worths[pk])
        if pk in worths
        else EveningResult(pk, missing, None)
        for pk in evenings
    ]
