"""The game of a tournament, and the seats of its units (players, pairs or teams) at a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from league.models import ClubGame, Tournament
from league.models.club_game import club_game_id
from league.models.season import DrawMethod, TableEnd
from league.models.tournament import Pairing
from league.seasons.queries.season_game import game_by_totals
from scoring.game import Game, find_game


def club_game_of(tournament: Tournament) -> ClubGame | None:
    pk = club_game_id(tournament.game)
    return None if pk is None else ClubGame.objects.filter(club=tournament.club_id, pk=pk).first()


def default_club_game(tournament: Tournament) -> ClubGame:
    """Return an unsaved game by totals for a tournament whose game is not chosen, or is no longer in the database.

    The game has the tournament's name. At each table two units (players, pairs or teams) play, or two players if the
    members of a team play at different tables.
    """
    size = 1 if tournament.plays_apart else tournament.unit_size
    return ClubGame(
        club=tournament.club, name=tournament.name[:40], min_seats=2 * size, max_seats=2 * size, two_sides=size > 1
    )


def game_before_start(tournament: Tournament) -> Game:
    """Return the game of a tournament that has no season yet; after the start, its season has the game."""
    if tournament.game and club_game_id(tournament.game) is None:
        return find_game(tournament.game)
    return game_by_totals(club_game_of(tournament) or default_club_game(tournament))


def seats_of_units(tournament: Tournament, game: Game, house_rules: Mapping[str, Any]) -> tuple[tuple[int, ...], ...]:
    """Return the seat numbers of the two players, pairs or teams of a table: ((0, 2), (1, 3)) for two pairs.

    Return () if not exactly two of them meet at a table.
    """
    if tournament.plays_apart:
        return ()
    size = 2 * tournament.unit_size
    if size not in game.sizes:
        return ()
    sides = game.rules.sides(size, game.rules.read_options(house_rules))
    seats = tuple(tuple(side) for side in sides)
    return seats if [len(side) for side in seats] == [tournament.unit_size] * 2 else ()


def can_seat_units(tournament: Tournament, game: Game) -> bool:
    """Return whether the game has a table size for two of the tournament's units (players, pairs or teams).

    Single players, and team mates at different tables, fit every game.
    """
    if tournament.unit_size == 1 or tournament.plays_apart:
        return True
    return bool(seats_of_units(tournament, game, game.definition or tournament.house_rules))


def season_fields(tournament: Tournament, game: Game) -> dict[str, Any]:
    """Return the values, by field name, of the season that is created when the tournament starts."""
    meets_one_unit = bool(seats_of_units(tournament, game, game.definition or tournament.house_rules))
    limits = {
        TableEnd.DEALS: tournament.deals,
        TableEnd.TARGET: tournament.target,
        TableEnd.MINUTES: tournament.minutes,
    }
    ends = [(end, number) for end, number in limits.items() if number]
    end, number = ends[0] if len(ends) == 1 else (TableEnd.MANUAL, None)  # a season has one limit
    return {
        "name": tournament.name,
        "table_sizes": [2 * tournament.unit_size] if meets_one_unit else list(game.usual_sizes or game.sizes),
        "end": end,
        "end_number": number,
        "contest_hours": 0,
        "rounds": tournament.rounds,
        "draw": DrawMethod.RANKING if tournament.pairing == Pairing.RANKING else DrawMethod.MEET_MOST,
    }
