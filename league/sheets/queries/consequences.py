"""What a correction would change, before it is saved: the change is made, looked at, and taken back.

So what is shown is what will be: the same actions, the same ranking, the same arithmetic as the night's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from typing import NamedTuple

from django.db import transaction

from league.evenings.queries.evening_ranking import ranking
from league.models import Due, Evening, Seat
from league.models.evening import EveningState
from league.ratings.queries.game_ratings import computed
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.season_rankings import rank_season
from league.standings.season import Exact
from players.models import Player
from players.rating.expectation import POINT
from players.rating.k_factor import half_up

TENTH = POINT // 10  # what pages show of a rating


class Stand(NamedTuple):
    """Where someone stands: a place, if there is one, and points, or a rating in micro-points."""

    rank: int | None
    number: Exact


class Consequence(NamedTuple):
    """Someone whose place or number changes; None where there was or will be none."""

    player: Player
    before: Stand | None
    after: Stand | None


class Consequences(NamedTuple):
    """Who moves, in each of four lists; a list is empty when nobody does."""

    tables: list[Consequence]
    evening: list[Consequence]
    season: list[Consequence]
    ratings: list[Consequence]

    @property
    def any(self) -> bool:
        """Whether anything changes at all."""
        return any(self)


class _Standings(NamedTuple):
    tables: dict[int, Stand]
    evening: dict[int, Stand]
    season: dict[int, Stand]
    rated: tuple[object, ...]  # all that ratings are made of at these tables


def consequences(evening: Evening, tables: Iterable[int], change: Callable[[], object]) -> Consequences:
    """Return what `change`, a call of an action, would do to these tables, the evening, the season and the ratings.

    Raises whatever the action raises. Nothing is kept, and nothing is left locked.
    """
    ids = list(tables)
    before = _standings(evening, ids)
    with transaction.atomic():
        change()
        after = _standings(evening, ids)
        moving = evening.state == EveningState.CLOSED and before.rated != after.rated
        rated_after = _ratings(evening) if moving else {}
        transaction.set_rollback(True)
    rated_before = _ratings(evening) if moving else {}
    pairs = [*zip(before[:3], after[:3], strict=True), (rated_before, rated_after)]
    changed = [_changed(one, other) for one, other in pairs]
    people = Player.objects.in_bulk({player for moved in changed for player in moved})
    return Consequences(*(_moves(moved, people) for moved in changed))


def _standings(evening: Evening, tables: list[int]) -> _Standings:
    seats = Seat.objects.filter(table__in=tables).order_by("table", "number")
    facts = seats.values_list("player_id", "points", "table__complete", "table__deals", "table_id", "number")
    return _Standings(
        tables={player: Stand(None, points) for player, points, *_more in facts},
        evening={place.player: Stand(place.rank, place.points) for place in ranking(evening)},
        season=_season(evening),
        rated=tuple(facts),
    )


def _season(evening: Evening) -> dict[int, Stand]:
    """The season's standings; none while the evening doesn't count, or nobody can read the season's rules."""
    if evening.state != EveningState.CLOSED:
        return {}
    with suppress(UnreadableRules):
        return {row.player: Stand(row.rank, row.total) for row in rank_season(evening.season)}
    return {}


def _ratings(evening: Evening) -> dict[int, Stand]:
    """Return the ratings, in the tenths of a point that are shown, to which the next run would come.

    It goes from the evening's date on, or from an earlier one that is due.
    """
    game = evening.season.game
    due = Due.objects.filter(game=game, date__lt=evening.date).order_by("date").values_list("date", flat=True).first()
    found: dict[int, Stand] = {}
    for part in computed(game, due or evening.date):
        found = {
            player: Stand(None, half_up(micro, TENTH) * TENTH)
            for player, micro in zip(part.state.player.tolist(), part.state.ratings.micro.tolist(), strict=True)
        }
    return found


def _changed(before: Mapping[int, Stand], after: Mapping[int, Stand]) -> dict[int, tuple[Stand | None, Stand | None]]:
    both = {player: (before.get(player), after.get(player)) for player in before.keys() | after.keys()}
    return {player: (one, other) for player, (one, other) in both.items() if one != other}


def _moves(changed: Mapping[int, tuple[Stand | None, Stand | None]], people: Mapping[int, Player]) -> list[Consequence]:
    """Return them sorted by the place that they will have; those without one by name, last."""
    moves = [Consequence(people[player], before, after) for player, (before, after) in changed.items()]
    return sorted(
        moves, key=lambda move: (move.after is None, (move.after and move.after.rank) or 0, move.player.sort_key)
    )
