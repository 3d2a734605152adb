"""The sums of reference.py for a whole game at once, on arrays of 64-bit integers: bit for bit the same.

Stakes and places don't depend on ratings and are made for many periods at a time (tables.py); what is left for
each period is the differences, the curve and the exchange. No floats anywhere.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy import add, floor_divide, multiply, subtract

from players.rating.careers import Careers, Days, Flags, Ints, careers, changes, factors, in_order, numbers
from players.rating.expectation import CERTAIN, FLAT, POINT, TABLE
from players.rating.k_factor import PUBLISHED
from players.rating.state import NOBODY, History, Holdings, MetArrays, StateArrays, Steps, held_by, pairs_of
from players.rating.tables import HALF, Pairs, SeatColumns, Tables, blocks, opponents, pairs, rated_tables
from scoring.rules.interface import Length

DENSE: Final = 1 << 22  # ids below this are looked up in an array, larger ones sorted

# Constants of the inner loop are arrays without dimensions: numpy takes them half a microsecond faster than integers.
A_POINT: Final = np.array(POINT)
CERTAINTY: Final = np.array(CERTAIN)
A_HALF: Final = np.array(HALF)
SHIFT: Final = np.array((FLAT + 1) * POINT)  # added to differences so that the curve's table starts at 0

gain, lose = add.at, subtract.at

Room = tuple[Ints, Ints, Ints]


class Rated(NamedTuple):
    """One game's ratings: `player` has the id of everyone with a rated table, ascending; `micro` and `n` go with it.

    For `history`: the rated tables block by block with each row's rating after its period, and in their place of ids
    numbers, which index `ids` and what everyone `held` before; the pairs who had `met`, as numbers of them.
    """

    player: Ints
    micro: Ints
    n: Ints
    blocks: list[tuple[Tables, Ints]]
    ids: Ints
    dates: Days
    held: Holdings
    met: Ints


def rate(seats: SeatColumns, dates: Days, length: Length, before: StateArrays = NOBODY) -> Rated:
    """Rate one game's tables from the state before the first. `dates` has the date of each period, as datetime64[D].

    Dates never fall, and all are later than those of `before`. Same numbers as reference.recompute. Ids are
    integers from 0.
    """
    ids, number = _numbered(before.player, seats.player)
    days = numbers(dates)
    held = held_by(before, ids)
    micro, n, last = held.micro.copy(), held.n.copy(), held.last.copy()
    done = []
    for block in blocks(seats._replace(player=number)):
        tables = rated_tables(block, length)
        rows = tables.seats
        if not len(rows.period):
            continue
        career = careers(rows.player, days[rows.period], rows.period, tables.weight, n, last)
        factor = None
        if length.rules != PUBLISHED:
            factor = np.empty_like(career.before)
            factor[career.row] = factors(career.before)
        _leave(career, n, last)
        done.append((tables, _play(micro, pairs(tables, factor), rows)))
    played = np.flatnonzero(last)
    met = pairs_of(before.low, before.high, ids)
    return Rated(ids[played], micro[played], n[played], done, ids, dates, held, met)


def history(rated: Rated) -> History:
    """Return each player's checkpoints after each date that was rated, and who met whom first when."""
    nothing = np.empty(0, np.int64)
    period, player, weight, after = (
        np.concatenate([nothing, *columns])
        for columns in (
            [tables.seats.period for tables, _ in rated.blocks],
            [tables.seats.player for tables, _ in rated.blocks],
            [tables.weight for tables, _ in rated.blocks],
            [after for _, after in rated.blocks],
        )
    )
    held = rated.held
    low, high, one, other = _first_met(rated)
    met = MetArrays(rated.ids[low], rated.ids[high], rated.dates[period[one]])
    new = np.bincount(one, minlength=len(player)) + np.bincount(other, minlength=len(player))
    career = careers(player, numbers(rated.dates)[period], period, weight, held.n, held.last)
    new_date = career.first | changes(career.day)
    at = np.flatnonzero(np.append(new_date[1:], True)[: len(player)])
    row, who = career.row[at], career.player[at]
    begins = np.flatnonzero(career.first)[np.cumsum(career.first)[at] - 1]
    steps = Steps(
        player=rated.ids[who],
        date=rated.dates[period[row]],
        micro=after[row],
        n=career.after[at],
        tables=held.tables[who] + at - begins + 1,
        dates=held.dates[who] + _since(np.cumsum(new_date), at, begins),
        opponents=held.opponents[who] + _since(np.cumsum(new[career.row]), at, begins),
    )
    return History(steps, met)


def _first_met(rated: Rated) -> tuple[Ints, Ints, Ints, Ints]:
    """Return every new pair of opponents.

    The two players' numbers, and their rows at the first table where they met.
    """
    nothing = np.empty(0, np.int64)
    ones, others, pairs_met = [nothing], [nothing], [nothing]
    rows, people = 0, len(rated.ids)
    for tables, after in rated.blocks:
        one, other = opponents(tables)
        player, opponent = tables.seats.player[one], tables.seats.player[other]
        pairs_met.append(np.minimum(player, opponent) * people + np.maximum(player, opponent))
        ones.append(one + rows)
        others.append(other + rows)
        rows += len(after)
    pair, order = in_order(np.concatenate(pairs_met))
    first = changes(pair)
    pair, order = pair[first], order[first]
    new = ~_among(rated.met, pair)
    pair, order = pair[new], order[new]
    low, high = np.divmod(pair, people)
    return low, high, np.concatenate(ones)[order], np.concatenate(others)[order]


def _curve() -> tuple[Ints, Ints]:
    """Return the curve as lines.

    E(d) = (BASE[i] + SLOPE[i]·(d + SHIFT)) // 10⁶ with i = (d + SHIFT) // 10⁶, cut to the table.

    Below 0 the stronger side's rounding down makes it rounding up, hence the 999,999. All stays below 5·10¹⁵.
    """
    table = np.array(TABLE)
    slope = np.zeros(2 * FLAT + 2, dtype=np.int64)
    slope[FLAT + 1 : -1] = np.diff(table)
    slope[1 : FLAT + 1] = np.diff(table)[::-1]
    start = np.empty_like(slope)
    start[FLAT + 1 :] = table * POINT
    start[1 : FLAT + 1] = (CERTAIN - table[:0:-1]) * POINT + POINT - 1
    start[0] = (CERTAIN - table[-1]) * POINT
    return start - slope * np.arange(len(slope)) * POINT, slope


BASE, SLOPE = _curve()


def _play(micro: Ints, paired: Pairs, rows: SeatColumns) -> Ints:
    """Rate a run of periods in place, every batch of a period from the ratings before it; each row's rating after."""
    after = np.empty_like(rows.player)
    begin = 0
    rooms: dict[int, Room] = {}  # scratch by size: arrays that are filled anew cost less than new ones
    waiting: list[tuple[list[Ints], list[Ints], Ints]] = []  # moves of the period's earlier batches
    stake, least, draws = paired.stake, paired.least, paired.drawn
    for start, end, members, others, drawn, done in paired.batches:
        one = _slices(paired.one, members, start, end)
        other = _slices(paired.other, others, start, end)
        size = end - start
        exact, spare, third = room = rooms[size] if size in rooms else rooms.setdefault(size, _room(size))
        _mean(micro, one, exact, third)
        _mean(micro, other, spare, third)
        expectations(*room)
        multiply(exact, stake[start:end], exact)
        subtract(least[start:end], exact, exact)
        if drawn:
            subtract(exact, (exact < A_HALF) & draws[start:end], exact)
        floor_divide(exact, CERTAINTY, exact)
        if not done:
            waiting.append((one, other, exact.copy()))
            continue
        if waiting:
            for earlier in waiting:
                _move(micro, *earlier)
            waiting.clear()
        _move(micro, one, other, exact)
        micro.take(rows.player[begin:done], None, after[begin:done], "clip")
        begin = done
    return after


def _slices(columns: list[Ints], members: int, start: int, end: int) -> list[Ints]:
    if members == 1:
        return [columns[0][start:end]]
    return [column[start:end] for column in columns[:members]]


def _room(size: int) -> Room:
    """Return three arrays to work in."""
    return np.empty(size, np.int64), np.empty(size, np.int64), np.empty(size, np.int64)


def expectations(ratings: Ints, others: Ints, room: Ints) -> None:
    """Turn ratings into E in 10⁻⁹ against `others`, as expectation.expected; the other arrays are overwritten."""
    subtract(ratings, others, ratings)
    add(ratings, SHIFT, ratings)
    floor_divide(ratings, A_POINT, others)
    SLOPE.take(others, None, room, "clip")
    multiply(ratings, room, ratings)
    BASE.take(others, None, room, "clip")
    add(ratings, room, ratings)
    floor_divide(ratings, A_POINT, ratings)


def _mean(micro: Ints, members: Sequence[Ints], mean: Ints, room: Ints) -> None:
    """Each side's mean rating, rounded down, into `mean`; `members` are the players member by member."""
    micro.take(members[0], None, mean, "clip")
    if len(members) > 1:
        for member in members[1:]:
            mean += micro.take(member, None, room, "clip")
        mean //= len(members)


def _move(micro: Ints, one: list[Ints], other: list[Ints], exchanged: Ints) -> None:
    """Give each member what he gains or loses; `one` and `other` are the players member by member."""
    if len(one) == len(other):  # the pot is x for each
        for players in one:
            gain(micro, players, exchanged)
        for players in other:
            lose(micro, players, exchanged)
        return
    twice = exchanged * (len(one) + len(other))
    pot = (twice + (twice > 0)) // 2  # half away from zero
    for side, each in ((one, pot), (other, -pot)):
        for left, players in enumerate(reversed(side)):
            gain(micro, players, (each + left) // len(side))


def _numbered(known: Ints, ids: Ints) -> tuple[Ints, Ints]:
    """Return the different ids of both, ascending, and each of the second's index there."""
    if max(int(ids.max(initial=0)), int(known.max(initial=0))) >= DENSE:
        different = np.union1d(known, ids)
        return different, np.searchsorted(different, ids)
    seen = np.zeros(max(int(ids.max(initial=-1)), int(known.max(initial=-1))) + 1, dtype=np.bool_)
    seen[ids] = True
    seen[known] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[ids]


def _among(known: Ints, values: Ints) -> Flags:
    """Return which values are among the known ones; these are ascending."""
    if not len(known):
        return np.zeros(len(values), np.bool_)
    found: Flags = known.take(np.searchsorted(known, values), mode="clip") == values
    return found


def _leave(career: Careers, n: Ints, last: Ints) -> None:
    """Write everyone's n and day after a block."""
    ends = np.flatnonzero(np.append(career.first[1:], True))
    players = career.player[ends]
    n[players] = career.after[ends]
    last[players] = career.day[ends]


def _since(ever: Ints, at: Ints, begins: Ints) -> Ints:
    """Return running totals at some places, counted from where each begins."""
    since: Ints = ever[at] - np.where(begins > 0, ever[begins - 1], 0)
    return since
