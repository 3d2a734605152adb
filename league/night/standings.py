"""Writing seasons' standings: all of a season at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db import transaction

from league.models import Standing
from league.results.season_places import ARITHMETIC
from league.standings.places import Place
from players.derived_rows import replace_rows

Change = tuple[Standing | None, Standing | None]  # before and after; None where there was none, or is none


@transaction.atomic
def replace_standings(places: Mapping[int, Iterable[Place]]) -> list[Change]:
    """Make the standings of seasons, by their ids, these places, and return what changed. The task is the lock."""
    fresh = [Standing.of(season, place, ARITHMETIC) for season, placed in places.items() for place in placed]
    return replace_rows(Standing.objects.filter(season__in=places), fresh, Standing.KEY, Standing.DERIVED)
