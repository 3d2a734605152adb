"""Why a player's rating changed on a date: his pair lines, table by table, from what everyone held before the date.

The same sums as the night's, by players.rating, for the few tables that the date's change depends on. Nothing is read,
written or altered; knows no game and no database.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from players.rating.reference import Held, PairLine, Result, State, rate_period
from scoring.rules.interface import Length


class PlayedTable(NamedTuple):
    """A completed table, by its id."""

    table: int
    result: Result[int]


class Reason(NamedTuple):
    """What one pair of sides gave the player. Units as in players.rating."""

    opponents: tuple[int, ...]
    halves: int  # 2: beat them, 1: drew, 0: lost to them
    expected: int
    stake: int
    moved: int


class TableReasons(NamedTuple):
    """A table of the player's, and its reasons: none where it was too short to be rated. `place` counts from 1."""

    table: int
    round: int
    partners: tuple[int, ...]
    place: int
    sides: int
    total: int
    reasons: tuple[Reason, ...]

    @property
    def moved(self) -> int:
        """What the table changed, in micro-points."""
        return sum(reason.moved for reason in self.reasons)


def reasons(played: Sequence[PlayedTable], length: Length, held: Mapping[int, Held], player: int) -> list[TableReasons]:
    """Return the player's tables of one date, in order, each with its reasons.

    `played` are tables of that date alone: his own, and all that those at them played before on that date; `held` is
    what everyone at them held before it. Raises ValueError for a table without the `deals` that its length needs.
    """
    found: list[TableReasons] = []
    # Who met whom before is left out: it counts opponents, and decides no line.
    state: State[int] = State(dict(held), {})
    for _, same in groupby(sorted(played, key=_order), _round):
        period = list(same)
        found += [_at(each, length, state, player) for each in period if player in _players(each.result)]
        changes = rate_period(state, [each.result for each in period], length)
        state = State({**state.held, **changes.held}, {})
    return found


def _at(played: PlayedTable, length: Length, state: State[int], player: int) -> TableReasons:
    """Return a table alone: all of a period are rated from the same state, so its lines depend on no other of them."""
    sides = played.result.sides
    own = next(side for side in sides if player in side.players)
    lines = rate_period(state, [played.result], length).lines
    return TableReasons(
        table=played.table,
        round=played.result.round,
        partners=tuple(each for each in own.players if each != player),
        place=1 + sum(side.total > own.total for side in sides),
        sides=len(sides),
        total=own.total,
        reasons=tuple(_reason(line, player) for line in lines if player in line.side),
    )


def _reason(line: PairLine[int], player: int) -> Reason:
    return Reason(line.opponents, line.halves, line.expected, line.stake, line.moved[line.side.index(player)])


def _players(result: Result[int]) -> Iterator[int]:
    return (player for side in result.sides for player in side.players)


def _order(played: PlayedTable) -> tuple[int, int]:
    return played.result.round, played.table


def _round(played: PlayedTable) -> int:
    return played.result.round
