"""Back-test of rating rules: do the ratings predict the ranks at the next tables better than chance?

The results of a game are rated from the beginning by each set of rules. The result of each pair of sides at a rated
table is predicted from the ratings before its period (one round of one date). Floats are used, because nothing is
stored. Rating rules change no points and no standings, so no deal is scored again.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import chain, islice
from math import comb, fsum, log, sqrt
from typing import Final, NamedTuple

from players.rating.expectation import CERTAINTY
from players.rating.k_factor import RULES, length_shortfall
from players.rating.reference import P, PairLine, Result, periods
from scoring.rules.interface import TableLength

LOG_LOSS_OF_CHANCE: Final = log(2)  # log-loss of even chances, in nats
MIN_TABLES: Final = 30  # minimum of tables for a verdict: with fewer, two standard errors are no reliable margin


class Verdict(StrEnum):
    BETTER = "better"
    NO_BETTER = "no better"
    WORSE = "worse"
    TOO_FEW = "too few"


class RulesTrial(NamedTuple):
    rules: str
    tables: int  # only rated tables
    pairs: int
    log_loss: float  # mean of the pairs, in nats, LOG_LOSS_OF_CHANCE without pairs; less is better
    margin: float  # two standard errors of log_loss

    @property
    def better_by(self) -> float:
        """The percentage by which the log-loss is below LOG_LOSS_OF_CHANCE; negative if it is above."""
        return 100 * (1 - self.log_loss / LOG_LOSS_OF_CHANCE)

    @property
    def margin_percent(self) -> float:
        return 100 * self.margin / LOG_LOSS_OF_CHANCE

    @property
    def verdict(self) -> Verdict:
        if self.tables < MIN_TABLES:
            return Verdict.TOO_FEW
        if self.better_by > self.margin_percent:
            return Verdict.BETTER
        return Verdict.WORSE if self.better_by < -self.margin_percent else Verdict.NO_BETTER


def backtest_rules(results: Iterable[Result[P]], length: TableLength) -> list[RulesTrial]:
    """Return a trial for each set of rating rules. `results` are the results of one game, in any order.

    Raise ValueError if the game measures the length of tables by deals and a result has no `deals`.
    """
    ordered = sorted(results, key=lambda result: (result.date, result.round))
    return [_trial(ordered, length._replace(rating_equation=rules)) for rules in RULES]


def _trial(results: list[Result[P]], length: TableLength) -> RulesTrial:
    losses = list(_losses(results, length))
    pairs = sum(map(len, losses))
    total = fsum(chain.from_iterable(losses))
    mean = total / pairs if pairs else LOG_LOSS_OF_CHANCE
    # The pairs of a table are not independent, so the deviations are summed by table first (clustered standard error).
    squares = fsum((fsum(table) - mean * len(table)) ** 2 for table in losses)
    tables = len(losses)
    error = sqrt(squares * tables / (tables - 1)) / pairs if tables > 1 else 0.0
    return RulesTrial(length.rating_equation, tables, pairs, mean, 2 * error)


def _losses(results: list[Result[P]], length: TableLength) -> Iterator[list[float]]:
    """Yield for each rated table the log-loss of each pair of its sides. The results are in order of time."""
    lines = chain.from_iterable(period.changes.lines for period in periods(results, length))
    for result in results:
        if length_shortfall(length, max(side.total for side in result.sides), result.deals) is not None:
            both_ways = list(islice(lines, 2 * comb(len(result.sides), 2)))
            yield [_loss(line) for line in both_ways[::2]]  # the loss of both directions is the same


def _loss(line: PairLine[P]) -> float:
    """Return the log-loss of a prediction, −(S·ln E + (1 − S)·ln(1 − E)).

    S is the score: 1 for a win, ½ for a draw, 0 for a loss. E is the expected score. It is never near 0 or 1: the
    smallest value of the curve is 1/1001.
    """
    chance = line.expected / CERTAINTY
    return -(line.halves * log(chance) + (2 - line.halves) * log(1 - chance)) / 2
