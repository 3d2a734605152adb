"""Clubs, their seasons and evenings, who sat where, and what a season's standings are."""

from league.models.check import Check
from league.models.club import Apart, Club, Membership
from league.models.due import Due
from league.models.evening import Attendance, Evening
from league.models.round import Rest, Round
from league.models.season import Season
from league.models.standing import Adjustment, Standing
from league.models.table import Seat, Table

__all__ = [
    "Adjustment",
    "Apart",
    "Attendance",
    "Check",
    "Club",
    "Due",
    "Evening",
    "Membership",
    "Rest",
    "Round",
    "Season",
    "Seat",
    "Standing",
    "Table",
]
