"""Computes the ratings of a game: reads tables and stored rating steps into arrays, and calls players/rating.

A history is computed in ranges of dates; each range starts from the state after the previous one. So the memory in use
does not grow with the history, and the computation can stop after any range.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from league.models import versions
from league.sheets.queries.table_sides import NO_SIDE, TableSideRules, side_numbers, side_rules
from players import columns
from players.columns import CommonTable, Query
from players.models import RatingDay, RatingRules
from players.rating import arrays, state
from players.rating.experience import Days, change_flags, sort_with_indexes
from players.rating.reference import Result, Side
from players.rating.state import EMPTY_STATE, History, RatingSteps, StateArrays
from players.rating.tables import SeatColumns
from scoring.rules.interface import TableLength

TABLES_PER_RANGE: Final = 65_000  # about a quarter of a million seats at once

_CLOSED_EVENINGS = """
    SELECT e.id, e.date FROM league_evening e JOIN league_season s ON s.id = e.season_id
    WHERE e.state = 'closed' AND s.game_key = %s AND e.date BETWEEN %s AND %s
"""
# Counts incomplete tables too, because an index-only scan can count all tables.
_TABLES_BY_DATE = f"""
    SELECT held.date, sum((SELECT count(*) FROM league_table t WHERE t.round_id = r.id))
    FROM ({_CLOSED_EVENINGS}) held JOIN league_round r ON r.evening_id = held.id GROUP BY held.date ORDER BY held.date
"""  # noqa: S608
# The queries filter by arrays of ids. With joins, the database would look up each row's season, or scan all rounds.
_ROUNDS = """
    SELECT r.id, held.date, r.number FROM league_round r JOIN held ON held.id = r.evening_id
    WHERE r.evening_id = ANY (ARRAY (SELECT id FROM held))
"""
_TABLES = """
    SELECT t.id, t.round_id, t.deals, t.size FROM league_table t
    WHERE t.complete AND t.round_id = ANY (ARRAY (SELECT id FROM sat))
"""
_SEATS = """
    SELECT seat.table_id, seat.number, seat.player_id, seat.points FROM league_seat seat
    WHERE seat.round_id = ANY (ARRAY (SELECT id FROM sat))
"""
_STEPS = """
    SELECT step.player_id, step.date, step.micro, step.weight, step.tables, step.dates, step.opponents
    FROM players_player p, LATERAL (
        SELECT * FROM players_ratingstep WHERE player_id = p.id AND game = %s AND date < %s ORDER BY date DESC LIMIT 1
    ) step ORDER BY step.player_id
"""
_MEETINGS = "SELECT first_id, second_id FROM players_met WHERE game = %s AND date < %s"


class DateRange(NamedTuple):
    """A range of dates whose tables are rated together. `last` is included."""

    first: date
    last: date


class DateRangeRatings(NamedTuple):
    """The computed ratings of a range of dates.

    `history` has each player's new rating per date, and the pairs who met for the first time. `tables` is the number of
    tables, `digests` has a digest of the results of each date, and `state` has the ratings after the last date.
    """

    history: History
    tables: int
    digests: dict[date, str]
    state: StateArrays


def table_length(game: str) -> TableLength:
    """Return the limits of a table's length for ratings, with the rating rules that a superuser chose, if any."""
    length = side_rules(game).rules.length
    rules = RatingRules.objects.filter(game=game).values_list("rules", flat=True).first()
    return length._replace(rating_equation=rules) if rules else length


def table_result(
    game: TableSideRules, day: date, number: int, deal_count: int, seats: Sequence[tuple[int, int]]
) -> Result[int]:
    """Return the result of a table in the form that players/rating needs.

    `seats` are (player id, points) in the order of the seats.
    """
    sides = tuple(
        Side(tuple(seats[seat][0] for seat in side), sum(seats[seat][1] for seat in side))
        for side in game.rules.sides(len(seats), game.options)
    )
    return Result(day, number, sides, deal_count)


def date_ranges(game: str, since: date = date.min) -> list[DateRange]:
    """Return ranges of dates, each with at most about TABLES_PER_RANGE tables.

    The first range begins at `since`; the last range ends at date.max.
    """
    table_counts = columns.read_columns(_TABLES_BY_DATE, [game, since, date.max], ["date", "bigint"])
    days, tables = (column.tolist() for column in table_counts)
    begins, count = [since], 0
    for day, number in zip(days, tables, strict=True):
        if count and count + number > TABLES_PER_RANGE:
            begins.append(day)
            count = 0
        count += number
    ends = [date.fromordinal(begin.toordinal() - 1) for begin in begins[1:]]
    return [DateRange(*ends_of) for ends_of in zip(begins, [*ends, date.max], strict=True)]


def day_after(day: date) -> date:
    return date.fromordinal(day.toordinal() + 1)


def state_before(game: str, day: date) -> StateArrays:
    """Return the ratings and meetings of all players before `day`, from the stored rating steps."""
    if day == date.min:
        return EMPTY_STATE
    steps = columns.read_columns(
        _STEPS, [game, day], ["bigint", "date", "bigint", "bigint", "integer", "integer", "integer"]
    )
    return state.state_from_steps(
        RatingSteps(*steps), *columns.read_columns(_MEETINGS, [game, day], ["bigint", "bigint"])
    )


def compute_date_range(game: str, date_range: DateRange, before: StateArrays) -> DateRangeRatings:
    seats, dates = _seats(game, date_range)
    length = table_length(game)
    history = arrays.history(arrays.rate_tables(seats, dates, length, before))
    digests = _digests(game, date_range.first, length, seats, dates)
    return DateRangeRatings(history, int(change_flags(seats.table).sum()), digests, state.state_after(before, history))


def compute_date_ranges(game: str, since: date = date.min) -> Iterator[DateRangeRatings]:
    state = state_before(game, since)
    for date_range in date_ranges(game, since):
        part = compute_date_range(game, date_range, state)
        state = part.state
        yield part


def _digests(game: str, first: date, length: TableLength, seats: SeatColumns, dates: Days) -> dict[date, str]:
    """Return {date: digest}. A digest is a hash of the date's results, the rules, the version of the arithmetic, and
    the previous digest.
    """
    digest = RatingDay.objects.filter(game=game, date__lt=first).order_by("-date").values_list("digest", flat=True)
    previous = digest.first() or ""
    rows = np.stack([*seats[1:], seats.period], axis=1).astype("<i8", copy=False)
    days = dates[seats.period] if len(dates) else np.empty(0, dates.dtype)
    starts = np.flatnonzero(change_flags(days.view(np.int64))).tolist() if len(days) else []
    digests: dict[date, str] = {}
    # Stored digests depend on this text, so it must stay as it is even if fields are renamed.
    rules = (
        f"Length(measure={length.length_unit!r}, least={length.minimum}, middle={length.middle}, full={length.full}, "
        f"rules={length.rating_equation!r})"
    )
    for begin, end in pairwise([*starts, len(days)]):
        rows[begin:end, -1] -= rows[begin, -1]  # number the periods within the date, so that the range does not matter
        digested = hashlib.sha256(f"{previous} {versions.RATINGS} {rules}".encode())
        digested.update(rows[begin:end].data)
        previous = digested.hexdigest()
        digests[days[begin].item()] = previous
    return digests


def _seats(game: str, date_range: DateRange) -> tuple[SeatColumns, Days]:
    """Return the seats, sorted as `arrays.rate_tables` requires, and the date of each period (round of a date)."""
    # Seats and tables are separate queries: joined, each seat would repeat its table.
    (rounds, day, number), (ids, round_ids, deals, size), seats = columns.read_snapshot(
        Query("SELECT id, date, number FROM sat ORDER BY id", [], ["bigint", "date", "smallint"]),
        Query(_TABLES, [], ["bigint", "bigint", "smallint", "smallint"]),
        Query(_SEATS, [], ["bigint", "smallint", "bigint", "integer"]),
        common_tables=[CommonTable("held", _CLOSED_EVENINGS, [game, *date_range]), CommonTable("sat", _ROUNDS, [])],
    )
    in_time = np.lexsort((rounds, number, day))
    period = np.empty_like(rounds)
    period[in_time] = np.cumsum(change_flags(number[in_time]) | change_flags(day[in_time].view(np.int64))) - 1
    round_index = np.searchsorted(rounds, round_ids)
    by_id = np.argsort(ids)
    table_index = by_id.take(np.searchsorted(ids, seats[0], sorter=by_id), mode="clip") if len(ids) else seats[0][:0]
    complete = np.flatnonzero(ids[table_index] == seats[0]) if len(ids) else table_index
    table_index = table_index[complete]
    seat, player, points = (column[complete] for column in seats[1:])
    side = side_numbers(side_rules(game), seat, size[table_index])
    # Skip a table that the game does not allow, stored by an import or a repair: verification lists it.
    is_invalid = (np.bincount(table_index, minlength=len(ids)) != size) | (
        np.bincount(table_index, side == NO_SIDE, len(ids)) > 0
    )
    if is_invalid.any():
        seated = ~is_invalid[table_index]
        table_index, seat, player, points, side = (
            column[seated] for column in (table_index, seat, player, points, side)
        )
    table_rank = np.empty_like(ids)  # rank of a table in order of period and id
    table_rank[np.lexsort((ids, period[round_index]))] = np.arange(len(ids))
    of_side = table_rank[table_index] * (side.max(initial=0) + 1) + side
    key, order = sort_with_indexes(of_side)
    new_side = change_flags(key)
    if not new_side.all():  # a side's members are in order too
        order = np.lexsort((player, of_side))
    table_index, side, player, points = (column[order] for column in (table_index, side, player, points))
    starts = np.flatnonzero(new_side)
    total = points if new_side.all() else np.add.reduceat(points, starts)[np.cumsum(new_side) - 1]
    round_of = round_index[table_index]
    new_period = change_flags(period[round_of])
    columns_of_seats = SeatColumns(np.cumsum(new_period) - 1, ids[table_index], side, player, total, deals[table_index])
    return columns_of_seats, day[round_of[new_period]]
