"""A season's standings, today's or a past date's, as boards show them."""

from __future__ import annotations

from datetime import date

from django.db.models import QuerySet, prefetch_related_objects

from league.models import Season, Standing
from league.results.season_evenings import UnreadableRules
from league.results.season_places import ARITHMETIC, places_of


def standings(season: Season) -> QuerySet[Standing]:
    """Return the stored rows with their players, without what each is made of: that is most of what a row weighs."""
    rows = Standing.objects.filter(season=season).select_related("player")
    return rows.defer("counted", "dropped", "worth", "extras")


def standings_on(season: Season, day: date) -> list[Standing]:
    """Return the rows as of a past date, in the order of those of today, with their players; stored nowhere."""
    try:
        places = places_of([season], until=day)[season.pk]
    except UnreadableRules:
        return []
    found = [Standing.of(season.pk, place, ARITHMETIC) for place in places]
    prefetch_related_objects(found, "player")
    return sorted(found, key=lambda row: (row.rank is None, row.rank or 0, -row.total, row.player.sort_key))
