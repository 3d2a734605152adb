"""`python -m bench.draw`: measure the quality of draws, and their CPU time on one core.

First some typical cases, then each number of people for several table sizes. "met again" counts pairs of players who
meet at a table and have met before in this evening. "least" is a lower bound for any draw: in a round with t tables,
some people must meet again if a table of another round has more than t people. Seconds are CPU seconds per round, of
all threads.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from league.draw.draw_types import Person, Plan, Wishes
from league.draw.plan import plan_rounds

SEED = 20
ROUNDS = 5
FREE = (3, 4, 5)


class Case(NamedTuple):
    """An evening to draw: number of people, number of rounds, and wishes (the constraints of a draw)."""

    name: str
    people: int
    rounds: int
    wishes: Wishes


def season(people: int) -> dict[tuple[int, int], int]:
    """Return the earlier meetings of a season, up to three of each pair: {(player, player): number}."""
    return {(first, second): first * second % 4 for second in range(1, people + 1) for first in range(1, second)}


CASES = (
    Case("16 people, 5 rounds of four", 16, 5, Wishes(sizes=(4,))),
    Case("24 people, 5 rounds of four", 24, 5, Wishes(sizes=(4,))),
    Case("24 people, 6 rounds of four", 24, 6, Wishes(sizes=(4,))),
    Case("32 people, 8 rounds of four", 32, 8, Wishes(sizes=(4,))),
    Case("32 people, 9 rounds of four", 32, 9, Wishes(sizes=(4,))),
    Case("25 people, 6 rounds of five", 25, 6, Wishes(sizes=(5,))),
    Case("13 people, 4 + 4 + 5", 13, 4, Wishes(sizes=FREE)),
    Case("17 people of four, one rests", 17, 4, Wishes(sizes=(4,))),
    Case("32 people, two couples apart", 32, 8, Wishes(sizes=(4,), separations=frozenset({(1, 2), (3, 4)}))),
    Case("32 people, after a season", 32, 5, Wishes(sizes=FREE, meetings=season(32))),
    Case("22 in pairs drawn each round", 22, 4, Wishes(sizes=(4,), has_pairs=True)),
    Case("36 in pairs all evening", 36, 6, Wishes(sizes=(4,), has_pairs=True, keep_partners=True)),
    Case("11 people, Two Way Street", 11, 4, Wishes(sizes=tuple(range(2, 11)))),
    Case("200 people, 5 rounds", 200, 5, Wishes(sizes=FREE)),
    Case("197 people, 8 rounds", 197, 8, Wishes(sizes=FREE)),
    Case("200 people, after a season", 200, 5, Wishes(sizes=FREE, meetings=season(200))),
)


def drawn(case: Case) -> tuple[Plan, float]:
    """Return the plan, and the CPU seconds per round."""
    people = [Person(player) for player in range(1, case.people + 1)]
    start = time.process_time()
    drawn_plan = plan_rounds(people, range(1, case.rounds + 1), case.wishes, seed=SEED)
    return drawn_plan, (time.process_time() - start) / case.rounds


def met_again(drawn_plan: Plan) -> int:
    """Return how many meetings in the plan repeat an earlier meeting of the evening."""
    return sum(warning.code in {"met_tonight", "partners_again"} for warning in drawn_plan.warnings)


def lower_bound(drawn_plan: Plan) -> int:
    """Return the number of repeated meetings that no draw with these table sizes can avoid.

    It is the larger result of two ways to count.
    """
    sizes = [[len(table) for table in sitting.tables] for sitting in drawn_plan.rounds]
    forced = [
        [
            sum(_crowded(size, len(next_size)) for size in sizes_row)
            for place, next_size in enumerate(sizes)
            if place != index
        ]
        for index, sizes_row in enumerate(sizes)
    ]
    people = len({player for sitting in drawn_plan.rounds for table in sitting.tables for player in table})
    meetings = sum(size * (size - 1) // 2 for tables in sizes for size in tables)
    return max(meetings - people * (people - 1) // 2, max((max(row, default=0) for row in forced), default=0))


def _crowded(size: int, tables: int) -> int:
    """Return the least number of pairs that share a table if `size` people are distributed over `tables` tables."""
    per_table, remainder = divmod(size, tables)
    return tables * per_table * (per_table - 1) // 2 + remainder * per_table


def other_figures(drawn_plan: Plan) -> str:
    """Return the numbers of warnings that are not about repeated meetings, as text."""
    codes = Counter(
        warning.code for warning in drawn_plan.warnings if warning.code not in {"met_tonight", "partners_again"}
    )
    return ", ".join(f"{code} {times}" for code, times in sorted(codes.items()))


def known_cases(cases: Sequence[Case]) -> None:
    """Print one line per case."""
    print(f"{'evening':<34}{'met again':>10}{'least':>7}{'s a round':>11}  other warnings")
    for case in cases:
        drawn_plan, seconds = drawn(case)
        name, repeats, bound = case.name, met_again(drawn_plan), lower_bound(drawn_plan)
        print(f"{name:<34}{repeats:>10}{bound:>7}{seconds:>11.2f}  {other_figures(drawn_plan)}", flush=True)


def print_all_numbers(sizes: tuple[int, ...], first: int, last: int) -> None:
    """Print one line for all numbers of people from `first` to `last`: sums of repeated meetings, and the slowest
    draw.
    """
    slowest, repeats, bound, worst_number = 0.0, 0, 0, 0
    for people in range(first, last + 1):
        drawn_plan, seconds = drawn(Case("", people, ROUNDS, Wishes(sizes=sizes)))
        repeats, bound = repeats + met_again(drawn_plan), bound + lower_bound(drawn_plan)
        slowest, worst_number = max((slowest, worst_number), (seconds, people))
    name = f"{first} to {last}, sizes {', '.join(map(str, sizes))}"
    print(f"{name:<34}{repeats:>10}{bound:>7}{slowest:>11.2f}  slowest with {worst_number} people", flush=True)


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description="How good the draws are, and how long they take.")
    parser.add_argument("--last", type=int, default=61, help="the largest number of people of the second table")
    last = parser.parse_args().last
    known_cases(CASES)
    print(f"\n{'every number, five rounds':<34}{'met again':>10}{'least':>7}{'s a round':>11}")
    for sizes in ((3, 4, 5), (4,), (4, 5), (3,), (5,), (6,), (2,), (7, 8, 9, 10)):
        print_all_numbers(sizes, 13, last)


if __name__ == "__main__":
    main()
