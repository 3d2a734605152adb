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

# The matches of a pool by stage: each two of its four units meet once, the first two last.
POOL_STAGES: Final = (((0, 3), (1, 2)), ((0, 2), (1, 3)), ((0, 1), (2, 3)))


class ImpossibleFinals(ValueError):
    """Finals with such a plan can't be played. `field` is the wrong field of the plan, `code` the reason."""

    def __init__(self, field: str, code: str) -> None:
        super().__init__(field, code)
        self.field = field
        self.code = code


class Plan(NamedTuple):
    """The form of a tournament's finals. `units` is the number of units (players, pairs or teams).

    With `pools`, the first two units of each pool play the main bracket. The consolation bracket is for the last two of
    each pool, or without pools for the losers of the first stage.
    """

    units: int
    pools: bool = False
    third_place: bool = False
    consolation: bool = False


@dataclass(frozen=True)
class MatchKey:
    """The position of a match: its bracket, its stage (from 1), and its index in the stage (from 0).

    A pool has two matches in each stage: the third pool has the indexes 4 and 5.
    """

    bracket: str
    stage: int
    index: int


class Result(NamedTuple):
    """The state of a match whose units are seated: the units, the winner (None if undecided), and the points.

    The points are used only to rank the units of a pool.
    """

    units: tuple[Seed, Seed]
    winner: Seed | None = None
    points: tuple[int, int] = (0, 0)


class Match(NamedTuple):
    """A match in the finals. `expected` are the units (players, pairs or teams) that follow from earlier results; None
    if unknown, or for a bye.

    `result` is None until the match has a table. If results are corrected later, `expected` and the units of `result`
    may differ.
    """

    key: MatchKey
    expected: tuple[Seed | None, Seed | None]
    result: Result | None = None
    is_bye: bool = False

    @property
    def units(self) -> tuple[Seed | None, Seed | None]:
        return self.expected if self.result is None else self.result.units

    @property
    def winner(self) -> Seed | None:
        if self.is_bye:
            return self.expected[0]
        return None if self.result is None else self.result.winner

    @property
    def loser(self) -> Seed | None:
        if self.result is None or self.result.winner is None:
            return None
        first, second = self.result.units
        return second if self.result.winner == first else first

    @property
    def is_playable(self) -> bool:
        """Whether both units are known and the winner is not."""
        return not self.is_bye and self.winner is None and None not in self.units


def check_plan(plan: Plan) -> None:
    """Raise ImpossibleFinals if the plan has a number of units that a bracket or pool can't have, or an impossible
    extra match.
    """
    if not MIN_UNITS <= plan.units <= MAX_UNITS:
        raise ImpossibleFinals("units", "range")
    if plan.pools and plan.units % POOL_SIZE:
        raise ImpossibleFinals("units", "pools_of_four")
    if plan.third_place and _main_units(plan) < 4:
        raise ImpossibleFinals("third_place", "too_few")
    if plan.consolation and not plan.pools and _first_matches(plan) < 2:
        raise ImpossibleFinals("consolation", "too_few")
    if plan.consolation and not plan.pools and plan.units == 4:
        raise ImpossibleFinals("consolation", "is_third_place")


def _main_units(plan: Plan) -> int:
    return plan.units // 2 if plan.pools else plan.units


def _first_matches(plan: Plan) -> int:
    """Return the number of matches in the first stage of the main bracket, without byes."""
    units = _main_units(plan)
    return units - bracket_size(units) // 2


def bracket_size(units: int) -> int:
    """Return the smallest power of two, from 2 on, that is at least the number of units."""
    return 1 << max(units - 1, 1).bit_length()


def seed_order(size: int) -> list[Seed]:
    """Return the seeds of a bracket from top to bottom: with 16 seeds 1, 16, 8, 9 … The best two can meet only in the
    final.
    """
    order = [1]
    while len(order) < size:
        total = 2 * len(order) + 1
        order = [seed for better in order for seed in (better, total - better)]
    return order


def pool_units(units: int) -> list[list[Seed]]:
    """Return the seeds of each pool, the best first. Seeds are distributed from the first pool to the last, then back,
    and so on.
    """
    count = units // POOL_SIZE
    pools: list[list[Seed]] = [[] for _ in range(count)]
    for row in range(POOL_SIZE):
        seeds = range(row * count + 1, (row + 1) * count + 1)
        for pool, seed in zip(pools if row % 2 == 0 else reversed(pools), seeds, strict=True):
            pool.append(seed)
    return pools


def compute_matches(plan: Plan, results: Mapping[MatchKey, Result]) -> list[Match]:
    """Return all matches, in the order of BRACKETS, stage and index, with their results.

    The plan must have passed `check_plan`; other plans may raise IndexError.
    """
    matches: list[Match] = []
    consolation: list[Seed | None] = []
    if plan.pools:
        pools = pool_units(plan.units)
        matches += _pool_matches(pools, results)
        rankings = [_rank_pool(pool, number, matches) for number, pool in enumerate(pools)]
        main = _cross_pools([ranking[0] for ranking in rankings], [ranking[1] for ranking in rankings])
        consolation = _cross_pools([ranking[2] for ranking in rankings], [ranking[3] for ranking in rankings])
    else:
        main = list(range(1, plan.units + 1))
    main_matches = _knockout(MAIN, main, results)
    matches += main_matches
    if plan.third_place:
        last = main_matches[-1].key.stage
        losers = [match.loser for match in main_matches if match.key.stage == last - 1]
        matches.append(_match(MatchKey(THIRD_PLACE, 1, 0), (losers[0], losers[1]), results))
    if plan.consolation:
        if not plan.pools:
            consolation = _first_losers(main_matches)
        matches += _knockout(CONSOLATION, consolation, results)
    return matches


def _match(
    key: MatchKey, expected: tuple[Seed | None, Seed | None], results: Mapping[MatchKey, Result], is_bye: bool = False
) -> Match:
    return Match(key, expected, None if is_bye else results.get(key), is_bye)


def _knockout(bracket: str, entries: Sequence[Seed | None], results: Mapping[MatchKey, Result]) -> list[Match]:
    """Return the matches of a bracket. `entries` are the units in order of strength, None for an unknown unit."""
    size = bracket_size(len(entries))
    order = seed_order(size)
    matches = []
    for index, (better, worse) in enumerate(zip(order[::2], order[1::2], strict=True)):
        is_bye = worse > len(entries)
        expected = (entries[better - 1], None if is_bye else entries[worse - 1])
        matches.append(_match(MatchKey(bracket, 1, index), expected, results, is_bye))
    before = matches
    while len(before) > 1:
        stage = before[0].key.stage + 1
        pairs = zip(before[::2], before[1::2], strict=True)
        before = [
            _match(MatchKey(bracket, stage, index), (upper.winner, lower.winner), results)
            for index, (upper, lower) in enumerate(pairs)
        ]
        matches = [*matches, *before]
    return matches


def _first_losers(matches: Sequence[Match]) -> list[Seed | None]:
    """Return the losers of the first stage (None if not known yet), in the order of the seeds that are expected to
    lose.

    The order does not depend on results, so that a corrected result changes only one entry.
    """
    first = [match for match in matches if match.key.stage == 1]
    worse_seeds = seed_order(2 * len(first))[1::2]
    order = sorted(range(len(first)), key=lambda index: worse_seeds[index])
    return [first[index].loser for index in order if not first[index].is_bye]


def _pool_matches(pools: Sequence[Sequence[Seed]], results: Mapping[MatchKey, Result]) -> list[Match]:
    return [
        _match(MatchKey(POOLS, stage, 2 * number + index), (pool[first], pool[second]), results)
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
    unit: Seed
    wins: int
    points: int
    difference: int


def pool_ranking(pool: Sequence[Seed], matches: Sequence[Match]) -> list[PoolRow]:
    """Return the units (players, pairs or teams) of a pool by wins, points, difference of points and seed. Only decided
    matches are counted.
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
    """Return the entries of a bracket, arranged so that two units of the same pool can meet only in the final.

    `better` and `worse` have one unit of each pool. The better units are the first seeds; the worse unit of a pool is
    put in the other half of the bracket.
    """
    count = len(better)
    size = bracket_size(2 * count)
    upper = set(seed_order(size)[: size // 2])
    free = {
        half: [seed for seed in range(count + 1, 2 * count + 1) if (seed in upper) == half] for half in (True, False)
    }
    entries: list[Seed | None] = [*better, *worse]
    for pool, unit in enumerate(worse, 1):
        entries[free[pool not in upper].pop(0) - 1] = unit
    return entries


def playable_matches(matches: Sequence[Match]) -> list[Match]:
    """Return the matches that can be played now, at the same time: of each unit (player, pair or team), its first
    playable match.
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
    """Return the units (players, pairs or teams) in groups by final rank: first, second, third, fourth. Units whose
    order is not decided are in one group.

    Without a match for third place, the losers of the semi-finals are in one group. Empty until both finalists are
    known.
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
    """Return the winner and the loser as two groups, or one group while the match is not decided.

    Empty if a unit is not known yet.
    """
    units = [unit for unit in match.units if unit is not None]
    if len(units) < 2:
        return []
    return [units] if match.winner is None or match.loser is None else [[match.winner], [match.loser]]
