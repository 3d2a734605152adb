from __future__ import annotations

from typing import NamedTuple

from league.models import Attendance, Evening

DRAW_FIELDS = ("from_round", "to_round", "fixed_table", "partner_id")  # what a draw is made from


class DrawAttendance(NamedTuple):
    attendance: int
    from_round: int
    to_round: int | None
    fixed_table: int | None
    partner: int | None


def draw_attendances(evening: Evening) -> list[DrawAttendance]:
    return [draw_attendance_of(row) for row in evening.attendances.all()]


def draw_attendance_of(row: Attendance) -> DrawAttendance:
    return DrawAttendance(row.pk, *(getattr(row, name) for name in DRAW_FIELDS))
