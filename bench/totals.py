"""Totals as tables of four hand them in, made of skill and luck; possible ones by each game's own check."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scoring import registry

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

GAMES = ("tarot", "belote", "two-way-street")  # games are numbers here: their place in this list


def totals(rng: np.random.Generator, game: Ints, skill: Floats, deals: Ints) -> Ints:
    """Return the totals by table and seat. By table: `game` and `deals`; `skill` by table and seat, 0 on average."""
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
    """Return totals in which one wins what the others lose; what rounding leaves goes to the first seat."""
    spread = (20 * skill + 60 * luck) * np.sqrt(deals)[:, np.newaxis]
    points: Ints = np.rint(spread - spread.mean(axis=1, keepdims=True)).astype(np.int64)
    points[:, 0] -= points.sum(axis=1)
    return points


def _pairs(skill: Floats, luck: Floats, deals: Ints) -> Ints:
    """Return totals of seats 0 and 2 against 1 and 3; every deal has 162 points."""
    edge = (5 * (skill[:, 0] + skill[:, 2] - skill[:, 1] - skill[:, 3]) + 30 * luck[:, 0]) * np.sqrt(deals)
    first = np.clip(np.rint(81 * deals + edge).astype(np.int64), 0, 162 * deals)
    opponent_points = 162 * deals - first
    return np.stack([first, opponent_points, first, opponent_points], axis=1)


def _counted(skill: Floats, luck: Floats, deals: Ints) -> Ints:
    """Return everyone's own total."""
    points: Ints = np.maximum(np.rint(15 + 2 * skill + 5 * luck).astype(np.int64), 0)
    return points
