"""The tables that a player played in some seasons: runs of wins, and comparisons with opponents and partners.

The tables are read as arrays, because a player of many years has thousands of seats. Points are as stored, where more
points are better; `Game.convert_points` gives them the sign of the score sheet.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from league.evenings.queries.closed_evenings import find_indexes
from league.models import Season
from league.sheets.queries.table_sides import TableSeats, TableSideRules, side_numbers, side_rules
from players import columns
from players.columns import CommonTable, Query
from players.models import Player
from players.naming import Names
from players.rating.experience import Days, Flags, Ints, change_flags, sort_with_indexes

MIN_SHARED_TABLES = 3  # minimum for a comparison of two players
MIN_NEMESIS_TABLES = 5  # minimum for an opponent to be called a nemesis


class CoPlayers(NamedTuple):
    """The other players at a player's tables. `table` is the index of the table in TablesPlayed.

    A player is a partner for a whole table or not at all.
    """

    table: Ints
    player: Ints
    points: Ints
    is_partner: Flags


@dataclass(frozen=True, eq=False, slots=True)
class TablesPlayed:
    """A player's complete tables in closed evenings, in the order of play; one entry for each table.

    `is_won`: no player at the table has more points.
    """

    evening: Ints
    day: Days
    points: Ints
    is_won: Flags
    co_players: CoPlayers

    def __len__(self) -> int:
        return len(self.points)

    @property
    def won(self) -> int:
        return int(self.is_won.sum())


@dataclass(slots=True)
class SharedTables:
    """A comparison with one other player over the tables that both played.

    `ahead` is the number of tables where the player had more points, `behind` where the other player had more, `tied`
    where both had as many. `difference` is the player's points minus the other's points. `points` and `won` are the
    player's own.
    """

    player: int
    name: Names
    tables: int
    ahead: int
    behind: int
    difference: int
    points: int  # the player's own
    won: int

    @property
    def tied(self) -> int:
        return self.tables - self.ahead - self.behind


class WinningRun(NamedTuple):
    """The number of consecutively won tables: in the longest run, and in the run that ends with the last table."""

    longest: int
    current: int


class TableStatistics(NamedTuple):
    tables: TablesPlayed
    run: WinningRun
    opponents: list[SharedTables]
    partners: list[SharedTables]
    nemesis: SharedTables | None


class EveningSum(NamedTuple):
    evening: int
    date: date
    points: int


# The player's own seats first, which are few; then all seats at the same tables.
_OWN_SEATS_SQL: Final = """
    SELECT seat.player_id, seat.table_id, seat.number, seat.points, sheet.size, sat.number AS round,
        evening.id AS evening_id, evening.date
    FROM league_seat seat
    JOIN league_round sat ON sat.id = seat.round_id AND sat.state = 'accepted'
    JOIN league_evening evening ON evening.id = sat.evening_id AND evening.state = 'closed'
    JOIN league_table sheet ON sheet.id = seat.table_id AND sheet.complete AND sheet.deals > 0
    WHERE seat.player_id = ANY (%s) AND evening.season_id = ANY (%s)
"""
_OWN_SEATS: Final = Query(
    "SELECT player_id, table_id, number, points, size, evening_id, date FROM own "
    "ORDER BY date, evening_id, round, table_id",
    [],
    ["bigint", "bigint", "smallint", "integer", "smallint", "bigint", "date"],
)
_SEATS_AT_TABLES: Final = Query(
    "SELECT table_id, number, player_id, points FROM league_seat "
    "WHERE table_id = ANY (ARRAY (SELECT DISTINCT table_id FROM own))",
    [],
    ["bigint", "smallint", "bigint", "integer"],
)


class _OwnSeats(NamedTuple):
    """Arrays with one entry for each seat of the requested players, in the order of play."""

    player: Ints
    table: Ints
    number: Ints
    points: Ints
    size: Ints
    evening: Ints
    day: Days


def tables_played(player: Player, seasons: Collection[Season], game: str) -> TablesPlayed:
    return tables_by_player([player], seasons, game)[player.pk]


def tables_by_player(players: Collection[Player], seasons: Collection[Season], game: str) -> dict[int, TablesPlayed]:
    params = [[player.pk for player in players], [season.pk for season in seasons]]
    own_seats, seats = columns.read_snapshot(
        _OWN_SEATS, _SEATS_AT_TABLES, common_tables=[CommonTable("own", _OWN_SEATS_SQL, params)]
    )
    sides = side_rules(game)
    return {
        player.pk: _tables_of_player(player.pk, _OwnSeats(*own_seats), TableSeats(*seats), sides) for player in players
    }


def _tables_of_player(player: int, all_own: _OwnSeats, all_seats: TableSeats, game: TableSideRules) -> TablesPlayed:
    own_seats = _OwnSeats(*(column[all_own.player == player] for column in all_own))
    seats = TableSeats(*(column[np.isin(all_seats.table, own_seats.table)] for column in all_seats))
    table_index = find_indexes(own_seats.table, seats.table)
    maximum = np.full(len(own_seats.table), np.iinfo(np.int64).min)
    np.maximum.at(maximum, table_index, seats.points)
    is_partner = (
        side_numbers(game, seats.number, own_seats.size[table_index])
        == side_numbers(game, own_seats.number, own_seats.size)[table_index]
    )
    rows = seats.player != player
    co_players = CoPlayers(table_index[rows], seats.player[rows], seats.points[rows], is_partner[rows])
    return TablesPlayed(own_seats.evening, own_seats.day, own_seats.points, own_seats.points == maximum, co_players)


def table_statistics(player: Player, seasons: Collection[Season], game: str) -> TableStatistics:
    tables = tables_played(player, seasons, game)
    names = frequent_co_player_names(tables)
    against = compare_opponents(tables, names)
    return TableStatistics(tables, run_of_wins(tables), against, compare_partners(tables, names), find_nemesis(against))


def run_of_wins(tables: TablesPlayed) -> WinningRun:
    runs = list(accumulate(tables.is_won.tolist(), lambda run, won: run + 1 if won else 0, initial=0))
    return WinningRun(max(runs), runs[-1])


def evening_sums(tables: TablesPlayed) -> list[EveningSum]:
    if not len(tables):
        return []
    starts = np.flatnonzero(change_flags(tables.evening))
    points = np.add.reduceat(tables.points, starts)
    rows = zip(tables.evening[starts].tolist(), tables.day[starts].tolist(), points.tolist(), strict=True)
    return [EveningSum(*row) for row in rows]


def frequent_co_player_names(tables: TablesPlayed) -> dict[int, Names]:
    """Return the names, by player id, of players who shared at least MIN_SHARED_TABLES tables with the player."""
    players, times = np.unique(tables.co_players.player, return_counts=True)
    frequent = Player.objects.filter(pk__in=players[times >= MIN_SHARED_TABLES].tolist()).order_by()
    return {pk: names.with_player(pk) for pk, names in frequent.values_list("pk", "names")}


def compare_opponents(tables: TablesPlayed, names: Mapping[int, Names]) -> list[SharedTables]:
    """Return the comparisons with opponents of at least MIN_SHARED_TABLES shared tables, the most frequent opponent
    first.
    """
    return _compare_co_players(tables, ~tables.co_players.is_partner, names)


def compare_partners(tables: TablesPlayed, names: Mapping[int, Names]) -> list[SharedTables]:
    return _compare_co_players(tables, tables.co_players.is_partner, names)


def find_nemesis(shared_tables: Iterable[SharedTables]) -> SharedTables | None:
    """Return the comparison with the opponent for whom (behind - ahead) / tables is largest.

    Return None if there is no opponent with at least MIN_NEMESIS_TABLES shared tables who was more often ahead.
    """
    candidates = [
        shared for shared in shared_tables if shared.tables >= MIN_NEMESIS_TABLES and shared.behind > shared.ahead
    ]
    return max(
        candidates, key=lambda shared: ((shared.behind - shared.ahead) / shared.tables, shared.tables), default=None
    )


def _compare_co_players(tables: TablesPlayed, selection: Flags, names: Mapping[int, Names]) -> list[SharedTables]:
    if not selection.any():
        return []
    player, order = sort_with_indexes(tables.co_players.player[selection])
    table, points = tables.co_players.table[selection][order], tables.co_players.points[selection][order]
    starts = np.flatnonzero(change_flags(player))
    lead = tables.points[table] - points
    columns = [np.ones_like(table), lead > 0, lead < 0, lead, tables.points[table], tables.is_won[table]]
    sums = [np.add.reduceat(number.astype(np.int64), starts).tolist() for number in columns]
    rows = zip(player[starts].tolist(), *sums, strict=True)
    frequent = [
        SharedTables(pk, names[pk], *sums_of_player)
        for pk, *sums_of_player in rows
        if sums_of_player[0] >= MIN_SHARED_TABLES and pk in names
    ]
    return sorted(frequent, key=lambda shared: (-shared.tables, str(shared.name), shared.player))
