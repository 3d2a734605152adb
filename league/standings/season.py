"""The input of a season's ranking: evenings with the result of each player, and adjustments.

Players and evenings are ids of any sortable type: integers in the application, texts on the command line.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Id = Any
ExactNumber = int | Fraction


def exact_number(numerator: int | Fraction, denominator: int) -> ExactNumber:
    if denominator == 1 and type(numerator) is int:  # the usual case
        return numerator
    number = Fraction(numerator, denominator)
    return number.numerator if number.denominator == 1 else number


def rounded_mean(total: int, number: int) -> int:
    """Return the mean of `number` values with the sum `total`, rounded to a whole number, halves up. 0 if `number` is
    0.
    """
    return (2 * total + number) // (2 * number) if number else 0


class TableResult(NamedTuple):
    """A player's result at one table, as numbers of opponents.

    `before` is the number of opponents with a lower total, `level` the number of opponents with an equal total.
    """

    opponents: int
    before: int
    level: int


class PlayerEvening(NamedTuple):
    """A player's result of one evening. Results from the command line have no rests and no partners."""

    player: Id
    points: int
    deals: int = 0
    member: bool = True
    left: bool = False  # left early, in a season that ranks such players last
    won: int = 0  # number of tables won
    lost: int = 0  # number of tables lost
    exempt: int = 0  # number of rounds in which the player, or the pair, had no opponents
    tables: tuple[TableResult, ...] = ()
    rests: int = 0  # number of rests; 0 if the season gives no points for rests
    partners: tuple[Id, ...] = ()  # other players of the same side


class SeasonEvening(NamedTuple):
    """An evening that was held, with its results. Evenings are sorted by date (YYYY-MM-DD), then id."""

    id: Id
    date: str
    results: Sequence[PlayerEvening]
    weight: int = 1
    final: bool = False


class PointsAdjustment(NamedTuple):
    """Points that a committee gave to a player, or took (negative), from a date on; "" means from the start of the
    season.
    """

    player: Id
    points: int
    date: str = ""
