"""The statistics of a player over the deals of some seasons, compared with the average of all players."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.db import connection

from league.models import PlayerStatistics, Season
from players.models import Player
from scoring.statistics import Mean, Section, Share


class ExtremeDeal(NamedTuple):
    points: int
    deal: int


class DealCounts(NamedTuple):
    """The counters of a player over some seasons: the game's own counters, and "deals", "points" and "gained".

    "gained" is the number of deals with more than 0 points. `best` and `worst` are the points and the ids of the best
    and the worst deal.
    """

    counts: Mapping[str, int]
    best: ExtremeDeal
    worst: ExtremeDeal


class ShareValue(NamedTuple):
    """The value of a share: `part` of `total` deals. `share` (the player's) and `average` (of all players) are from 0
    to 1.
    """

    label: str
    part: int
    total: int
    share: float
    average: float | None


class MeanValue(NamedTuple):
    """The value of a mean over `number` cases: `mean` (the player's) and `average` (of all players)."""

    label: str
    mean: Fraction
    number: int
    average: Fraction | None


class SectionValues(NamedTuple):
    title: str
    statistics: list[ShareValue | MeanValue]


class StatisticOfTwo(NamedTuple):
    """A statistic of two players. The value is None if the player has no deals of this kind."""

    label: str
    first: ShareValue | MeanValue | None
    second: ShareValue | MeanValue | None


class SectionOfTwo(NamedTuple):
    title: str
    rows: list[StatisticOfTwo]


def deal_counts(player: Player, seasons: Collection[Season]) -> DealCounts | None:
    return deal_counts_of([player], seasons).get(player.pk)


def deal_counts_of(players: Collection[Player], seasons: Collection[Season]) -> dict[int, DealCounts]:
    """Return the counters over these seasons by player id; players without deals are left out."""
    rows: dict[int, list[PlayerStatistics]] = defaultdict(list)
    for row in PlayerStatistics.objects.filter(player__in=players, season__in=seasons):
        rows[row.player_id].append(row)
    return {player: _sum_counts(player_rows) for player, player_rows in rows.items()}


def _sum_counts(rows: Sequence[PlayerStatistics]) -> DealCounts:
    counts = Counter[str]()
    for row in rows:
        counts.update({"deals": row.deals, "points": row.points, "gained": row.gained, **row.counts})
    return DealCounts(
        counts,
        max((ExtremeDeal(row.best, row.best_deal_id) for row in rows), key=lambda best: (best.points, -best.deal)),
        min((ExtremeDeal(row.worst, row.worst_deal_id) for row in rows), key=lambda worst: (worst.points, worst.deal)),
    )


def counts_of_all_players(seasons: Collection[Season]) -> Mapping[str, int]:
    with connection.cursor() as cursor:
        cursor.execute(_SUMS_SQL, {"seasons": [season.pk for season in seasons]})
        return {name: int(number) for name, number in cursor.fetchall()}


_SUMS_SQL = """
    WITH counted AS (
        SELECT counts || jsonb_build_object('deals', deals, 'points', points, 'gained', gained) AS counts
        FROM league_playerstatistics WHERE season_id = ANY(%(seasons)s)
    )
    SELECT key, sum(value::bigint) FROM counted, jsonb_each_text(counts) GROUP BY key
"""


def evaluate_sections(
    definitions: Collection[Section], counts: Mapping[str, int], average: Mapping[str, int]
) -> list[SectionValues]:
    """Compute the statistics of a player from `counts`, without statistics that have no case.

    `average` has the counters of all players together, for the average.
    """
    evaluated = [
        SectionValues(
            section.title,
            [
                _evaluate_statistic(statistic, counts, average)
                for statistic in section.statistics
                if counts.get(_denominator_counter(statistic))
            ],
        )
        for section in definitions
    ]
    return [section for section in evaluated if section.statistics]


def compare_sections(
    definitions: Collection[Section], first: Mapping[str, int], second: Mapping[str, int]
) -> list[SectionOfTwo]:
    all_sections = [
        SectionOfTwo(section.title, [_compare_statistic(statistic, first, second) for statistic in section.statistics])
        for section in definitions
    ]
    compared = [
        section._replace(rows=[row for row in section.rows if row.first or row.second]) for section in all_sections
    ]
    return [section for section in compared if section.rows]


def _compare_statistic(statistic: Share | Mean, *counts: Mapping[str, int]) -> StatisticOfTwo:
    first, second = (
        _evaluate_statistic(statistic, player_counts, {})
        if player_counts.get(_denominator_counter(statistic))
        else None
        for player_counts in counts
    )
    return StatisticOfTwo(statistic.label, first, second)


def _denominator_counter(statistic: Share | Mean) -> str:
    return statistic.whole if isinstance(statistic, Share) else statistic.number


def _evaluate_statistic(
    statistic: Share | Mean, counts: Mapping[str, int], average: Mapping[str, int]
) -> ShareValue | MeanValue:
    total, average_total = counts[_denominator_counter(statistic)], average.get(_denominator_counter(statistic), 0)
    top = statistic.part if isinstance(statistic, Share) else statistic.total
    part = counts.get(top, 0)
    mean = Fraction(average.get(top, 0), average_total) if average_total else None
    if isinstance(statistic, Share):
        return ShareValue(statistic.label, part, total, part / total, None if mean is None else float(mean))
    return MeanValue(statistic.label, Fraction(part, total), total, mean)
