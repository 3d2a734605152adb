"""The reasons for a player's rating change on a date: one for each pair of sides at the player's tables.

No Django. The reasons are computed by reference.py from the ratings before the date, only for the tables that the
change depends on.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

from players.rating.reference import PlayerRating, Result, State, rate_period
from scoring.rules.interface import TableLength


class PlayedTable(NamedTuple):
    table: int  # id
    result: Result[int]


class Reason(NamedTuple):
    """The player's gain from one opposing side at a table.

    `stake` and `gain` are micro-points, `expected` is in 10⁻⁹.
    """

    opponents: tuple[int, ...]
    halves: int  # 2: won against these opponents, 1: draw, 0: lost
    expected: int
    stake: int
    gain: int


class TableReasons(NamedTuple):
    """A table of the player with the reasons for the rating change; none if the table was too short to be rated.

    `sides` is the number of sides. `rank` and `total` are values of the player's side.
    """

    table: int  # id
    round: int
    partners: tuple[int, ...]
    rank: int
    sides: int
    total: int
    reasons: tuple[Reason, ...]

    @property
    def gain(self) -> int:
        """The change of the player's rating by this table, in micro-points."""
        return sum(reason.gain for reason in self.reasons)


def reasons(
    played: Sequence[PlayedTable], length: TableLength, ratings: Mapping[int, PlayerRating], player: int
) -> list[TableReasons]:
    """Return the player's tables of one date, in order of time, each with its reasons.

    `played` has the player's tables of the date, and all earlier tables of the same date of the players who sat at
    these tables. `ratings` are the ratings of these players before the date; missing players have START_RATING. Raise
    ValueError if a result has no `deals` and the game measures length by deals.
    """
    tables: list[TableReasons] = []
    # First meetings are left out: they only count opponents, and the lines do not depend on them.
    state: State[int] = State(dict(ratings), {})
    for _, same_round in groupby(sorted(played, key=lambda table: (table.result.round, table.table)), _round_number):
        period = list(same_round)
        tables += [_table_reasons(table, length, state, player) for table in period if player in _players(table.result)]
        changes = rate_period(state, [table.result for table in period], length)
        state = State({**state.ratings, **changes.ratings}, {})
    return tables


def _table_reasons(played: PlayedTable, length: TableLength, state: State[int], player: int) -> TableReasons:
    # All tables of a period are rated from the same state, so the lines of a table don't depend on the other tables.
    sides = played.result.sides
    player_side = next(side for side in sides if player in side.players)
    lines = rate_period(state, [played.result], length).lines
    return TableReasons(
        table=played.table,
        round=played.result.round,
        partners=tuple(partner for partner in player_side.players if partner != player),
        rank=1 + sum(side.total > player_side.total for side in sides),
        sides=len(sides),
        total=player_side.total,
        reasons=tuple(
            Reason(line.opponents, line.halves, line.expected, line.stake, line.gains[line.side.index(player)])
            for line in lines
            if player in line.side
        ),
    )


def _players(result: Result[int]) -> Iterator[int]:
    return (player for side in result.sides for player in side.players)


def _round_number(played: PlayedTable) -> int:
    return played.result.round
