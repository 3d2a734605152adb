"""Comparison of two players: its numbers, the minimum of shared tables, and its viewers."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import evenings, totals
from league.models import Club, Evening, Run, Season
from league.models.rights import Role
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from players.models import Player
from tests.build import NOW, TAKE, TODAY, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.markup import unbroken
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi")


@pytest.fixture
def pair(club: Club) -> list[Player]:
    return [a_member(club), a_member(club)]


def page(first: Player, second: Player, **query: object) -> str:
    return reverse("league:compare-with", args=[first.pk, second.pk], query=query)


def played(season: Season, players: list[Player], *points: int, weeks: int = 0) -> Evening:
    """A closed evening of one table, with these totals."""
    evening = an_evening(season, on=TODAY - timedelta(days=7 * weeks))
    table = a_table(evening, players)
    sums = {seat: PointsAndDeals(total, 4) for seat, total in enumerate(points)}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    return evenings.close(evening.pk, now=NOW)


def test_who_was_before_whom_is_told_from_three_tables_on(client: Client, club: Club, pair: list[Player]) -> None:
    season = a_season(club)
    strangers = [a_player(), a_player()]
    results = ((60, -20, -20, -20), (-40, 80, -20, -20), (10, 10, -10, -10))
    for week, points in enumerate(results[:2]):
        played(season, [*pair, *strangers], *points, weeks=week)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    signed_in(client, pair[0])
    answer = client.get(page(*pair))
    assert (answer.context["meetings"].tables, answer.context["meetings"].against) == (2, None)
    assert "They shared 2 tables. Who was before whom is told from 3 on." in unbroken(answer)
    played(season, [*pair, *strangers], *results[2], weeks=2)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    meetings = client.get(page(*pair)).context["meetings"].against
    assert (meetings.tables, meetings.ahead, meetings.behind, meetings.tied, meetings.difference) == (
        3,
        1,
        1,
        1,
        80 - 120,
    )
    turned = client.get(page(*reversed(pair))).context["meetings"].against
    assert (turned.ahead, turned.behind, turned.difference) == (1, 1, 40)


def test_places_evenings_and_samples_of_both(client: Client, club: Club, pair: list[Player]) -> None:
    season = a_season(club)
    evening = an_evening(season)
    table = a_table(evening, [*pair, a_player(), a_player()])
    a_deal(table)
    a_deal(table, {**TAKE, "taker": 1, "oudlers": 1})
    for taker in (2, 3):
        a_deal(table, {**TAKE, "taker": taker})
    evenings.close(evening.pk, now=NOW)
    alone = played(season, [pair[0], *(a_player() for _ in range(3))], 30, -10, -10, -10, weeks=1)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    signed_in(client, pair[1])
    answer = client.get(page(*pair))
    [place] = answer.context["places"]
    assert (place.season, place.first.evenings, place.second.evenings) == (season, 2, 1)
    [both] = answer.context["evenings"]
    assert (both.evening, both.together, both.players) == (evening.pk, True, 4)
    assert (both.first.rank, both.first.points, both.second.rank, both.second.points) == (
        1,
        81 + 33 - 54,
        4,
        -27 - 99 - 54,
    )
    rows = {label: values for section in answer.context["sections"] for label, *values in section.rows}
    assert [(value.part, value.total) for value in rows["Contracts made"]] == [(1, 1), (0, 1)]
    text = answer.content.decode()
    assert evening.get_absolute_url() in text
    assert f">{TODAY - timedelta(days=7)}" not in text
    assert alone.pk not in {row.evening for row in answer.context["evenings"]}
    assert answer.context["chart"] is not None


def test_game_and_season_are_in_the_address(client: Client, club: Club, pair: list[Player]) -> None:
    first, second = a_season(club), a_season(club)
    belote = a_season(club, "belote", table_sizes=[4], end_number=4)
    strangers = [a_player(), a_player()]
    for season in (first, second):
        played(season, [*pair, *strangers], 60, -20, -20, -20)
    played(belote, [pair[0], strangers[0], pair[1], strangers[1]], 100, 62, 100, 62)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    signed_in(client, pair[0])
    answer = client.get(page(*pair))
    assert (answer.context["game"].slug, answer.context["seasons"]) == ("tarot", [second, first])
    first_season = client.get(page(*pair, season=first.pk))
    assert (first_season.context["chosen"], first_season.context["meetings"].tables) == (first, 1)
    assert [place.season for place in first_season.context["places"]] == [first]
    belote_page = client.get(page(*pair, game="belote", season=first.pk))
    assert (belote_page.context["game"].slug, belote_page.context["chosen"]) == ("belote", None)
    assert client.get(page(*pair, game="bridge", season="x")).context["game"].slug == "tarot"


def test_partners_are_no_opponents(client: Client, club: Club, pair: list[Player]) -> None:
    season = a_season(club, "belote", table_sizes=[4], end_number=4)
    strangers = [a_player(), a_player()]
    for week in range(3):
        played(season, [pair[0], strangers[0], pair[1], strangers[1]], 100, 62, 100, 62, weeks=week)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    signed_in(client, pair[0])
    meetings = client.get(page(*pair)).context["meetings"]
    assert meetings.against is None
    assert (meetings.together.tables, meetings.together.won) == (3, 3)


def test_the_reader_is_compared_first(client: Client, club: Club, pair: list[Player]) -> None:
    address = reverse("league:compare", args=[pair[1].pk])
    signed_in(client, pair[0])
    assert client.get(address)["Location"] == page(pair[1], pair[0])
    assert client.get(reverse("league:compare", args=[pair[0].pk])).status_code == 200
    Club.objects.filter(pk=club.pk).update(public=True)
    assert Client().get(address).status_code == 200


def test_names_are_found_without_accents_and_never_oneself(client: Client, club: Club) -> None:
    player, match = a_player("Élodie", "Müller"), a_player("Hélène", "Elder")
    for person in (player, match):
        club.memberships.create(player=person)
    hidden = a_player("Eleonore", "Secret")
    a_club().memberships.create(player=hidden)
    signed_in(client, a_member(club))
    answer = client.get(reverse("league:compare", args=[player.pk]), {"q": "el"})
    assert answer.context["found"] == [match]
    assert page(player, match) in answer.content.decode()
    assert client.get(reverse("league:compare", args=[player.pk]), {"q": " "}).context["found"] == []


def test_seasons_that_the_reader_may_not_see_stay_hidden(client: Client, club: Club, pair: list[Player]) -> None:
    secret = a_club(name="Secret club")
    for player in pair:
        secret.memberships.create(player=player, role=Role.GUEST)
    played(a_season(secret), [*pair, a_player(), a_player()], 60, -20, -20, -20)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    signed_in(client, a_member(club))
    answer = client.get(page(*pair))
    assert answer.context["games"] == []
    assert "Secret club" not in answer.content.decode()
    assert client.get(page(pair[0], hidden_player := a_member(secret))).status_code == 404
    assert client.get(page(hidden_player, pair[0])).status_code == 404
    assert client.get(page(pair[0], pair[0])).status_code == 404


def test_of_one_who_left_his_clubs_no_rating_is_told(client: Client, club: Club, pair: list[Player]) -> None:
    played(a_season(club), [*pair, a_player(), a_player()], 60, -20, -20, -20)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    club.memberships.filter(player=pair[1]).delete()
    signed_in(client, pair[0])
    answer = client.get(page(*pair))
    (_first, rated), (_second, unknown) = answer.context["ratings"]
    assert (rated is not None, unknown) == (True, None)
    assert answer.context["chart"] is None
