"""Every stored change of the ratings, and what its pair lines add up to: they have to be the same."""

from __future__ import annotations

from datetime import date

from league.ratings.queries.rating_change import explain_change
from players.models import RatingStep
from players.rating.reference import START_RATING


def all_changes() -> dict[tuple[int, str, date], int]:
    """Return every stored change of every rating, in micro-points."""
    previous: dict[tuple[int, str], int] = {}
    changes_by_step = {}
    for step in RatingStep.objects.order_by("date"):
        who = (step.player_id, step.game)
        changes_by_step[(*who, step.date)] = step.micro - previous.get(who, START_RATING)
        previous[who] = step.micro
    return changes_by_step


def sums(changes: dict[tuple[int, str, date], int]) -> dict[tuple[int, str, date], int]:
    return {key: sum(table.gain for table in explain_change(*key)) for key in changes}
