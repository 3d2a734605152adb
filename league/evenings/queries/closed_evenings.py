"""The closed evenings of some seasons as arrays, read once for standings, records and statistics."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Final, NamedTuple

import numpy as np

from players import columns
from players.columns import CommonTable, Query
from players.rating.experience import Days, Flags, Ints

_CLOSED_EVENINGS: Final = """
    SELECT id, season_id, date, weight, season_final FROM league_evening
    WHERE season_id = ANY (%s) AND state = 'closed' AND date <= %s
"""
_ROUNDS: Final = """
    SELECT id, evening_id, number, state FROM league_round WHERE evening_id = ANY (ARRAY (SELECT id FROM evenings))
"""
_SEATS: Final = """
    SELECT round_id, player_id, points, deals, table_id FROM league_seat
    WHERE round_id = ANY (ARRAY (SELECT id FROM rounds))
"""
_SEATS_IN_ORDER: Final = """
    SELECT round_id, player_id, points, deals, table_id, number FROM league_seat
    WHERE round_id = ANY (ARRAY (SELECT id FROM rounds)) ORDER BY table_id, number
"""
# Exclude the few incomplete tables; joining every seat to its table is slow.
_INCOMPLETE_TABLES: Final = """
    SELECT id FROM league_table WHERE NOT complete AND round_id = ANY (ARRAY (SELECT id FROM rounds))
"""
# The last column is the condition of `RestQuerySet.sat_out_evening`. Rests are few, so subqueries for each are cheap.
_RESTS: Final = """
    SELECT rest.round_id, rest.player_id, rest.points, rest.deals, rest.kind = 'exempt',
        rest.kind = 'resting' AND NOT EXISTS (
            SELECT FROM rounds played JOIN league_seat seat ON seat.round_id = played.id
            WHERE played.evening_id = rounds.evening_id AND played.state = 'accepted'
                AND seat.player_id = rest.player_id
        ) AND NOT EXISTS (
            SELECT FROM rounds played JOIN league_rest exempt ON exempt.round_id = played.id
            WHERE played.evening_id = rounds.evening_id AND played.state = 'accepted'
                AND exempt.player_id = rest.player_id AND exempt.kind = 'exempt'
        )
    FROM league_rest rest JOIN rounds ON rounds.id = rest.round_id
    WHERE rounds.state = 'accepted'
"""
_MEMBER_ATTENDANCES: Final = """
    SELECT evening_id, player_id FROM league_attendance
    WHERE evening_id = ANY (ARRAY (SELECT id FROM evenings)) AND standing = 'member'
"""
# Players who left before the last round, in seasons that rank them last. The parameter overrides the season's rule.
_LEAVERS: Final = """
    SELECT attendance.evening_id, attendance.player_id FROM league_attendance attendance
    JOIN (SELECT evening_id, max(number) AS number FROM rounds WHERE state = 'accepted' GROUP BY evening_id) last
    USING (evening_id)
    WHERE attendance.to_round < last.number AND attendance.evening_id = ANY (ARRAY (
        SELECT evenings.id FROM evenings JOIN league_season s ON s.id = evenings.season_id
        WHERE coalesce(%s::text, s.leavers) = 'last'
    ))
"""


class EveningArrays(NamedTuple):
    """NumPy arrays with one entry per closed evening, sorted by season, date and id.

    `id` and `season` are database ids. The field `evening` of `PlayedSeats` and `RestedRounds` is an index into these
    arrays.
    """

    id: Ints
    season: Ints
    day: Days
    weight: Ints
    is_final: Flags


class PlayedSeats(NamedTuple):
    """NumPy arrays with one entry per seat, also of incomplete tables.

    `evening` is an index into `EveningArrays`; `round`, `player` and `table` are database ids. `number` is the seat's
    number at the table. If it is not None, the arrays are sorted by table and number.
    """

    evening: Ints
    round: Ints
    player: Ints
    points: Ints
    deals: Ints
    table: Ints
    number: Ints | None = None

    def filter_rows(self, mask: Flags) -> PlayedSeats:
        """Return the seats whose flag in the boolean array `mask` is True."""
        return PlayedSeats._make(None if column is None else column[mask] for column in self)


class RestedRounds(NamedTuple):
    """NumPy arrays with one entry per rest: a player who sat out an accepted round.

    `evening` is an index into `EveningArrays`; `round` and `player` are database ids. `sat_out_evening` is True if the
    player rested in every accepted round of the evening: the player had no seat and was never exempt.
    """

    evening: Ints
    round: Ints
    player: Ints
    points: Ints
    deals: Ints  # 0 unless the rest is scored
    is_exempt: Flags
    sat_out_evening: Flags

    @property
    def is_counted(self) -> Flags:
        """Return a boolean array: True if the rest counts in the results, because it is an exemption or has deals."""
        return self.is_exempt | (self.deals > 0)

    def filter_rows(self, mask: Flags) -> RestedRounds:
        """Return the rests whose flag in the boolean array `mask` is True."""
        return RestedRounds._make(column[mask] for column in self)


class ClosedEvenings(NamedTuple):
    """The closed evenings of `seasons` (database ids) with their seats and rests, as NumPy arrays.

    `members` and `leavers` are attendances as pairs of arrays: indexes into `evenings`, and player ids. `members` is
    for players who attended as club members, `leavers` for players who left early and are ranked last because of it.
    """

    seasons: frozenset[int]
    evenings: EveningArrays
    seats: PlayedSeats
    incomplete_tables: Ints  # ids
    rests: RestedRounds
    members: tuple[Ints, Ints]
    leavers: tuple[Ints, Ints]

    @property
    def seats_of_complete_tables(self) -> PlayedSeats:
        return exclude_tables(self.seats, self.incomplete_tables)


def read_closed_evenings(
    seasons: Collection[int],
    until: date = date.max,
    *,
    with_seat_numbers: bool = False,
    leavers_rule: str | None = None,
) -> ClosedEvenings:
    """Read the closed evenings of the seasons (ids) up to and including the date `until`, with seats and rests.

    `with_seat_numbers` fills `PlayedSeats.number` and sorts the seats by table and number. `leavers_rule` replaces the
    season's rule about players who leave early: 'last' (ranked last) or 'ranked' (ranked like the others).
    """
    numbers = ["smallint"] * with_seat_numbers
    evenings, (rounds, evening_ids), seats, (incomplete,), rests, members, leaver_rows = columns.read_snapshot(
        Query(
            "SELECT * FROM evenings ORDER BY season_id, date, id",
            [],
            ["bigint", "bigint", "date", "smallint", "boolean"],
        ),
        Query("SELECT id, evening_id FROM rounds ORDER BY id", [], ["bigint", "bigint"]),
        Query(
            _SEATS_IN_ORDER if with_seat_numbers else _SEATS,
            [],
            ["bigint", "bigint", "integer", "smallint", "bigint", *numbers],
        ),
        Query(_INCOMPLETE_TABLES, [], ["bigint"]),
        Query(_RESTS, [], ["bigint", "bigint", "integer", "smallint", "boolean", "boolean"]),
        Query(_MEMBER_ATTENDANCES, [], ["bigint", "bigint"]),
        Query(_LEAVERS, [leavers_rule], ["bigint", "bigint"]),
        common_tables=[
            CommonTable("evenings", _CLOSED_EVENINGS, [list(seasons), until]),
            CommonTable("rounds", _ROUNDS, []),
        ],
    )
    ids = evenings[0]
    index_by_round = find_indexes(ids, evening_ids)

    def evening_indexes(round_ids: Ints) -> Ints:
        return index_by_round[np.searchsorted(rounds, round_ids)] if len(round_ids) else round_ids

    return ClosedEvenings(
        frozenset(seasons),
        EveningArrays(*evenings),
        PlayedSeats(evening_indexes(seats[0]), *seats),
        incomplete,
        RestedRounds(evening_indexes(rests[0]), *rests),
        (find_indexes(ids, members[0]), members[1]),
        (find_indexes(ids, leaver_rows[0]), leaver_rows[1]),
    )


def exclude_tables(seats: PlayedSeats, tables: Ints) -> PlayedSeats:
    return seats.filter_rows(~np.isin(seats.table, tables)) if len(tables) else seats


def sorted_isin(ascending: Ints, values: Ints) -> Flags:
    """Return `np.isin(ascending, values)`: for each element of `ascending`, whether `values` contains it.

    It uses a binary search: `ascending` must be sorted and without duplicates.
    """
    flags = np.zeros(len(ascending), np.bool_)
    if len(ascending):
        indexes = np.searchsorted(ascending, values)
        flags[indexes[ascending.take(indexes, mode="clip") == values]] = True
    return flags


def find_indexes(ids: Ints, values: Ints) -> Ints:
    """Return the index in `ids` of each element of `values`. Each value must be in `ids`, which need not be sorted."""
    order = np.argsort(ids)
    indexes: Ints = order[np.searchsorted(ids[order], values)] if len(ids) else values
    return indexes
