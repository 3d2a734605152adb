"""What was played on seasons' closed evenings, as arrays: read once for all that is derived of it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from players import columns
from players.columns import CommonTable, Query
from players.rating.careers import Days, Flags, Ints

_HELD: Final = """
    SELECT id, season_id, date, weight, season_final FROM league_evening
    WHERE season_id = ANY (%s) AND state = 'closed' AND date <= %s
"""
_SAT: Final = """
    SELECT id, evening_id, number, state FROM league_round WHERE evening_id = ANY (ARRAY (SELECT id FROM held))
"""
_SEATS: Final = """
    SELECT round_id, player_id, points, deals, table_id FROM league_seat
    WHERE round_id = ANY (ARRAY (SELECT id FROM sat))
"""
_SEATS_IN_ORDER: Final = """
    SELECT round_id, player_id, points, deals, table_id, number FROM league_seat
    WHERE round_id = ANY (ARRAY (SELECT id FROM sat)) ORDER BY table_id, number
"""
# These are few, and have an index: else the database would look at each seat's table.
_INCOMPLETE: Final = """
    SELECT id FROM league_table WHERE NOT complete AND round_id = ANY (ARRAY (SELECT id FROM sat))
"""
# Rests are few: each may ask for the player's seats in the evening's accepted rounds.
_RESTS: Final = """
    SELECT rest.round_id, rest.player_id, rest.points, rest.kind = 'exempt',
        rest.kind = 'resting' AND NOT EXISTS (
            SELECT FROM sat there JOIN league_seat seat ON seat.round_id = there.id
            WHERE there.evening_id = sat.evening_id AND there.state = 'accepted' AND seat.player_id = rest.player_id
        )
    FROM league_rest rest JOIN sat ON sat.id = rest.round_id
    WHERE sat.state = 'accepted'
"""
_MEMBERS: Final = """
    SELECT evening_id, player_id FROM league_attendance
    WHERE evening_id = ANY (ARRAY (SELECT id FROM held)) AND standing = 'member'
"""
# Who left before the last round, where the season places them last; the parameter says so instead of the season.
_LEFT: Final = """
    SELECT there.evening_id, there.player_id FROM league_attendance there
    JOIN (SELECT evening_id, max(number) AS number FROM sat WHERE state = 'accepted' GROUP BY evening_id) last
    USING (evening_id)
    WHERE there.to_round < last.number AND there.evening_id = ANY (ARRAY (
        SELECT held.id FROM held JOIN league_season s ON s.id = held.season_id
        WHERE coalesce(%s::text, s.leavers) = 'last'
    ))
"""


class Evenings(NamedTuple):
    """In order of season, date and id. Other arrays name an evening by its place among these, as `at`."""

    id: Ints
    season: Ints
    day: Days
    weight: Ints
    is_final: Flags


class PlayedSeats(NamedTuple):
    """Seats of all tables, complete or not; rounds and tables by id. In order of table and number, if it has them."""

    at: Ints
    round: Ints
    player: Ints
    points: Ints
    deals: Ints
    table: Ints
    number: Ints | None = None

    def only(self, some: Flags) -> PlayedSeats:
        """Return some of the seats."""
        at, sitting, player, points, deals, table = (column[some] for column in self[:6])
        return PlayedSeats(
            at, sitting, player, points, deals, table, None if self.number is None else self.number[some]
        )


class Rests(NamedTuple):
    """Rounds that somebody sat out, or was exempt from; `all_evening` if the player sat at no table at all."""

    at: Ints
    player: Ints
    points: Ints
    is_exempt: Flags
    all_evening: Flags

    def only(self, some: Flags) -> Rests:
        """Return some of the rests."""
        at, player, points, is_exempt, all_evening = self
        return Rests(at[some], player[some], points[some], is_exempt[some], all_evening[some])


class ClosedEvenings(NamedTuple):
    """What was read of some seasons, by their ids; `members` and `left` are evenings and players."""

    seasons: frozenset[int]
    evenings: Evenings
    seats: PlayedSeats
    incomplete: Ints  # tables by id
    rests: Rests
    members: tuple[Ints, Ints]
    left: tuple[Ints, Ints]

    @property
    def counted(self) -> PlayedSeats:
        """The seats of complete tables."""
        return without_tables(self.seats, self.incomplete)


def read_evenings(
    seasons: Collection[int], until: date = date.max, *, by_table: bool = False, leavers: str | None = None
) -> ClosedEvenings:
    """Read the closed evenings of seasons by their ids, up to a date; one query.

    Seats come in order, with their numbers, where `by_table` asks for it. `leavers` is 'last' or 'ranked', instead of
    what each season says.
    """
    numbers = ["smallint"] * by_table
    evenings, (rounds, of), seats, (incomplete,), rests, members, left = columns.read_together(
        Query(
            "SELECT * FROM held ORDER BY season_id, date, id", [], ["bigint", "bigint", "date", "smallint", "boolean"]
        ),
        Query("SELECT id, evening_id FROM sat ORDER BY id", [], ["bigint", "bigint"]),
        Query(
            _SEATS_IN_ORDER if by_table else _SEATS,
            [],
            ["bigint", "bigint", "integer", "smallint", "bigint", *numbers],
        ),
        Query(_INCOMPLETE, [], ["bigint"]),
        Query(_RESTS, [], ["bigint", "bigint", "integer", "boolean", "boolean"]),
        Query(_MEMBERS, [], ["bigint", "bigint"]),
        Query(_LEFT, [leavers], ["bigint", "bigint"]),
        common_tables=[CommonTable("held", _HELD, [list(seasons), until]), CommonTable("sat", _SAT, [])],
    )
    ids = evenings[0]
    at_round = places_among(ids, of)

    def at(sitting: Ints) -> Ints:
        return at_round[np.searchsorted(rounds, sitting)] if len(sitting) else sitting

    return ClosedEvenings(
        frozenset(seasons),
        Evenings(*evenings),
        PlayedSeats(at(seats[0]), *seats),
        incomplete,
        Rests(at(rests[0]), *rests[1:]),
        (places_among(ids, members[0]), members[1]),
        (places_among(ids, left[0]), left[1]),
    )


def without_tables(seats: PlayedSeats, tables: Ints) -> PlayedSeats:
    """Return the seats of all other tables."""
    return seats.only(~np.isin(seats.table, tables)) if len(tables) else seats


def is_among(ascending: Ints, some: Ints) -> Flags:
    """Return which of the first, no two of which are equal, are among the others."""
    found = np.zeros(len(ascending), np.bool_)
    if len(ascending):
        at = np.searchsorted(ascending, some)
        found[at[ascending.take(at, mode="clip") == some]] = True
    return found


def places_among(ids: Ints, wanted: Ints) -> Ints:
    """Return where each of `wanted`, all of which are there, stands among `ids`."""
    order = np.argsort(ids)
    found: Ints = order[np.searchsorted(ids[order], wanted)] if len(ids) else wanted
    return found
