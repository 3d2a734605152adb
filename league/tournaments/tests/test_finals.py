"""Finals by their actions: whole days, ties, forfeits, corrections, taking back."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from league.actions import finals as finals_actions
from league.actions import totals, tournament_play, tournaments
from league.actions.refusals import WrongState
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.models import Finals, FinalsGame, Round, Table, Tournament
from league.models.finals import FinalsKind
from league.pairing.finals import CONSOLATION, MAIN, THIRD_PLACE, ImpossibleFinals, MatchKey
from league.sheets.queries.table_sums import PointsAndDeals
from league.tournaments.queries.final_ranks import final_ranks
from league.tournaments.queries.finals import FinalsState, MatchGame, read_finals
from league.tournaments.queries.finals_plan import FinalsPlan
from league.tournaments.queries.playing_units import evening_of
from league.tournaments.tests.test_play import enter, numbers_at, rows_of
from tests.build import a_club, a_drawn_round, a_running_tournament

pytestmark = pytest.mark.django_db

POINTS_OF_A_GAME = 1944  # of twelve deals of belote


def played_rounds(tournament: Tournament) -> Tournament:
    """Play all rounds; a unit with a smaller number scores more, by 10 points for each number."""
    for _ in range(tournament.rounds):
        for table in a_drawn_round(tournament).tables.with_seats():
            enter_by_number(tournament, table)
    return tournament


def enter_by_number(tournament: Tournament, table: Table) -> None:
    numbers = numbers_at(tournament, table)
    first, second = (number or 0 for number in numbers)
    margin = 2 + 5 * (second - first)
    enter(table, POINTS_OF_A_GAME // 2 + margin, POINTS_OF_A_GAME // 2 - margin)


def state_of(tournament: Tournament) -> FinalsState:
    state = read_finals(tournament, evening_of(tournament).season)
    assert state is not None
    return state


def win(game: MatchGame, seed: int, points: int = 1000) -> None:
    """Let a unit win its game."""
    rest = POINTS_OF_A_GAME - points
    table = Table.objects.get(pk=game.table.pk)
    first, second = (points, rest) if game.seeds[0] == seed else (rest, points)
    enter(table, first, second)


def play_stage(tournament: Tournament, *, upsets: bool = False) -> Round:
    """Draw the next tables; the better seed wins each, or the worse."""
    round_ = finals_actions.draw_next_round(tournament.pk)
    for game in state_of(tournament).undecided_games:
        win(game, max(game.seeds) if upsets else min(game.seeds))
    return round_


def ranks_of(tournament: Tournament) -> list[tuple[int, int]]:
    """Return rank and number of each unit, in order."""
    rows = [
        (row.rank, row.row.unit.number or 0) for row in final_ranks(tournament, tournament.season, rows_of(tournament))
    ]
    return sorted(rows)


def start(tournament: Tournament, units: int, kind: str = FinalsKind.KNOCKOUT, **choices: bool) -> Finals:
    return finals_actions.start(tournament.pk, FinalsPlan(kind, units, **choices))


@pytest.mark.faults
def test_eight_of_75_pairs_play_knock_out_third_place_and_consolation() -> None:
    tournament = played_rounds(a_running_tournament(a_club(), units=75, rounds=2))
    seeds = [row.unit.number for row in rows_of(tournament)][:8]
    start(tournament, 8, third_place=True, consolation=True)
    state = state_of(tournament)
    assert [state.units[seed].unit.number for seed in range(1, 9)] == seeds

    quarter = play_stage(tournament)
    assert (quarter.number, quarter.tables.count()) == (3, 4)
    assert [set(match.units) for match in state_of(tournament).matches][:4] == [{1, 8}, {4, 5}, {2, 7}, {3, 6}]
    semi = play_stage(tournament)
    assert semi.tables.count() == 4  # two of the main draw, two of the consolation draw
    keys = {game.table.number: game.row.bracket for game in state_of(tournament).match_games if game.row.stage == 2}
    assert set(keys.values()) == {MAIN}
    final = play_stage(tournament)
    brackets = FinalsGame.objects.filter(table__round=final).order_by("table__number").values_list("bracket", flat=True)
    assert list(brackets) == [MAIN, THIRD_PLACE, CONSOLATION]
    assert state_of(tournament).is_over
    ranking = [row.unit.number for row in rows_of(tournament)]
    assert [number for _rank, number in ranks_of(tournament)][:4] == ranking[:4]
    assert [rank for rank, _number in ranks_of(tournament)][:4] == [1, 2, 3, 4]
    tournament_play.finish(tournament.pk, now=timezone.now())


def test_six_of_61_players_have_one_final_table() -> None:
    fields: dict[str, Any] = {"game": "tarot", "unit_size": 1, "deals": 4, "exempt_points": 0, "rounds": 1}
    tournament = a_running_tournament(a_club(), units=61, **fields)
    for table in a_drawn_round(tournament).tables.with_seats():
        enter_totals(table, [40 - 10 * index for index in range(table.size)])
    with pytest.raises(ImpossibleFinals):
        start(tournament, 7, FinalsKind.TABLE)  # tarot has tables of three to six
    with pytest.raises(ImpossibleFinals):
        start(tournament, 6)  # no matches of two
    start(tournament, 6, FinalsKind.TABLE)
    round_ = finals_actions.draw_next_round(tournament.pk)
    [table] = round_.tables.with_seats()
    assert (round_.number, table.size) == (2, 6)
    assert ranks_of(tournament)[0][0] == 1
    enter_totals(table, [-100, 20, 20, 60, 0, 0])
    state = state_of(tournament)
    numbers = [state.units[seed].unit.number for seed in range(1, 7)]
    ranks = {number: rank for rank, number in ranks_of(tournament)}
    assert [ranks[number or 0] for number in numbers] == [6, 2, 2, 1, 4, 4]
    assert sorted(ranks.values())[6] == 7
    with pytest.raises(WrongState):
        finals_actions.draw_next_round(tournament.pk)
    tournament_play.finish(tournament.pk, now=timezone.now())


def enter_totals(table: Table, points: list[int]) -> None:
    rest = -sum(points)
    sums = {seat: PointsAndDeals(value + (rest if seat == 0 else 0), 4) for seat, value in enumerate(points)}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=table.version, now=timezone.now())


def a_final_of(units: int, registered: int | None = None, **fields: Any) -> Tournament:
    """Return a tournament of one round after it, whose units are ranked by number."""
    return played_rounds(
        a_running_tournament(a_club(), units=registered or units + units % 2, **{"rounds": 1} | fields)
    )


def test_pools_send_two_of_each_to_the_main_draw_and_two_to_the_consolation_draw() -> None:
    tournament = a_final_of(8)
    start(tournament, 8, FinalsKind.POOLS, consolation=True)
    for _ in range(3):
        assert play_stage(tournament).tables.count() == 4
    matches = {match.key: set(match.units) for match in state_of(tournament).matches}
    assert (matches[MatchKey(MAIN, 1, 0)], matches[MatchKey(MAIN, 1, 1)]) == ({1, 3}, {2, 4})
    assert (matches[MatchKey(CONSOLATION, 1, 0)], matches[MatchKey(CONSOLATION, 1, 1)]) == ({5, 7}, {6, 8})
    play_stage(tournament)
    play_stage(tournament)
    assert state_of(tournament).is_over
    ranking = [row.unit.number for row in rows_of(tournament)]
    assert [rank for rank, _number in ranks_of(tournament)][:6] == [1, 2, 3, 3, 5, 6]
    assert [number for _rank, number in ranks_of(tournament)][:2] == ranking[:2]


def test_byes_go_to_the_best() -> None:
    tournament = a_final_of(6)
    start(tournament, 6)
    assert play_stage(tournament).tables.count() == 2
    assert [set(game.seeds) for game in state_of(tournament).match_games] == [{4, 5}, {3, 6}]
    play_stage(tournament)
    assert {frozenset(game.seeds) for game in state_of(tournament).match_games} >= {
        frozenset({1, 4}),
        frozenset({2, 3}),
    }


def test_the_desk_decides_a_tie_before_the_next_stage() -> None:
    tournament = a_final_of(4)
    start(tournament, 4)
    finals_actions.draw_next_round(tournament.pk)
    first, second = state_of(tournament).undecided_games
    win(first, first.seeds[0], POINTS_OF_A_GAME // 2)
    win(second, second.seeds[0])
    assert [game.row.pk for game in state_of(tournament).ties] == [first.row.pk]
    with pytest.raises(WrongState):
        finals_actions.draw_next_round(tournament.pk)
    with pytest.raises(WrongState):
        finals_actions.decide_tie(second.row.pk, second.seeds[1])
    finals_actions.decide_tie(first.row.pk, 4)
    finals_actions.draw_next_round(tournament.pk)
    assert set(state_of(tournament).matches[-1].units) == {4, second.seeds[0]}


def test_a_forfeit_decides_and_who_left_forfeits_at_the_draw() -> None:
    tournament = a_final_of(4)
    start(tournament, 4)
    finals_actions.draw_next_round(tournament.pk)
    first, second = state_of(tournament).undecided_games
    tournament_play.set_forfeits(first.table.pk, [state_of(tournament).units[first.seeds[0]].unit_id])
    win(second, second.seeds[0])
    assert state_of(tournament).matches[0].winner == first.seeds[1]
    tournament_play.set_leaving(state_of(tournament).units[second.seeds[0]].unit_id, leaves=True)
    finals_actions.draw_next_round(tournament.pk)
    assert state_of(tournament).is_over
    assert state_of(tournament).rank_groups[0] == [first.seeds[1]]


@pytest.mark.django_db(transaction=True)
def test_a_decision_that_waited_until_its_table_was_taken_back_is_refused() -> None:
    """Both units of a match are absent; one desk takes the tables back while the other chooses the winner."""
    tournament = a_final_of(4)
    start(tournament, 4)
    for seed in (1, 4):
        tournament_play.set_leaving(state_of(tournament).units[seed].unit_id, leaves=True)
    round_ = finals_actions.draw_next_round(tournament.pk)
    [tie] = state_of(tournament).ties
    with transaction.atomic():
        tournament_play.take_back_round(round_.pk)
        decision = meanwhile(lambda: finals_actions.decide_tie(tie.row.pk, 4))
    with pytest.raises(WrongState, match="taken back"):
        decision.result()


def test_who_left_before_the_finals_is_replaced_by_the_next_of_the_ranking() -> None:
    tournament = a_final_of(6)
    best = rows_of(tournament)[0].unit
    tournament_play.set_leaving(best.pk, leaves=True)
    start(tournament, 4)
    assert best.pk not in [row.unit_id for row in state_of(tournament).units.values()]


def test_a_match_is_first_to_two_games() -> None:
    tournament = a_final_of(2, registered=4, games_to_win=2)
    start(tournament, 2)
    play_stage(tournament)
    assert state_of(tournament).matches[0].winner is None
    play_stage(tournament, upsets=True)
    play_stage(tournament)
    assert state_of(tournament).matches[0].winner == 1
    assert [game.row.number for game in state_of(tournament).match_games] == [1, 2, 3]
    with pytest.raises(WrongState):
        finals_actions.draw_next_round(tournament.pk)


def revise(tournament: Tournament, game: MatchGame, seed: int) -> None:
    """Correct the totals of a game, so that this unit wins."""
    table = Table.objects.get(pk=game.table.pk)
    points = (1000, 944) if game.seeds[0] == seed else (944, 1000)
    sums = {seat: PointsAndDeals(points[seat % 2], 12) for seat in range(4)}
    totals.record(
        table.pk, sums, client_key=uuid4(), seen_version=table.version, now=timezone.now(), reason="written wrongly"
    )


def test_a_corrected_result_changes_seats_where_nothing_is_entered() -> None:
    tournament = a_final_of(8)
    start(tournament, 8, consolation=True)
    play_stage(tournament)
    finals_actions.draw_next_round(tournament.pk)
    first = state_of(tournament).games[MatchKey(MAIN, 1, 0)][0]
    assert not state_of(tournament).misseated_matches
    revise(tournament, first, 8)
    rows = state_of(tournament).reseatings
    assert {row.match.key for row in rows} == {MatchKey(MAIN, 2, 0), MatchKey(CONSOLATION, 1, 0)}
    assert finals_actions.reseat_units(tournament.pk) == 2
    state = state_of(tournament)
    assert not state.misseated_matches
    assert set(state.games[MatchKey(MAIN, 2, 0)][0].seeds) == {4, 8}
    assert 1 in state.games[MatchKey(CONSOLATION, 1, 0)][0].seeds


def test_a_corrected_result_changes_nothing_where_points_are_entered() -> None:
    tournament = a_final_of(8)
    start(tournament, 8, consolation=True)
    play_stage(tournament)
    finals_actions.draw_next_round(tournament.pk)
    consolation = state_of(tournament).games[MatchKey(CONSOLATION, 1, 0)][0]
    win(consolation, consolation.seeds[0])
    revise(tournament, state_of(tournament).games[MatchKey(MAIN, 1, 0)][0], 8)
    state = state_of(tournament)
    assert len(state.misseated_matches) == 2
    assert not state.reseatings  # the main draw would give a unit two seats of the round
    with pytest.raises(WrongState):
        finals_actions.reseat_units(tournament.pk)
    assert set(state.games[MatchKey(MAIN, 2, 0)][0].seeds) == {1, 4}


def test_a_stage_is_taken_back_before_its_first_result_and_finals_before_their_first_draw() -> None:
    tournament = a_final_of(4)
    start(tournament, 4)
    round_ = finals_actions.draw_next_round(tournament.pk)
    with pytest.raises(WrongState):
        finals_actions.take_back(tournament.pk)
    tournament_play.take_back_round(round_.pk)
    assert not FinalsGame.objects.exists()
    finals_actions.take_back(tournament.pk)
    assert not Finals.objects.exists()
    start(tournament, 2)
    play_stage(tournament)
    with pytest.raises(WrongState):
        tournament_play.take_back_round(Round.objects.get(evening=evening_of(tournament), number=2).pk)


def test_finals_need_all_results_and_keep_the_number_of_rounds() -> None:
    tournament = a_running_tournament(a_club(), units=4, rounds=2)
    with pytest.raises(WrongState, match="0 of 2"):
        start(tournament, 4)
    a_drawn_round(tournament)
    round_ = a_drawn_round(tournament)
    with pytest.raises(WrongState, match="Table 1 of round 1"):
        start(tournament, 4)
    tournament_play.take_back_round(round_.pk)
    played = Round.objects.get(evening=evening_of(tournament))
    for table in played.tables.with_seats():
        enter_by_number(tournament, table)
    for table in a_drawn_round(tournament).tables.with_seats():
        enter_by_number(tournament, table)
    with pytest.raises(WrongState, match="Only 4"):
        start(tournament, 6)
    start(tournament, 4)
    with pytest.raises(WrongState):
        start(tournament, 2)
    with pytest.raises(WrongState, match="The finals have started"):
        a_drawn_round(tournament)
    tournament.rounds = 3
    with pytest.raises(WrongState), tournaments.tournament_lock(tournament.pk):
        tournaments.change(tournament, ["rounds"], now=timezone.now())


def test_without_finals_the_final_ranks_are_those_of_the_ranking() -> None:
    tournament = a_final_of(4)
    assert [(row.rank, row.row) for row in final_ranks(tournament, tournament.season, rows_of(tournament))] == [
        (row.rank, row) for row in rows_of(tournament)
    ]


def test_the_semi_finalists_share_the_third_rank_without_a_match_for_it() -> None:
    tournament = a_final_of(6)
    start(tournament, 4)
    play_stage(tournament)
    play_stage(tournament, upsets=True)
    ranking = [row.unit.number or 0 for row in rows_of(tournament)]
    ranks = ranks_of(tournament)
    assert [rank for rank, _number in ranks] == [1, 2, 3, 3, 5, 6]
    assert [number for _rank, number in ranks] == [ranking[1], ranking[0], *sorted(ranking[2:4]), *ranking[4:]]
