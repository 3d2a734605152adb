"""The results matrix of a season: for each row of the standings the worth of each evening, and whether it counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from enum import StrEnum
from typing import NamedTuple

from league.models import Evening, Standing
from league.models.evening import EveningState
from league.standings.season import Exact


class ResultKind(StrEnum):
    COUNTED = "counted"
    DROPPED = "dropped"
    ABSENT = "absent"
    UNKNOWN = "unknown"  # absent, or attended without a worth


class EveningResult(NamedTuple):
    evening: int
    kind: ResultKind
    value: Exact | None  # in the season's own unit


def matrix_evenings(evenings: Iterable[Evening], until: date | None = None) -> list[Evening]:
    """Return the closed evenings, oldest first."""
    closed = [evening for evening in evenings if evening.state == EveningState.CLOSED]
    evenings_in_time = [evening for evening in closed if until is None or evening.date <= until]
    return sorted(evenings_in_time, key=lambda evening: (evening.date, evening.pk))


def results_of(row: Standing, evenings: Sequence[int]) -> list[EveningResult]:
    """Return a result for each evening id. Fetch the row with its JSON fields."""
    counted, worths = set(row.counted), row.worths
    missing = ResultKind.ABSENT if row.evenings == len(worths) else ResultKind.UNKNOWN
    return [
        EveningResult(pk, ResultKind.COUNTED if pk in counted else ResultKind.DROPPED, worths[pk])
        if pk in worths
        else EveningResult(pk, missing, None)
        for pk in evenings
    ]
