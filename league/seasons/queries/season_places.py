"""A season's standings, computed from the facts by the season's rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Final

from league.evenings.queries.closed_evenings import ClosedEvenings
from league.models import Season
from league.seasons.queries.house_rules_trial import SeatPoints, TableTrial
from league.seasons.queries.season_evenings import facts_of
from league.standings.places import Place, places
from league.standings.rules import StandingsRules

# The versions of the standings' arithmetic, each with the digest of what it answers for the seasons of its test: one
# more with every change of what it answers, so that everything is computed again.
ANSWERS: Final[Mapping[int, str]] = {
    2: "4a5d37cfdc40ea9c46a8559d6822aebbffe0e78585809275a41ed143cd8f77c2",
    3: "44c9400c3cafd83f9725107f52b3a5972d3d9473bcd9466c65d999701575a420",
}
ARITHMETIC: Final = max(ANSWERS)


def season_places(season: Season) -> list[Place]:
    """Raise UnreadableRules."""
    return places_of([season])[season.pk]


def places_of(
    seasons: Collection[Season],
    until: date | None = None,
    rules: StandingsRules | None = None,
    seat_points: SeatPoints | None = None,
    tables: TableTrial | None = None,
    read: Sequence[ClosedEvenings] = (),
) -> dict[int, list[Place]]:
    """Return the standings by season id; two queries, and one for each game whose rules need each table.

    `until`: as of that date, from evenings and adjustments known today. `rules`, `seat_points`, `tables`: try other
    rules, points or tables. `read`: the result of `read_seasons`. Raise UnreadableRules.
    """
    return {pk: places(*facts) for pk, facts in facts_of(seasons, until, rules, seat_points, tables, read).items()}
