"""A member answers whether they come; the check-in lists those who come first."""

import threading
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.actions.attendance import NotClubMembers, check_in, record_intention
from league.actions.merging import merge, undo
from league.actions.refusals import WrongState
from league.actions.roles import end_membership
from league.actions.seating import add_table
from league.clubs.queries.member_cards import with_intentions
from league.evenings.queries import checkin
from league.models import Club, Evening, Intention
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState
from tests.build import NOW, TODAY, a_club, a_member, a_season, an_evening, sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def evening(club: Club) -> Evening:
    return an_evening(a_season(club), EveningState.PLANNED)


def post_answer(client: Client, evening: Evening, comes: str, **extra: str) -> int:
    return client.post(reverse("league:evening-answer", args=[evening.pk]), {"comes": comes, **extra}).status_code


def test_the_last_answer_stands_and_the_history_has_them_all(client: Client, club: Club, evening: Evening) -> None:
    sign_in(client, member := a_member(club))
    assert [post_answer(client, evening, comes) for comes in ("yes", "yes", "no")] == [302] * 3
    intention = Intention.objects.get()
    assert (intention.evening, intention.player, intention.comes) == (evening, member, False)
    assert [event.comes for event in intention.events.order_by("pgh_id")] == [True, False]


def test_a_member_goes_on_where_he_was(client: Client, club: Club, evening: Evening) -> None:
    sign_in(client, a_member(club))
    address = reverse("league:evening-answer", args=[evening.pk])
    assert client.post(address, {"comes": "yes", "back": "home"})["Location"] == f"/#comes-{evening.pk}"
    assert client.post(address, {"comes": "yes"})["Location"] == (f"{evening.get_absolute_url()}#comes-{evening.pk}")


@pytest.mark.parametrize("comes", ["", "perhaps"])
def test_an_answer_that_is_none_is_refused_in_words(client: Client, club: Club, evening: Evening, comes: str) -> None:
    sign_in(client, a_member(club))
    page = client.post(reverse("league:evening-answer", args=[evening.pk]), {"comes": comes}, follow=True)
    assert "Say whether you come or not." in page.content.decode()
    assert not Intention.objects.exists()


def test_nobody_answers_for_an_evening_of_another_club(client: Client, evening: Evening) -> None:
    sign_in(client, stranger := a_member(a_club()))
    assert post_answer(client, evening, "yes") == 404
    Club.objects.update(public=True)
    assert post_answer(client, evening, "yes") == 403
    with pytest.raises(NotClubMembers):
        record_intention(evening.pk, stranger.pk, comes=True)
    assert not Intention.objects.exists()


def test_an_evening_whose_first_table_is_seated_ahead_asks_still(client: Client, club: Club, evening: Evening) -> None:
    players = [a_member(club) for _ in range(4)]
    add_table(evening.pk, 1, [player.pk for player in players], with_resting_player=False)
    page = sign_in(client, players[0]).get(evening.get_absolute_url())
    assert page.status_code == 200
    assert reverse("league:evening-answer", args=[evening.pk]) in page.content.decode()


def test_an_evening_that_is_over_takes_no_answer(client: Client, club: Club) -> None:
    member = a_member(club)
    closed = an_evening(a_season(club), EveningState.CLOSED)
    with pytest.raises(WrongState):
        record_intention(closed.pk, member.pk, comes=True)
    past_evening = an_evening(a_season(club), EveningState.PLANNED)
    past_evening.season.state = SeasonState.CLOSED
    past_evening.season.save()
    with pytest.raises(WrongState):
        record_intention(past_evening.pk, member.pk, comes=True)
    sign_in(client, member)
    assert post_answer(client, closed, "yes") == 302
    assert not Intention.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_the_same_time_are_one_row() -> None:
    club = a_club()
    evening, member = an_evening(a_season(club), EveningState.PLANNED), a_member(club)

    def answer_in_thread() -> None:
        try:
            record_intention(evening.pk, member.pk, comes=True)
        finally:
            connection.close()

    threads = [threading.Thread(target=answer_in_thread) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Intention.objects.get().comes


def test_check_in_has_those_first_who_come(client: Client, club: Club, evening: Evening) -> None:
    lately, comes, stays = (a_member(club, login=False) for _ in range(3))
    check_in(an_evening(evening.season).pk, [lately.pk])
    record_intention(evening.pk, comes.pk, comes=True)
    record_intention(evening.pk, stays.pk, comes=False)
    people = checkin.search_people(evening, "", checkin.SHOW_ALL).people
    assert [person.player for person in people][:2] == [comes, lately]
    assert {person.player: person.comes for person in people if person.comes is not None} == {comes: True, stays: False}
    sign_in(client, a_member(club, Role.SECRETARY))
    page = client.get(reverse("league:attendance", args=[evening.pk])).content.decode()
    assert "does not come" in page


def test_of_two_records_of_a_person_the_one_that_comes_stands(club: Club, evening: Evening) -> None:
    surviving, merged = (a_member(club, login=False) for _ in range(2))
    other_evening = an_evening(evening.season, EveningState.PLANNED)
    record_intention(evening.pk, surviving.pk, comes=False)
    record_intention(evening.pk, merged.pk, comes=True)
    record_intention(other_evening.pk, merged.pk, comes=False)
    merge_record = merge(surviving.pk, merged.pk, by=None, now=NOW)
    assert {said.evening: said.comes for said in surviving.intentions.all()} == {evening: True, other_evening: False}
    undo(merge_record.pk, now=NOW)
    assert {said.evening: said.comes for said in surviving.intentions.all()} == {evening: False}
    assert {said.evening: said.comes for said in merged.intentions.all()} == {evening: True, other_evening: False}


def test_a_draft_announces_nothing_and_asks_nobody(client: Client, club: Club) -> None:
    member = a_member(club)
    draft = an_evening(a_season(club, state=SeasonState.DRAFT), EveningState.PLANNED, on=TODAY + timedelta(days=1))
    with pytest.raises(WrongState):
        record_intention(draft.pk, member.pk, comes=True)
    real = an_evening(a_season(club), EveningState.PLANNED, on=TODAY + timedelta(days=8))
    with time_machine.travel(NOW):
        assert sign_in(client, member).get(club.get_absolute_url()).context["next"].evening == real


def test_a_member_who_left_the_club_is_not_counted_as_coming(club: Club, evening: Evening) -> None:
    leaving, staying = a_member(club), a_member(club)
    for player in (leaving, staying):
        record_intention(evening.pk, player.pk, comes=True)
    end_membership(leaving.memberships.get().pk)
    annotated: Any = with_intentions(Evening.objects.filter(pk=evening.pk), staying).get()
    assert (annotated.coming, annotated.comes) == (1, True)
