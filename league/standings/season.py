"""A season's facts as standings read them: its evenings with what each player brought home, and adjustments.

Players and evenings are ids of any kind that can be sorted: integers in the application, texts on the command line.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

Id = Any
Exact = int | Fraction


def exact(numerator: int | Fraction, denominator: int) -> Exact:
    """Return numerator / denominator: an integer where it is whole."""
    if denominator == 1 and type(numerator) is int:  # the usual case
        return numerator
    number = Fraction(numerator, denominator)
    return number.numerator if number.denominator == 1 else number


class TableResult(NamedTuple):
    """Of one table: how many opponents a player had, how many of them were placed behind and level with him."""

    opponents: int
    before: int
    level: int


class PlayerEvening(NamedTuple):
    """What one player brought home from one evening.

    `won` and `lost` are tables, `exempt` rounds for which a pair found no opponents. `left` is set where the season
    places leavers last. `rests` are rounds to be compensated as the season says, `partners` those with whom the player
    sat on one side; the command line knows neither.
    """

    player: Id
    points: int
    deals: int = 0
    member: bool = True
    left: bool = False
    won: int = 0
    lost: int = 0
    exempt: int = 0
    tables: tuple[TableResult, ...] = ()
    rests: int = 0
    partners: tuple[Id, ...] = ()


class SeasonEvening(NamedTuple):
    """One evening that was held. Evenings are in order of date (YYYY-MM-DD), then id."""

    id: Id
    date: str
    results: Sequence[PlayerEvening]
    weight: int = 1
    final: bool = False


class PointsGiven(NamedTuple):
    """An adjustment: points given to a player, or taken, from a date on; "" is from the start."""

    player: Id
    points: int
    date: str = ""


def until(
    date: str, evenings: Iterable[SeasonEvening], adjustments: Iterable[PointsGiven]
) -> tuple[list[SeasonEvening], list[PointsGiven]]:
    """Return the evenings and adjustments up to a date: what the standings of that day are made of."""
    return [each for each in evenings if each.date <= date], [each for each in adjustments if each.date <= date]
