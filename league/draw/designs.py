"""Seating plans without repeated meetings, computed by algebra. The search of the draw starts with them. No Django;
people are the numbers 0 … n−1.

q tables of k people are written as k groups of q people (g, x). In round m, person (g, x) sits at table x + s(g, m).
Two people of different groups g and h meet in the rounds where s(g, m) − s(h, m) has one fixed value. So they meet at
most once if, for every two groups, these differences are all different (a difference matrix). This is so for s(g, m) =
a_g · m

- in a field of q elements, for q rounds: with k different elements a_g (a resolvable transversal design: its tables
  over all q rounds, together with the groups, are an affine plane if k = q);
- in the integers modulo q, with a_g = g, as long as (g − h)(m − n) is never 0 modulo q.

Source: Beth, Jungnickel and Lenz, Design Theory, I.7 and VIII.3. People of the same group do not meet in these rounds:
if k divides q, one more round seats each group by itself. If the last group has u people fewer, every round has u
tables of k − 1.
"""

from collections.abc import Callable, Sequence
from math import gcd

import numpy as np

from league.draw.seat_exchanges import Numbers

# By number of elements: the prime p, and x^degree as a polynomial of lower degree, coefficients of low powers first.
FINITE_FIELDS = {4: (2, (1, 1)), 8: (2, (1, 1, 0)), 9: (3, (2, 0)), 16: (2, (1, 1, 0, 0))}


def design_without_rematches(sizes: Sequence[int], rounds: int) -> list[Numbers]:
    """Return at most `rounds` rounds with tables of `sizes`. No two people share a table twice.

    A round is an array: the table, from 0, of each person. There are fewer rounds, or none, if the algebra gives no
    more.
    """
    tables, largest = len(sizes), max(sizes)
    missing_people = tables * largest - sum(sizes)  # people who would fill the smaller tables
    if missing_people >= tables or min(sizes) < largest - 1 or tables < 2 or largest < 2:
        return []
    table_of, rounds_known = _table_formula(tables, largest)
    group, within = np.divmod(np.arange(sum(sizes)), tables)
    plan = [table_of(group, within, np.int64(number)) for number in range(min(rounds, rounds_known))]
    if len(plan) == rounds_known < rounds and tables % largest == 0 and missing_people <= tables // largest:
        plan.append(_group_round(tables, largest))
        plan[-1] = plan[-1][: sum(sizes)]
    return [row for row in plan if sorted(np.bincount(row, minlength=tables).tolist()) == sorted(sizes)]


def _table_formula(tables: int, largest: int) -> tuple[Callable[[Numbers, Numbers, np.int64], Numbers], int]:
    """Return (function, number of rounds without a repeated meeting).

    The function gives a person's table from the group g, the number x in the group and the round m; see the docstring
    of the module.
    """
    if tables in FINITE_FIELDS and largest <= tables:
        plus, times = finite_field_tables(tables)
        return lambda group, within, number: plus[within, times[group, number]], tables
    steps = [tables // gcd(tables, difference) for difference in range(1, largest)]
    return lambda group, within, number: (within + group * number) % tables, min(steps)


def _group_round(tables: int, largest: int) -> Numbers:
    """Return a round where each person meets only people of the same group."""
    group, within = np.divmod(np.arange(tables * largest), tables)
    tables_per_group = tables // largest
    return np.asarray(group * tables_per_group + within % tables_per_group, dtype=np.int64)


def finite_field_tables(elements: int) -> tuple[Numbers, Numbers]:
    """Return the addition table and the multiplication table of the finite field with `elements` elements (a key of
    FINITE_FIELDS).

    An element is the number whose digits to the base p are the coefficients of its polynomial.
    """
    prime, reduced = FINITE_FIELDS[elements]
    degree = len(reduced)
    powers = prime ** np.arange(degree)
    digits = np.arange(elements)[:, None] // powers % prime
    plus = ((digits[:, None] + digits[None]) % prime) @ powers
    times = np.zeros((elements, elements), dtype=np.int64)
    shifted = digits.copy()  # in each turn of the loop: each element times x^power
    product = np.zeros((elements, elements, degree), dtype=np.int64)
    for power in range(degree):
        product += shifted[:, None] * digits[None, :, power, None]
        carried = shifted[:, -1:]
        shifted = (np.hstack([np.zeros_like(carried), shifted[:, :-1]]) + carried * np.array(reduced)) % prime
    times = (product % prime) @ powers
    return plus, times


def reduce_pair_costs(plan: Sequence[Numbers], pair_costs: Numbers, random_order: Numbers) -> list[Numbers]:
    """Return the plan with its people permuted so that pairs with high costs meet seldom.

    The search starts from `random_order`, and swaps two people as long as a swap lowers the cost.
    """
    if not plan or not pair_costs.any():
        return [tables[random_order] for tables in plan]
    shared_tables = sum(tables[:, None] == tables[None] for tables in plan)
    shared_tables = np.asarray(shared_tables, dtype=np.float64)
    np.fill_diagonal(shared_tables, 0)
    cost, names = pair_costs.astype(np.float64), random_order.copy()
    for _step in range(4 * len(names)):
        current = shared_tables[np.ix_(names, names)]
        gain = cost @ current
        change = gain + gain.T - gain.diagonal()[:, None] - gain.diagonal()[None] + 2 * cost * current
        first, second = divmod(int(np.argmin(change)), len(names))
        if change[first, second] >= 0:
            break
        names[[first, second]] = names[[second, first]]
    return [tables[names] for tables in plan]
