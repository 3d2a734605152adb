"""Laws of rankings and standings, and small seasons added up by hand."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any, NamedTuple

from hypothesis import given
from hypothesis import strategies as st

from league.standings.ranking import RankingRow
from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, PointsAdjustment, SeasonEvening
from league.standings.season_ranking import season_ranking, shared_ranks
from league.standings.tests import seasons


class Result(NamedTuple):
    """A player's result of one evening."""

    player: int
    evening: int
    points: int
    deals: int = 4
    member: bool = True


points = st.integers(-2000, 2000)
results = st.lists(
    st.builds(
        Result,
        player=st.integers(1, 6),
        evening=st.integers(1, 9),
        points=points,
        deals=st.integers(1, 12),
        member=st.booleans(),
    ),
    max_size=40,
    unique_by=lambda result: (result.player, result.evening),
)
weights = st.lists(st.integers(1, 3), min_size=10, max_size=10)
USUAL = [1] * 10


def standings(
    results: Iterable[Result], weights: list[int] = USUAL, adjustments: Iterable[PointsAdjustment] = ()
) -> list[RankingRow]:
    """The ranking of a season by the sum of points."""
    by_evening: dict[int, list[PlayerEvening]] = defaultdict(list)
    for result in results:
        by_evening[result.evening].append(PlayerEvening(result.player, result.points, result.deals, result.member))
    evenings = [
        SeasonEvening(evening, f"2026-01-{evening:02}", rows, weights[evening]) for evening, rows in by_evening.items()
    ]
    return season_ranking(StandingsRules(), evenings, adjustments)


def test_those_who_share_a_rank_push_the_next_down() -> None:
    assert shared_ranks([30, 20, 20, 10]) == [1, 2, 2, 4]


@given(st.lists(points))
def test_a_rank_is_one_more_than_the_number_of_those_with_more(totals: list[int]) -> None:
    assert shared_ranks(totals) == [1 + sum(higher > total for higher in totals) for total in totals]


def test_evenings_are_added_up_and_a_double_one_counts_twice() -> None:
    rows = standings([Result(1, 1, 100), Result(1, 2, -30), Result(2, 1, 41)], [0, 1, 2])
    assert [(row.player, row.rank, row.total, row.deals) for row in rows] == [(2, 1, 41, 4), (1, 2, 40, 8)]
    assert rows[1].counted == (1, 2)


def test_a_guest_scores_and_has_no_rank() -> None:
    rows = standings([Result(1, 1, 10), Result(2, 1, 500, member=False), Result(3, 1, 10)])
    assert [(row.player, row.rank, row.member) for row in rows] == [(1, 1, True), (3, 1, True), (2, None, False)]


def test_a_guest_who_became_a_member_is_ranked() -> None:
    (row,) = standings([Result(1, 1, 10, member=False), Result(1, 2, 10)])
    assert (row.rank, row.total) == (1, 20)


def test_the_rank_before_is_without_the_newest_evening() -> None:
    rows = standings([Result(1, 1, 50), Result(2, 1, 40), Result(2, 2, 30), Result(3, 2, 1)])
    assert [(row.player, row.rank, row.rank_before) for row in rows] == [(2, 1, 2), (1, 2, 1), (3, 3, None)]


def test_an_adjustment_moves_its_player() -> None:
    rows = standings([Result(1, 1, 50), Result(2, 1, 40)], adjustments=[PointsAdjustment(2, 11)])
    assert [(row.player, row.total) for row in rows] == [(2, 51), (1, 50)]


def test_different_partners_are_counted_over_the_season() -> None:
    rules = StandingsRules(partners=2)
    partners = {1: [2, 3], 2: [1, 1], 3: [4, 1], 4: [3, 4]}
    evenings = [
        SeasonEvening(
            index,
            f"2026-01-0{index + 1}",
            [PlayerEvening(player, 10, partners=(pair[index],)) for player, pair in partners.items()],
        )
        for index in range(2)
    ]
    rows = {row.player: (row.rank, row.missing_partners, row.rank_before) for row in season_ranking(rules, evenings)}
    assert rows == {1: (1, 0, None), 2: (None, 1, None), 3: (1, 0, None), 4: (1, 0, None)}


@given(results, weights)
def test_the_order_of_results_changes_nothing(everything: list[Result], weights: list[int]) -> None:
    assert standings(everything, weights) == standings(list(reversed(everything)), weights)


@given(results, weights)
def test_nothing_gets_lost(everything: list[Result], weights: list[int]) -> None:
    rows = standings(everything, weights)
    assert sum(row.total for row in rows) == sum(result.points * weights[result.evening] for result in everything)
    assert sum(row.deals for row in rows) == sum(result.deals for result in everything)
    assert {(row.player, evening) for row in rows for evening in row.counted} == {
        (result.player, result.evening) for result in everything
    }


@given(results, weights)
def test_ranks_follow_the_points_and_guests_come_last(everything: list[Result], weights: list[int]) -> None:
    rows = standings(everything, weights)
    ranked = [row for row in rows if row.rank is not None]
    assert rows[: len(ranked)] == ranked
    assert [row.rank for row in ranked] == shared_ranks([int(row.total) for row in ranked])


@given(seasons.requests())
def test_ranks_before_are_those_of_a_season_without_its_newest_evening(request: dict[str, Any]) -> None:
    rules, evenings, adjustments = seasons.parse_request(request)
    earlier = sorted(evenings, key=lambda evening: (evening.date, evening.id))[:-1]
    ranked = {row.player: row.rank for row in season_ranking(rules, earlier, adjustments)}
    assert {row.player: row.rank_before for row in season_ranking(rules, evenings, adjustments)} == {
        row.player: ranked.get(row.player) for row in season_ranking(rules, evenings, adjustments)
    }
