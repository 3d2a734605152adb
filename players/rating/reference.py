"""Ratings by Elo's method: each side of a table plays against every other side at once. All numbers are integers.

Pure functions: they take the results, lengths and rating rules of one game and return new states. Player ids can be of
any sortable type. arrays.py computes the same numbers on arrays; `python -m players.rating` (command_line.py) reads and
writes JSON lines.

Units: ratings, stakes and gains are in micro-points (a rating of 1000 is 1_000_000_000), expectations in 10⁻⁹, n (the
weighted number of rated tables) in thousandths.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby, product
from typing import Final, Generic, NamedTuple, TypeVar

from players.rating import k_factor
from players.rating.expectation import CERTAINTY, MICRO_POINTS_PER_POINT, expected_score
from scoring.rules.interface import TableLength

P = TypeVar("P", int, str)  # a player's id: an integer in the database, a name in files

START_RATING: Final = 1000 * MICRO_POINTS_PER_POINT
ACTIVE_DAYS: Final = 180  # after so many days without a rated table a player is not on the leaderboard
PROVISIONAL_TABLES: Final = 20
PROVISIONAL_DATES: Final = 3
PROVISIONAL_OPPONENTS: Final = 5


class Side(NamedTuple, Generic[P]):
    """The players of a table who share one total and one rank."""

    players: tuple[P, ...]
    total: int


class Result(NamedTuple, Generic[P]):
    """The result of a completed table with two or more sides. Each player occurs once.

    `deals`, the number of deals, is required if the game measures the length of a table by deals.
    """

    date: datetime.date
    round: int
    sides: tuple[Side[P], ...]
    deals: int | None = None


class PlayerRating(NamedTuple):
    """A player's rating in a game. `micro` is the rating in micro-points.

    `experience` is n, the weighted number of rated tables, in thousandths. `last` is the date of the last rated table,
    None before the first one.
    """

    micro: int = START_RATING
    experience: int = 0
    tables: int = 0
    dates: int = 0
    opponents: int = 0  # number of different opponents; partners are not counted
    last: datetime.date | None = None

    @property
    def provisional(self) -> bool:
        return (
            self.tables < PROVISIONAL_TABLES or self.dates < PROVISIONAL_DATES or self.opponents < PROVISIONAL_OPPONENTS
        )

    @property
    def band(self) -> int:
        """The uncertainty (±) of the rating in micro-points, for display."""
        return k_factor.uncertainty(self.experience)


class PairLine(NamedTuple, Generic[P]):
    """The rating points that one side won from, or lost to, one other side at one table."""

    side: tuple[P, ...]  # lowest id first
    opponents: tuple[P, ...]
    halves: int  # 2: won against these opponents, 1: draw, 0: lost
    expected: int
    stake: int
    gains: tuple[int, ...]  # by player, in the order of `side`


class State(NamedTuple, Generic[P]):
    """The ratings and first meetings of a game at one moment: everything that later ratings depend on."""

    ratings: Mapping[P, PlayerRating]
    first_meetings: Mapping[tuple[P, P], datetime.date]  # by pair of opponents, lower id first


class Changes(NamedTuple, Generic[P]):
    """The changes to a state by one period. A player's rating changes by the sum of the player's gains in `lines`."""

    ratings: Mapping[P, PlayerRating]  # after the period, of the players of rated tables
    first_meetings: Mapping[tuple[P, P], datetime.date]  # only new pairs
    lines: tuple[PairLine[P], ...]


class Period(NamedTuple, Generic[P]):
    """The tables with the same date and round number, in all clubs. Their ratings are computed at once."""

    date: datetime.date
    round: int
    changes: Changes[P]


class RatingStep(NamedTuple, Generic[P]):
    """A player's rating after a date with a rated table of the player."""

    date: datetime.date
    player: P
    rating: PlayerRating


class Ratings(NamedTuple, Generic[P]):
    """The state after some results, and the rating steps that lead to it."""

    state: State[P]
    steps: tuple[RatingStep[P], ...]  # by date, then player


def rate_results(results: Iterable[Result[P]], length: TableLength, before: State[P] | None = None) -> Ratings[P]:
    """Return the ratings after the results, starting from the state `before`. The results are later than that state."""
    ratings = dict(before.ratings) if before else {}
    first_meetings = dict(before.first_meetings) if before else {}
    steps: dict[tuple[datetime.date, P], PlayerRating] = {}
    for period in periods(results, length, before):
        ratings.update(period.changes.ratings)
        first_meetings.update(period.changes.first_meetings)
        steps.update({(period.date, player): after for player, after in period.changes.ratings.items()})
    ordered = tuple(RatingStep(date, player, steps[date, player]) for date, player in sorted(steps))
    return Ratings(State(ratings, first_meetings), ordered)


def periods(results: Iterable[Result[P]], length: TableLength, before: State[P] | None = None) -> Iterator[Period[P]]:
    """Yield the periods of the results in order of time, each with its changes. They start from the state `before`."""
    ratings = dict(before.ratings) if before else {}
    first_meetings = dict(before.first_meetings) if before else {}
    for (date, number), tables in groupby(sorted(results, key=_period_key), _period_key):
        changes = rate_period(State(ratings, first_meetings), list(tables), length)
        ratings.update(changes.ratings)
        first_meetings.update(changes.first_meetings)
        yield Period(date, number, changes)


def rate_period(state: State[P], results: Sequence[Result[P]], length: TableLength) -> Changes[P]:
    """Return the changes by the tables of one period (one round of one date). All of them start from the ratings in
    `state`.

    `length.rating_equation` selects the rating rules: "club" or "published". Raise ValueError if the results belong to
    several periods, or if the game measures the length of tables by deals and a result has no `deals`.
    """
    if len(set(map(_period_key, results))) > 1:
        raise ValueError("results of several periods")
    rated = [
        (result, short)
        for result in results
        if (short := k_factor.length_shortfall(length, max(side.total for side in result.sides), result.deals))
        is not None
    ]
    before: dict[P, PlayerRating] = {}
    for result, _ in rated:
        for player in _players(result):
            before[player] = _decay_experience(state.ratings.get(player, PlayerRating()), result.date)
    lines = tuple(line for result, short in rated for line in _pair_lines(result, short, length, before))
    first_meetings = {
        pair: result.date
        for result, _ in rated
        for pair in _pairs_of_opponents(result.sides)
        if pair not in state.first_meetings
    }
    after = dict(before)
    for line in lines:
        for player, gain in zip(line.side, line.gains, strict=True):
            after[player] = after[player]._replace(micro=after[player].micro + gain)
    for result, short in rated:
        for player in _players(result):
            after[player] = _count_table(after[player], result.date, short)
    for pair in first_meetings:
        for player in pair:
            after[player] = after[player]._replace(opponents=after[player].opponents + 1)
    return Changes(after, first_meetings, lines)


def years_away(last: datetime.date, date: datetime.date) -> int:
    """Return the number of full years between two dates. A year from 29 February ends on 1 March if there is no 29
    February.
    """
    return date.year - last.year - ((date.month, date.day) < (last.month, last.day))


def _pair_lines(
    result: Result[P], short: int, length: TableLength, ratings: Mapping[P, PlayerRating]
) -> Iterator[PairLine[P]]:
    """Yield two lines for each pair of sides of a table: one for each side of the pair.

    `short` is 0 for a table of full length, 1 for a middle one, 2 for a short one.
    """
    sides = [Side(tuple(sorted(side.players)), side.total) for side in result.sides]
    published_stake = k_factor.published_stake(sum(len(side.players) for side in sides), short)
    for side, opponent in combinations(sides, 2):
        if length.rating_equation == k_factor.PUBLISHED_RULES:
            stake = published_stake
        else:
            side_n, opponent_n = (
                [ratings[player].experience for player in players] for players, _total in (side, opponent)
            )
            stake = k_factor.club_stake(len(sides), short, side_n, opponent_n)
        halves = 1 + (side.total > opponent.total) - (side.total < opponent.total)
        expectation = expected_score(_mean_rating(side, ratings) - _mean_rating(opponent, ratings))
        exchange = _round_half_away(stake * (halves * CERTAINTY // 2 - expectation), CERTAINTY)
        pot = _round_half_away(exchange * (len(side.players) + len(opponent.players)), 2)
        gains, losses = _shares(pot, len(side.players)), _shares(-pot, len(opponent.players))
        yield PairLine(side.players, opponent.players, halves, expectation, stake, gains)
        yield PairLine(opponent.players, side.players, 2 - halves, CERTAINTY - expectation, stake, losses)


def _mean_rating(side: Side[P], ratings: Mapping[P, PlayerRating]) -> int:
    return sum(ratings[player].micro for player in side.players) // len(side.players)


def _round_half_away(numerator: int, denominator: int) -> int:
    """Return the rounded quotient. Halves are rounded away from zero, so that gains and losses are symmetric."""
    nearest = k_factor.divide_half_up(abs(numerator), denominator)
    return nearest if numerator >= 0 else -nearest


def _shares(pot: int, members: int) -> tuple[int, ...]:
    """Divide the pot equally among the members. Micro-points that remain go to the first members, who have the lowest
    ids.
    """
    share, remainder = divmod(pot, members)
    return tuple(share + (index < remainder) for index in range(members))


def _decay_experience(rating: PlayerRating, date: datetime.date) -> PlayerRating:
    """Return the rating with n (the weighted number of rated tables) halved, rounded down, for each full 12 months
    without one.
    """
    return rating._replace(experience=rating.experience >> years_away(rating.last, date)) if rating.last else rating


def _count_table(rating: PlayerRating, date: datetime.date, short: int) -> PlayerRating:
    """Return the rating with one more table of this date. `short`: see `_pair_lines`."""
    return rating._replace(
        experience=rating.experience + k_factor.WEIGHT_TENTHS[short] * k_factor.THOUSANDTHS // 10,
        tables=rating.tables + 1,
        dates=rating.dates + (rating.last != date),
        last=date,
    )


def _pairs_of_opponents(sides: Sequence[Side[P]]) -> Iterator[tuple[P, P]]:
    for first_side, second_side in combinations(sides, 2):
        for first, second in product(first_side.players, second_side.players):
            yield (first, second) if first < second else (second, first)


def _players(result: Result[P]) -> Iterator[P]:
    return (player for side in result.sides for player in side.players)


def _period_key(result: Result[P]) -> tuple[datetime.date, int]:
    return result.date, result.round
