"""Store a game's ratings and their history. The caller must hold the lock of the recompute's job."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from datetime import date

from django.db import transaction
from psycopg.errors import UniqueViolation

from players.columns import write_columns
from players.derived_rows import Filter, Replacement, replace_rows
from players.models import FirstMeeting, Rating, RatingDay, RatingStep
from players.rating.state import History, StateArrays


@transaction.atomic
def replace_rating_steps(
    game: str, first: date, last: date, history: History, digests: Mapping[date, str], arithmetic: int
) -> int:
    """Replace the rating steps of the dates from `first` to `last`. Return the number of changed rating steps.

    `digests` has for each date the digest of the results (RatingDay). All first meetings from `first` on are replaced
    by those of `history`, because the caller computes all later dates again, too.
    """
    days: Filter = {"game": game, "date": (first, last)}
    meetings, steps = FirstMeeting.columns(game, history), RatingStep.columns(game, history)
    is_new = not RatingDay.objects.filter(game=game, date__gte=first).exists()  # each rated date has a RatingDay
    replace_rows(RatingDay, days, RatingDay.columns(game, digests, arithmetic), RatingDay.KEY)
    if is_new:
        with suppress(UniqueViolation), transaction.atomic():  # raised by rating steps whose RatingDay was deleted
            write_columns(FirstMeeting, meetings)
            return write_columns(RatingStep, steps)
    replace_rows(FirstMeeting, {"game": game, "date": (first, date.max)}, meetings, FirstMeeting.KEY)
    return replace_rows(RatingStep, days, steps, RatingStep.KEY).changes.total()


@transaction.atomic
def replace_ratings(game: str, state: StateArrays) -> Replacement:
    return replace_rows(Rating, {"game": game}, Rating.columns(game, state), Rating.KEY)
