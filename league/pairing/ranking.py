"""Computes the ranking of a tournament. Numbers are exact: integers, and halves for draws."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from league.pairing.results import RankingRules, Round, Side, Unit
from league.standings.season import rounded_mean
from league.standings.tied_groups import group_by_key, split_tied_group


class RankingRow(NamedTuple):
    """A unit's row in the ranking. `score` is the number that decides the rank (points, wins or match points).

    `against` are the points of the other units at the unit's tables. `won` and `lost` count tables; a draw adds a half
    to each, and a rest may add one to `won`. `decided_by` is the last tie-break that split the unit's group of equal
    units; "" if there was none.
    """

    unit: Unit
    rank: int
    score: int | Fraction
    points: int
    against: int
    won: Fraction
    lost: Fraction
    decided_by: str


class UnitResults:
    """The results of a unit (player, pair or team): sums, the points of each round, and the opponents and points at
    each table.
    """

    __slots__ = ("against", "lost", "match_points", "round_points", "tables", "unit", "won")

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.round_points: dict[int, int] = {}  # by round, from 0
        self.tables: list[tuple[frozenset[Unit], int]] = []  # by table: (the other units, this unit's points)
        self.against = 0
        self.won = Fraction(0)
        self.lost = Fraction(0)
        self.match_points = 0

    @property
    def points(self) -> int:
        return sum(self.round_points.values())


def rank_units(rules: RankingRules, units: Sequence[Unit], rounds: Sequence[Round]) -> list[RankingRow]:
    """Return the ranking: its rows sorted by rank, then unit (player, pair or team). Units that no tie-break separates
    share a rank: 1, 2, 2, 4.
    """
    results = sorted(_unit_results(rules, units, rounds).values(), key=lambda result: result.unit)
    rows = []
    position = 1
    for tied_group in group_by_key(results, [_score(rules, result) for result in results]):
        groups, decided_by = split_tied_group(tied_group, rules.ties, lambda name, group: TIE_BREAKS[name](group))
        for group in groups:
            for result in group:
                tie_break = decided_by.get(result, "")
                score = _score(rules, result)
                rows.append(
                    RankingRow(
                        result.unit, position, score, result.points, result.against, result.won, result.lost, tie_break
                    )
                )
            position += len(group)
    return rows


def points_by_round(rules: RankingRules, units: Sequence[Unit], rounds: Sequence[Round]) -> dict[Unit, dict[int, int]]:
    """Return the points of each unit (player, pair or team) by round (from 0), as the ranking counts them: rests and
    forfeits are included.
    """
    return {unit: result.round_points for unit, result in _unit_results(rules, units, rounds).items()}


def _score(rules: RankingRules, result: UnitResults) -> int | Fraction:
    if rules.ranked_by == "wins":
        return result.won
    return result.match_points if rules.ranked_by == "match_points" else result.points


def _unit_results(rules: RankingRules, units: Sequence[Unit], rounds: Sequence[Round]) -> dict[Unit, UnitResults]:
    results = {unit: UnitResults(unit) for unit in units}
    for index, round_ in enumerate(rounds):
        played = []
        for sides in round_.tables:
            table_points = [_side_points(rules, side) for side in sides]
            played += [points for side, points in zip(sides, table_points, strict=True) if side.points is not None]
            _add_table(rules, results, index, sides, table_points)
        if round_.exempt and rules.exempt:
            points = rounded_mean(sum(played), len(played)) if rules.exempt.points is None else rules.exempt.points
            for unit in round_.exempt:
                results[unit].round_points[index] = points
                if rules.exempt.win:
                    results[unit].won += 1
                    results[unit].match_points += rules.match_points.win
    return results


def _side_points(rules: RankingRules, side: Side) -> int:
    if side.points is not None:
        return side.points if rules.cap is None else min(side.points, rules.cap)
    return 0 if side.forfeit else rules.forfeit_points


def _add_table(
    rules: RankingRules,
    results: Mapping[Unit, UnitResults],
    round_index: int,
    sides: Sequence[Side],
    points: Sequence[int],
) -> None:
    units = frozenset(side.unit for side in sides)
    has_forfeit = any(side.forfeit for side in sides)
    top = max(points)
    is_draw = not has_forfeit and len(sides) == 2 and points[0] == points[1]
    total = sum(points)  # a side that forfeits has 0 points
    for side, own_points in zip(sides, points, strict=True):
        result = results[side.unit]
        result.round_points[round_index] = own_points
        result.tables.append((units - {side.unit}, own_points))
        result.against += total - own_points
        if is_draw:
            result.won += Fraction(1, 2)
            result.lost += Fraction(1, 2)
            result.match_points += rules.match_points.draw
        elif side.forfeit:
            result.lost += 1
            result.match_points += rules.match_points.forfeit
        elif has_forfeit or own_points == top:
            result.won += 1
            result.match_points += rules.match_points.forfeit_win if has_forfeit else rules.match_points.win
        else:
            result.lost += 1
            result.match_points += rules.match_points.loss


# A tie-break returns a key for each unit of a tied group: a higher key ranks first, equal keys stay tied.


def _direct_points(tied_group: Sequence[UnitResults]) -> Sequence[int]:
    """Return the points of each unit at tables with other units of the tied group. Return only zeros if two units of
    the group never met.
    """
    group = {result.unit for result in tied_group}
    for result in tied_group:
        met_units = {unit for opponents, _points in result.tables for unit in opponents}
        if not group <= met_units | {result.unit}:
            return [0] * len(tied_group)
    return [sum(points for opponents, points in result.tables if opponents & group) for result in tied_group]


def _first_round_key(result: UnitResults) -> tuple[bool, int]:
    """Return (whether the unit has points in the first round, these points)."""
    points = result.round_points.get(0)
    return (False, 0) if points is None else (True, points)


TieBreak = Callable[[Sequence[UnitResults]], Sequence[object]]
TIE_BREAKS: Mapping[str, TieBreak] = {
    "points": lambda tied_group: [result.points for result in tied_group],
    "against": lambda tied_group: [-result.against for result in tied_group],
    "difference": lambda tied_group: [result.points - result.against for result in tied_group],
    "wins": lambda tied_group: [result.won for result in tied_group],
    "best_round": lambda tied_group: [
        max(((True, points) for points in result.round_points.values()), default=(False, 0)) for result in tied_group
    ],
    "first_round": lambda tied_group: [_first_round_key(result) for result in tied_group],
    "direct": _direct_points,
}
