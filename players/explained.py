"""Reads what a change of a rating was made of: the date's tables, and what those at them held before it.

Knows who played; who may read whose name, the page knows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from itertools import groupby
from typing import Final

from django.db import connection

from players.models import RatingStep
from players.rated import game_length
from players.rating import Held, Result, Side
from players.rating_reasons import Played, TableReasons, reasons
from scoring import registry

_PLAYED: Final = """
    SELECT e.id, t.id, r.number, t.size, t.deals, seat.number, seat.player_id, seat.points
    FROM league_evening e JOIN league_season s ON s.id = e.season_id JOIN league_round r ON r.evening_id = e.id
    JOIN league_table t ON t.round_id = r.id JOIN league_seat seat ON seat.table_id = t.id
    WHERE e.date = %s AND e.state = 'closed' AND s.game = %s AND t.complete
    ORDER BY t.id, seat.number
"""


def explained(player: int, game: str, day: date) -> list[TableReasons]:
    """The player's tables of the date with the reasons of his change, from today's facts. Three queries."""
    played = _played(player, game, day)
    people = {each for table in played for side in table.result.sides for each in side.players}
    return reasons(played, game_length(game), _held_before(people, game, day), player)


def _played(player: int, game: str, day: date) -> list[Played]:
    with connection.cursor() as cursor:
        cursor.execute(_PLAYED, [day, game])
        rows = cursor.fetchall()
    sat: dict[int, set[int]] = defaultdict(set)
    for evening, *_, sitting, _points in rows:
        sat[evening].add(sitting)
    concerned = _shared(sat, player)
    rules = registry.rules(game)
    found = []
    for (evening, table, number, size, deals), seats in groupby(rows, lambda row: row[:5]):
        if evening not in concerned:
            continue
        at = {seat: (sitting, points) for *_, seat, sitting, points in seats}
        sides = tuple(
            Side(tuple(at[seat][0] for seat in side), sum(at[seat][1] for seat in side)) for side in rules.sides(size)
        )
        found.append(Played(table, Result(day, number, sides, deals)))
    return found


def _shared(sat: Mapping[int, Collection[int]], player: int) -> set[int]:
    """The player's evenings of the date, and those that share players with them, one after the other.

    Whoever came from another club's table brought along what he won or lost there.
    """
    concerned: set[int] = set()
    people = {player}
    while more := {evening for evening, there in sat.items() if evening not in concerned and people & set(there)}:
        concerned |= more
        people.update(*(sat[evening] for evening in more))
    return concerned


def _held_before(players: Collection[int], game: str, day: date) -> dict[int, Held]:
    """What the players held before the date; who had no rated table yet is left out."""
    steps = RatingStep.objects.filter(game=game, player__in=players, date__lt=day)
    last = steps.order_by("player_id", "-date").distinct("player_id")
    return {
        step.player_id: Held(step.micro, step.weight, step.tables, step.dates, step.opponents, step.date)
        for step in last
    }
