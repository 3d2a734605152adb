"""The sides of tables (seats that win together) and their opponents, as NumPy arrays with one value per seat."""

from typing import Any, Final, NamedTuple

import numpy as np

from league.models import ClubGame
from league.models.club_game import TOTALS, club_game_id
from players.rating.experience import Ints, change_flags
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules

NO_SIDE: Final = -1


class TableSideRules(NamedTuple):
    """The rules of a game and their options, which decide which seats are on one side."""

    rules: Rules
    options: Any


class TableSeats(NamedTuple):
    """NumPy arrays with one value per seat, sorted by table and number: all seats of a table are adjacent."""

    table: Ints
    number: Ints
    player: Ints
    points: Ints


class Opponents(NamedTuple):
    """NumPy arrays: per seat the numbers of opponents by result, and pairs of partners.

    The last two arrays have one value per pair: the indexes of two seats on the same side. Each pair is in both orders.
    """

    total: Ints
    beaten: Ints  # number of opponents with fewer points
    tied: Ints
    lost_to: Ints
    seat_index: Ints
    partner_index: Ints


def side_rules(game: str) -> TableSideRules:
    """Return the rules of a game by its key, such as "tarot" or "totals-3". One query for a club's own game."""
    pk = club_game_id(game)
    if pk is None:
        rules = registry.rules(game)
        return TableSideRules(rules, rules.read_options({}))
    rules = registry.rules(TOTALS)
    club_game = ClubGame.objects.filter(pk=pk).first()  # None: the club was deleted with all its tables
    return TableSideRules(rules, rules.read_options(club_game.options if club_game else {}))


def side_numbers(game: TableSideRules, seat: Ints, size: Ints) -> Ints:
    """Return the number of each seat's side, or NO_SIDE if the game does not allow this table size.

    `seat` are seat numbers, `size` the numbers of seats of their tables.
    """
    side = np.full_like(seat, NO_SIDE)
    for table_size in np.unique(size).tolist():
        of_size = size == table_size
        sides = _side_by_seat(game, table_size)
        numbers = seat[of_size]
        side[of_size] = np.where(numbers < len(sides), sides.take(numbers, mode="clip"), NO_SIDE)
    return side


def is_playable_size(game: TableSideRules, size: int) -> bool:
    """Return whether the game allows tables of this size."""
    return bool((_side_by_seat(game, size) != NO_SIDE).all())


def count_opponents(game: TableSideRules, seats: TableSeats) -> Opponents:
    """Return the numbers of opponents of each seat, and the pairs of partners.

    At a table size that the game does not allow, nobody has an opponent.
    """
    if not len(seats.table):
        return Opponents(*[seats.table] * 6)
    table = np.cumsum(change_flags(seats.table)) - 1
    size = np.bincount(table)[table]
    side = side_numbers(game, seats.number, size)
    seated = np.flatnonzero(np.bincount(table, side == NO_SIDE)[table] == 0)
    if len(seated) < len(side):
        side[np.setdiff1d(np.arange(len(side)), seated)] = 0  # all on one side
    sides = int(side.max()) + 1
    members = np.zeros((int(table[-1]) + 1, sides), np.int64)  # by table and side
    total = np.zeros_like(members)
    np.add.at(members, (table, side), 1)
    np.add.at(total, (table, side), seats.points)
    own_total, side_totals = total[table, side][:, np.newaxis], total[table]
    beaten, tied = ((members[table] * mask).sum(axis=1) for mask in (side_totals < own_total, side_totals == own_total))
    on_side = members[table, side]
    first, second = _partner_pairs((table * sides + side)[seated])
    return Opponents(size - on_side, beaten, tied - on_side, size - beaten - tied, seated[first], seated[second])


def _partner_pairs(side: Ints) -> tuple[Ints, Ints]:
    """Return the pairs of indexes with an equal value in `side`, each pair in both orders, as two arrays."""
    order = np.argsort(side, kind="stable")
    if not len(order):
        return order, order
    ordered = side[order]
    rows, partners = [order[:0]], [order[:0]]
    for distance in range(1, int(np.bincount(side).max())):
        indexes = np.flatnonzero(ordered[distance:] == ordered[:-distance])
        rows += [order[indexes], order[indexes + distance]]
        partners += [order[indexes + distance], order[indexes]]
    return np.concatenate(rows), np.concatenate(partners)


def _side_by_seat(game: TableSideRules, size: int) -> Ints:
    """Return the number of the side of each seat of a table; NO_SIDE for all if the game does not allow this size."""
    side = np.full(size, NO_SIDE, dtype=np.int64)
    try:
        game.rules.check_seats(size)
    except IllegalDeal:
        return side
    for number, seats in enumerate(game.rules.sides(size, game.options)):
        side[list(seats)] = number
    return side
