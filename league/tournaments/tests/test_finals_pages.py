"""The pages of finals: a whole day by the desk's pages, names for visitors, paper and screen."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import strip_tags

from league.actions import finals as finals_actions
from league.actions import totals, tournament_play
from league.models import Evening, FinalsGame, Table, Tournament
from league.models.finals import FinalsKind
from league.models.rights import Role
from league.pairing.finals import MAIN, MatchKey
from league.sheets.queries.consequences import compute_correction_effects
from league.sheets.queries.table_sums import PointsAndDeals
from league.tournaments.queries.hall import hall_pages
from league.tournaments.queries.playing_units import evening_of
from league.tournaments.tests.test_finals import (
    POINTS_OF_A_GAME,
    a_final_of,
    enter_totals,
    play_stage,
    played_rounds,
    revise,
    start,
    state_of,
    win,
)
from league.web.marks import medal
from tests.build import a_club, a_drawn_round, a_member, a_running_tournament, a_tournament, a_unit, sign_in
from tests.markup import unbroken

pytestmark = pytest.mark.django_db


def desk_of(client: Client, tournament: Tournament) -> Client:
    return sign_in(client, a_member(tournament.club, Role.SECRETARY))


def address(tournament: Tournament, name: str = "tournament-finals") -> str:
    return reverse(f"league:{name}", args=[tournament.pk])


def text(client: Client, tournament: Tournament, name: str = "tournament-finals") -> str:
    response = client.get(address(tournament, name))
    assert response.status_code == 200
    return response.content.decode()


def post(client: Client, tournament: Tournament, name: str, values: dict[str, Any] | None = None) -> str:
    response = client.post(address(tournament, name), values or {}, follow=True)
    return response.content.decode()


@pytest.mark.faults
def test_eight_of_75_pairs_play_their_finals_by_the_desks_pages(client: Client) -> None:
    tournament = played_rounds(a_running_tournament(a_club(), units=75, rounds=1))
    desk = desk_of(client, tournament)
    assert "Start the finals" in text(desk, tournament)
    assert 'value="8"' in text(desk, tournament, "finals-start")  # proposed
    choices = {"form": "knockout", "units": 8, "third_place": "on", "consolation": "on"}
    page = post(desk, tournament, "finals-start", choices)
    assert "Quarter-finals" in page
    for tables in (4, 4, 3):
        page = post(desk, tournament, "finals-draw")
        assert f"{tables} tables have no result yet." in page
        assert "Draw the next tables" not in page
        for game in state_of(tournament).undecided_games:
            win(game, min(game.seeds))
    page = text(desk, tournament)
    assert "The finals are over." in page
    labels = [f'<li><span class="place">{medal(rank)}</span>' for rank in (1, 2, 3, 4)]
    assert all(label in unbroken(page) for label in labels)


def test_five_of_61_players_play_a_final_table_by_the_desks_pages(client: Client) -> None:
    fields: dict[str, Any] = {"game": "tarot", "unit_size": 1, "deals": 4, "exempt_points": 0, "rounds": 1}
    tournament = a_running_tournament(a_club(), units=61, **fields)
    for table in a_drawn_round(tournament).tables.with_seats():
        enter_totals(table, [40 - 10 * index for index in range(table.size)])
    desk = desk_of(client, tournament)
    page = text(desk, tournament, "finals-start")
    assert 'value="5"' in page
    assert "knockout" not in page
    response = desk.post(address(tournament, "finals-start"), {"form": "table", "units": 9})
    assert response.status_code == 422
    assert "no table of this size" in response.content.decode()
    post(desk, tournament, "finals-start", {"form": "table", "units": 5})
    assert "1 table has no result yet." in post(desk, tournament, "finals-draw")
    game = state_of(tournament).final_table
    assert game is not None
    enter_totals(game.table, [-10, 70, -20, -30, -10])
    winner = state_of(tournament).units[2].unit
    first_row = rf"{medal(1)}</span><span>Visitor \d+<small>no\. {winner.number}</small></span>"
    assert re.search(first_row, unbroken(text(desk, tournament)))


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"form": "knockout", "units": 40}, "40 is too high: at most 32."),
        ({"form": "pools", "units": 6}, "Pools of four need"),
        ({"form": "knockout", "units": 3, "third_place": "on"}, "needs semi-finals"),
        ({"form": "knockout", "units": 4, "consolation": "on"}, "choose that match"),
        ({"form": "table", "units": 4}, "Select a valid choice"),
        ({"form": "knockout", "units": 8}, "Only 6 units are present."),
    ],
)
def test_impossible_finals_are_refused_with_the_reason(client: Client, choices: dict[str, Any], message: str) -> None:
    tournament = a_final_of(6)
    response = desk_of(client, tournament).post(address(tournament, "finals-start"), choices)
    assert response.status_code == 422
    assert message in response.content.decode()


def test_a_tie_is_decided_on_the_page(client: Client) -> None:
    tournament = a_final_of(4)
    start(tournament, 2)
    finals_actions.draw_next_round(tournament.pk)
    [game] = state_of(tournament).undecided_games
    win(game, 1, POINTS_OF_A_GAME // 2)
    desk = desk_of(client, tournament)
    assert "Who goes on?" in text(desk, tournament)
    assert desk.post(address(tournament, "finals-decide"), {"game": "x"}).status_code == 404
    page = post(desk, tournament, "finals-decide", {"game": game.row.pk, "seed": 2})
    assert "The decision is stored." in page
    assert FinalsGame.objects.get().decided_for == state_of(tournament).units[2]
    assert state_of(tournament).rank_groups == [[2], [1]]


def test_a_correction_is_shown_with_its_consequences_before_seats_change(client: Client) -> None:
    tournament = a_final_of(4)
    start(tournament, 4)
    play_stage(tournament)
    finals_actions.draw_next_round(tournament.pk)
    revise(tournament, state_of(tournament).games[MatchKey(MAIN, 1, 0)][0], 4)
    desk = desk_of(client, tournament)
    page = text(desk, tournament)
    assert "A result was corrected after the next match was drawn:" in page
    assert "Nothing is entered there: the seats can change." in page
    assert set(state_of(tournament).matches[-1].units) == {1, 2}
    assert "1 table has other units now." in post(desk, tournament, "finals-seats")
    assert set(state_of(tournament).matches[-1].units) == {4, 2}


def test_a_correction_of_a_rounds_results_shows_the_matches_it_changes_before_it_is_stored(client: Client) -> None:
    tournament = a_final_of(4)
    start(tournament, 4)
    played = play_stage(tournament)
    finals_actions.draw_next_round(tournament.pk)
    desk = desk_of(client, tournament)
    address_of_results = reverse("league:tournament-results", args=[played.pk])
    form = desk.get(address_of_results).context["form"]
    values = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    first = state_of(tournament).games[MatchKey(MAIN, 1, 0)][0]
    sheet = next(sheet for sheet in form.sheets if sheet.table.pk == first.table.pk)
    points = [944, 1000] if first.seeds[0] == 1 else [1000, 944]
    values |= {side.field: total for side, total in zip(sheet.sides, points, strict=True)}
    page = desk.post(address_of_results, values).content.decode()
    units = {seed: state_of(tournament).units[seed].unit for seed in (1, 4)}
    assert f"Final, Table 1: {units[4].number} " in " ".join(page.split())
    assert "Nothing is entered there: the seats can change." in page
    assert not state_of(tournament).misseated_matches


def test_a_corrected_deal_shows_the_matches_it_changes_in_its_preview(client: Client) -> None:
    tournament = a_final_of(4)
    start(tournament, 4)
    play_stage(tournament)
    finals_actions.draw_next_round(tournament.pk)
    table = state_of(tournament).games[MatchKey(MAIN, 1, 0)][0].table
    evening = evening_of(tournament)
    sums = {seat: PointsAndDeals([944, 1000][seat % 2], 12) for seat in range(4)}
    if state_of(tournament).games[MatchKey(MAIN, 1, 0)][0].seeds[0] == 4:
        sums = {seat: PointsAndDeals([1000, 944][seat % 2], 12) for seat in range(4)}
    version = Table.objects.get(pk=table.pk).version

    def change() -> object:
        return totals.record(
            table.pk, sums, client_key=uuid4(), seen_version=version, now=timezone.now(), reason="written wrongly"
        )

    effects = compute_correction_effects(evening, [table.pk], change)
    assert [(row.title, row.table.number, row.can_change) for row in effects.finals] == [("Final", 1, True)]
    assert not state_of(tournament).misseated_matches


def test_tables_and_finals_are_taken_back_on_the_page(client: Client) -> None:
    tournament = a_final_of(4)
    desk = desk_of(client, tournament)
    start(tournament, 4)
    post(desk, tournament, "finals-draw")
    assert "The tables are taken back." in post(desk, tournament, "finals-take-back")
    assert "The finals are taken back." in post(desk, tournament, "finals-take-back")
    assert "The finals have not started." in post(desk, tournament, "finals-draw")


def test_the_filled_button_of_the_day_leads_through_the_finals_to_the_end(client: Client) -> None:
    tournament = a_running_tournament(a_club(), units=4, rounds=1)
    desk = desk_of(client, tournament)

    def next_step() -> str:
        return str(desk.get(address(tournament, "tournament-play")).context["next_step"])

    assert next_step() == "draw"
    assert played_rounds(tournament)
    assert next_step() == "finish"
    start(tournament, 2)
    assert next_step() == "finals"
    post(desk, tournament, "finals-draw")
    assert next_step() == "", "a result is missing"
    [game] = state_of(tournament).undecided_games
    assert reverse("league:tournament-results", args=[game.table.round_id]) in text(desk, tournament)
    win(game, 1)
    assert next_step() == "finish"
    assert "Take back the last tables" not in text(desk, tournament), "the action refuses it by now"


def test_the_ranking_begins_with_the_ranks_after_the_finals(client: Client) -> None:
    """The winner of the final is second in the ranking of the rounds."""
    tournament = a_running_tournament(a_club(), units=4, rounds=1)
    desk = desk_of(client, tournament)
    played_rounds(tournament)
    start(tournament, 2)
    post(desk, tournament, "finals-draw")
    win(state_of(tournament).undecided_games[0], 2)

    def ranks() -> list[list[str]]:
        lines = desk.get(address(tournament, "tournament-ranking-csv")).content.decode().splitlines()
        return [line.split(";" if ";" in line else ",")[:2] for line in lines[1:]]

    assert [row[0] for row in ranks()] == ["1", "2", "3", "4"]
    post(desk, tournament, "tournament-finish")
    assert [row[:2] for row in ranks()] == [["1", "2"], ["2", "1"], ["3", "3"], ["4", "4"]]
    winner = state_of(tournament).units[2].unit
    for name in ("tournament-ranking", "tournament-ranking-paper"):
        first_row = text(desk, tournament, name).split("<tbody>")[1].split("</tr>")[0]
        assert "Final rank" in text(desk, tournament, name)
        assert f'<td class="rank">1</td> <td class="num">{winner.number}</td>' in " ".join(first_row.split())
    pages = hall_pages(evening_of(tournament))
    assert pages[0].columns[0][0].number == winner.number


def test_the_code_of_the_halls_screen_works_after_the_end(client: Client) -> None:
    """The projector is started again for the prizes, which are given after the end."""
    tournament = played_rounds(a_running_tournament(a_club(), units=4, rounds=1))
    desk, evening = desk_of(client, tournament), evening_of(tournament)
    page = desk.get(reverse("league:screen-addresses", args=[evening.pk])).content.decode()
    typed = strip_tags(page).split("http://testserver/screen/")[1][:8]
    post(desk, tournament, "tournament-finish")
    assert reverse("league:screen-addresses", args=[evening.pk]) in text(desk, tournament, "tournament-play")
    screen = Client().get(reverse("league:screen", args=[typed]))
    assert "The tournament is finished" in screen.content.decode()
    Evening.objects.filter(pk=evening.pk).update(opened_at=timezone.now() - timedelta(days=1))
    assert Client().get(reverse("league:screen", args=[typed])).status_code == 404


def test_visitors_read_numbers_and_the_names_of_those_who_agreed(client: Client) -> None:
    fields: dict[str, Any] = {"game": "belote", "places": 9, "date": timezone.localdate(), "rounds": 1, "deals": 12}
    tournament = a_tournament(a_club(), public=True, **fields)
    a_unit(tournament)
    a_unit(tournament, "Eve Public", "Adam Public", names_public=True)
    tournament_play.start(tournament.pk, now=timezone.now())
    tournament_play.check_in(tournament.pk, list(tournament.units.values_list("pk", flat=True)))
    played_rounds(tournament)
    start(tournament, 2)
    unnamed = tournament.units.get(number=1)
    for name in ("tournament-finals", "finals-screen"):
        page = text(client, tournament, name)
        assert "2 Eve Public – Adam Public" in page
        assert "Number 1" in page
        assert all(member.name not in page for member in unnamed.members)
        assert "For the desk" not in page


@pytest.mark.parametrize("kind", [FinalsKind.KNOCKOUT, FinalsKind.POOLS])
def test_paper_and_screen_have_each_unit_and_the_matches_as_text(client: Client, kind: str) -> None:
    tournament = a_final_of(8)
    start(tournament, 8, kind, consolation=True)
    play_stage(tournament)
    desk = desk_of(client, tournament)
    numbers = [row.unit.number for row in state_of(tournament).units.values()]
    for name in ("finals-paper", "finals-screen"):
        page = text(desk, tournament, name)
        assert "<svg" in page
        assert "Consolation draw" in page
        assert all(f"{number} " in page for number in numbers)


def test_a_bracket_of_32_is_drawn_in_three_parts(client: Client) -> None:
    tournament = a_final_of(32)
    start(tournament, 32)
    page = text(desk_of(client, tournament), tournament, "finals-paper")
    assert page.count('<svg class="bracket"') == 3
    assert "Main draw: upper half" in page
    assert "Last thirty-two" in page
