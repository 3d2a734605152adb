"""Laws of rankings and standings, and small seasons added up by hand."""

from hypothesis import given
from hypothesis import strategies as st

from league.standings.places import EveningPoints, ranks, standings

points = st.integers(-2000, 2000)
results = st.lists(
    st.builds(
        lambda player, evening, points, deals, member, weight: EveningPoints(
            player, evening, (f"2026-01-{evening:02}", evening), points, deals, member, weight
        ),
        player=st.integers(1, 6),
        evening=st.integers(1, 9),
        points=points,
        deals=st.integers(1, 12),
        member=st.booleans(),
        weight=st.integers(1, 3),
    ),
    max_size=40,
)


def result(player: int, evening: int, points: int, *, member: bool = True, weight: int = 1) -> EveningPoints:
    return EveningPoints(
        player, evening, (f"2026-01-{evening:02}", evening), points, deals=4, member=member, weight=weight
    )


def test_those_who_share_a_rank_push_the_next_down() -> None:
    assert ranks([30, 20, 20, 10]) == [1, 2, 2, 4]


@given(st.lists(points))
def test_a_rank_is_one_more_than_the_number_of_those_with_more(totals: list[int]) -> None:
    assert ranks(totals) == [1 + sum(other > total for other in totals) for total in totals]


def test_evenings_are_added_up_and_a_double_one_counts_twice() -> None:
    places = standings([result(1, 1, 100), result(1, 2, -30, weight=2), result(2, 1, 41)])
    assert [(place.player, place.rank, place.points, place.deals) for place in places] == [(2, 1, 41, 4), (1, 2, 40, 8)]
    assert places[1].counted == (1, 2)


def test_two_tables_of_one_evening_are_one_evening() -> None:
    (place,) = standings([result(1, 1, 100), result(1, 1, -30)])
    assert (place.points, place.deals, place.counted) == (70, 8, (1,))


def test_a_guest_scores_and_has_no_rank() -> None:
    places = standings([result(1, 1, 10), result(2, 1, 500, member=False), result(3, 1, 10)])
    assert [(place.player, place.rank) for place in places] == [(1, 1), (3, 1), (2, None)]


def test_a_guest_who_became_a_member_is_ranked() -> None:
    (place,) = standings([result(1, 1, 10, member=False), result(1, 2, 10)])
    assert (place.rank, place.points) == (1, 20)


def test_the_rank_before_is_without_the_newest_evening() -> None:
    places = standings([result(1, 1, 50), result(2, 1, 40), result(2, 2, 30), result(3, 2, 1)])
    assert [(place.player, place.rank, place.rank_before) for place in places] == [(2, 1, 2), (1, 2, 1), (3, 3, None)]


def test_an_adjustment_moves_its_player() -> None:
    places = standings([result(1, 1, 50), result(2, 1, 40)], {2: 11})
    assert [(place.player, place.points) for place in places] == [(2, 51), (1, 50)]


@given(results)
def test_the_order_of_results_changes_nothing(everything: list[EveningPoints]) -> None:
    assert standings(everything) == standings(list(reversed(everything)))


@given(results)
def test_nothing_gets_lost(everything: list[EveningPoints]) -> None:
    places = standings(everything)
    assert sum(place.points for place in places) == sum(each.points * each.weight for each in everything)
    assert sum(place.deals for place in places) == sum(each.deals for each in everything)
    assert {(place.player, evening) for place in places for evening in place.counted} == {
        (each.player, each.evening) for each in everything
    }


@given(results)
def test_ranks_follow_the_points_and_guests_come_last(everything: list[EveningPoints]) -> None:
    places = standings(everything)
    ranked = [place for place in places if place.rank is not None]
    assert places[: len(ranked)] == ranked
    assert [place.rank for place in ranked] == ranks([place.points for place in ranked])
