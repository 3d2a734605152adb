"""Plans in which nobody meets twice, known from algebra. Pure: people are the points 0 … n−1.

q tables of k people are written as k groups of q people (g, x). In round m, person (g, x) sits at table x + s(g, m).
Two people of different groups g and h meet in the rounds where s(g, m) − s(h, m) is one given difference, so at most
once if for every two groups these differences are all different: a difference matrix. s(g, m) = a_g · m does it

- in a field of q elements, for q rounds: k different elements a_g (a resolvable transversal design, whose tables over
  all q rounds with the groups added are an affine plane when k = q);
- in the whole numbers modulo q, with a_g = g, as long as (g − h)(m − n) is never 0 modulo q.

Source: Beth, Jungnickel and Lenz, Design Theory, I.7 and VIII.3. People of one group have not met at all: if k divides
q, one more round seats the groups by themselves. When the last group lacks u people, every round has u tables of k − 1.
"""

from collections.abc import Callable, Sequence
from math import gcd
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.int64]

# By the number of elements: the prime p, and x to the power of the degree as a polynomial in x, lowest power first.
FIELDS = {4: (2, (1, 1)), 8: (2, (1, 1, 0)), 9: (3, (2, 0)), 16: (2, (1, 1, 0, 0))}


def design(sizes: Sequence[int], rounds: int) -> list[Numbers]:
    """Return the table, 0 … q−1, of each person 0 … n−1, for as many of the rounds as algebra knows.

    No two people share a table twice, and the tables' sizes are those given in each round. Empty if none is known.
    """
    tables, largest = len(sizes), max(sizes)
    lacking = tables * largest - sum(sizes)
    if lacking >= tables or min(sizes) < largest - 1 or tables < 2 or largest < 2:
        return []
    elements, known = _rows(tables, largest)
    group, within = np.divmod(np.arange(sum(sizes)), tables)
    plan = [elements(group, within, np.int64(number)) for number in range(min(rounds, known))]
    if len(plan) == known < rounds and tables % largest == 0 and lacking <= tables // largest:
        plan.append(_groups(tables, largest))
        plan[-1] = plan[-1][: sum(sizes)]
    return [each for each in plan if sorted(np.bincount(each, minlength=tables).tolist()) == sorted(sizes)]


def _rows(tables: int, largest: int) -> tuple[Callable[[Numbers, Numbers, np.int64], Numbers], int]:
    """Return what gives the table from group, place within it and round, and for how many rounds it is good."""
    if tables in FIELDS and largest <= tables:
        plus, times = field_tables(tables)
        return lambda group, within, number: plus[within, times[group, number]], tables
    steps = [tables // gcd(tables, difference) for difference in range(1, largest)]
    return lambda group, within, number: (within + group * number) % tables, min(steps)


def _groups(tables: int, largest: int) -> Numbers:
    """Return the round in which each group sits at tables of its own: its people are dealt out to them in turn."""
    group, within = np.divmod(np.arange(tables * largest), tables)
    of_its_own = tables // largest
    return np.asarray(group * of_its_own + within % of_its_own, dtype=np.int64)


def field_tables(elements: int) -> tuple[Numbers, Numbers]:
    """Return the addition and multiplication tables of the field with that many elements (a key of FIELDS).

    An element is the number whose digits to the base p are its polynomial's coefficients.
    """
    prime, reduced = FIELDS[elements]
    degree = len(reduced)
    powers = prime ** np.arange(degree)
    digits = np.arange(elements)[:, None] // powers % prime
    plus = ((digits[:, None] + digits[None]) % prime) @ powers
    times = np.zeros((elements, elements), dtype=np.int64)
    shifted = digits.copy()  # each element times x to the power of the loop's turn
    product = np.zeros((elements, elements, degree), dtype=np.int64)
    for power in range(degree):
        product += shifted[:, None] * digits[None, :, power, None]
        carried = shifted[:, -1:]
        shifted = (np.hstack([np.zeros_like(carried), shifted[:, :-1]]) + carried * np.array(reduced)) % prime
    times = (product % prime) @ powers
    return plus, times


def fitted(plan: Sequence[Numbers], pair: Numbers, lots: Numbers) -> list[Numbers]:
    """Return the same plan with its people renamed so that pairs who should not meet do so least.

    `pair[i, j]` is the cost.

    `lots` is a random order of the people. From it, the best exchange of two names is made as long as one helps.
    """
    if not plan or not pair.any():
        return [each[lots] for each in plan]
    together = sum(each[:, None] == each[None] for each in plan)
    together = np.asarray(together, dtype=np.float64)
    np.fill_diagonal(together, 0)
    cost, names = pair.astype(np.float64), lots.copy()
    for _step in range(4 * len(names)):
        now = together[np.ix_(names, names)]
        gain = cost @ now
        change = gain + gain.T - gain.diagonal()[:, None] - gain.diagonal()[None] + 2 * cost * now
        one, other = divmod(int(np.argmin(change)), len(names))
        if change[one, other] >= 0:
            break
        names[[one, other]] = names[[other, one]]
    return [each[names] for each in plan]
