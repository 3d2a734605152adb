"""The tables that a player played in some seasons, and what they say: runs of wins, who was before whom, partners.

Thousands of seats of an old hand, read as arrays: a page of them is asked for by phones too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from itertools import accumulate
from typing import Final, NamedTuple

import numpy as np

from league.evenings.queries.closed_evenings import places_among
from league.models import Season
from league.sheets.queries.table_sides import sides_of
from players import columns
from players.columns import CommonTable, Query
from players.models import Player
from players.naming import Names
from players.rating.careers import Days, Flags, Ints, changes, in_order

LEAST = 3  # shared tables, from which on two are compared
LEAST_NEMESIS = 5  # shared tables, from which on somebody may be called a nemesis


class Others(NamedTuple):
    """Everybody else at a player's tables: `at` says at which, by its place among them.

    A partner is one for the whole table.
    """

    at: Ints
    player: Ints
    points: Ints
    is_partner: Flags


@dataclass(frozen=True, eq=False, slots=True)
class TablesPlayed:
    """Complete tables of closed evenings in the order of play, as one of their players sees them.

    One is won where nobody had more points; equal ones share the first place.
    """

    evening: Ints
    day: Days
    points: Ints
    is_won: Flags
    others: Others

    def __len__(self) -> int:
        return len(self.points)

    @property
    def won(self) -> int:
        """How many were won."""
        return int(self.is_won.sum())


@dataclass(slots=True)
class Shared:
    """Tables with one other player: how often one was before and behind him, and what one had more or less than he."""

    player: int
    name: Names
    tables: int
    before: int
    behind: int
    difference: int
    points: int  # one's own at these tables
    won: int

    @property
    def level(self) -> int:
        """At how many of the tables both had the same points."""
        return self.tables - self.before - self.behind


class WinningRun(NamedTuple):
    """Tables won in a row: the longest, and up to the last table."""

    longest: int
    current: int


class EveningSum(NamedTuple):
    """What the tables of one evening gave."""

    evening: int
    date: date
    points: int


# Asked by what is one's own, which is little: seats by their player, then all seats of their tables.
_OWN: Final = """
    SELECT seat.player_id, seat.table_id, seat.number, seat.points, sheet.size, sat.number AS round,
        evening.id AS evening_id, evening.date
    FROM league_seat seat
    JOIN league_round sat ON sat.id = seat.round_id AND sat.state = 'accepted'
    JOIN league_evening evening ON evening.id = sat.evening_id AND evening.state = 'closed'
    JOIN league_table sheet ON sheet.id = seat.table_id AND sheet.complete AND sheet.deals > 0
    WHERE seat.player_id = ANY (%s) AND evening.season_id = ANY (%s)
"""
_IN_ORDER: Final = Query(
    "SELECT player_id, table_id, number, points, size, evening_id, date FROM own "
    "ORDER BY date, evening_id, round, table_id",
    [],
    ["bigint", "bigint", "smallint", "integer", "smallint", "bigint", "date"],
)
_SEATS: Final = Query(
    "SELECT table_id, number, player_id, points FROM league_seat "
    "WHERE table_id = ANY (ARRAY (SELECT DISTINCT table_id FROM own))",
    [],
    ["bigint", "smallint", "bigint", "integer"],
)


class _Own(NamedTuple):
    """A player's own seats in the order of play."""

    player: Ints
    table: Ints
    number: Ints
    points: Ints
    size: Ints
    evening: Ints
    day: Days


class _Seats(NamedTuple):
    """All seats of these tables."""

    table: Ints
    number: Ints
    player: Ints
    points: Ints


def tables_played(player: Player, seasons: Collection[Season], game: str) -> TablesPlayed:
    """Return the player's complete tables of the closed evenings of seasons of the game; one query."""
    return tables_of([player], seasons, game)[player.pk]


def tables_of(players: Collection[Player], seasons: Collection[Season], game: str) -> dict[int, TablesPlayed]:
    """Return each player's complete tables by his id, as `tables_played` does; one query for all of them."""
    params = [[player.pk for player in players], [season.pk for season in seasons]]
    own, seats = columns.read_together(_IN_ORDER, _SEATS, common_tables=[CommonTable("own", _OWN, params)])
    return {player.pk: _seen_by(player.pk, _Own(*own), _Seats(*seats), game) for player in players}


def _seen_by(player: int, of_all: _Own, at_all: _Seats, game: str) -> TablesPlayed:
    own = _Own(*(column[of_all.player == player] for column in of_all))
    seats = _Seats(*(column[np.isin(at_all.table, own.table)] for column in at_all))
    at = places_among(own.table, seats.table)
    most = np.full(len(own.table), np.iinfo(np.int64).min)
    np.maximum.at(most, at, seats.points)
    is_partner = sides_of(game, seats.number, own.size[at]) == sides_of(game, own.number, own.size)[at]
    rows = seats.player != player
    others = Others(at[rows], seats.player[rows], seats.points[rows], is_partner[rows])
    return TablesPlayed(own.evening, own.day, own.points, own.points == most, others)


def run_of_wins(tables: TablesPlayed) -> WinningRun:
    """Return how many tables were won in a row."""
    runs = list(accumulate(tables.is_won.tolist(), lambda run, won: run + 1 if won else 0, initial=0))
    return WinningRun(max(runs), runs[-1])


def evening_sums(tables: TablesPlayed) -> list[EveningSum]:
    """Return what each evening's tables gave together, in the order of play."""
    if not len(tables):
        return []
    starts = np.flatnonzero(changes(tables.evening))
    points = np.add.reduceat(tables.points, starts)
    found = zip(tables.evening[starts].tolist(), tables.day[starts].tolist(), points.tolist(), strict=True)
    return [EveningSum(*each) for each in found]


def names_of(tables: TablesPlayed) -> dict[int, Names]:
    """Return the names of those who sat at LEAST of the tables or more, by their ids; one query."""
    players, times = np.unique(tables.others.player, return_counts=True)
    often = Player.objects.filter(pk__in=players[times >= LEAST].tolist()).order_by()
    return {pk: names.for_player(pk) for pk, names in often.values_list("pk", "names")}


def opponents(tables: TablesPlayed, names: Mapping[int, Names]) -> list[Shared]:
    """Return who of those named was an opponent at LEAST tables or more, the most frequent first."""
    return _shared(tables, ~tables.others.is_partner, names)


def partners(tables: TablesPlayed, names: Mapping[int, Names]) -> list[Shared]:
    """Return who of those named was a partner at LEAST tables or more, the most frequent first."""
    return _shared(tables, tables.others.is_partner, names)


def nemesis(found: Iterable[Shared]) -> Shared | None:
    """Return the opponent behind whom one was most often, in share of their tables; None where nobody is ahead."""
    ahead = [shared for shared in found if shared.tables >= LEAST_NEMESIS and shared.behind > shared.before]
    return max(ahead, key=lambda shared: ((shared.behind - shared.before) / shared.tables, shared.tables), default=None)


def _shared(tables: TablesPlayed, which: Flags, names: Mapping[int, Names]) -> list[Shared]:
    if not which.any():
        return []
    player, order = in_order(tables.others.player[which])
    at, points = tables.others.at[which][order], tables.others.points[which][order]
    starts = np.flatnonzero(changes(player))
    ahead = tables.points[at] - points
    numbers = [np.ones_like(at), ahead > 0, ahead < 0, ahead, tables.points[at], tables.is_won[at]]
    sums = [np.add.reduceat(number.astype(np.int64), starts).tolist() for number in numbers]
    found = zip(player[starts].tolist(), *sums, strict=True)
    often = [Shared(pk, names[pk], *said) for pk, *said in found if said[0] >= LEAST and pk in names]
    return sorted(often, key=lambda shared: (-shared.tables, str(shared.name), shared.player))
