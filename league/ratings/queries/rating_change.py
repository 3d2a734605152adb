"""Reads what a change of a rating was made of: the date's tables, and what those at them held before it.

Knows who played; who may read whose name, the page knows.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from itertools import groupby

from league.models import Evening, Seat
from league.ratings.queries.game_ratings import game_length, result_of
from league.sheets.queries.table_sides import has_sides
from players.models import RatingStep
from players.rating.reasons import PlayedTable, TableReasons, reasons
from players.rating.reference import PlayerRating


def explained(player: int, game: str, day: date) -> list[TableReasons]:
    """Return the player's tables of the date with the reasons of his change, from today's facts. Four queries."""
    played = _played(player, game, day)
    people = {each for table in played for side in table.result.sides for each in side.players}
    return reasons(played, game_length(game), _held_before(people, game, day), player)


def _played(player: int, game: str, day: date) -> list[PlayedTable]:
    evenings = list(Evening.objects.closed().filter(date=day, season__game=game).values_list("pk", flat=True))
    seats = Seat.objects.counted().filter(round__evening__in=evenings).order_by("table_id", "number")
    at_table = ("table_id", "round__number", "table__deals")
    rows = list(seats.values_list("round__evening_id", *at_table, "player_id", "points"))
    sat: dict[int, set[int]] = defaultdict(set)
    for evening, *_, sitting, _points in rows:
        sat[evening].add(sitting)
    concerned = _shared(sat, player)
    found = []
    for (evening, table, number, deals), seated in groupby(rows, lambda row: row[:4]):
        at_seats = [row[4:] for row in seated]
        if evening in concerned and has_sides(game, len(at_seats)):
            found.append(PlayedTable(table, result_of(game, day, number, deals, at_seats)))
    return found


def _shared(sat: Mapping[int, Collection[int]], player: int) -> set[int]:
    """Return the player's evenings of the date, and those that share players with them, one after the other.

    Whoever came from another club's table brought along what he won or lost there.
    """
    concerned: set[int] = set()
    people = {player}
    while more := {evening for evening, there in sat.items() if evening not in concerned and people & set(there)}:
        concerned |= more
        people.update(*(sat[evening] for evening in more))
    return concerned


def _held_before(players: Collection[int], game: str, day: date) -> dict[int, PlayerRating]:
    """Return what the players held before the date; who had no rated table yet is left out."""
    steps = RatingStep.objects.filter(game=game, player__in=players, date__lt=day)
    last = steps.order_by("player_id", "-date").distinct("player_id")
    return {
        step.player_id: PlayerRating(step.micro, step.weight, step.tables, step.dates, step.opponents, step.date)
        for step in last
    }
