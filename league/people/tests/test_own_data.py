"""The download of a user's own data."""

from __future__ import annotations

import json
import tracemalloc
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.test import Client
from django.urls import reverse

from league.actions import contests, evenings
from league.actions.attendance import record_intention as say
from league.models import Run, Seat
from league.models.evening import EveningState
from league.models.rights import Role
from league.people.queries.own_data import EXCLUDED_MODELS, PARTS, own_data
from league.recompute.work import runs
from players.models import Player, User
from tests.build import NOW, PASSWORD, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.readers import confirmed, signed_in, user_of

pytestmark = pytest.mark.django_db

ADDRESS = reverse("league:own-data")


@pytest.fixture
def person() -> Player:
    """Somebody with results, a place, a rating, a contest and an answer."""
    club = a_club()
    player = a_member(club, Role.SECRETARY)
    club.memberships.filter(player=player).update(email="zoe@club.example", number="A7")
    season = a_season(club, end_number=4)
    opponents = [a_player("Hidden", "Other") for _ in range(3)]
    evening = an_evening(season, on=NOW.date().replace(day=1))
    table = a_table(evening, [player, *opponents])
    deals = [a_deal(table) for _ in range(4)]
    evenings.close(evening.pk, now=NOW)
    contests.record_contest(deals[0].pk, player_id=player.pk, reason="Was 34", now=NOW)
    say(an_evening(season, EveningState.PLANNED).pk, player.pk, comes=True)
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    UserSession.objects.create(user=player.user, ip="192.0.2.7", user_agent="Mosaic", session_key="a-secret-key")
    return player


def downloaded(client: Client, player: Player) -> dict[str, Any]:
    answer: Any = confirmed(client, player).post(ADDRESS)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert answer.headers["Content-Type"] == "application/json"
    assert "attachment" in answer.headers["Content-Disposition"]
    parts: dict[str, Any] = json.loads(b"".join(answer.streaming_content))
    return parts


def test_file_has_what_is_stored_and_says_what_each_part_is(client: Client, person: Player) -> None:
    parts = downloaded(client, person)
    assert list(parts) == ["about", *parts["about"]]
    assert all(parts["about"].values())
    assert parts["login"][0]["email"] == user_of(person).email
    assert parts["player"][0]["given_name"] == person.given_name
    assert [(row["email"], row["number"]) for row in parts["memberships"]] == [("zoe@club.example", "A7")]
    # 001's first example four times: 81 each for the taker.
    assert [(row["points"], row["deals"]) for row in parts["seats"]] == [(324, 4)]
    assert [row["points"] for row in parts["deals"]] == [81] * 4
    assert [row["reason"] for row in parts["contests"]] == ["Was 34"]
    assert [row["comes"] for row in parts["intentions"]] == [True]
    assert [row["rank"] for row in parts["standings"]] == [1]
    assert [len(parts[part]) for part in ("ratings", "rating_history", "statistics", "sessions")] == [1, 1, 1, 1]
    assert parts["movements"]


def test_own_acts_are_there_and_nobody_elses(client: Client, person: Player) -> None:
    club = person.memberships.get().club
    secretary = a_member(club, Role.SECRETARY)
    evenings = [an_evening(a_season(club), EveningState.PLANNED) for _ in range(2)]
    for actor, evening in zip((person, secretary), evenings, strict=True):
        answer = signed_in(client, actor).post(reverse("league:evening-open", args=[evening.pk]))
        assert answer.status_code == 302
    acts = downloaded(client, person)["own_acts"]
    assert [(act["of"], act["id"], act["change"]) for act in acts] == [("evening", evenings[0].pk, "update")]
    assert [act["id"] for act in downloaded(client, secretary)["own_acts"]] == [evenings[1].pk]


def test_nothing_of_others_and_no_secret_is_in_it(client: Client, person: Player) -> None:
    user = user_of(person)
    answer: Any = confirmed(client, person).post(ADDRESS, {"user": "1", "player": "1"})
    text = b"".join(answer.streaming_content).decode()
    assert "Hidden" not in text
    assert user.password not in text
    assert "192.0.2.7" in text
    assert "a-secret-key" not in text
    assert Player.objects.filter(given_name="Hidden").count() == 3


def test_whoever_is_nobody_yet_gets_his_login(client: Client) -> None:
    user = User.objects.create_user("nobody@club.example", PASSWORD)
    parts = json.loads("".join(own_data(user)))
    assert parts["login"][0]["email"] == "nobody@club.example"
    assert not parts["player"]
    assert not parts["seats"]


def test_asked_for_too_often_it_waits(client: Client, person: Player) -> None:
    confirmed(client, person)
    answers = [client.post(ADDRESS) for _ in range(6)]
    assert [answer.status_code for answer in answers] == [200] * 5 + [429]
    assert "later" in answers[-1].content.decode()
    second_member = a_member(a_club())
    assert confirmed(client, second_member).post(ADDRESS).status_code == 200


def test_is_asked_for_by_its_button_alone(client: Client, person: Player) -> None:
    assert signed_in(client, person).get(ADDRESS).status_code == 405
    client.logout()
    assert client.post(ADDRESS).status_code == 302


def test_every_model_that_names_a_person_is_a_part_or_says_why_not() -> None:
    naming = {
        model._meta.label
        for model in apps.get_models()
        if any(field.related_model in (Player, User) for field in model._meta.concrete_fields)
    }
    parts = {part.model._meta.label for part in PARTS}
    assert naming <= parts | EXCLUDED_MODELS.keys()
    assert not parts & EXCLUDED_MODELS.keys()
    assert EXCLUDED_MODELS.keys() <= naming


def test_it_is_written_while_it_is_read(person: Player) -> None:
    """However many rows there are, a few are in memory."""
    seat = Seat.objects.filter(player=person).get()
    table = seat.table
    before = len("".join(own_data(user_of(person))))
    for number in range(2, 400):
        sitting = table.round.evening.rounds.create(number=number)
        table.pk = None
        table.round = sitting
        table.save()
        Seat.objects.create(table=table, round=sitting, number=0, player=person)
    pieces = own_data(user_of(person))
    tracemalloc.start()
    longest = total = 0
    for piece in pieces:
        longest, total = max(longest, len(piece)), total + len(piece)
    tracemalloc.stop()
    assert total > before + 398 * 100
    assert longest < 10_000
