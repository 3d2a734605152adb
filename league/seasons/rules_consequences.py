"""Who would move if a season's rules changed: the change is made, looked at, and taken back."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from django.db import transaction

from league.models import Season
from league.results.season_places import places_of
from league.standings.ranking import StandingRow
from players.models import Player


class MovedRow(NamedTuple):
    """A player, and his row now and then; None where he is not in the standings."""

    player: Player
    rows: tuple[StandingRow | None, StandingRow | None]


def rules_consequences(season_id: int, change: Callable[[], object]) -> list[MovedRow]:
    """Return whose rank or total `change`, a call of an action, would move, in the order of the ranks that stand.

    Raises whatever the action raises. Nothing is kept, and nothing is left locked.
    """
    before = _rows(season_id)
    with transaction.atomic():
        change()
        after = _rows(season_id)
        transaction.set_rollback(True)
    people = Player.objects.in_bulk({*before, *after})
    both = [(player, before.get(player), after.get(player)) for player in [*before, *(after.keys() - before.keys())]]
    return [MovedRow(people[player], (now, then)) for player, now, then in both if _place(now) != _place(then)]


def _place(row: StandingRow | None) -> object:
    return row and (row.rank, row.total)


def _rows(season_id: int) -> dict[int, StandingRow]:
    season = Season.objects.get(pk=season_id)
    return {place.row.player: place.row for place in places_of([season])[season.pk]}
