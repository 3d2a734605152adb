"""Who sits on which side of a table, by the game, and how the sides stand to each other: as arrays, seat by seat."""

from typing import Final, NamedTuple

import numpy as np

from players.rating.careers import Ints, changes
from scoring import registry
from scoring.rules.errors import IllegalDeal

NO_SIDE: Final = -1


class TableSeats(NamedTuple):
    """Seats in order of table, then number; the rows of a table adjoin."""

    table: Ints
    number: Ints
    player: Ints
    points: Ints


class Opponents(NamedTuple):
    """How many opponents each seat has at its table, and how many of them a side with fewer, as many or more points.

    Partners are pairs of rows that sit on one side, each pair in both orders.
    """

    all: Ints
    behind: Ints
    level: Ints
    ahead: Ints
    one: Ints
    partner: Ints


def sides_of(game: str, seat: Ints, size: Ints) -> Ints:
    """Return the side of each seat, by its number and the size of its table: `NO_SIDE` where the game has none."""
    side = np.full_like(seat, NO_SIDE)
    for each in np.unique(size).tolist():
        of_size = size == each
        sides = _side_of(game, each)
        numbers = seat[of_size]
        side[of_size] = np.where(numbers < len(sides), sides.take(numbers, mode="clip"), NO_SIDE)
    return side


def has_sides(game: str, size: int) -> bool:
    """Return whether the game can have a table of that size."""
    return bool((_side_of(game, size) != NO_SIDE).all())


def opponents(game: str, seats: TableSeats) -> Opponents:
    """Return how each seat's side stands at its table; at one that its game cannot have nobody has opponents."""
    if not len(seats.table):
        return Opponents(*[seats.table] * 6)
    table = np.cumsum(changes(seats.table)) - 1
    size = np.bincount(table)[table]
    side = sides_of(game, seats.number, size)
    seated = np.flatnonzero(np.bincount(table, side == NO_SIDE)[table] == 0)
    if len(seated) < len(side):
        side[np.setdiff1d(np.arange(len(side)), seated)] = 0  # all on one side
    sides = int(side.max()) + 1
    members = np.zeros((int(table[-1]) + 1, sides), np.int64)  # by table and side
    total = np.zeros_like(members)
    np.add.at(members, (table, side), 1)
    np.add.at(total, (table, side), seats.points)
    own, those = total[table, side][:, np.newaxis], total[table]
    behind, level = ((members[table] * to).sum(axis=1) for to in (those < own, those == own))
    beside = members[table, side]
    one, partner = _partners((table * sides + side)[seated])
    return Opponents(size - beside, behind, level - beside, size - behind - level, seated[one], seated[partner])


def _partners(side: Ints) -> tuple[Ints, Ints]:
    """Return the rows of equal number, pair by pair, in both orders."""
    order = np.argsort(side, kind="stable")
    if not len(order):
        return order, order
    ordered = side[order]
    ones, others = [order[:0]], [order[:0]]
    for away in range(1, int(np.bincount(side).max())):
        at = np.flatnonzero(ordered[away:] == ordered[:-away])
        ones += [order[at], order[at + away]]
        others += [order[at + away], order[at]]
    return np.concatenate(ones), np.concatenate(others)


def _side_of(game: str, size: int) -> Ints:
    """The side of each seat of a table: `NO_SIDE` at one that the game cannot have."""
    side = np.full(size, NO_SIDE, dtype=np.int64)
    rules = registry.rules(game)
    try:
        rules.check_seats(size)
    except IllegalDeal:
        return side
    for number, seats in enumerate(rules.sides(size)):
        side[list(seats)] = number
    return side
