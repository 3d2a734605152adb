"""The draw in a game of pairs, and by ranking."""

from collections import Counter
from itertools import combinations

from league.draw.draw_types import Person, Seating, Wishes
from league.draw.plan import plan_rounds
from league.draw.tests.test_draw import FEW, FREE, codes, out, people

# Pairs


def test_partners_are_drawn_anew_and_an_odd_pair_is_exempt_in_turn() -> None:
    drawn = plan_rounds(people(18), range(1, 5), Wishes(sizes=(4,), has_pairs=True), seed=1)
    assert codes(drawn) == {}
    assert set(out(drawn).values()) == {1}
    assert [len(seating.exempt) for seating in drawn.rounds] == [2] * 4


def test_nine_brought_pairs_stay_and_each_meets_another_pair_each_round() -> None:
    present = [Person(player, partner=player + 1 if player % 2 else None) for player in range(1, 19)]
    drawn = plan_rounds(present, range(1, 5), Wishes(sizes=(4,), has_pairs=True), seed=1)
    assert codes(drawn) == {}
    for seating in drawn.rounds:
        assert len(seating.exempt) == 2
        for north, east, south, west in seating.tables:
            assert abs(north - south) == abs(east - west) == 1


def test_drawn_partners_stay_together_all_evening_also_in_a_new_plan() -> None:
    wishes = Wishes(sizes=(4,), has_pairs=True, keep_partners=True)
    first = plan_rounds(people(14), range(1, 5), wishes, seed=1)
    second_plan = plan_rounds(people(14), range(2, 5), wishes, played=first.rounds[:1], seed=2)
    for drawn in (first, second_plan):
        assert codes(drawn) == {}
    couples = {
        frozenset(couple)
        for seating in (*first.rounds, *second_plan.rounds)
        for north, east, south, west in (*seating.tables,)
        for couple in ((north, south), (east, west))
    }
    assert len(couples) == 7


def test_with_one_too_many_for_pairs_nobody_rests_all_evening() -> None:
    wishes = Wishes(sizes=(4,), has_pairs=True, keep_partners=True)
    drawn = plan_rounds(people(9), range(1, 6), wishes, seed=1, steps=FEW)
    assert max(out(drawn).values()) == 1


def test_a_player_with_a_late_partner_gets_another_one_until_then() -> None:
    present = [*people(8), Person(9), Person(10, from_round=2, partner=9)]
    wishes = Wishes(sizes=(4,), has_pairs=True, keep_partners=True)
    drawn = plan_rounds(present, range(1, 4), wishes, seed=1, steps=FEW)
    assert not {"unseated", "seated_twice"} & codes(drawn).keys()
    assert ("partners_apart", (9, 10)) not in {(warning.code, warning.players) for warning in drawn.warnings}


def test_a_separated_pair_is_not_drawn_as_partners_either() -> None:
    wishes = Wishes(sizes=(4,), has_pairs=True, keep_partners=True, separations=frozenset({(1, 2), (3, 4)}))
    assert codes(plan_rounds(people(12), range(1, 4), wishes, seed=1))["apart"] == 0


# By ranking


def test_by_ranking_first_meets_second() -> None:
    wishes = Wishes(sizes=FREE, by_ranking=True, ranking=tuple(range(11, 0, -1)))
    drawn = plan_rounds(people(11), range(2, 5), wishes, seed=1)
    assert [seating.number for seating in drawn.rounds] == [2]
    assert [set(table) for table in drawn.rounds[0].tables] == [{11, 10, 9, 8}, {7, 6, 5, 4}, {3, 2, 1}]


def test_by_ranking_pair_one_meets_pair_two_and_the_last_is_exempt_once() -> None:
    present = [Person(player, partner=player + 1 if player % 2 else None) for player in range(1, 11)]
    wishes = Wishes(sizes=(4,), has_pairs=True, by_ranking=True, ranking=(5, 6, 1, 2, 9, 10, 3, 4, 7, 8))
    second = plan_rounds(present, range(2, 3), wishes, seed=1).rounds[0]
    assert [set(table) for table in second.tables] == [{5, 6, 1, 2}, {9, 10, 3, 4}]
    assert set(second.exempt) == {7, 8}
    third = plan_rounds(present, range(3, 4), wishes, played=[second], seed=1).rounds[0]
    assert set(third.exempt) == {3, 4}


def test_by_ranking_a_separated_pair_changes_with_its_neighbours() -> None:
    wishes = Wishes(sizes=(4,), by_ranking=True, ranking=tuple(range(1, 9)), separations=frozenset({(3, 4)}))
    drawn = plan_rounds(people(8), range(2, 3), wishes, seed=1)
    assert [set(table) for table in drawn.rounds[0].tables] == [{1, 2, 3, 5}, {4, 6, 7, 8}]


def played_rounds(present: list[Person], wishes: Wishes, rounds: int) -> list[Seating]:
    played: list[Seating] = []
    for number in range(1, rounds + 1):
        played += plan_rounds(present, range(number, number + 1), wishes, played=played, seed=number).rounds
    return played


def test_by_ranking_pairs_meet_other_pairs_although_the_ranking_stays() -> None:
    present = [Person(player, partner=player + 1 if player % 2 else None) for player in range(1, 17)]
    wishes = Wishes(sizes=(4,), has_pairs=True, keep_partners=True, by_ranking=True, ranking=tuple(range(1, 17)))
    meetings = Counter(frozenset(table) for seating in played_rounds(present, wishes, 4) for table in seating.tables)
    assert set(meetings.values()) == {1}


def test_by_ranking_players_meet_other_players_although_the_ranking_stays() -> None:
    wishes = Wishes(sizes=(4,), by_ranking=True, ranking=tuple(range(1, 33)))
    rounds = played_rounds(list(people(32)), wishes, 3)
    pairs = Counter(pair for seating in rounds for table in seating.tables for pair in combinations(sorted(table), 2))
    assert set(pairs.values()) == {1}
