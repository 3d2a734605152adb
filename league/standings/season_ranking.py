"""A season's ranking with the ranks before the newest evening, and helpers for shared ranks."""

from collections.abc import Iterable, Mapping, Sequence

from league.standings.ranking import (
    RankingRow,
    TieBreakNumbers,
    standings,
    standings_with_ranks_before,
    tie_break_numbers,
)
from league.standings.rules import StandingsRules
from league.standings.season import ExactNumber, Id, PointsAdjustment, SeasonEvening


def shared_ranks(points: Sequence[ExactNumber]) -> list[int]:
    """Return the rank of each number in `points`. The highest number has rank 1; equal numbers share a rank: 1, 2, 2,
    4.
    """
    first: dict[ExactNumber, int] = {}
    for index, value in enumerate(sorted(points, reverse=True)):
        first.setdefault(value, index + 1)
    return [first[value] for value in points]


def season_ranking(
    rules: StandingsRules, evenings: Iterable[SeasonEvening], adjustments: Iterable[PointsAdjustment] = ()
) -> list[RankingRow]:
    """Return the rows of the ranking, each with the rank before the newest evening. Partners are counted from the
    evenings.
    """
    in_order = sorted(evenings, key=lambda evening: (evening.date, evening.id))
    partners, partners_before = _count_partners(rules, in_order), _count_partners(rules, in_order[:-1])
    return standings_with_ranks_before(rules, in_order, list(adjustments), partners, partners_before)


def ranks_after_evenings(
    rules: StandingsRules,
    evenings: Iterable[SeasonEvening],
    adjustments: Iterable[PointsAdjustment] = (),
    *,
    max_evenings: int,
    max_results: int,
) -> list[tuple[Id, dict[Id, int]]]:
    """Return (evening id, ranks by player) after each of the last evenings, the oldest first.

    There are at most `max_evenings` entries, and fewer if their computation would read more than `max_results` results;
    the newest evening always has an entry. All adjustments count from the start, as in the rank before the newest
    evening.
    """
    in_order = sorted(evenings, key=lambda evening: (evening.date, evening.id))
    adjustment_list = list(adjustments)
    ranks: list[tuple[Id, dict[Id, int]]] = []
    results = 0
    for end in range(len(in_order), max(0, len(in_order) - max_evenings), -1):
        played = in_order[:end]
        results += sum(len(evening.results) for evening in played)
        if ranks and results > max_results:
            break
        rows = standings(rules, played, adjustment_list, _count_partners(rules, played))
        ranks.append((played[-1].id, {row.player: row.rank for row in rows if row.rank is not None}))
    return ranks[::-1]


def season_tie_breaks(
    rules: StandingsRules, evenings: Sequence[SeasonEvening], adjustments: Iterable[PointsAdjustment], *, player: Id
) -> list[TieBreakNumbers]:
    """Return `tie_break_numbers` of the player. Partners are counted from the evenings."""
    return tie_break_numbers(rules, evenings, adjustments, _count_partners(rules, evenings), player=player)


def _count_partners(rules: StandingsRules, evenings: Iterable[SeasonEvening]) -> Mapping[Id, int]:
    if not rules.partners:
        return {}
    partners: dict[Id, set[Id]] = {}
    for evening in evenings:
        for result in evening.results:
            partners.setdefault(result.player, set()).update(result.partners)
    return {player: len(players) for player, players in partners.items()}
