"""The back-test of rating rules: numbers by hand, table by table, and on simulated leagues of known skill and luck."""

import datetime
import random
from math import comb, log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.rating.backtest import LOG_LOSS_OF_CHANCE, MIN_TABLES, RulesTrial, Verdict, backtest_rules
from players.rating.reference import Result, Side, State, rate_period, rate_results
from players.rating.tests.leagues import DEALS, TOP, leagues, lengths
from scoring.rules.interface import TableLength

FIRST = datetime.date(2026, 10, 2)


def table(*totals: int, week: int = 0, deals: int = 20) -> Result[int]:
    """Return a table of players 1, 2, … with these totals."""
    sides = tuple(Side((player,), total) for player, total in enumerate(totals, start=1))
    return Result(FIRST + datetime.timedelta(weeks=week), 1, sides, deals)


def trials_by_rules(results: list[Result[int]], length: TableLength = DEALS) -> dict[str, RulesTrial]:
    return {trial.rules: trial for trial in backtest_rules(results, length)}


def upset(difference: float) -> float:
    """Return the loss in nats if a side that was stronger by `difference` points loses: E = 1 / (1 + 10^(d / 400))."""
    return log(1 + 10 ** (difference / 400))


@pytest.mark.parametrize(("rules", "difference"), [("club", 16), ("published", 48)])
def test_two_duels_by_hand(rules: str, difference: int) -> None:
    # At first both have 1000: even chances. The winner then has 1000 + K/2, the loser 1000 − K/2; K is 16 or 48.
    trial = trials_by_rules([table(9, 5), table(5, 9, week=1)])[rules]
    assert (trial.tables, trial.pairs) == (2, 2)
    assert trial.log_loss == pytest.approx((log(2) + upset(difference)) / 2, abs=1e-8)
    assert trial.better_by == pytest.approx(50 * (1 - upset(difference) / log(2)), abs=1e-5)
    assert trial.margin == pytest.approx(upset(difference) - log(2), abs=1e-8)


def test_a_predicted_result_is_better_than_a_coin() -> None:
    trial = trials_by_rules([table(9, 5), table(9, 5, week=1)])["club"]
    assert trial.log_loss == pytest.approx((log(2) + upset(-16)) / 2, abs=1e-8)
    assert trial.better_by > 0


def test_draw_counts_half_each_way() -> None:
    trial = trials_by_rules([table(9, 5), table(7, 7, week=1)])["club"]
    assert trial.log_loss == pytest.approx((log(2) + (upset(16) + upset(-16)) / 2) / 2, abs=1e-8)


def test_pairs_of_one_table_are_not_independent() -> None:
    # K = 4/√2 × 4: the first then has 1000 + K, the last 1000 − K, and the second table has the opposite result. The
    # curve is linear between whole points, so only six digits agree.
    stake = 16 / 2**0.5
    second = 2 * upset(stake) + upset(2 * stake)
    trial = trials_by_rules([table(9, 7, 5), table(5, 7, 9, week=1)])["club"]
    assert (trial.tables, trial.pairs) == (2, 6)
    assert trial.log_loss == pytest.approx((3 * log(2) + second) / 6, abs=1e-6)
    assert trial.margin == pytest.approx((second - 3 * log(2)) / 3, abs=1e-6)


def test_unrated_tables_count_for_nothing() -> None:
    played = [table(9, 5), table(5, 9, week=2)]
    short = [table(9, 5, week=1, deals=3), table(1, 2, 3, 4, 5, week=2, deals=3)]
    assert backtest_rules(played + short, DEALS) == backtest_rules(played, DEALS)


@pytest.mark.parametrize("results", [[], [table(9, 5, deals=3)]])
def test_no_rated_table_is_too_few_for_a_verdict(results: list[Result[int]]) -> None:
    for trial in backtest_rules(results, DEALS):
        assert (trial.tables, trial.pairs, trial.better_by, trial.verdict) == (0, 0, 0, Verdict.TOO_FEW)


def test_table_without_deals_where_they_measure_is_an_error() -> None:
    with pytest.raises(ValueError, match="deals"):
        backtest_rules([table(9, 5)._replace(deals=None)], DEALS)


@settings(deadline=None)  # all earlier results are rated again for each table
@given(leagues(), lengths, st.randoms(use_true_random=False))
def test_each_table_is_predicted_from_all_before_its_period(
    results: list[Result[int]], length: TableLength, shuffler: random.Random
) -> None:
    tables = pairs = 0
    losses = 0.0
    for result in results:
        period = (result.date, result.round)
        earlier = [played for played in results if (played.date, played.round) < period]
        state: State[int] = rate_results(earlier, length).state
        lines = rate_period(state, [result], length).lines
        tables += bool(lines)
        pairs += len(lines) // 2
        losses -= sum(log(line.expected / 10**9) * line.halves / 2 for line in lines)
    shuffler.shuffle(results)
    trial = trials_by_rules(results, length)[length.rating_equation]
    assert (trial.tables, trial.pairs) == (tables, pairs)
    assert trial.log_loss == pytest.approx(losses / pairs if pairs else LOG_LOSS_OF_CHANCE)


def a_league(seed: int, skill: float, length: TableLength) -> list[Result[int]]:
    """Return 600 tables of four: a total is the constant skill of the player plus luck with deviation 1."""
    chance = random.Random(seed)
    skills = [chance.gauss(0, skill) for _ in range(40)]
    return [
        Result(
            FIRST + datetime.timedelta(weeks=week),
            1,
            tuple(Side((player,), 100 + round(20 * (skills[player] + chance.gauss()))) for player in seated),
            length.full,
        )
        for week in range(75)
        for places in [chance.sample(range(40), 32)]
        for seated in zip(*[iter(places)] * 4, strict=True)
    ]


@pytest.mark.parametrize("length", [DEALS, TOP])
@pytest.mark.parametrize("seed", range(3))
def test_skill_is_found(seed: int, length: TableLength) -> None:
    trial = trials_by_rules(a_league(seed, 0.7, length), length)["club"]
    assert (trial.tables, trial.pairs) == (600, 600 * comb(4, 2))
    assert trial.verdict == Verdict.BETTER
    assert trial.better_by > 2 * trial.margin_percent


@pytest.mark.parametrize("seed", range(3))
def test_pure_luck_is_not_taken_for_skill(seed: int) -> None:
    results = trials_by_rules(a_league(seed, 0, DEALS))
    assert results["club"].better_by < 0  # following luck costs something
    assert results["club"].verdict != Verdict.BETTER
    assert results["published"].verdict == Verdict.WORSE  # its stakes are far larger


@pytest.mark.parametrize(
    ("tables", "loss", "verdict"),
    [
        (MIN_TABLES, LOG_LOSS_OF_CHANCE - 0.02, Verdict.BETTER),
        (MIN_TABLES, LOG_LOSS_OF_CHANCE - 0.005, Verdict.NO_BETTER),
        (MIN_TABLES, LOG_LOSS_OF_CHANCE + 0.005, Verdict.NO_BETTER),
        (MIN_TABLES, LOG_LOSS_OF_CHANCE + 0.02, Verdict.WORSE),
        (MIN_TABLES - 1, LOG_LOSS_OF_CHANCE - 0.02, Verdict.TOO_FEW),
    ],
)
def test_verdict_needs_tables_and_more_than_chance(tables: int, loss: float, verdict: Verdict) -> None:
    assert RulesTrial("club", tables, tables, loss, 0.01).verdict == verdict
