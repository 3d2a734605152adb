"""Ratings: Elo against every other side of the table at once, in integers only.

One game's results go in, with its lengths and rating rules; a state goes in and changes come out. Nothing is read,
written or altered. Knows no game and no database: players are any ids that sort. arrays.py does the same sums
on arrays; `python -m players.rating` reads and writes JSON lines (command_line.py).

Units: ratings, stakes and moves in micro-points (1000 = 1_000_000_000), expectations in 10⁻⁹, n in thousandths.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, groupby
from typing import Final, Generic, NamedTuple, TypeVar

from players.rating import k_factor
from players.rating.expectation import CERTAIN, POINT, expected
from scoring.rules.interface import Length

P = TypeVar("P", int, str)  # a player's id: an integer in the database, a name in files

START: Final = 1000 * POINT
ACTIVE_DAYS: Final = 180
PROVISIONAL_TABLES: Final = 20
PROVISIONAL_DATES: Final = 3
PROVISIONAL_OPPONENTS: Final = 5


class Side(NamedTuple, Generic[P]):
    """Players who are placed together, and their total."""

    players: tuple[P, ...]
    total: int


class Result(NamedTuple, Generic[P]):
    """A completed table: at least two sides, nobody at it twice. `deals` is needed where they measure its length."""

    date: datetime.date
    round: int
    sides: tuple[Side[P], ...]
    deals: int | None = None


class Held(NamedTuple):
    """What a player holds in a game. `last` is the date of the last rated table, None before the first."""

    micro: int = START
    n: int = 0
    tables: int = 0
    dates: int = 0
    opponents: int = 0  # different ones; partners don't count
    last: datetime.date | None = None

    @property
    def provisional(self) -> bool:
        """Too few tables, dates or opponents to be trusted yet."""
        return (
            self.tables < PROVISIONAL_TABLES or self.dates < PROVISIONAL_DATES or self.opponents < PROVISIONAL_OPPONENTS
        )

    @property
    def band(self) -> int:
        """How far off the rating may be, ± micro-points, for display."""
        return k_factor.band(self.n)

    def active(self, on: datetime.date) -> bool:
        """Return whether a rated table lies less than 180 days back."""
        return self.last is not None and (on - self.last).days < ACTIVE_DAYS


class PairLine(NamedTuple, Generic[P]):
    """One side's exchange with another at one table: a reason, and what it gave each member."""

    side: tuple[P, ...]  # lowest id first
    opponents: tuple[P, ...]
    halves: int  # 2: beat them, 1: drew, 0: lost to them
    expected: int
    stake: int
    moved: tuple[int, ...]  # as `side`


class State(NamedTuple, Generic[P]):
    """All that later periods of a game depend on. `met`: first date of each pair of opponents, lower id first."""

    held: Mapping[P, Held]
    met: Mapping[tuple[P, P], datetime.date]


class Changes(NamedTuple, Generic[P]):
    """What one period does to a state; `lines` are the reasons for every move of rating."""

    held: Mapping[P, Held]  # the players of rated tables, after the period
    met: Mapping[tuple[P, P], datetime.date]  # opponents who met for the first time
    lines: tuple[PairLine[P], ...]


class Period(NamedTuple, Generic[P]):
    """One round of one date, all clubs together."""

    date: datetime.date
    round: int
    changes: Changes[P]


class Step(NamedTuple, Generic[P]):
    """A checkpoint: what a player held after a date on which he had a rated table."""

    date: datetime.date
    player: P
    held: Held


class Ratings(NamedTuple, Generic[P]):
    """The end of a recomputation, and its steps by date, then player."""

    state: State[P]
    steps: tuple[Step[P], ...]


def recompute(results: Iterable[Result[P]], length: Length, before: State[P] | None = None) -> Ratings[P]:
    """Rate one game's results, in whatever order they come, from the state before the first (None: nobody yet)."""
    held = dict(before.held) if before else {}
    met = dict(before.met) if before else {}
    steps: dict[tuple[datetime.date, P], Held] = {}
    for period in periods(results, length, before):
        held.update(period.changes.held)
        met.update(period.changes.met)
        steps.update({(period.date, player): after for player, after in period.changes.held.items()})
    ordered = tuple(Step(date, player, steps[date, player]) for date, player in sorted(steps))
    return Ratings(State(held, met), ordered)


def periods(results: Iterable[Result[P]], length: Length, before: State[P] | None = None) -> Iterator[Period[P]]:
    """Each period in order, with what it changed; a period without a rated table changes nothing."""
    held = dict(before.held) if before else {}
    met = dict(before.met) if before else {}
    for (date, number), tables in groupby(sorted(results, key=_period), _period):
        changes = rate_period(State(held, met), list(tables), length)
        held.update(changes.held)
        met.update(changes.met)
        yield Period(date, number, changes)


def rate_period(state: State[P], results: Sequence[Result[P]], length: Length) -> Changes[P]:
    """Rate one period's tables, all from `state`. `length.rules` chooses the rating rules: "club" or "published".

    Raises ValueError when the results are of several periods, or one lacks the `deals` that its length is measured by.
    """
    if len(set(map(_period, results))) > 1:
        raise ValueError("results of several periods")
    rated = [
        (result, short)
        for result in results
        if (short := k_factor.steps_short(length, max(side.total for side in result.sides), result.deals)) is not None
    ]
    arrived: dict[P, Held] = {}
    for result, _ in rated:
        for player in _players(result):
            arrived[player] = _arrive(state.held.get(player, Held()), result.date)
    lines = tuple(line for result, short in rated for line in _pair_lines(result, short, length, arrived))
    met = {pair: result.date for result, _ in rated for pair in _opponents(result.sides) if pair not in state.met}
    after = dict(arrived)
    for line in lines:
        for player, moved in zip(line.side, line.moved, strict=True):
            after[player] = after[player]._replace(micro=after[player].micro + moved)
    for result, short in rated:
        for player in _players(result):
            after[player] = _played(after[player], result.date, short)
    for pair in met:
        for player in pair:
            after[player] = after[player]._replace(opponents=after[player].opponents + 1)
    return Changes(after, met, lines)


def years_away(last: datetime.date, date: datetime.date) -> int:
    """Return full spans of 12 calendar months from one date to another; those since a 29 February end on a 1 March."""
    return date.year - last.year - ((date.month, date.day) < (last.month, last.day))


def _pair_lines(result: Result[P], short: int, length: Length, held: Mapping[P, Held]) -> Iterator[PairLine[P]]:
    """Both directions of every pair of sides of a table."""
    sides = [Side(tuple(sorted(side.players)), side.total) for side in result.sides]
    fixed = k_factor.published_stake(sum(len(side.players) for side in sides), short)
    for one, other in combinations(sides, 2):
        if length.rules == k_factor.PUBLISHED:
            stake = fixed
        else:
            n_one, n_other = ([held[player].n for player in side.players] for side in (one, other))
            stake = k_factor.club_stake(len(sides), short, n_one, n_other)
        halves = 1 + (one.total > other.total) - (one.total < other.total)
        expectation = expected(_mean(one, held) - _mean(other, held))
        exchanged = _half_away(stake * (halves * CERTAIN // 2 - expectation), CERTAIN)
        pot = _half_away(exchanged * (len(one.players) + len(other.players)), 2)
        yield PairLine(one.players, other.players, halves, expectation, stake, _shares(pot, len(one.players)))
        yield PairLine(
            other.players, one.players, 2 - halves, CERTAIN - expectation, stake, _shares(-pot, len(other.players))
        )


def _mean(side: Side[P], held: Mapping[P, Held]) -> int:
    return sum(held[player].micro for player in side.players) // len(side.players)


def _half_away(numerator: int, denominator: int) -> int:
    """Return the nearest integer to a fraction, halves away from zero: what one side gains, the other loses."""
    nearest = k_factor.half_up(abs(numerator), denominator)
    return nearest if numerator >= 0 else -nearest


def _shares(pot: int, members: int) -> tuple[int, ...]:
    """Return equal shares, rounded down; the micro-points left over go to the lowest ids, who come first."""
    share, left = divmod(pot, members)
    return tuple(share + (place < left) for place in range(members))


def _arrive(held: Held, date: datetime.date) -> Held:
    """Halve n, just before a rated period, for each full 12 calendar months away, down to a thousandth."""
    return held._replace(n=held.n >> years_away(held.last, date)) if held.last else held


def _played(held: Held, date: datetime.date, short: int) -> Held:
    """Count one rated table more."""
    return held._replace(
        n=held.n + k_factor.TENTHS[short] * k_factor.THOUSANDTHS // 10,
        tables=held.tables + 1,
        dates=held.dates + (held.last != date),
        last=date,
    )


def _opponents(sides: Sequence[Side[P]]) -> Iterator[tuple[P, P]]:
    for one, other in combinations(sides, 2):
        for player in one.players:
            for opponent in other.players:
                yield (player, opponent) if player < opponent else (opponent, player)


def _players(result: Result[P]) -> Iterator[P]:
    return (player for side in result.sides for player in side.players)


def _period(result: Result[P]) -> tuple[datetime.date, int]:
    return result.date, result.round
