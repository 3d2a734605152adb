"""The same form sent twice at once, by an impatient finger: one person, one login, one season comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import pytest
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from league.actions import evenings, people
from league.actions.attendance import check_in
from league.actions.merging import CannotMerge, merge
from league.actions.refusals import WrongState
from league.actions.rounds import swap_players, swap_players_of_tables
from league.models import Club, Contest, Deal, Merge, Season
from league.models.rights import Role
from league.operations.work.verification import verify
from players.models import Player, User
from tests.build import NOW, a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in

TIMES = 4

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def club() -> Club:
    return a_club()


def sent(clients: list[Client], address: str, typed: Mapping[str, Any]) -> list[int]:
    """Return the answers' statuses when every client posts the form at the same moment."""
    start = Barrier(len(clients))

    def post(client: Client) -> int:
        start.wait()
        try:
            return client.post(address, typed).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(clients)) as pool:
        return sorted(pool.map(post, clients))


def browsers(player: Player) -> list[Client]:
    return [sign_in(Client(), player) for _ in range(TIMES)]


def test_a_member_is_added_once(club: Club) -> None:
    typed = {"given_name": "Marguerite", "family_name": "Yourcenar", "role": Role.MEMBER}
    statuses = sent(browsers(a_member(club, Role.ADMIN)), reverse("league:member-add", args=[club.slug]), typed)

    assert statuses == [302, 422, 422, 422]  # the others are asked whether this is another person
    assert Player.objects.filter(family_name="Yourcenar").count() == 1


def test_a_guest_is_checked_in_once(club: Club) -> None:
    evening = an_evening(a_season(club))
    address = reverse("league:attendance-add", args=[evening.pk])
    assert sent(browsers(a_member(club, Role.SECRETARY)), address, {"name": "Blaise Cendrars"}) == [302, 422, 422, 422]
    assert evening.attendances.count() == 1


def test_a_season_is_founded_once(club: Club) -> None:
    typed = {"name": "Winter", "table_sizes": ["4"], "end": "deals", "end_number": "5", "contest_hours": "24"}
    typed |= {"rounds": "5", "draw": "meet", "leavers": "last", "rest_score": "none"}
    address = reverse("league:season-found", args=[club.slug], query={"game": "tarot"})
    assert sent(browsers(a_member(club, Role.ADMIN)), address, typed) == [302, 422, 422, 422]
    assert Season.objects.count() == 1


def test_a_login_is_made_once_with_its_player() -> None:
    typed = {"email": "twice@club.example", "password1": "a-long-enough-password", "given_name": "Twice"}
    statuses = sent([Client() for _ in range(TIMES)], reverse("account_signup"), typed)

    assert set(statuses) <= {200, 302}
    assert User.objects.get().player.given_name == "Twice"


def test_a_login_without_a_player_joins_once(club: Club) -> None:
    user = User.objects.create_user("alone@club.example")
    start = Barrier(TIMES)

    def join(_turn: int) -> int:
        start.wait()
        try:
            return people.join_club(club, user).pk
        finally:
            connection.close()

    with ThreadPoolExecutor(TIMES) as pool:
        assert len(set(pool.map(join, range(TIMES)))) == 1
    assert Player.objects.filter(user=user).count() == 1


def at_once(*acts: Callable[[], object]) -> list[object]:
    """Return what each act, all at the same moment, gave or raised."""
    start = Barrier(len(acts))

    def outcome(act: Callable[[], object]) -> object:
        start.wait()
        try:
            return act()
        except (WrongState, CannotMerge) as refused:
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(outcome, acts))


def test_two_records_that_cross_are_joined_one_way(club: Club) -> None:
    first, second = a_member(club, login=False).pk, a_member(club, login=False).pk
    evening = an_evening(a_season(club))
    check_in(evening.pk, [first, second])
    at_once(*(partial(merge, *ends, by=None, now=NOW) for ends in [(first, second), (second, first)] * 2))
    assert Merge.objects.count() == 1
    assert evening.attendances.get().player_id == Merge.objects.get().kept_id
    assert list(verify()) == []


def test_who_is_joined_and_seated_at_once_sits_under_one_record(club: Club) -> None:
    kept_player, merged_player = a_member(club, login=False), a_member(club, login=False)
    table = a_table(an_evening(a_season(club)), [merged_player, *(a_member(club, login=False) for _ in range(3))])
    neighbours = [seat.player_id for seat in table.seats.all()][1:]
    at_once(
        partial(merge, kept_player.pk, merged_player.pk, by=None, now=NOW),
        partial(swap_players, table.round_id, neighbours[0], neighbours[1], now=NOW),
        partial(swap_players, table.round_id, neighbours[1], neighbours[2], now=NOW),
    )
    assert kept_player.seats.count() == 1
    assert not merged_player.seats.exists()


def test_a_check_in_is_taken_back_once(club: Club) -> None:
    evening = an_evening(a_season(club))
    [row] = check_in(evening.pk, [a_member(club, login=False).pk])
    statuses = sent(browsers(a_member(club, Role.SECRETARY)), reverse("league:attendance-remove", args=[row.pk]), {})
    assert set(statuses) <= {302, 404}
    assert not evening.attendances.exists()


def test_a_round_is_accepted_drawn_and_left_by_someone_at_once(club: Club) -> None:
    evening = an_evening(a_season(club, rounds=2))
    rows = check_in(evening.pk, [a_member(club, login=False).pk for _ in range(9)])
    secretary = a_member(club, Role.SECRETARY)
    draw = reverse("league:draw", args=[evening.pk])
    sign_in(Client(), secretary).post(draw, {"rounds": 2})
    first = evening.rounds.all()[0]
    accept, redraw = (reverse(f"league:round-{name}", args=[first.pk]) for name in ("accept", "again"))
    leave = reverse("league:attendance-remove", args=[rows[0].pk])
    posts = [
        partial(sign_in(Client(), secretary).post, address, {"rounds": 2}) for address in (draw, accept, redraw, leave)
    ]
    for answer in at_once(*posts):
        assert isinstance(answer, HttpResponse)
        assert answer.status_code in (200, 302, 404)  # the page of an outdated draw shows a message
    present = set(evening.attendances.values_list("player_id", flat=True))
    assert {seat.player_id for round_ in evening.rounds.all() for seat in round_.seats.all()} <= present
    assert list(verify()) == []


def test_deals_are_recorded_while_people_and_tables_change_places(club: Club) -> None:
    first_table = a_table(an_evening(a_season(club)))
    second_table = a_table(first_table.round.evening)
    players = [table.seats.all()[0].player_id for table in (first_table, second_table)]
    outcomes = at_once(
        *(partial(a_deal, table) for table in (first_table, second_table) * 2),
        partial(swap_players, first_table.round_id, *players, now=NOW, reason="mixed up"),
        partial(swap_players_of_tables, first_table.pk, second_table.pk, now=NOW, reason="mixed up"),
        partial(swap_players_of_tables, second_table.pk, first_table.pk, now=NOW, reason="mixed up"),
        partial(evenings.close, first_table.round.evening_id, now=NOW),
    )
    assert Deal.objects.count() == sum(isinstance(outcome, Deal) for outcome in outcomes)
    assert list(verify()) == []


def test_a_deal_is_contested_and_answered_once(club: Club) -> None:
    deal = a_deal(a_table(an_evening(a_season(club))))
    member, secretary = a_member(club), a_member(club, Role.SECRETARY)
    sent(browsers(member), reverse("league:deal-contest", args=[deal.pk]), {"reason": "43, not 34"})
    raised = Contest.objects.get()
    statuses = sent(browsers(secretary), reverse("league:contest-answer", args=[raised.pk]), {"answer": "Corrected."})
    assert statuses == [302] * TIMES
