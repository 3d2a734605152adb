"""A season's standings, today's or a past date's, as boards show them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from django.db.models import QuerySet, prefetch_related_objects

from league.models import Evening, Rest, Season, Seat, Standing
from league.models.round import RestKind, RoundState
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


def players_who_only_rested(season: Season, rows: Iterable[Standing]) -> set[int]:
    """Return the players among the rows who sat at no table of the season's closed evenings and were never exempt.

    No query where each row has deals.
    """
    players = {row.player_id for row in rows if row.evenings and not row.deals}
    if not players:
        return set()
    played = {"round__evening__in": Evening.objects.closed().filter(season=season), "round__state": RoundState.ACCEPTED}
    seats = Seat.objects.filter(**played, player__in=players).values_list("player", flat=True)
    rests = set(Rest.objects.filter(**played, player__in=players).values_list("player", "kind"))
    exempt = {player for player, kind in rests if kind == RestKind.EXEMPT}
    return {player for player, _kind in rests} - exempt - set(seats)
