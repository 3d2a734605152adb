"""A season's standings as they follow from the facts, by the season's own rules."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date

from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import Season
from league.seasons.queries.house_rules_trial import SeatPoints, TableTrial
from league.seasons.queries.season_evenings import facts_of
from league.standings.places import Place, places
from league.standings.rules import StandingsRules


def season_places(season: Season) -> list[Place]:
    """Return the season's standings. Raises UnreadableRules."""
    return places_of([season])[season.pk]


def places_of(
    seasons: Collection[Season],
    until: date | None = None,
    rules: StandingsRules | None = None,
    seat_points: SeatPoints | None = None,
    tables: TableTrial | None = None,
    read: Sequence[ClosedEvenings] = (),
) -> dict[int, list[Place]]:
    """Return the standings of several seasons by their ids; two queries, and one for each game that is asked by table.

    With `until`, as of that date: from evenings and adjustments up to it, as they are known today. With `rules`, as
    they would be by these; with `seat_points`, as if these seats had these; with `tables`, as if these counted. With
    `read`, of what was read of them already. Raises UnreadableRules.
    """
    return {pk: places(*facts) for pk, facts in facts_of(seasons, until, rules, seat_points, tables, read).items()}
