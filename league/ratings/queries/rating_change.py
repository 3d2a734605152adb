"""The reasons for a player's rating change on a date: reads the tables, and the players' ratings before that date."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import date
from itertools import groupby

from league.models import Evening, Seat
from league.ratings.queries.game_ratings import table_length, table_result
from league.sheets.queries.table_sides import is_playable_size, side_rules
from players.models import RatingStep
from players.rating.reasons import PlayedTable, TableReasons, reasons
from players.rating.reference import PlayerRating


def explain_change(player: int, game: str, day: date) -> list[TableReasons]:
    played = _played_tables(player, game, day)
    people = {player_id for table in played for side in table.result.sides for player_id in side.players}
    return reasons(played, table_length(game), _ratings_before(people, game, day), player)


def _played_tables(player: int, game: str, day: date) -> list[PlayedTable]:
    evenings = list(Evening.objects.closed().filter(date=day, season__game_key=game).values_list("pk", flat=True))
    seats = Seat.objects.counted().filter(round__evening__in=evenings).order_by("table_id", "number")
    at_table = ("table_id", "round__number", "table__deals")
    rows = list(seats.values_list("round__evening_id", *at_table, "player_id", "points"))
    players_by_evening: dict[int, set[int]] = defaultdict(set)
    for evening, *_, sitting, _points in rows:
        players_by_evening[evening].add(sitting)
    concerned = _connected_evenings(players_by_evening, player)
    played = []
    sides = side_rules(game)
    for (evening, table, number, deals), table_rows in groupby(rows, lambda row: row[:4]):
        at_seats = [row[4:] for row in table_rows]
        if evening in concerned and is_playable_size(sides, len(at_seats)):
            played.append(PlayedTable(table, table_result(sides, day, number, deals, at_seats)))
    return played


def _connected_evenings(players_by_evening: Mapping[int, Collection[int]], player: int) -> set[int]:
    """Return the ids of all evenings of the date that may affect the player's rating, directly or through opponents.

    If an opponent played in another club earlier on the same date, that evening has changed the opponent's rating.
    """
    concerned: set[int] = set()
    people = {player}
    while linked := {
        evening
        for evening, players_at_evening in players_by_evening.items()
        if evening not in concerned and people & set(players_at_evening)
    }:
        concerned |= linked
        people.update(*(players_by_evening[evening] for evening in linked))
    return concerned


def _ratings_before(players: Collection[int], game: str, day: date) -> dict[int, PlayerRating]:
    """Return the ratings before `day` by player id; players without a rated table are left out."""
    steps = RatingStep.objects.filter(game=game, player__in=players, date__lt=day)
    last = steps.order_by("player_id", "-date").distinct("player_id")
    return {
        step.player_id: PlayerRating(step.micro, step.weight, step.tables, step.dates, step.opponents, step.date)
        for step in last
    }
