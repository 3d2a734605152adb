"""What everyone holds between two dates, as arrays: from here a history goes on as if it had been one computation.

The array form of reference.State; 64-bit integers, units as there.
"""

from typing import Final, NamedTuple

import numpy as np

from players.rating.careers import Days, Flags, Ints, changes, numbers
from players.rating.reference import PROVISIONAL_DATES, PROVISIONAL_OPPONENTS, PROVISIONAL_TABLES, START


class Steps(NamedTuple):
    """Checkpoints, by player and date: what `player` held after `date`."""

    player: Ints
    date: Days
    micro: Ints
    n: Ints
    tables: Ints
    dates: Ints
    opponents: Ints


class MetArrays(NamedTuple):
    """Each pair of opponents, the lower id first, and the first date of it; by low, then high."""

    low: Ints
    high: Ints
    date: Days


class History(NamedTuple):
    """All that is kept of a computation."""

    steps: Steps
    met: MetArrays


class Holdings(NamedTuple):
    """What players hold: one row each. `last` is the day last rated, as careers.numbers writes it; 0: never."""

    micro: Ints
    n: Ints
    last: Ints
    tables: Ints
    dates: Ints
    opponents: Ints


class StateArrays(NamedTuple):
    """All that later dates depend on: everyone rated so far, ascending, and the pairs who met, by low, then high."""

    player: Ints
    held: Holdings
    low: Ints
    high: Ints


_NOTHING: Final = np.empty(0, np.int64)
NOBODY: Final = StateArrays(_NOTHING, Holdings(*[_NOTHING] * 6), _NOTHING, _NOTHING)


def of_steps(steps: Steps, low: Ints, high: Ints) -> StateArrays:
    """Return the state whose last step of each player these are, sorted by player, and whose pairs have met."""
    held = Holdings(steps.micro, steps.n, numbers(steps.date), steps.tables, steps.dates, steps.opponents)
    order = np.lexsort((high, low))
    return StateArrays(steps.player, held, low[order], high[order])


def held_by(state: StateArrays, ids: Ints) -> Holdings:
    """Return what each of `ids`, ascending and with everyone of the state among them, holds.

    Newcomers stand at the start.
    """
    place = np.searchsorted(ids, state.player)
    fresh = Holdings(np.full(len(ids), START, dtype=np.int64), *(np.zeros(len(ids), np.int64) for _ in range(5)))
    for column, known in zip(fresh, state.held, strict=True):
        column[place] = known
    return fresh


def provisional(held: Holdings) -> Flags:
    """Return whose ratings rest on too few tables, dates or opponents, as reference.Held says."""
    few: Flags = (
        (held.tables < PROVISIONAL_TABLES) | (held.dates < PROVISIONAL_DATES) | (held.opponents < PROVISIONAL_OPPONENTS)
    )
    return few


def days(written: Ints) -> Days:
    """Return the dates that careers.numbers wrote as numbers."""
    years = (written // 10_000 - 1970).astype("datetime64[Y]").astype("datetime64[M]")
    months = years + (written // 100 % 100 - 1).astype("timedelta64[M]")
    found: Days = months.astype("datetime64[D]") + (written % 100 - 1).astype("timedelta64[D]")
    return found


def pairs_of(low: Ints, high: Ints, ids: Ints) -> Ints:
    """Return pairs as single numbers that sort by low, then high; `ids` are ascending and everyone is among them."""
    keys: Ints = np.searchsorted(ids, low) * len(ids) + np.searchsorted(ids, high)
    return keys


def after(state: StateArrays, history: History) -> StateArrays:
    """Return the state that a history leads to from this one."""
    steps, met = history
    ids = np.union1d(state.player, steps.player)
    held = held_by(state, ids)
    newest = np.flatnonzero(np.append(changes(steps.player)[1:], True)) if len(steps.player) else _NOTHING
    place = np.searchsorted(ids, steps.player[newest])
    fresh = Holdings(steps.micro, steps.n, numbers(steps.date), steps.tables, steps.dates, steps.opponents)
    for column, new in zip(held, fresh, strict=True):
        column[place] = new[newest]
    pairs = np.concatenate([pairs_of(state.low, state.high, ids), pairs_of(met.low, met.high, ids)])
    pairs.sort()
    low, high = np.divmod(pairs, len(ids)) if len(ids) else (_NOTHING, _NOTHING)
    return StateArrays(ids, held, ids[low], ids[high])
