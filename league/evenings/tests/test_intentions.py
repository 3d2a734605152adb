"""A member says whether he comes; check-in has those who do first."""

import threading
from datetime import timedelta

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.actions.attendance import NotOfClub, answer, check_in
from league.actions.merging import merge, undo
from league.actions.refusals import WrongState
from league.actions.seating import add_table
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


def say(client: Client, evening: Evening, comes: str, **more: str) -> int:
    return client.post(reverse("league:evening-answer", args=[evening.pk]), {"comes": comes, **more}).status_code


def test_the_last_answer_stands_and_the_history_has_them_all(client: Client, club: Club, evening: Evening) -> None:
    sign_in(client, member := a_member(club))
    assert [say(client, evening, comes) for comes in ("yes", "yes", "no")] == [302] * 3
    said = Intention.objects.get()
    assert (said.evening, said.player, said.comes) == (evening, member, False)
    assert [event.comes for event in said.events.order_by("pgh_id")] == [True, False]


def test_a_member_goes_on_where_he_was(client: Client, club: Club, evening: Evening) -> None:
    sign_in(client, a_member(club))
    address = reverse("league:evening-answer", args=[evening.pk])
    assert client.post(address, {"comes": "yes", "back": "home"})["Location"] == "/"
    assert client.post(address, {"comes": "yes"})["Location"] == evening.get_absolute_url()


@pytest.mark.parametrize("comes", ["", "perhaps"])
def test_an_answer_that_is_none_is_refused_in_words(client: Client, club: Club, evening: Evening, comes: str) -> None:
    sign_in(client, a_member(club))
    page = client.post(reverse("league:evening-answer", args=[evening.pk]), {"comes": comes}, follow=True)
    assert "Say whether you come or not." in page.content.decode()
    assert not Intention.objects.exists()


def test_nobody_answers_for_an_evening_of_another_club(client: Client, evening: Evening) -> None:
    sign_in(client, stranger := a_member(a_club()))
    assert say(client, evening, "yes") == 404
    Club.objects.update(public=True)
    assert say(client, evening, "yes") == 403
    with pytest.raises(NotOfClub):
        answer(evening.pk, stranger.pk, comes=True)
    assert not Intention.objects.exists()


def test_an_evening_whose_first_table_is_seated_ahead_asks_still(client: Client, club: Club, evening: Evening) -> None:
    players = [a_member(club) for _ in range(4)]
    add_table(evening.pk, 1, [player.pk for player in players], one_rests=False)
    page = sign_in(client, players[0]).get(evening.get_absolute_url())
    assert page.status_code == 200
    assert reverse("league:evening-answer", args=[evening.pk]) in page.content.decode()


def test_an_evening_that_is_over_takes_no_answer(client: Client, club: Club) -> None:
    member = a_member(club)
    closed = an_evening(a_season(club), EveningState.CLOSED)
    with pytest.raises(WrongState):
        answer(closed.pk, member.pk, comes=True)
    ended = an_evening(a_season(club), EveningState.PLANNED)
    ended.season.state = SeasonState.CLOSED
    ended.season.save()
    with pytest.raises(WrongState):
        answer(ended.pk, member.pk, comes=True)
    sign_in(client, member)
    assert say(client, closed, "yes") == 302
    assert not Intention.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_answers_at_the_same_time_are_one_row() -> None:
    club = a_club()
    evening, member = an_evening(a_season(club), EveningState.PLANNED), a_member(club)

    def once() -> None:
        try:
            answer(evening.pk, member.pk, comes=True)
        finally:
            connection.close()

    threads = [threading.Thread(target=once) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Intention.objects.get().comes


def test_check_in_has_those_first_who_come(client: Client, club: Club, evening: Evening) -> None:
    lately, comes, stays = (a_member(club, login=False) for _ in range(3))
    check_in(an_evening(evening.season).pk, [lately.pk])
    answer(evening.pk, comes.pk, comes=True)
    answer(evening.pk, stays.pk, comes=False)
    people = checkin.find(evening, "", checkin.EVERYONE).people
    assert [each.player for each in people][:2] == [comes, lately]
    assert {each.player: each.comes for each in people if each.comes is not None} == {comes: True, stays: False}
    sign_in(client, a_member(club, Role.SECRETARY))
    page = client.get(reverse("league:attendance", args=[evening.pk])).content.decode()
    assert "does not come" in page


def test_of_two_records_of_a_person_the_one_that_comes_stands(club: Club, evening: Evening) -> None:
    kept, gone = (a_member(club, login=False) for _ in range(2))
    other = an_evening(evening.season, EveningState.PLANNED)
    answer(evening.pk, kept.pk, comes=False)
    answer(evening.pk, gone.pk, comes=True)
    answer(other.pk, gone.pk, comes=False)
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    assert {said.evening: said.comes for said in kept.intentions.all()} == {evening: True, other: False}
    undo(made.pk, now=NOW)
    assert {said.evening: said.comes for said in kept.intentions.all()} == {evening: False}
    assert {said.evening: said.comes for said in gone.intentions.all()} == {evening: True, other: False}


def test_a_draft_announces_nothing_and_asks_nobody(client: Client, club: Club) -> None:
    member = a_member(club)
    draft = an_evening(a_season(club, state=SeasonState.DRAFT), EveningState.PLANNED, on=TODAY + timedelta(days=1))
    with pytest.raises(WrongState):
        answer(draft.pk, member.pk, comes=True)
    real = an_evening(a_season(club), EveningState.PLANNED, on=TODAY + timedelta(days=8))
    with time_machine.travel(NOW):
        assert sign_in(client, member).get(club.get_absolute_url()).context["next"].evening == real
