"""Back-test of rating rules: do the ratings before each table predict its places better than a coin does?

One game's results are rated from nobody on under each of the rules, and every pair of sides of a rated table is
predicted from what both held before its period. Knows no game and no database. Floats: none of this is stored.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import chain, islice
from math import comb, fsum, log, sqrt
from typing import Final, NamedTuple

from players.rating.expectation import CERTAIN
from players.rating.k_factor import RULES, steps_short
from players.rating.reference import P, PairLine, Result, periods
from scoring.rules.interface import Length

COIN: Final = log(2)  # what even chances lose on every pair, in nats
FEWEST: Final = 30  # tables below which two standard errors are no measure of chance


class Verdict(StrEnum):
    """What the figures allow to be said."""

    BETTER = "better"
    NO_BETTER = "no better"
    WORSE = "worse"
    TOO_FEW = "too few"


class Trial(NamedTuple):
    """How well rules predicted: the mean log-loss of a pair in nats, COIN if there was none, less being better."""

    rules: str
    tables: int  # rated ones
    pairs: int
    log_loss: float
    margin: float  # two standard errors of log_loss

    @property
    def better_by(self) -> float:
        """How much less is lost than by a coin, in percent; below 0 when more is."""
        return 100 * (1 - self.log_loss / COIN)

    @property
    def give_or_take(self) -> float:
        """How far chance may have moved `better_by`, ± percent."""
        return 100 * self.margin / COIN

    @property
    def verdict(self) -> Verdict:
        """Better or worse than a coin, where chance is no likely reason; else neither."""
        if self.tables < FEWEST:
            return Verdict.TOO_FEW
        if self.better_by > self.give_or_take:
            return Verdict.BETTER
        return Verdict.WORSE if self.better_by < -self.give_or_take else Verdict.NO_BETTER


def trials(results: Iterable[Result[P]], length: Length) -> list[Trial]:
    """Try all rating rules on one game's results, which may come in any order.

    Raises ValueError when a result lacks the `deals` that its length is measured by.
    """
    ordered = sorted(results, key=lambda result: (result.date, result.round))
    return [_trial(ordered, length._replace(rules=rules)) for rules in RULES]


def _trial(results: list[Result[P]], length: Length) -> Trial:
    losses = list(_losses(results, length))
    pairs = sum(map(len, losses))
    total = fsum(chain.from_iterable(losses))
    mean = total / pairs if pairs else COIN
    # A table's pairs share its luck, so tables are what is independent: the deviations are summed by table first.
    apart = fsum((fsum(table) - mean * len(table)) ** 2 for table in losses)
    tables = len(losses)
    error = sqrt(apart * tables / (tables - 1)) / pairs if tables > 1 else 0.0
    return Trial(length.rules, tables, pairs, mean, 2 * error)


def _losses(results: list[Result[P]], length: Length) -> Iterator[list[float]]:
    """The log-loss of every pair, table by table; `results` are in order of their periods, as the lines are."""
    lines = chain.from_iterable(period.changes.lines for period in periods(results, length))
    for result in results:
        if steps_short(length, max(side.total for side in result.sides), result.deals) is not None:
            both_ways = list(islice(lines, 2 * comb(len(result.sides), 2)))
            yield [_loss(line) for line in both_ways[::2]]  # the other way round the loss is the same


def _loss(line: PairLine[P]) -> float:
    """Return −(S·ln E + (1 − S)·ln(1 − E)). No E is near 0 or 1: at 1200 points the curve ends, at 1 in 1001."""
    chance = line.expected / CERTAIN
    return -(line.halves * log(chance) + (2 - line.halves) * log(1 - chance)) / 2
