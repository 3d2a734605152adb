"""Events of a club store messages; the names in them are as every visitor may see them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from league.actions import evenings, people, player_names, season_closing, tournament_play, webhooks
from league.models import Club, Season, WebhookDelivery
from league.models.webhook import WebhookEvent
from league.operations.work import jobs
from league.webhooks.tests.receiver import Receiver, a_webhook, send
from players.models import Player
from players.naming import NameStyle
from tests.build import (
    NOW,
    a_club,
    a_deal,
    a_drawn_round,
    a_member,
    a_running_tournament,
    a_season,
    a_table,
    an_evening,
    written_totals,
)
from tests.run_jobs import tick

pytestmark = pytest.mark.django_db


def a_public_club(**fields: Any) -> Club:
    return a_club(**{"name": "Les Atouts", "public": True, "public_names": NameStyle.INITIAL, **fields})


def a_named_member(club: Club, given_name: str, family: str) -> Player:
    player = a_member(club)
    people.change_details(
        club.memberships.get(player=player).pk, names=(given_name, family), number="", email="", phone=""
    )
    player_names.apply_club_name_defaults([player.pk])
    return player


def closed_evening(season: Season, players: list[Player]) -> int:
    evening = an_evening(season)
    a_deal(a_table(evening, players))
    return evenings.close(evening.pk, now=NOW).pk


def recompute() -> None:
    for pk in tick(NOW + timedelta(minutes=1)):
        jobs.work_on_job(pk, now=NOW + timedelta(minutes=1))


def events() -> list[str]:
    return list(WebhookDelivery.objects.order_by("pk").values_list("event", flat=True))


def test_a_closed_evening_with_its_first_ranks(receiver: Receiver, client: Client) -> None:
    """The API for visitors, at the address in the message, has the same names and points."""
    club = a_public_club()
    a_webhook(club, receiver.address, WebhookEvent.EVENING_CLOSED, now=NOW)
    season = a_season(club, name="Autumn", end_number=1)
    players = [
        a_named_member(club, "Zoé", "Blanc"),
        a_named_member(club, "Yves", "Noir"),
        *(a_member(club) for _ in range(2)),
    ]
    evening = closed_evening(season, players)
    send(NOW)
    [text] = receiver.texts
    site = "https://league.example"
    assert text["data"]["club"] == {
        "slug": club.slug,
        "name": "Les Atouts",
        "public": True,
        "page": f"{site}/clubs/{club.slug}/",
        "api": f"{site}/api/v1/clubs/{club.slug}",
    }
    assert text["data"]["season"] == {"id": season.pk, "name": "Autumn", "game": "tarot"}
    assert text["data"]["evening"] == {
        "id": evening,
        "date": "2026-10-02",
        "name": "",
        "page": f"{site}/evenings/{evening}/",
        "api": f"{site}/api/v1/evenings/{evening}/ranking",
    }
    first = text["data"]["ranking"][0]
    assert first == {"rank": 1, "player": {"id": players[0].pk, "name": "Zoé B."}, "points": 81}
    assert "Blanc" not in receiver.messages[0].body
    rows = client.get(text["data"]["evening"]["api"].removeprefix(site)).json()["items"]
    names = ("rank", "player", "points")
    assert text["data"]["ranking"] == [{name: row[name] for name in names} for row in rows if row["rank"] <= 3]


def test_the_name_is_the_one_of_the_moment_of_sending(receiver: Receiver) -> None:
    """Nothing with a name is stored, so a choice between two attempts counts."""
    club = a_public_club()
    a_webhook(club, receiver.address, WebhookEvent.EVENING_CLOSED, now=NOW)
    players = [a_named_member(club, "Zoé", "Blanc"), *(a_member(club) for _ in range(3))]
    receiver.status = 500
    closed_evening(a_season(club, end_number=1), players)
    send(NOW)
    player_names.choose_naming(players[0].pk, public=NameStyle.PSEUDONYM, members=NameStyle.FULL, pseudonym="L’Excuse")
    send(NOW + timedelta(minutes=2))
    names = [text["data"]["ranking"][0]["player"]["name"] for text in receiver.texts]
    assert names == ["Zoé B.", "L’Excuse"]


def test_a_private_club_names_nobody(receiver: Receiver) -> None:
    club = a_public_club(public=False)
    a_webhook(club, receiver.address, now=NOW)
    closed_evening(
        a_season(club, end_number=1), [a_named_member(club, "Zoé", "Blanc"), *(a_member(club) for _ in range(3))]
    )
    recompute()
    send(NOW + timedelta(minutes=2))
    assert {text["type"]: text["data"].get("ranking", text["data"].get("standings")) for text in receiver.texts} == {
        "evening.closed": [],
        "standings.changed": [],
    }
    assert "Zoé" not in "".join(message.body for message in receiver.messages)


def test_standings_that_change_and_those_that_do_not(receiver: Receiver, client: Client) -> None:
    """One message for each run that changes rows, and for a closing that does."""
    club = a_public_club()
    a_webhook(club, receiver.address, WebhookEvent.STANDINGS_CHANGED, now=NOW)
    season = a_season(club, name="Autumn", end_number=1)
    closed_evening(season, [a_named_member(club, "Zoé", "Blanc"), *(a_member(club) for _ in range(3))])
    assert events() == []
    recompute()
    assert events() == ["standings.changed"]
    season_closing.close(season.pk, now=NOW)  # with the same rows
    assert events() == ["standings.changed"]
    send(NOW + timedelta(minutes=2))
    [text] = receiver.texts
    assert text["data"]["season"]["page"] == f"https://league.example/seasons/{season.pk}/"
    rows = client.get(text["data"]["season"]["api"].removeprefix("https://league.example")).json()["items"]
    names = ("rank", "player", "points")
    assert text["data"]["standings"] == [{name: row[name] for name in names} for row in rows if row["rank"] <= 3]
    assert text["data"]["standings"][0]["player"]["name"] == "Zoé B."


def test_a_closing_that_computes_pending_work_announces_it(receiver: Receiver) -> None:
    club = a_public_club()
    a_webhook(club, receiver.address, WebhookEvent.STANDINGS_CHANGED, now=NOW)
    season = a_season(club, end_number=1)
    closed_evening(season, [a_member(club) for _ in range(4)])
    season_closing.close(season.pk, now=NOW)
    assert events() == ["standings.changed"]


@pytest.mark.parametrize(("public", "agreed"), [(True, True), (True, False), (False, True)])
def test_a_finished_tournament_names_winners_who_agreed(receiver: Receiver, public: bool, agreed: bool) -> None:
    """A tournament has no message as an evening or a season."""
    club = a_public_club()
    a_webhook(club, receiver.address, now=NOW)
    tournament = a_running_tournament(club, units=2, rounds=1, name="Open day", public=public)
    tournament.units.update(names_public=agreed)
    type(tournament).objects.filter(pk=tournament.pk).update(public=public)
    [table] = a_drawn_round(tournament).tables.all()
    written_totals(table, [1000, 944] * 2, deals=12)
    tournament_play.finish(tournament.pk, now=NOW)
    recompute()
    send(NOW + timedelta(minutes=2))
    [text] = receiver.texts
    assert text["type"] == "tournament.results_published"
    data = text["data"]["tournament"]
    assert (data["id"], data["name"], data["game"]) == (tournament.pk, "Open day", "belote")
    assert data["api"] == f"https://league.example/api/v1/tournaments/{tournament.pk}"
    [winner] = text["data"]["winners"]
    assert winner["name"].startswith("Visitor" if agreed else "Number")


def test_only_the_clubs_own_addresses_get_the_events_that_they_chose(receiver: Receiver) -> None:
    club, other = a_public_club(), a_public_club()
    for owner, event in ((club, WebhookEvent.RESULTS_PUBLISHED), (other, WebhookEvent.EVENING_CLOSED)):
        a_webhook(owner, receiver.address, event, now=NOW)
    closed_evening(a_season(club, end_number=1), [a_member(club) for _ in range(4)])
    assert events() == []
    webhooks.change_webhook(club.webhooks.get(), receiver.address, [WebhookEvent.EVENING_CLOSED])
    closed_evening(a_season(club, end_number=1), [a_member(club) for _ in range(4)])
    assert events() == ["evening.closed"]


def test_a_test_says_whose_it_is(receiver: Receiver) -> None:
    club = a_public_club()
    webhooks.send_test(a_webhook(club, receiver.address, now=NOW), now=NOW)
    send(NOW)
    [text] = receiver.texts
    assert (text["type"], text["data"].keys(), text["data"]["club"]["slug"]) == ("webhook.test", {"club"}, club.slug)
