"""Between the rows and the rating arithmetic: a game's tables go from the database into arrays, and so do checkpoints.

A history is computed stretch by stretch, some dates at a time, each from the state that the one before left: memory
stays the same however long it is, and it can stop after any stretch.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from typing import Final, NamedTuple

import numpy as np

from league.models import versions
from league.sheets.queries.table_sides import NO_SIDE, sides_of
from players import columns
from players.columns import CommonTable, Query
from players.models import RatingDay, RatingRules
from players.rating import arrays, state
from players.rating.careers import Days, changes, in_order
from players.rating.reference import Result, Side
from players.rating.state import EMPTY_STATE, History, StateArrays, Steps
from players.rating.tables import SeatColumns
from scoring import registry
from scoring.rules.interface import Length

STRETCH: Final = 65_000  # tables, about: a quarter of a million seats at once

_HELD = """
    SELECT e.id, e.date FROM league_evening e JOIN league_season s ON s.id = e.season_id
    WHERE e.state = 'closed' AND s.game = %s AND e.date BETWEEN %s AND %s
"""
# All tables, complete or not: their index tells how many they are.
_COUNTED = f"""
    SELECT held.date, sum((SELECT count(*) FROM league_table t WHERE t.round_id = r.id))
    FROM ({_HELD}) held JOIN league_round r ON r.evening_id = held.id GROUP BY held.date ORDER BY held.date
"""  # noqa: S608
# By ids of evenings and rounds: joins would look up each row's round, evening and season, or go through all rounds.
_SAT = """
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
_MET = "SELECT first_id, second_id FROM players_met WHERE game = %s AND date < %s"


class Stretch(NamedTuple):
    """The first and the last date of what is computed at once."""

    first: date
    last: date


class Computed(NamedTuple):
    """What a stretch came to: its rows, how many tables were read, each date's digest, and the state it leads to."""

    history: History
    tables: int
    digests: dict[date, str]
    state: StateArrays


def game_length(game: str) -> Length:
    """Return a game's lengths with the rating rules that the installation's admin chose for it."""
    length = registry.rules(game).length
    chosen = RatingRules.objects.filter(game=game).values_list("rules", flat=True).first()
    return length._replace(rules=chosen) if chosen else length


def result_of(game: str, day: date, number: int, deals: int, seats: Sequence[tuple[int, int]]) -> Result[int]:
    """Return a table as the pure arithmetic takes it: `seats` has each seat's player and points, in order."""
    sides = tuple(
        Side(tuple(seats[seat][0] for seat in side), sum(seats[seat][1] for seat in side))
        for side in registry.rules(game).sides(len(seats))
    )
    return Result(day, number, sides, deals)


def stretches(game: str, since: date = date.min) -> list[Stretch]:
    """Return all dates from `since` on, cut into stretches; the first begins with it, the last never ends."""
    counted = columns.read(_COUNTED, [game, since, date.max], ["date", "bigint"])
    days, tables = (column.tolist() for column in counted)
    begins, count = [since], 0
    for day, number in zip(days, tables, strict=True):
        if count and count + number > STRETCH:
            begins.append(day)
            count = 0
        count += number
    ends = [date.fromordinal(begin.toordinal() - 1) for begin in begins[1:]]
    return [Stretch(*ends_of) for ends_of in zip(begins, [*ends, date.max], strict=True)]


def day_after(day: date) -> date:
    """Return the date from which what ended with `day` goes on."""
    return date.fromordinal(day.toordinal() + 1)


def state_before(game: str, day: date) -> StateArrays:
    """Return what everyone held before a date, as the checkpoints tell."""
    if day == date.min:
        return EMPTY_STATE
    steps = columns.read(_STEPS, [game, day], ["bigint", "date", "bigint", "bigint", "integer", "integer", "integer"])
    return state.state_from_steps(Steps(*steps), *columns.read(_MET, [game, day], ["bigint", "bigint"]))


def compute(game: str, stretch: Stretch, before: StateArrays) -> Computed:
    """Return a stretch of a game's ratings from the seats of complete tables of closed evenings."""
    seats, dates = _seats(game, stretch)
    length = game_length(game)
    history = arrays.history(arrays.rate(seats, dates, length, before))
    digests = _digests(game, stretch.first, length, seats, dates)
    return Computed(history, int(changes(seats.table).sum()), digests, state.state_after(before, history))


def computed(game: str, since: date = date.min) -> Iterator[Computed]:
    """A game's history from a date on, stretch by stretch."""
    state = state_before(game, since)
    for stretch in stretches(game, since):
        part = compute(game, stretch, state)
        state = part.state
        yield part


def _digests(game: str, first: date, length: Length, seats: SeatColumns, dates: Days) -> dict[date, str]:
    """Return each date's digest: of its results, of the rules and the arithmetic, and of the digest before."""
    digest = RatingDay.objects.filter(game=game, date__lt=first).order_by("-date").values_list("digest", flat=True)
    previous = digest.first() or ""
    rows = np.stack([*seats[1:], seats.period], axis=1).astype("<i8", copy=False)
    days = dates[seats.period] if len(dates) else np.empty(0, dates.dtype)
    starts = np.flatnonzero(changes(days.view(np.int64))).tolist() if len(days) else []
    found: dict[date, str] = {}
    for begin, end in pairwise([*starts, len(days)]):
        rows[begin:end, -1] -= rows[begin, -1]  # periods of the date, whatever was read before it
        digested = hashlib.sha256(f"{previous} {versions.RATINGS} {length}".encode())
        digested.update(rows[begin:end].data)
        previous = digested.hexdigest()
        found[days[begin].item()] = previous
    return found


def _seats(game: str, stretch: Stretch) -> tuple[SeatColumns, Days]:
    """Return one row a seat, sorted as arrays.rate wants it; the date of each period."""
    # Seats by their rounds, and their tables beside them: less to find and to send than each with all of its table.
    (rounds, day, number), (ids, sat, deals, size), seats = columns.read_together(
        Query("SELECT id, date, number FROM sat ORDER BY id", [], ["bigint", "date", "smallint"]),
        Query(_TABLES, [], ["bigint", "bigint", "smallint", "smallint"]),
        Query(_SEATS, [], ["bigint", "smallint", "bigint", "integer"]),
        common_tables=[CommonTable("held", _HELD, [game, *stretch]), CommonTable("sat", _SAT, [])],
    )
    in_time = np.lexsort((rounds, number, day))
    period = np.empty_like(rounds)
    period[in_time] = np.cumsum(changes(number[in_time]) | changes(day[in_time].view(np.int64))) - 1
    at = np.searchsorted(rounds, sat)
    by_id = np.argsort(ids)
    found = by_id.take(np.searchsorted(ids, seats[0], sorter=by_id), mode="clip") if len(ids) else seats[0][:0]
    complete = np.flatnonzero(ids[found] == seats[0]) if len(ids) else found
    found = found[complete]
    seat, player, points = (column[complete] for column in seats[1:])
    side = sides_of(game, seat, size[found])
    # A table that the game cannot have, stored by an import or a repair, is left out: verification lists it.
    wrong = (np.bincount(found, minlength=len(ids)) != size) | (np.bincount(found, side == NO_SIDE, len(ids)) > 0)
    if wrong.any():
        seated = ~wrong[found]
        found, seat, player, points, side = (column[seated] for column in (found, seat, player, points, side))
    place = np.empty_like(ids)  # of a table among those of all periods
    place[np.lexsort((ids, period[at]))] = np.arange(len(ids))
    of_side = place[found] * (side.max(initial=0) + 1) + side
    key, order = in_order(of_side)
    new_side = changes(key)
    if not new_side.all():  # a side's members are in order too
        order = np.lexsort((player, of_side))
    found, side, player, points = (column[order] for column in (found, side, player, points))
    starts = np.flatnonzero(new_side)
    total = points if new_side.all() else np.add.reduceat(points, starts)[np.cumsum(new_side) - 1]
    round_of = at[found]
    new_period = changes(period[round_of])
    columns_of_seats = SeatColumns(np.cumsum(new_period) - 1, ids[found], side, player, total, deals[found])
    return columns_of_seats, day[round_of[new_period]]
