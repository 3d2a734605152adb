"""The form for a tournament round drawn by hand: it stores the typed tables as the planned round, or shows errors."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import tournament_play
from league.models import Tournament
from league.models.rights import Role
from league.models.round import RoundState
from league.tournaments.queries.playing_units import evening_of, playing_units, resting_units, units_at
from tests.build import a_club, a_drawn_round, a_member, a_running_tournament, a_tournament, sign_in, written_totals

pytestmark = pytest.mark.django_db


def address(tournament: Tournament) -> str:
    return reverse("league:tournament-draw-by-hand", args=[tournament.pk])


def secretary(client: Client, tournament: Tournament) -> Client:
    return sign_in(client, a_member(tournament.club, Role.SECRETARY))


def test_the_typed_tables_are_planned_and_can_be_changed_until_the_round_begins(client: Client) -> None:
    tournament = a_running_tournament(a_club(), units=5)
    desk = secretary(client, tournament)
    response = desk.post(address(tournament), {"tables": "1 4\n5-2\n3"})
    assert response["Location"] == reverse("league:tournament-play", args=[tournament.pk])
    round_ = evening_of(tournament).rounds.get()
    by_player = playing_units(tournament, evening_of(tournament)).by_player
    tables = [[unit.number for unit in units_at(table, by_player)] for table in round_.tables.with_seats()]
    assert (round_.state, tables) == (RoundState.PLANNED, [[1, 4], [5, 2]])
    assert [unit.number for unit in resting_units(round_, by_player)] == [3]
    assert desk.get(address(tournament)).context["form"]["tables"].value() == "1 4\n5 2\n3"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("1 2\n3 9", "Line 2: “9” is not the number of a unit that is here."),
        ("1 2\n3 four", "Line 2: “four” is not the number of a unit that is here."),
        ("1 2\n3 1", "Line 2: number 1 has a table already."),
        ("1 2 3\n4", "Line 1 has 3 numbers. A table has two units."),
        ("1 2", "These numbers are missing: 3, 4"),
    ],
)
def test_a_line_that_cannot_be_a_table_is_named_and_what_was_typed_is_kept(
    client: Client, typed: str, message: str
) -> None:
    tournament = a_running_tournament(a_club(), units=4)
    response = secretary(client, tournament).post(address(tournament), {"tables": typed})
    assert (response.status_code, response.context["form"].errors) == (422, {"tables": [message]})
    assert response.context["form"]["tables"].value() == typed
    assert not evening_of(tournament).rounds.exists()


def test_without_a_tournament_that_is_played_the_page_leads_back_with_the_reason(client: Client) -> None:
    tournament = a_tournament(a_club())
    page = secretary(client, tournament).get(address(tournament), follow=True)
    assert page.redirect_chain[0] == (reverse("league:tournament-play", args=[tournament.pk]), 302)
    assert "The tournament is not being played now." in page.content.decode()


def test_tables_of_several_single_players_are_changed_on_the_evenings_page(client: Client) -> None:
    tournament = a_running_tournament(a_club(), units=4, game="tarot", unit_size=1)
    response = secretary(client, tournament).get(address(tournament))
    assert response["Location"] == reverse("league:seating", args=[evening_of(tournament).pk])


def test_a_unit_that_left_meanwhile_is_not_seated(client: Client) -> None:
    """Two users: one types the tables, the other notes that a unit leaves."""
    tournament = a_running_tournament(a_club(), units=4)
    for table in a_drawn_round(tournament).tables.all():
        written_totals(table, [1000, 944] * 2, deals=12)
    desk = secretary(client, tournament)
    desk.get(address(tournament))
    tournament_play.set_leaving(tournament.units.get(number=4).pk, leaves=True)
    response = desk.post(address(tournament), {"tables": "1 2\n3 4"})
    assert response.context["form"].errors == {"tables": ["Line 2: “4” is not the number of a unit that is here."]}
