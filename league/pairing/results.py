"""The types for the input of a tournament's ranking: rounds with their results, and rules."""

from collections.abc import Sequence
from typing import NamedTuple

Unit = str  # a player, a pair or a team


class MatchPoints(NamedTuple):
    win: int
    draw: int
    loss: int
    forfeit_win: int
    forfeit: int


class Exemption(NamedTuple):
    """The result of a unit (player, pair or team) that rests in a round: `points`, or the round's mean if None. `win`:
    the rest counts as a win.
    """

    points: int | None
    win: bool


class RankingRules(NamedTuple):
    """The rules of a tournament's ranking.

    `by` is "points", "wins" or "match_points". `cap` is the maximum of points that count for a unit (player, pair or
    team) at a table. `forfeit_points` are the points of the other units at a table with a forfeit. `ties` are names of
    tie-breaks (TIE_BREAKS), in order.
    """

    by: str = "points"
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
    tables: Sequence[Sequence[Side]]
    exempt: Sequence[Unit] = ()
