"""The attendances that a draw is made from."""

from __future__ import annotations

from typing import NamedTuple

from league.models import Attendance, Evening

REPLANNED = ("from_round", "to_round", "fixed_table", "partner_id")  # what a draw is made from


class Present(NamedTuple):
    """What a draw knows of someone's attendance; equal if nothing of it has changed."""

    attendance: int
    from_round: int
    to_round: int | None
    fixed_table: int | None
    partner: int | None


def present(evening: Evening) -> list[Present]:
    """Return everyone at the evening, as a draw is made from them."""
    return [as_present(row) for row in evening.attendances.all()]


def as_present(row: Attendance) -> Present:
    """Return what a draw knows of it."""
    return Present(row.pk, *(getattr(row, name) for name in REPLANNED))
