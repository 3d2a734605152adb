"""The types for the input of a tournament's ranking: rounds with their results, and rules."""

from collections.abc import Sequence
from typing import NamedTuple

Unit = str  # a player, a pair or a team


class MatchPoints(NamedTuple):
    """The match points for a table, by its result for the unit. `forfeit_win`: another unit forfeits (does not play).
    `forfeit`: this unit forfeits.
    """

    win: int
    draw: int
    loss: int
    forfeit_win: int
    forfeit: int


class Exemption(NamedTuple):
    """The result of a unit (player, pair or team) that rests in a round.

    The unit gets `points`, or the mean of all points made in the round if `points` is None. `win`: the rest counts as a
    win.
    """

    points: int | None
    win: bool


class RankingRules(NamedTuple):
    """The rules of a tournament's ranking.

    `ranked_by` is "points", "wins" or "match_points". `cap` is the maximum of points that count for a unit (player,
    pair or team) at a table. `exempt` is the result of a rest; None if no unit rests. `forfeit_points` are the points
    of the other units at a table where one unit forfeits. `ties` are names of tie-breaks (`ranking.TIE_BREAKS`), in
    order.
    """

    ranked_by: str = "points"
    match_points: MatchPoints = MatchPoints(0, 0, 0, 0, 0)
    cap: int | None = None
    exempt: Exemption | None = None
    forfeit_points: int = 0
    ties: tuple[str, ...] = ()


class Side(NamedTuple):
    """A unit (player, pair or team) at a table. `points` is None if this unit, or another unit at the table, forfeits
    (does not play).
    """

    unit: Unit
    points: int | None = None
    forfeit: bool = False


class Round(NamedTuple):
    """The results of a round: the sides of each table, and the units that rest (`exempt`)."""

    tables: Sequence[Sequence[Side]]
    exempt: Sequence[Unit] = ()
