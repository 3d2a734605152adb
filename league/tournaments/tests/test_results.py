"""The page that stores the results of a round: errors, absent units, warnings, and two users at once."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import tournament_play
from league.models import Round, Table, Tournament
from league.models.rights import Role
from league.tournaments.tests.test_play import enter
from tests.build import a_club, a_deal, a_drawn_round, a_member, a_running_tournament, sign_in
from tests.markup import unbroken

pytestmark = pytest.mark.django_db


def page_of(client: Client, tournament: Tournament, round_: Round) -> str:
    """Sign in as a secretary of the club, and return the address of the round's results."""
    sign_in(client, a_member(tournament.club, Role.SECRETARY))
    return reverse("league:tournament-results", args=[round_.pk])


def two_drawn_tables(client: Client) -> tuple[str, Table, Table]:
    """Return the address of the results of a round of four pairs, and the round's tables."""
    tournament = a_running_tournament(a_club(), units=4)
    round_ = a_drawn_round(tournament)
    first, second = round_.tables.all()
    return page_of(client, tournament, round_), first, second


def filled(client: Client, page: str) -> dict[str, Any]:
    """Return the values of the form as the page shows it."""
    form = client.get(page).context["form"]
    return {name: form[name].value() for name in form.fields if form[name].value() is not None}


def typed(table: Table, *totals: object) -> dict[str, Any]:
    """Return the totals of a table as form values, by side."""
    return {f"total_{table.pk}_{number}": total for number, total in enumerate(totals)}


def stored(table: Table) -> list[int | None]:
    """Return the stored totals of a table, by seat."""
    return list(table.seats.order_by("number").values_list("written", flat=True))


@pytest.mark.parametrize(
    ("totals", "side", "error"),
    [
        (("1000", ""), 1, "The total of this side is missing."),
        (("1000", "x"), 1, "Enter a whole number."),
        (("9000", "944"), 0, "9,944"),
    ],
)
def test_a_wrong_total_stores_no_table_of_the_page(
    client: Client, totals: tuple[str, str], side: int, error: str
) -> None:
    """Else the secretary would have to find out which of the tables are stored."""
    page, first, second = two_drawn_tables(client)
    answer = client.post(page, filled(client, page) | typed(first, 1200, 744) | typed(second, *totals))
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [f"total_{second.pk}_{side}"]
    assert error in unbroken(answer)
    assert (stored(first), stored(second)) == ([None] * 4, [None] * 4)


def test_an_unlikely_sum_is_stored_if_it_is_sent_again_unchanged(client: Client) -> None:
    """A sum that 12 deals of belote do not have is nearly always a wrong total; but the paper may say so."""
    tournament = a_running_tournament(a_club(), units=2)
    round_ = a_drawn_round(tournament)
    table = round_.tables.get()
    page = page_of(client, tournament, round_)
    refused = client.post(page, filled(client, page) | typed(table, 1000, 945))
    assert (refused.status_code, stored(table)) == (422, [None] * 4)
    assert "Store it again if the sheet says so." in unbroken(refused)
    form = refused.context["form"]
    again = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    assert client.post(page, again | typed(table, 1000, 946)).status_code == 422, "other totals are a new question"
    assert client.post(page, again).status_code == 302
    assert stored(table) == [1000, 945, 1000, 945]


def test_a_unit_is_marked_absent_without_totals_and_is_shown_as_absent(client: Client) -> None:
    tournament = a_running_tournament(a_club(), units=2, forfeit_points=1100)
    round_ = a_drawn_round(tournament)
    table = round_.tables.get()
    absent = tournament.units.all()[0]
    page = page_of(client, tournament, round_)
    answer = client.post(page, filled(client, page) | {f"absent_{table.pk}": [absent.pk]}, follow=True)
    text = unbroken(answer)
    assert ("1 table is stored." in text, f"{absent.number}: absent" in text) == (True, True)
    assert list(table.forfeits.values_list("unit", flat=True)) == [absent.pk]
    client.post(page, filled(client, page) | {f"absent_{table.pk}": []})
    assert not table.forfeits.exists()


def test_a_late_absence_shows_the_ranks_it_changes_before_it_is_stored(client: Client) -> None:
    """A later round is drawn by the ranks: an absence is a correction as much as a total is."""
    tournament = a_running_tournament(a_club(), units=2, forfeit_points=1100)
    round_ = a_drawn_round(tournament)
    table = round_.tables.get()
    first, second = tournament.units.order_by("number")
    tournament_play.set_forfeits(table.pk, [first.pk])
    a_drawn_round(tournament)
    page = page_of(client, tournament, round_)
    answer = client.post(page, filled(client, page) | {f"absent_{table.pk}": [second.pk]})
    assert answer.status_code == 422
    assert [(row.before, row.after) for row in answer.context["changed_ranks"]] == [(2, 1), (1, 2)]
    assert list(table.forfeits.values_list("unit", flat=True)) == [first.pk]
    form = answer.context["form"]
    confirmed = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    assert client.post(page, confirmed).status_code == 302
    assert list(table.forfeits.values_list("unit", flat=True)) == [second.pk]


def test_a_stored_total_is_changed_but_not_deleted(client: Client) -> None:
    tournament = a_running_tournament(a_club(), units=2)
    round_ = a_drawn_round(tournament)
    table = round_.tables.get()
    enter(table, 1200, 744)
    page = page_of(client, tournament, round_)
    answer = client.post(page, filled(client, page) | typed(table, "", ""))
    assert (answer.status_code, stored(table)) == (422, [1200, 744] * 2)
    assert "A stored total can be changed, not deleted." in unbroken(answer)
    assert client.post(page, filled(client, page) | typed(table, 1000, 944)).status_code == 302
    assert stored(table) == [1000, 944] * 2


def test_totals_of_another_user_are_not_replaced_by_an_older_page(client: Client) -> None:
    page, first, second = two_drawn_tables(client)
    old_page = filled(client, page)
    enter(second, 1200, 744)
    answer = client.post(page, old_page | typed(first, 1000, 944) | typed(second, 1000, 944))
    assert answer.status_code == 422
    assert "Someone else changed this table meanwhile." in unbroken(answer)
    assert (stored(first), stored(second)) == ([None] * 4, [1200, 744] * 2)


def test_results_are_refused_if_the_tournament_was_finished_meanwhile(client: Client) -> None:
    tournament = a_running_tournament(a_club(), units=2)
    round_ = a_drawn_round(tournament)
    table = round_.tables.get()
    enter(table, 1200, 744)
    page = page_of(client, tournament, round_)
    values = filled(client, page)
    tournament_play.finish(tournament.pk, now=timezone.now())
    absent = tournament.units.all()[0]
    answers = [
        client.post(page, values | typed(table, 1000, 944)),
        client.post(page, values | {f"absent_{table.pk}": [absent.pk]}),
    ]
    assert [answer.status_code for answer in answers] == [422, 422]
    assert all(answer.context["form"].non_field_errors() for answer in answers)
    assert (stored(table), table.forfeits.exists()) == ([1200, 744] * 2, False)


def test_without_a_fixed_number_of_deals_each_table_has_its_own(client: Client) -> None:
    tournament = a_running_tournament(a_club(), units=2, deals=None, minutes=40)
    round_ = a_drawn_round(tournament)
    table = round_.tables.get()
    page = page_of(client, tournament, round_)
    values = filled(client, page) | typed(table, 1000, 944)
    assert client.post(page, values | {f"deals_{table.pk}": "0"}).status_code == 422
    assert stored(table) == [None] * 4
    assert client.post(page, values | {f"deals_{table.pk}": "12"}).status_code == 302
    table.refresh_from_db()
    assert (stored(table), table.deals) == ([1000, 944] * 2, 12)


def test_a_table_that_another_user_entered_does_not_stop_the_entry_of_the_next(client: Client) -> None:
    """The older page has empty fields for it, which look like deleted totals."""
    page, first, second = two_drawn_tables(client)
    old_page = filled(client, page)
    enter(second, 1200, 744)
    assert client.post(page, old_page | typed(first, 1000, 944)).status_code == 302
    assert (stored(first), stored(second)) == ([1000, 944] * 2, [1200, 744] * 2)


def test_an_absence_that_another_user_stored_is_not_deleted_by_an_older_page(client: Client) -> None:
    page, first, second = two_drawn_tables(client)
    tournament = Tournament.objects.get()
    old_page = filled(client, page)
    absent = tournament.units.get(players__player=second.seats.all()[0].player_id)
    tournament_play.set_forfeits(second.pk, [absent.pk])
    assert client.post(page, old_page | typed(first, 1000, 944)).status_code == 302
    assert (stored(first), second.forfeits.count()) == ([1000, 944] * 2, 1)
    answer = client.post(page, old_page | {f"absent_{second.pk}": []} | typed(second, 1000, 944))
    assert (answer.status_code, second.forfeits.count()) == (302, 1)
    other = tournament.units.get(players__player=second.seats.all()[1].player_id)
    answer = client.post(page, old_page | {f"absent_{second.pk}": [other.pk]})
    assert answer.status_code == 422
    assert "Someone else changed this table meanwhile." in unbroken(answer)
    assert list(second.forfeits.values_list("unit", flat=True)) == [absent.pk]


def test_totals_of_a_table_whose_deals_are_recorded_meanwhile_are_not_lost_unseen(client: Client) -> None:
    """They were dropped without a word. The page shows them, and stores the other tables when it is sent again."""
    page, first, second = two_drawn_tables(client)
    values = filled(client, page) | typed(first, 1000, 944)
    a_deal(second, {"taker": 0, "points": 60, "last_trick": "attack"})
    answer = client.post(page, values | typed(second, 1200, 744))
    assert answer.status_code == 422
    assert f"Table {second.number} has deals now, so its totals are not stored: 1200, 744." in unbroken(answer)
    assert stored(first) == [None] * 4
    assert client.post(page, values).status_code == 302
    assert stored(first) == [1000, 944] * 2
