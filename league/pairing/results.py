"""The rounds of a tournament and the rules of its ranking, as values."""

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
    """The result of a resting unit: `points`, or the mean of the round if None; `win` counts as a win."""

    points: int | None
    win: bool


class RankingRules(NamedTuple):
    """The rules of a ranking.

    `by` is "points", "wins" or "match_points". `cap` limits the points of a played side at a table. `forfeit_points`
    are the points of the other sides at a table with a forfeit. `ties` are names of TIE_BREAKS, in order.
    """

    by: str = "points"
    match_points: MatchPoints = MatchPoints(0, 0, 0, 0, 0)
    cap: int | None = None
    exempt: Exemption | None = None
    forfeit_points: int = 0
    ties: tuple[str, ...] = ()


class Side(NamedTuple):
    """A unit at a table. `points` is None if the side forfeits, or another side of the table does."""

    unit: Unit
    points: int | None = None
    forfeit: bool = False


class Round(NamedTuple):
    tables: Sequence[Sequence[Side]]
    exempt: Sequence[Unit] = ()
