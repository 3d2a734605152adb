"""Writing a game's ratings and their history. Whoever calls has locked the run's task: nobody else writes."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from django.db import transaction
from psycopg.errors import UniqueViolation

from players.columns import write
from players.derived_rows import Moved, Where, replace
from players.models import Met, Rating, RatingDay, RatingStep
from players.rating.state import History, StateArrays


@transaction.atomic
def replace_stretch(
    game: str, first: date, last: date, history: History, digests: Mapping[date, str], arithmetic: int
) -> int:
    """Make the history from one date to another equal to this one; return how many checkpoints changed.

    Who met whom first is taken away from `first` on: what follows from later dates comes with their stretches.
    """
    days: Where = {"game": game, "date": (first, last)}
    meetings, steps = Met.columns(game, history), RatingStep.columns(game, history)
    is_new = not RatingDay.objects.filter(game=game, date__gte=first).exists()  # each date that was rated has one
    replace(RatingDay, days, RatingDay.columns(game, digests, arithmetic), RatingDay.KEY)
    if is_new:
        with suppress(UniqueViolation), transaction.atomic():  # raised by checkpoints whose days somebody deleted
            write(Met, meetings)
            return write(RatingStep, steps)
    replace(Met, {"game": game, "date": (first, date.max)}, meetings, Met.KEY)
    return replace(RatingStep, days, steps, RatingStep.KEY).changed.total()


@transaction.atomic
def replace_ratings(game: str, state: StateArrays) -> Moved:
    """Make the ratings that are shown those of a state: the whole board at once."""
    return replace(Rating, {"game": game}, Rating.columns(game, state), Rating.KEY)
