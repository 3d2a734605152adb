"""What a player did in the deals of some seasons, beside what all their players did on the average."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from django.db import connection

from league.models import PlayerStatistics, Season
from players.models import Player
from scoring.statistics import Mean, Section, Share


class Extreme(NamedTuple):
    """A player's best or worst deal: its points, and its id."""

    points: int
    deal: int


class DealCounts(NamedTuple):
    """A player's counters over some seasons: the game's own, and "deals", "points" and "gained" among them."""

    counts: Mapping[str, int]
    best: Extreme
    worst: Extreme


class ShareFound(NamedTuple):
    """A share as it is shown: so many of so many, from 0 to 1, and everybody's."""

    label: str
    part: int
    whole: int
    share: float
    average: float | None


class MeanFound(NamedTuple):
    """A mean as it is shown, over so many, and everybody's."""

    label: str
    mean: Fraction
    number: int
    average: Fraction | None


class SectionFound(NamedTuple):
    """What a section has to show; statistics about nothing at all are left out."""

    title: str
    found: list[ShareFound | MeanFound]


class RowOfTwo(NamedTuple):
    """A statistic with the numbers of two players; None for one whom it is not about."""

    label: str
    first: ShareFound | MeanFound | None
    second: ShareFound | MeanFound | None


class SectionOfTwo(NamedTuple):
    """A section with the numbers of two players."""

    title: str
    rows: list[RowOfTwo]


def deal_counts(player: Player, seasons: Collection[Season]) -> DealCounts | None:
    """Return the player's counters over the seasons; None where no deal was counted. One query."""
    return deal_counts_of([player], seasons).get(player.pk)


def deal_counts_of(players: Collection[Player], seasons: Collection[Season]) -> dict[int, DealCounts]:
    """Return the counters of those players of whom deals were counted, by their ids; one query."""
    rows: dict[int, list[PlayerStatistics]] = defaultdict(list)
    for row in PlayerStatistics.objects.filter(player__in=players, season__in=seasons):
        rows[row.player_id].append(row)
    return {player: _added_up(own) for player, own in rows.items()}


def _added_up(rows: Sequence[PlayerStatistics]) -> DealCounts:
    counts = Counter[str]()
    for row in rows:
        counts.update({"deals": row.deals, "points": row.points, "gained": row.gained, **row.counts})
    return DealCounts(
        counts,
        max((Extreme(row.best, row.best_deal_id) for row in rows), key=lambda best: (best.points, -best.deal)),
        min((Extreme(row.worst, row.worst_deal_id) for row in rows), key=lambda worst: (worst.points, worst.deal)),
    )


def everybody(seasons: Collection[Season]) -> Mapping[str, int]:
    """Return the counters of all players of the seasons together; one query."""
    with connection.cursor() as cursor:
        cursor.execute(_SUMS, {"seasons": [season.pk for season in seasons]})
        return {name: int(number) for name, number in cursor.fetchall()}


_SUMS = """
    WITH counted AS (
        SELECT counts || jsonb_build_object('deals', deals, 'points', points, 'gained', gained) AS counts
        FROM league_playerstatistics WHERE season_id = ANY(%(seasons)s)
    )
    SELECT key, sum(value::bigint) FROM counted, jsonb_each_text(counts) GROUP BY key
"""


def sections(shown: Collection[Section], own: Mapping[str, int], average: Mapping[str, int]) -> list[SectionFound]:
    """Return a game's sections with the player's numbers and everybody's; those about nothing are left out."""
    found = [
        SectionFound(
            section.title,
            [_found(each, own, average) for each in section.statistics if own.get(_whole(each))],
        )
        for section in shown
    ]
    return [section for section in found if section.found]


def side_by_side(shown: Collection[Section], first: Mapping[str, int], second: Mapping[str, int]) -> list[SectionOfTwo]:
    """Return a game's sections with the numbers of two players; what is about nothing for both is left out."""
    found = [
        SectionOfTwo(section.title, [_of_two(each, first, second) for each in section.statistics]) for section in shown
    ]
    told = [section._replace(rows=[row for row in section.rows if row.first or row.second]) for section in found]
    return [section for section in told if section.rows]


def _of_two(statistic: Share | Mean, *counts: Mapping[str, int]) -> RowOfTwo:
    first, second = (_found(statistic, own, {}) if own.get(_whole(statistic)) else None for own in counts)
    return RowOfTwo(statistic.label, first, second)


def _whole(statistic: Share | Mean) -> str:
    return statistic.whole if isinstance(statistic, Share) else statistic.number


def _found(statistic: Share | Mean, own: Mapping[str, int], average: Mapping[str, int]) -> ShareFound | MeanFound:
    whole, of_all = own[_whole(statistic)], average.get(_whole(statistic), 0)
    top = statistic.part if isinstance(statistic, Share) else statistic.total
    part = own.get(top, 0)
    mean = Fraction(average.get(top, 0), of_all) if of_all else None
    if isinstance(statistic, Share):
        return ShareFound(statistic.label, part, whole, part / whole, None if mean is None else float(mean))
    return MeanFound(statistic.label, Fraction(part, whole), whole, mean)
