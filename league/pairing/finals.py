"""The matches in the finals of a tournament: knock-out brackets and pools of four. Units (players, pairs or teams) are
given by their seeds, from 1.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

MIN_UNITS, MAX_UNITS = 2, 32
POOL_SIZE = 4

Seed = int
POOLS: Final = "pools"
MAIN: Final = "main"
THIRD_PLACE: Final = "third_place"
CONSOLATION: Final = "consolation"
BRACKETS: Final = (POOLS, MAIN, THIRD_PLACE, CONSOLATION)

# The matches of a pool by stage: every two of its four units (indexes from 0, best first) meet once. The best two units
# meet in the last stage.
POOL_STAGES: Final = (((0, 3), (1, 2)), ((0, 2), (1, 3)), ((0, 1), (2, 3)))


class ImpossibleFinals(ValueError):
    """The plan of the finals is impossible. `field` is the wrong field of the plan, `code` the reason."""

    def __init__(self, field: str, code: str) -> None:
        super().__init__(field, code)
        self.field = field
        self.code = code


class BracketPlan(NamedTuple):
    """The format of a tournament's finals, for `unit_count` units (players, pairs or teams).

    With `pools`, units first play in pools of four, and the best two of each pool play the main bracket. `third_place`:
    the losers of the semi-finals play a match for third place. `consolation`: there is a second bracket, for the last
    two units of each pool, or without pools for the losers of the first stage.
    """

    unit_count: int
    pools: bool = False
    third_place: bool = False
    consolation: bool = False


@dataclass(frozen=True)
class MatchKey:
    """The position of a match: its bracket, its stage (from 1), and its index in the stage (from 0).

    The indexes of a stage count the matches of all pools. A pool has two matches in each stage, so the third pool has
    the indexes 4 and 5.
    """

    bracket: str
    stage: int
    index: int


class MatchResult(NamedTuple):
    """The result of a match that has a table: its two units, the winner (None if undecided), and the points of each.

    The points are used only to rank the units of a pool.
    """

    units: tuple[Seed, Seed]
    winner: Seed | None = None
    points: tuple[int, int] = (0, 0)


class Match(NamedTuple):
    """A match in the finals. By the earlier results, the units (players, pairs or teams) `expected_units` must play it.

    A unit that is not known yet is None. In the match of a bye, the first unit advances without playing, and the second
    is None. `result` is None until the match has a table. If an earlier result is corrected after that,
    `expected_units` and the units of `result` may differ.
    """

    key: MatchKey
    expected_units: tuple[Seed | None, Seed | None]
    result: MatchResult | None = None
    is_bye: bool = False

    @property
    def units(self) -> tuple[Seed | None, Seed | None]:
        """The units at the match's table; before it has a table, the expected units."""
        return self.expected_units if self.result is None else self.result.units

    @property
    def winner(self) -> Seed | None:
        """The unit that won, or that has a bye; None while the match is not decided."""
        if self.is_bye:
            return self.expected_units[0]
        return None if self.result is None else self.result.winner

    @property
    def loser(self) -> Seed | None:
        """The unit that lost; None while the match is not decided, and for a bye."""
        if self.result is None or self.result.winner is None:
            return None
        first, second = self.result.units
        return second if self.result.winner == first else first

    @property
    def is_playable(self) -> bool:
        """Whether both units are known and the winner is not."""
        return not self.is_bye and self.winner is None and None not in self.units


def check_plan(plan: BracketPlan) -> None:
    """Raise ImpossibleFinals if the number of units is impossible for the bracket or the pools, or if there are too few
    units for a match for third place or for a consolation bracket.

    A consolation bracket of four units is impossible too, because its only match is the match for third place.
    """
    if not MIN_UNITS <= plan.unit_count <= MAX_UNITS:
        raise ImpossibleFinals("units", "range")
    if plan.pools and plan.unit_count % POOL_SIZE:
        raise ImpossibleFinals("units", "pools_of_four")
    if plan.third_place and _count_main_units(plan) < 4:
        raise ImpossibleFinals("third_place", "too_few")
    if plan.consolation and not plan.pools and _count_first_matches(plan) < 2:
        raise ImpossibleFinals("consolation", "too_few")
    if plan.consolation and not plan.pools and plan.unit_count == 4:
        raise ImpossibleFinals("consolation", "is_third_place")


def _count_main_units(plan: BracketPlan) -> int:
    return plan.unit_count // 2 if plan.pools else plan.unit_count


def _count_first_matches(plan: BracketPlan) -> int:
    """Return the number of matches in the first stage of the main bracket, without byes."""
    unit_count = _count_main_units(plan)
    return unit_count - bracket_size(unit_count) // 2


def bracket_size(unit_count: int) -> int:
    """Return the smallest power of two, from 2 on, that is at least the number of units."""
    return 1 << max(unit_count - 1, 1).bit_length()


def seed_order(size: int) -> list[Seed]:
    """Return the seeds of a bracket from top to bottom: with 16 seeds 1, 16, 8, 9 … The best two can meet only in the
    final.
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, total - better)]
    return order


def pool_units(unit_count: int) -> list[list[Seed]]:
    """Return the seeds of each pool, the best first; `unit_count` is the number of units in all pools.

    Seeds are distributed from the first pool to the last, then back, and so on.
    """
    count = unit_count // POOL_SIZE
    pools: list[list[Seed]] = [[] for _ in range(count)]
    for row in range(POOL_SIZE):
        seeds = range(row * count + 1, (row + 1) * count + 1)
        for pool, seed in zip(pools if row % 2 == 0 else reversed(pools), seeds, strict=True):
            pool.append(seed)
    return pools


def compute_matches(plan: BracketPlan, results: Mapping[MatchKey, MatchResult]) -> list[Match]:
    """Return all matches, in the order of BRACKETS, stage and index, with their results.

    The plan must have passed `check_plan`; other plans may raise IndexError.
    """
    matches: list[Match] = []
    consolation: list[Seed | None] = []
    if plan.pools:
        pools = pool_units(plan.unit_count)
        matches += _pool_matches(pools, results)
        rankings = [_rank_pool(pool, number, matches) for number, pool in enumerate(pools)]
        main = _cross_pools([ranking[0] for ranking in rankings], [ranking[1] for ranking in rankings])
        consolation = _cross_pools([ranking[2] for ranking in rankings], [ranking[3] for ranking in rankings])
    else:
        main = list(range(1, plan.unit_count + 1))
    main_matches = _knockout_matches(MAIN, main, results)
    matches += main_matches
    if plan.third_place:
        last = main_matches[-1].key.stage
        losers = [match.loser for match in main_matches if match.key.stage == last - 1]
        matches.append(_make_match(MatchKey(THIRD_PLACE, 1, 0), (losers[0], losers[1]), results))
    if plan.consolation:
        if not plan.pools:
            consolation = _first_stage_losers(main_matches)
        matches += _knockout_matches(CONSOLATION, consolation, results)
    return matches


def _make_match(
    key: MatchKey,
    expected: tuple[Seed | None, Seed | None],
    results: Mapping[MatchKey, MatchResult],
    is_bye: bool = False,
) -> Match:
    return Match(key, expected, None if is_bye else results.get(key), is_bye)


def _knockout_matches(
    bracket: str, units: Sequence[Seed | None], results: Mapping[MatchKey, MatchResult]
) -> list[Match]:
    """Return the matches of a bracket. `units` are the units in the order of their strength in this bracket, None for a
    unit that is not known yet.
    """
    size = bracket_size(len(units))
    order = seed_order(size)
    matches = []
    for index, (better, worse) in enumerate(zip(order[::2], order[1::2], strict=True)):
        is_bye = worse > len(units)
        expected = (units[better - 1], None if is_bye else units[worse - 1])
        matches.append(_make_match(MatchKey(bracket, 1, index), expected, results, is_bye))
    stage_matches = matches
    while len(stage_matches) > 1:
        stage = stage_matches[0].key.stage + 1
        pairs = zip(stage_matches[::2], stage_matches[1::2], strict=True)
        stage_matches = [
            _make_match(MatchKey(bracket, stage, index), (upper.winner, lower.winner), results)
            for index, (upper, lower) in enumerate(pairs)
        ]
        matches = [*matches, *stage_matches]
    return matches


def _first_stage_losers(matches: Sequence[Match]) -> list[Seed | None]:
    """Return the losers of the first stage; None for a match that is not decided.

    They are in the order of their matches: first the match whose worse seed is the best. This order does not depend on
    results, so a corrected result changes only one unit.
    """
    first = [match for match in matches if match.key.stage == 1]
    worse_seeds = seed_order(2 * len(first))[1::2]
    order = sorted(range(len(first)), key=lambda index: worse_seeds[index])
    return [first[index].loser for index in order if not first[index].is_bye]


def _pool_matches(pools: Sequence[Sequence[Seed]], results: Mapping[MatchKey, MatchResult]) -> list[Match]:
    return [
        _make_match(MatchKey(POOLS, stage, 2 * number + index), (pool[first], pool[second]), results)
        for stage, pairs in enumerate(POOL_STAGES, 1)
        for number, pool in enumerate(pools)
        for index, (first, second) in enumerate(pairs)
    ]


def _rank_pool(pool: Sequence[Seed], number: int, matches: Sequence[Match]) -> list[Seed | None]:
    """Return the units of a pool by rank; four times None until all matches of the pool are decided."""
    pool_matches = [match for match in matches if match.key.bracket == POOLS and match.key.index // 2 == number]
    if any(match.winner is None for match in pool_matches):
        return [None] * POOL_SIZE
    return [row.unit for row in pool_ranking(pool, matches)]


class PoolRow(NamedTuple):
    """A unit's row in the ranking of its pool. `difference` is the unit's points less the points of its opponents."""

    unit: Seed
    wins: int
    points: int
    difference: int


def pool_ranking(pool: Sequence[Seed], matches: Sequence[Match]) -> list[PoolRow]:
    """Return the ranking of a pool: its units (players, pairs or teams) by wins, points, difference of points and seed.

    Only decided matches are counted.
    """
    results = [match.result for match in matches if match.key.bracket == POOLS and match.result is not None]
    decided = [result for result in results if result.winner is not None]
    rows = []
    for unit in pool:
        unit_results = [result for result in decided if unit in result.units]
        points = sum(result.points[result.units.index(unit)] for result in unit_results)
        against = sum(sum(result.points) for result in unit_results) - points
        wins = sum(result.winner == unit for result in unit_results)
        rows.append(PoolRow(unit, wins, points, points - against))
    return sorted(rows, key=lambda row: (-row.wins, -row.points, -row.difference, row.unit))


def _cross_pools(better: Sequence[Seed | None], worse: Sequence[Seed | None]) -> list[Seed | None]:
    """Return the units of a bracket by seed, seed 1 first, with None for a unit that is not known yet.

    Two units of the same pool can meet only in the final: `better` and `worse` have one unit of each pool. The better
    units are the first seeds. The worse unit of a pool gets a seed in the other half of the bracket.
    """
    count = len(better)
    size = bracket_size(2 * count)
    upper = set(seed_order(size)[: size // 2])
    free_seeds = {
        half: [seed for seed in range(count + 1, 2 * count + 1) if (seed in upper) == half] for half in (True, False)
    }
    units: list[Seed | None] = [*better, *worse]
    for pool, unit in enumerate(worse, 1):
        units[free_seeds[pool not in upper].pop(0) - 1] = unit
    return units


def playable_matches(matches: Sequence[Match]) -> list[Match]:
    """Return the matches that can be played now, all at the same time. If a unit (player, pair or team) has several
    playable matches, only the first can be played now.
    """
    busy: set[Seed | None] = set()
    playable: list[Match] = []
    for match in matches:
        if match.is_playable:
            if busy.isdisjoint(match.units):
                playable.append(match)
            busy.update(match.units)
    return playable


def final_rank_groups(matches: Sequence[Match]) -> list[list[Seed]]:
    """Return groups of units (players, pairs or teams) by final rank: first, second, third, fourth.

    Units whose order is not decided are in one group. Without a match for third place, the losers of the semi-finals
    are in one group. Return no groups until both finalists are known.
    """
    main = [match for match in matches if match.key.bracket == MAIN]
    last = main[-1].key.stage
    finalists = _rank_groups(main[-1])
    if not finalists:
        return []
    third = [match for match in matches if match.key.bracket == THIRD_PLACE]
    losers = [match.loser for match in main if match.key.stage == last - 1]
    shared = [loser for loser in losers if loser is not None]
    other_groups = _rank_groups(third[0]) if third else [shared]
    return [*finalists, *(group for group in other_groups if group)]


def _rank_groups(match: Match) -> list[list[Seed]]:
    """Return the winner and the loser as two groups, or both units as one group while the match is not decided.

    Return no groups if a unit is not known yet.
    """
    units = [unit for unit in match.units if unit is not None]
    if len(units) < 2:
        return []
    return [units] if match.winner is None or match.loser is None else [[match.winner], [match.loser]]
