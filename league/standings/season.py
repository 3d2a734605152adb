"""A season's facts for its ranking: evenings with each player's result, and adjustments.

Players and evenings are ids of any kind that can be sorted: integers in the application, texts on the command line.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Id = Any
Exact = int | Fraction


def exact(numerator: int | Fraction, denominator: int) -> Exact:
    if denominator == 1 and type(numerator) is int:  # the usual case
        return numerator
    number = Fraction(numerator, denominator)
    return number.numerator if number.denominator == 1 else number


def rounded_mean(total: int, number: int) -> int:
    """Return the mean to the nearest whole number, halves up; 0 of no numbers."""
    return (2 * total + number) // (2 * number) if number else 0


class TableResult(NamedTuple):
    """A player's table: the number of opponents, and how many of them were placed behind the player or level."""

    opponents: int
    before: int
    level: int


class PlayerEvening(NamedTuple):
    """A player's result of one evening. On the command line it has neither rests nor partners."""

    player: Id
    points: int
    deals: int = 0
    member: bool = True
    left: bool = False  # early, if the season places leavers last
    won: int = 0  # tables
    lost: int = 0  # tables
    exempt: int = 0  # rounds without opponents for a pair
    tables: tuple[TableResult, ...] = ()
    rests: int = 0  # rounds that the season compensates
    partners: tuple[Id, ...] = ()  # players of the same side


class SeasonEvening(NamedTuple):
    """An evening that was held. Evenings are ordered by date (YYYY-MM-DD), then id."""

    id: Id
    date: str
    results: Sequence[PlayerEvening]
    weight: int = 1
    final: bool = False


class PointsAdjustment(NamedTuple):
    """An adjustment: points given to a player, or taken, from a date on; "" means from the start."""

    player: Id
    points: int
    date: str = ""


def restrict_to_date(
    date: str, evenings: Iterable[SeasonEvening], adjustments: Iterable[PointsAdjustment]
) -> tuple[list[SeasonEvening], list[PointsAdjustment]]:
    return (
        [evening for evening in evenings if evening.date <= date],
        [adjustment for adjustment in adjustments if adjustment.date <= date],
    )
