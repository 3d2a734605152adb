"""Every stored change of the ratings, and what its pair lines add up to: they have to be the same."""

from __future__ import annotations

from datetime import date

from league.ratings.queries.rating_change import explained
from players.models import RatingStep
from players.rating.reference import START


def all_changes() -> dict[tuple[int, str, date], int]:
    """Return every stored change of every rating, in micro-points."""
    held: dict[tuple[int, str], int] = {}
    found = {}
    for step in RatingStep.objects.order_by("date"):
        who = (step.player_id, step.game)
        found[(*who, step.date)] = step.micro - held.get(who, START)
        held[who] = step.micro
    return found


def sums(changes: dict[tuple[int, str, date], int]) -> dict[tuple[int, str, date], int]:
    return {key: sum(table.gain for table in explained(*key)) for key in changes}
