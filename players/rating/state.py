"""The ratings of all players of a game at one moment, as arrays, so that a later computation can continue from there.

The arrays have 64-bit integers: ratings in micro-points, experience (the weighted number of rated tables, n) in
thousandths. The same values as Python objects are in reference.State.
"""

from typing import Final, NamedTuple

import numpy as np

from players.rating.experience import Days, Flags, Ints, change_flags, date_numbers
from players.rating.reference import PROVISIONAL_DATES, PROVISIONAL_OPPONENTS, PROVISIONAL_TABLES, START_RATING


class RatingSteps(NamedTuple):
    """Ratings after dates, as columns: the rating of `player` after `date`. Rows are sorted by player, then date."""

    player: Ints
    date: Days
    micro: Ints
    experience: Ints
    tables: Ints
    dates: Ints
    opponents: Ints


class Meetings(NamedTuple):
    """Pairs of opponents with the date of their first meeting. `low` has the lower id; rows are sorted by low, then
    high.
    """

    low: Ints
    high: Ints
    date: Days


class History(NamedTuple):
    """The rating steps of a game, and the first meetings of opponents."""

    steps: RatingSteps
    meetings: Meetings


class RatingColumns(NamedTuple):
    """The values of reference.PlayerRating as columns, one row per player. `last` is as in `date_numbers`, or 0."""

    micro: Ints
    experience: Ints
    last: Ints
    tables: Ints
    dates: Ints
    opponents: Ints


class StateArrays(NamedTuple):
    """All rated players, by ascending id, with their ratings; and all pairs of opponents who have met, sorted by low,
    then high.
    """

    player: Ints
    ratings: RatingColumns
    low: Ints
    high: Ints


_EMPTY: Final = np.empty(0, np.int64)
EMPTY_STATE: Final = StateArrays(_EMPTY, RatingColumns(*[_EMPTY] * 6), _EMPTY, _EMPTY)


def state_from_steps(steps: RatingSteps, low: Ints, high: Ints) -> StateArrays:
    """Return the state after the last step of each player.

    `steps` has one step for each player, sorted by player. `low` and `high` are the pairs of opponents who have met.
    """
    order = np.lexsort((high, low))
    return StateArrays(steps.player, _rating_columns(steps), low[order], high[order])


def ratings_of(state: StateArrays, ids: Ints) -> RatingColumns:
    """Return the ratings of the players `ids`; players who are not in the state get START_RATING.

    `ids` are ascending and include all players of the state.
    """
    index = np.searchsorted(ids, state.player)
    ratings = RatingColumns(
        np.full(len(ids), START_RATING, dtype=np.int64), *(np.zeros(len(ids), np.int64) for _ in range(5))
    )
    for column, state_column in zip(ratings, state.ratings, strict=True):
        column[index] = state_column
    return ratings


def provisional_flags(ratings: RatingColumns) -> Flags:
    flags: Flags = (
        (ratings.tables < PROVISIONAL_TABLES)
        | (ratings.dates < PROVISIONAL_DATES)
        | (ratings.opponents < PROVISIONAL_OPPONENTS)
    )
    return flags


def dates_of(numbers: Ints) -> Days:
    """Return the dates of numbers such as 20261002, as `date_numbers` makes them."""
    years = (numbers // 10_000 - 1970).astype("datetime64[Y]").astype("datetime64[M]")
    months = years + (numbers // 100 % 100 - 1).astype("timedelta64[M]")
    dates: Days = months.astype("datetime64[D]") + (numbers % 100 - 1).astype("timedelta64[D]")
    return dates


def pair_keys(low: Ints, high: Ints, ids: Ints) -> Ints:
    """Return each pair as one number; the numbers sort by low, then high. `ids` are ascending and include all players
    of pairs.
    """
    keys: Ints = np.searchsorted(ids, low) * len(ids) + np.searchsorted(ids, high)
    return keys


def state_after(state: StateArrays, history: History) -> StateArrays:
    """Return the state after the steps and first meetings in `history`, which are later than `state`."""
    steps, meetings = history
    ids = np.union1d(state.player, steps.player)
    ratings = ratings_of(state, ids)
    last_steps = np.flatnonzero(np.append(change_flags(steps.player)[1:], True)) if len(steps.player) else _EMPTY
    index = np.searchsorted(ids, steps.player[last_steps])
    for column, new_column in zip(ratings, _rating_columns(steps), strict=True):
        column[index] = new_column[last_steps]
    pairs = np.concatenate([pair_keys(state.low, state.high, ids), pair_keys(meetings.low, meetings.high, ids)])
    pairs.sort()
    low, high = np.divmod(pairs, len(ids)) if len(ids) else (_EMPTY, _EMPTY)
    return StateArrays(ids, ratings, ids[low], ids[high])


def _rating_columns(steps: RatingSteps) -> RatingColumns:
    return RatingColumns(
        steps.micro, steps.experience, date_numbers(steps.date), steps.tables, steps.dates, steps.opponents
    )
