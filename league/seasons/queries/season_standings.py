"""A season's standings for pages: the current standings, and the standings of a past date."""

from __future__ import annotations

from datetime import date

from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Value, When, prefetch_related_objects

from league.models import Rest, Season, Seat, Standing, versions
from league.models.evening import EveningState
from league.models.round import RestKind, RoundState
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.season_rankings import rank_seasons


def stored_standings(season: Season, *, with_results: bool = False) -> QuerySet[Standing]:
    """Return the season's stored standings, without their large JSON fields.

    With `with_results`, the results of the evenings are fetched too. Each row is annotated with `rested`: in the closed
    evenings the player only sat rounds out, without a seat and without an exempt round.
    """
    of_player = {
        "round__evening__season": season,
        "round__evening__state": EveningState.CLOSED,
        "round__state": RoundState.ACCEPTED,
        "player": OuterRef("player"),
    }
    seats, rests = Seat.objects.filter(**of_player), Rest.objects.filter(**of_player)
    only_rested = Exists(rests) & ~Exists(rests.filter(kind=RestKind.EXEMPT)) & ~Exists(seats)
    # The database runs the subqueries only for the few rows without deals.
    rows: QuerySet[Standing] = season.standings.select_related("player")
    rested = Case(When(Q(deals=0, evenings__gt=0), then=only_rested), default=Value(value=False))
    omitted = ("dropped", "extras") if with_results else ("counted", "dropped", "worth", "extras")
    return rows.defer(*omitted).annotate(rested=rested)


def standings_on(season: Season, day: date) -> list[Standing]:
    """Compute the season's standings after the evenings up to `day`: unsaved rows. No rows if its rules are invalid."""
    try:
        ranking = rank_seasons([season], until=day)[season.pk]
    except UnreadableRules:
        return []
    rows = [Standing.from_row(season.pk, row, versions.STANDINGS) for row in ranking]
    prefetch_related_objects(rows, "player")
    for row in rows:
        row.season = season
    return sorted(rows, key=lambda row: (row.rank is None, row.rank or 0, -row.total, row.player.sort_key))
