"""Simulated totals of tables of four, computed from skill and luck. Each game's own check accepts them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring import registry

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

GAMES = ("tarot", "belote", "two-way-street")  # in arrays a game is its index in this tuple


def totals(rng: np.random.Generator, game: Ints, skill: Floats, deals: Ints) -> Ints:
    """Return the totals by table and seat.

    `game` (an index of GAMES) and `deals` are by table. `skill` is by table and seat, with a mean of 0.
    """
    luck = rng.normal(size=skill.shape)
    points = np.empty(skill.shape, np.int64)
    for number, (name, make_totals) in enumerate(zip(GAMES, (_zero_sum, _pairs, _counted), strict=True)):
        rows = game == number
        points[rows] = make_totals(skill[rows], luck[rows], deals[rows])
        for table in np.flatnonzero(rows)[:1]:
            rules = registry.rules(name)
            rules.check_totals(points[table].tolist(), int(deals[table]), rules.read_options({}))
    return points


def _zero_sum(skill: Floats, luck: Floats, deals: Ints) -> Ints:
    """Return totals with the sum 0. The first seat gets the rounding difference."""
    spread = (20 * skill + 60 * luck) * np.sqrt(deals)[:, np.newaxis]
    points: Ints = np.rint(spread - spread.mean(axis=1, keepdims=True)).astype(np.int64)
    points[:, 0] -= points.sum(axis=1)
    return points


def _pairs(skill: Floats, luck: Floats, deals: Ints) -> Ints:
    """Return totals of seats 0 and 2 against 1 and 3. Every deal has 162 points."""
    edge = (5 * (skill[:, 0] + skill[:, 2] - skill[:, 1] - skill[:, 3]) + 30 * luck[:, 0]) * np.sqrt(deals)
    first = np.clip(np.rint(81 * deals + edge).astype(np.int64), 0, 162 * deals)
    opponent_points = 162 * deals - first
    return np.stack([first, opponent_points, first, opponent_points], axis=1)


def _counted(skill: Floats, luck: Floats, deals: Ints) -> Ints:
    """Return totals that are independent of each other."""
    points: Ints = np.maximum(np.rint(15 + 2 * skill + 5 * luck).astype(np.int64), 0)
    return points
