"""The API says what pages say, of the demo club's games: the same numbers and people, in the same order."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator
from html import unescape
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from league.api.tests.reading import a_token, read
from league.demo import club as demo
from league.models import Deal, Evening, Membership, Run, Season, Table
from league.models.rights import Role
from league.models.season import SeasonState
from league.recompute.work import runs
from players.models import Player, Rating
from scoring.game import find_game
from tests.build import NOW, TODAY
from tests.readers import signed_in

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("api-demo")]  # one world, built once

POINTS = re.compile(r'<data class="points[^"]*" value="(-?[\d.]+)"')
LINKED = re.compile(r'<a href="/players/(\d+)/">([^<]+)</a>')
Read = Callable[[str], Any]


@pytest.fixture(scope="module")
def member(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Player]:
    """A member of the demo club, whose seasons are computed."""
    with (
        django_db_blocker.unblock(),
        transaction.atomic(),
        time_machine.travel(NOW),
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setattr(demo, "EVENINGS", 2)
        demo.make(TODAY)
        runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
        yield Membership.objects.exclude(player__user=None).filter(role=Role.MEMBER)[0].player
        transaction.set_rollback(True)


@pytest.fixture
def told(member: Player) -> Read:
    token, client = a_token(member), Client()
    return lambda address: read(client, address, token)


@pytest.fixture
def shown_at(member: Player, client: Client) -> Callable[[str], str]:
    signed_in(client, member)

    def shown(address: str) -> str:
        answer = client.get(address)
        assert answer.status_code == 200
        return unescape(answer.content.decode("utf-8-sig"))

    return shown


def rows(file: str) -> list[dict[str, str]]:
    return list(csv.DictReader(file.splitlines()))


def number(written: str) -> float | None:
    return float(written) if written else None


def test_standings(told: Read, shown_at: Callable[[str], str]) -> None:
    for season in Season.objects.all():
        said = told(f"seasons/{season.pk}/standings?limit=100")["items"]
        assert [
            (each["rank"], each["player"]["name"], each["points"], each["evenings"], each["deals"]) for each in said
        ] == [
            (number(row["Rank"]), row["Player"], number(row["Points"]), int(row["Evenings"]), int(row["Deals"]))
            for row in rows(shown_at(f"/seasons/{season.pk}/standings.csv"))
        ]
        for each in said[:3]:
            why = told(f"seasons/{season.pk}/standings/{each['player']['id']}")
            assert {name: why[name] for name in each} == each
            shown = POINTS.findall(shown_at(f"/seasons/{season.pk}/standings/{each['player']['id']}"))
            assert not Counter(f"{part['worth']:g}" for part in why["parts"]) - Counter(
                f"{float(value):g}" for value in shown
            )


def test_an_evenings_ranking_and_rounds(told: Read, shown_at: Callable[[str], str]) -> None:
    for evening in Evening.objects.exclude(state="planned"):
        said = told(f"evenings/{evening.pk}/ranking?limit=100")["items"]
        assert [
            (each["rank"], each["player"]["name"], each["points"], each["deals"], each["tables"], each["guest"])
            for each in said
        ] == [
            (
                int(row["Rank"]),
                row["Player"],
                int(row["Points"]),
                int(row["Deals"]),
                int(row["Tables"]),
                bool(row["Guest"]),
            )
            for row in rows(shown_at(f"/evenings/{evening.pk}/ranking.csv"))
        ]
        rounds = told(f"evenings/{evening.pk}")["rounds"]
        found = [
            table["id"]
            for each in rounds
            for table in told(f"evenings/{evening.pk}/rounds/{each['number']}/tables?limit=100")["items"]
        ]
        assert found == list(
            Table.objects.of_evenings([evening]).filter(round__state="accepted").values_list("pk", flat=True)
        )


def test_sheets_and_deals(told: Read, shown_at: Callable[[str], str]) -> None:
    for season in Season.objects.all():
        table = Table.objects.filter(round__evening__season=season, dealt__isnull=False).earliest("pk")
        sheet, shown = told(f"tables/{table.pk}"), shown_at(f"/tables/{table.pk}/")
        values = Counter(POINTS.findall(shown))
        points = [each for deal in sheet["deals"] for each in deal["points"] if each is not None]
        assert points
        assert not Counter(map(str, points)) - values
        assert [seat["points"] for seat in sheet["seats"]] == sheet["deals"][-1]["totals"]
        for deal in sheet["deals"]:
            assert deal["summary"] in shown
            said, explained = told(f"deals/{deal['id']}"), shown_at(f"/deals/{deal['id']}/")
            assert said["summary"] == deal["summary"]
            assert [each["points"] for each in said["seats"]] == [each for each in deal["points"] if each is not None]
            assert all(line["text"] in explained for line in said["lines"])
            given = [each["points"] for line in said["lines"] for each in line["given"]]
            assert not Counter(map(str, given)) - Counter(POINTS.findall(explained))
    assert Deal.objects.filter(rests__len__gt=0).exists()  # one of the sheets has somebody who rests


def test_leaderboards(told: Read, shown_at: Callable[[str], str]) -> None:
    for game in told("games"):
        for query in ("", "?inactive=true", "?established=true", f"?on={NOW.date().replace(month=9, day=26)}"):
            said = told(f"games/{game['slug']}/leaderboard{query}{'&' if query else '?'}limit=100")["items"]
            file = rows(shown_at(f"/games/{game['slug']}/leaderboard.csv{query.replace('true', 'on')}"))
            assert [(each["rank"], each["player"]["name"]) for each in said] == [
                (int(row["Rank"]), row["Player"]) for row in file
            ]
            assert [each["rating"] for each in said] == pytest.approx([float(row["Rating"]) for row in file], abs=0.5)


def test_a_player(told: Read, shown_at: Callable[[str], str], member: Player) -> None:
    said, shown = told(f"players/{member.pk}"), shown_at(f"/players/{member.pk}/")
    assert said["name"] in shown
    assert {each["game"]: each["rating"] for each in said["ratings"]} == {
        each.game: each.points for each in Rating.objects.filter(player=member)
    }
    results = told(f"players/{member.pk}/results?limit=100")["items"]
    assert results
    values = Counter(POINTS.findall(shown))
    for result in results[:5]:
        assert str(result["points"]) in values
        assert sum(table["points"] for table in result["tables"]) == result["points"] or result["tables"] == []
    for rating in said["ratings"]:
        steps = told(f"players/{member.pk}/ratings/{rating['game']}")
        assert steps["items"][0]["rating"] == rating["rating"]
        assert steps["count"] == len(steps["items"])
        changes = sum(step["change"] for step in steps["items"])
        assert changes == pytest.approx(rating["rating"] - 1000)


def test_statistics(told: Read, shown_at: Callable[[str], str]) -> None:
    for season in Season.objects.filter(player_statistics__isnull=False).distinct():
        player = season.player_statistics.order_by("-deals")[0].player_id
        counted = told(f"players/{player}/statistics/{season.game}?season={season.pk}")
        shown = shown_at(f"/players/{player}/statistics/{season.game}?season={season.pk}")
        labels = [each["label"] for section in counted["sections"] for each in section["statistics"]]
        assert bool(labels) == bool(find_game(season.game).statistics.sections)
        assert all(label in shown for label in labels)
        assert all(f"/deals/{counted[name]}/" in shown for name in ("best_deal", "worst_deal"))


def test_members(told: Read, shown_at: Callable[[str], str]) -> None:
    club = Season.objects.earliest("pk").club
    said = told(f"clubs/{club.slug}/members?limit=100")
    assert said["count"] == club.memberships.count() == len(said["items"])
    assert people(said) == linked(shown_at(f"/clubs/{club.slug}/members"))
    roles = {row.player_id: row.role for row in club.memberships.all()}
    assert {each["player"]["id"]: each["role"] for each in said["items"]} == roles


def test_visitors_are_told_members_without_roles_and_no_guests(client: Client, member: Player) -> None:
    club = Season.objects.earliest("pk").club
    said = read(client, f"clubs/{club.slug}/members?limit=100")
    assert people(said) == linked(unescape(client.get(f"/clubs/{club.slug}/members").content.decode()))
    guests = set(club.memberships.filter(role=Role.GUEST).values_list("player_id", flat=True))
    assert guests
    assert not guests & {player for player, _name in people(said)}
    assert {each["role"] for each in said["items"]} == {None}


def people(said: Any) -> list[tuple[int, str]]:
    """Return whom an answer lists, in its order."""
    return [(each["player"]["id"], each["player"]["name"]) for each in said["items"]]


def linked(page: str) -> list[tuple[int, str]]:
    """Return the people to whose pages a table leads, in its order."""
    return [(int(pk), name) for pk, name in LINKED.findall(page.partition("<table")[2])]


def test_records_of_a_game(told: Read, shown_at: Callable[[str], str]) -> None:
    said, shown = told("games/tarot/records")["records"], shown_at("/games/tarot/records")
    assert len(said) > 3
    for record in said:
        assert record["label"] in shown
        assert all(each["player"] is None or each["player"]["name"] in shown for each in record["holders"])
    points = {str(each["value"]) for each in said if each["unit"] == "points"}
    assert points <= set(POINTS.findall(shown))


def test_honours(told: Read, shown_at: Callable[[str], str]) -> None:
    closed = Season.objects.get(state=SeasonState.CLOSED)
    said, shown = told(f"seasons/{closed.pk}/honours"), shown_at(f"/seasons/{closed.pk}/honours")
    assert len(said["records"]) > 3
    for record in said["records"]:
        assert record["label"] in shown
        assert all(each["player"] is None or each["player"]["name"] in shown for each in record["holders"])
    values = Counter(POINTS.findall(shown))
    assert not Counter(str(each["value"]) for each in said["records"] if each["unit"] == "points") - values
    hall = told(f"clubs/{closed.club.slug}/hall-of-fame?game={closed.game}")
    assert [each["season"]["id"] for each in hall["champions"]] == [closed.pk]
    assert hall["champions"][0]["players"] == [row["player"] for row in said["podium"] if row["rank"] == 1]
