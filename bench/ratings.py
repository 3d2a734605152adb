"""Measure how many tables per second the ratings process: 200,000 tables of four players in 3,600 periods, on one core.

    python -m bench.ratings [--players N] [--profile]

The result is the median of five runs. "rating" computes all ratings. "with history" also computes the values that are
stored per date, and the opponents met. The first periods are compared with players.rating. openskill's Plackett-Luce
model, a common choice for games of several players, rates the first tables one after the other for comparison.
"""

import argparse
import cProfile
import datetime
import statistics
import sys
import time
from collections.abc import Callable

import numpy as np
from openskill.models import PlackettLuce

from players.rating.arrays import history, rate_tables
from players.rating.experience import Days
from players.rating.reference import Result, Side, rate_results
from players.rating.tables import SeatColumns
from scoring.rules.interface import TableLength

TABLES, PERIODS, SIZE, RUNS = 200_000, 3_600, 4, 5
TIMES = 20  # required speed, relative to openskill
ROUNDS = 2  # per date
LENGTH = TableLength("deals", 4, 10, 20, "club")


def league(players: int, tables: int, periods: int) -> tuple[SeatColumns, Days]:
    """Return a league with random players at each table, each at most once per period.

    The totals of a table add up to 0.
    """
    random = np.random.default_rng(20261002)
    period = np.sort(random.permutation(np.arange(tables) % periods))
    player = np.concatenate(
        [random.permutation(players)[: SIZE * count] for count in np.bincount(period, minlength=periods).tolist()]
    ).reshape(tables, SIZE)
    player.sort(axis=1)
    total = random.integers(-600, 600, (tables, SIZE))
    total[:, -1] = -total[:, :-1].sum(axis=1)
    number = np.arange(tables)
    seats = SeatColumns(
        np.repeat(period, SIZE),
        np.repeat(number, SIZE),
        np.tile(np.arange(SIZE), tables),
        player.ravel() + 1,
        total.ravel(),
        np.repeat(random.integers(4, 25, tables), SIZE),
    )
    first = np.datetime64("2016-01-01", "D")
    return seats, first + 2 * (np.arange(periods) // ROUNDS)


def agree(seats: SeatColumns, dates: Days, tables: int) -> None:
    """Exit unless the first tables get the same ratings from players.rating."""
    seats = SeatColumns(*(column[: tables * SIZE] for column in seats))
    columns = zip(*(column.tolist() for column in seats), strict=True)
    results = []
    for rows in zip(*[columns] * SIZE, strict=True):
        period, _, _, _, _, deals = rows[0]
        date: datetime.date = dates[period].item()
        sides = tuple(Side((row[3],), row[4]) for row in rows)
        results.append(Result(date, period % ROUNDS, sides, deals))
    rating_by_player = rate_results(results, LENGTH).state.ratings
    rated = rate_tables(seats, dates, LENGTH)
    same = dict(zip(rated.player.tolist(), rated.micro.tolist(), strict=True))
    if same != {player: rating.micro for player, rating in rating_by_player.items()}:
        sys.exit("The two forms disagree.")


def openskill(seats: SeatColumns, tables: int) -> float:
    """Return how many tables per second openskill's Plackett-Luce model rates."""
    model = PlackettLuce()
    players = seats.player[: tables * SIZE].reshape(-1, SIZE).tolist()
    totals = seats.total[: tables * SIZE].reshape(-1, SIZE).astype(float).tolist()
    rating_by_player = {player: model.rating() for at_table in players for player in at_table}
    start = time.perf_counter()
    for at_table, scores in zip(players, totals, strict=True):
        rated = model.rate([[rating_by_player[player]] for player in at_table], scores=scores)
        for player, [rating] in zip(at_table, rated, strict=True):
            rating_by_player[player] = rating
    return tables / (time.perf_counter() - start)


def measure(name: str, work: Callable[[], object]) -> float:
    """Print the median and the best of five runs. Return the tables per second of the median."""
    seconds = []
    for _ in range(RUNS):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    median = statistics.median(seconds)
    print(f"{name:>12}: {TABLES / median:>9,.0f} tables/s (median {median:.3f} s, best {min(seconds):.3f} s of {RUNS})")
    return TABLES / median


def main() -> None:
    """Print the tables per second with and without history."""
    parser = argparse.ArgumentParser(prog="python -m bench.ratings", description="Measure the rating arithmetic.")
    parser.add_argument("--players", type=int, default=3_000, help="people in the league (default %(default)s)")
    parser.add_argument("--profile", action="store_true", help="show where the time of one rating goes")
    options = parser.parse_args()
    seats, dates = league(options.players, TABLES, PERIODS)
    agree(seats, dates, 2_000)
    if options.profile:
        cProfile.runctx("rate(seats, dates, LENGTH)", {"rate": rate_tables, "LENGTH": LENGTH}, locals(), sort="tottime")
        return
    ours = measure("rating", lambda: rate_tables(seats, dates, LENGTH))
    measure("with history", lambda: history(rate_tables(seats, dates, LENGTH)))
    theirs = openskill(seats, 5_000)
    verdict = "kept" if ours >= TIMES * theirs else "MISSED"
    print(
        f"{'openskill':>12}: {theirs:>9,.0f} tables/s; ours are {ours / theirs:.0f} × as many, "
        f"{verdict}: at least {TIMES}"
    )


if __name__ == "__main__":
    main()
