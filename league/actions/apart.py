"""Keeping two players of a club apart, and letting them meet again."""

from __future__ import annotations

from league.models import Apart, Club


def keep_apart(club: Club, one: int, other: int) -> Apart:
    """Keep two players, by their ids, apart in every draw; once, in whatever order they are named."""
    first, second = sorted((one, other))
    pair: Apart = Apart.objects.get_or_create(club=club, first_id=first, second_id=second)[0]
    return pair


def let_meet(pair: Apart) -> None:
    """Let the two be seated together again."""
    pair.delete()
