"""A member contests a deal while it may still change, and gets an answer."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from league.actions import contests as contests_actions
from league.actions import deals, evenings
from league.actions.refusals import WrongState
from league.models import Contest, Deal, Season
from league.models.rights import Role
from league.models.season import SeasonState
from players.models import Player
from tests.build import NOW, a_club, a_deal, a_member, a_season, a_table, a_user, an_evening, sign_in
from tests.markup import unbroken

pytestmark = pytest.mark.django_db


@pytest.fixture
def deal() -> Deal:
    return a_deal(a_table(an_evening(a_season(a_club(), contest_hours=24, end_number=1))))


@pytest.fixture
def member(deal: Deal) -> Player:
    return a_member(deal.table.round.evening.season.club)


def contested(deal: Deal, member: Player, reason: str = "It was 34", now: datetime = NOW) -> Contest:
    return contests_actions.record_contest(deal.pk, player_id=member.pk, reason=reason, now=now)


def address(deal: Deal) -> str:
    return reverse("league:deal-contest", args=[deal.pk])


def test_sent_twice_it_is_raised_once(deal: Deal, member: Player) -> None:
    assert contested(deal, member) == contested(deal, member)
    assert contested(deal, a_member(deal.table.round.evening.season.club)).pk != contested(deal, member).pk


def test_once_answered_it_may_be_contested_again(deal: Deal, member: Player) -> None:
    first = contested(deal, member)
    contests_actions.answer_contest(first.pk, answer="The sheet says 43.", by=a_user(), now=NOW)
    second_contest = contested(deal, member, "Look again")
    assert second_contest != first
    first.refresh_from_db()
    assert (first.reason, first.answer) == ("It was 34", "The sheet says 43.")


def test_it_ends_when_the_results_are_final(deal: Deal, member: Player) -> None:
    evening = evenings.close(deal.table.round.evening_id, now=NOW)
    final = NOW + timedelta(hours=24)
    assert evening.final_at == final
    other_member = a_member(evening.season.club)
    contested(deal, other_member, now=final - timedelta(seconds=1))
    with pytest.raises(WrongState, match="final"):
        contested(deal, member, now=final)
    assert contested(deal, other_member, now=final).pk  # the waiting contest, returned again


@pytest.mark.parametrize("undone", ["voided", "cancelled", "season closed"])
def test_what_counts_for_nothing_or_stands_is_not_contested(deal: Deal, member: Player, undone: str) -> None:
    evening = deal.table.round.evening
    if undone == "voided":
        deals.void(deal.pk, client_key=uuid4(), seen_version=1, now=NOW)
    elif undone == "cancelled":
        evenings.cancel(evening.pk)
    else:
        Season.objects.filter(pk=evening.season_id).update(state=SeasonState.CLOSED)
    with pytest.raises(WrongState):
        contested(deal, member)


def test_an_answer_is_given_once(deal: Deal, member: Player) -> None:
    waiting = contested(deal, member)
    late = NOW + timedelta(days=30)  # long after the results are final a contest is still answered
    first = contests_actions.answer_contest(waiting.pk, answer="Revised. ", by=a_user(), now=late)
    again = contests_actions.answer_contest(waiting.pk, answer="Revised.", by=a_user(), now=NOW)
    assert (again.answer, again.answered_by) == ("Revised.", first.answered_by)
    with pytest.raises(WrongState, match="Revised"):
        contests_actions.answer_contest(waiting.pk, answer="No.", by=a_user(), now=NOW)


def test_a_member_contests_and_reads_the_answer(client: Client, deal: Deal, member: Player) -> None:
    sign_in(client, member)
    evening = deal.table.round.evening
    assert address(deal) in client.get(deal.get_absolute_url()).content.decode()
    assert client.post(address(deal), {"reason": "  "}).status_code == 422
    html = client.post(address(deal), {"reason": "It was 34"}, follow=True).content.decode()
    assert "The deal is contested." in html
    assert "Waits for an answer" in html
    again = client.post(address(deal), {"reason": "34, I am sure"}, follow=True).content.decode()
    assert "contested this deal already" in again

    secretary = sign_in(Client(), a_member(evening.season.club, Role.SECRETARY))
    contests = reverse("league:contests", args=[evening.pk])
    answering = reverse("league:contest-answer", args=[Contest.objects.get().pk])
    assert answering in secretary.get(contests).content.decode()
    club = evening.season.club
    waiting = reverse("league:contests-waiting", args=[club.slug])
    assert waiting in secretary.get(club.get_absolute_url()).content.decode()
    assert answering in secretary.get(waiting).content.decode()
    assert reverse("league:deal-revise", args=[deal.pk]) in secretary.get(answering).content.decode()
    assert secretary.post(answering, {"answer": ""}).status_code == 422
    secretary.post(answering, {"answer": "You are right, revised."})

    assert "You are right, revised." in client.get(deal.get_absolute_url()).content.decode()
    assert "You are right, revised." in client.get(contests).content.decode()
    assert answering not in secretary.get(waiting).content.decode()


def test_words_that_come_too_late_are_refused_and_kept(client: Client, deal: Deal, member: Player) -> None:
    waiting = contested(deal, member)
    evening = evenings.close(deal.table.round.evening_id, now=NOW)
    other, secretary = a_member(evening.season.club), a_member(evening.season.club, Role.SECRETARY)
    contests_actions.answer_contest(waiting.pk, answer="It was 43.", by=a_user(), now=NOW)
    for player, url, words, error in (
        (other, address(deal), {"reason": "It was 25"}, "final: its deals can no longer be contested"),
        (
            secretary,
            reverse("league:contest-answer", args=[waiting.pk]),
            {"answer": "It was 52"},
            "answered meanwhile",
        ),
    ):
        with time_machine.travel(NOW + timedelta(days=30), tick=False):
            sign_in(client, player)
            answer = client.post(url, words)
        assert answer.status_code == 422
        assert error in answer.content.decode()
        assert all(word in answer.content.decode() for word in words.values())


def test_the_evenings_page_fetches_the_contests_that_its_reader_may_see(
    client: Client, deal: Deal, member: Player
) -> None:
    contested(deal, member)
    evening = deal.table.round.evening
    contests = reverse("league:contests", args=[evening.pk])
    sign_in(client, member)
    assert contests in client.get(evening.get_absolute_url()).content.decode()
    assert "It was 34" in client.get(contests, headers={"HX-Request": "true"}).content.decode()
    sign_in(client, a_member(evening.season.club))
    assert client.get(contests, headers={"HX-Request": "true"}).content.strip() == b""
    assert "You contested no deal" in client.get(contests).content.decode()


def test_only_members_contest(client: Client, deal: Deal) -> None:
    club = deal.table.round.evening.season.club
    guest = a_member(club, Role.GUEST)
    seat = deal.table.seats.all()[0]
    type(seat).objects.filter(pk=seat.pk).update(player=guest)
    assert sign_in(client, guest).get(deal.get_absolute_url()).status_code == 200
    assert client.post(address(deal), {"reason": "No"}).status_code == 403
    assert sign_in(client, a_member(a_club())).post(address(deal), {"reason": "No"}).status_code == 404
    assert not Contest.objects.exists()


def test_pages_say_until_when_results_are_provisional_in_the_clubs_time(client: Client) -> None:
    season = a_season(a_club(time_zone="Asia/Tokyo", public=True), contest_hours=24)
    evening = an_evening(season)
    deal = a_deal(a_table(evening))
    evenings.close(evening.pk, now=NOW)
    pages = (evening.get_absolute_url(), season.get_absolute_url())
    with time_machine.travel(NOW, tick=False):
        for page in pages:
            shown = client.get(page).content.decode()
            assert "rovisional" in shown
            assert "until 4 Oct 2026, 6 a.m." in shown  # 21:00 in London, 6:00 in Tokyo
    with time_machine.travel(NOW + timedelta(hours=24), tick=False):
        assert not any("rovisional" in client.get(page).content.decode() for page in pages)
        sign_in(client, a_member(season.club))
        assert "no longer be contested" in client.get(address(deal)).content.decode()
        assert address(deal) not in client.get(deal.get_absolute_url()).content.decode()


def test_homes_tell_of_what_waits_and_of_the_answer(deal: Deal, member: Player) -> None:
    """Whoever records finds how many wait; whoever contested his answer, for a fortnight."""
    club = deal.table.round.evening.season.club
    secretary, other = a_member(club, Role.SECRETARY), a_member(club)
    stranger = a_member(a_club(), Role.SECRETARY)
    raised = contested(deal, member), contested(deal, other, "Look at the dog")

    def home(player: Player) -> str:
        answer = sign_in(Client(), player).get("/")
        assert answer.status_code == 200
        return " ".join(unbroken(answer).split())

    waiting = reverse("league:contests-waiting", args=[club.slug])
    with time_machine.travel(NOW + timedelta(hours=1)):
        assert waiting in home(secretary)
        assert "2 wait for an answer" in home(secretary)
        assert "Contested deals (2)" in unbroken(sign_in(Client(), secretary).get(waiting))
        assert not [each for each in (member, other, stranger) if waiting in home(each)]
        assert "It was 34" in home(member)
        assert "Look at the dog" not in home(member)
        contests_actions.answer_contest(raised[0].pk, answer="The sheet says 43.", by=a_user(), now=NOW)
        assert "1 waits for an answer" in home(secretary)
        assert "The sheet says 43." in home(member)
        assert deal.get_absolute_url() in home(member)
        assert "The sheet says 43." not in home(other)
    with time_machine.travel(NOW + timedelta(days=15)):
        assert "The sheet says 43." not in home(member)
        assert "Look at the dog" in home(other)  # it still waits
