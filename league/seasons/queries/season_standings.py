"""A season's standings, today's or a past date's, as boards show them."""

from __future__ import annotations

from datetime import date

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When, prefetch_related_objects

from league.models import Rest, Season, Seat, Standing, versions
from league.models.evening import EveningState
from league.models.round import RestKind, RoundState
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.season_places import places_of


def standings(season: Season) -> QuerySet[Standing]:
    """Return the stored rows with their players, without what each is made of: that is most of what a row weighs.

    Each says whether its player only `rested`: sat at no table of a closed evening and was never exempt.
    """
    own = {
        "round__evening__season": season,
        "round__evening__state": EveningState.CLOSED,
        "round__state": RoundState.ACCEPTED,
        "player": OuterRef("player"),
    }
    seats, rests = Seat.objects.filter(**own), Rest.objects.filter(**own)
    only_rested = Exists(rests) & ~Exists(rests.filter(kind=RestKind.EXEMPT)) & ~Exists(seats)
    # Almost every row has deals: then the database does not ask for the player's seats.
    rows = Standing.objects.filter(season=season).select_related("player")
    rested = Case(When(Q(deals=0, evenings__gt=0), then=only_rested), default=Value(value=False))
    return rows.defer("counted", "dropped", "worth", "extras").annotate(rested=rested)


def standings_on(season: Season, day: date) -> list[Standing]:
    """Return the rows as of a past date, in the order of those of today, with their players; stored nowhere."""
    try:
        places = places_of([season], until=day)[season.pk]
    except UnreadableRules:
        return []
    found = [Standing.of(season.pk, place, versions.STANDINGS) for place in places]
    prefetch_related_objects(found, "player")
    return sorted(found, key=lambda row: (row.rank is None, row.rank or 0, -row.total, row.player.sort_key))
