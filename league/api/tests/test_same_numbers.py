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
from tests.build import NOW, TODAY, a_club, a_tournament, a_unit, settle
from tests.readers import signed_in

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.faults,
    pytest.mark.xdist_group("api-demo"),  # one world, built once
]

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
        patch.setattr(demo, "EVENING_COUNT", 2)
        patch.setattr(demo, "LAST_YEAR_EVENING_COUNT", 3)
        demo.make_demo_club(TODAY)
        runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
        settle()
        yield Membership.objects.exclude(player__user=None).filter(role=Role.MEMBER)[0].player
        transaction.set_rollback(True)


@pytest.fixture
def ask(member: Player) -> Read:
    token, client = a_token(member), Client()
    return lambda address: read(client, address, token)


@pytest.fixture
def shown_at(member: Player, client: Client) -> Callable[[str], str]:
    signed_in(client, member)

    def page_text(address: str) -> str:
        answer = client.get(address)
        assert answer.status_code == 200
        return unescape(answer.content.decode("utf-8-sig"))

    return page_text


def rows(file: str) -> list[dict[str, str]]:
    return list(csv.DictReader(file.splitlines()))


def number(text: str) -> float | None:
    return float(text) if text else None


def test_standings(ask: Read, shown_at: Callable[[str], str]) -> None:
    for season in Season.objects.all():
        answer = ask(f"seasons/{season.pk}/standings?limit=100")["items"]
        assert [
            (row["rank"], row["player"]["name"], row["points"], row["evenings"], row["deals"]) for row in answer
        ] == [
            (number(row["Rank"]), row["Player"], number(row["Points"]), int(row["Evenings"]), int(row["Deals"]))
            for row in rows(shown_at(f"/seasons/{season.pk}/standings.csv"))
        ]
        for row in answer[:3]:
            reasons = ask(f"seasons/{season.pk}/standings/{row['player']['id']}")
            assert {name: reasons[name] for name in row} == row
            page = POINTS.findall(shown_at(f"/seasons/{season.pk}/standings/{row['player']['id']}"))
            assert not Counter(f"{part['worth']:g}" for part in reasons["parts"]) - Counter(
                f"{float(value):g}" for value in page
            )


def test_an_evenings_ranking_and_rounds(ask: Read, shown_at: Callable[[str], str]) -> None:
    for evening in Evening.objects.exclude(state="planned"):
        answer = ask(f"evenings/{evening.pk}/ranking?limit=100")["items"]
        assert [
            (row["rank"], row["player"]["name"], row["points"], row["deals"], row["tables"], row["guest"])
            for row in answer
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
        rounds = ask(f"evenings/{evening.pk}")["rounds"]
        table_ids = [
            table["id"]
            for row in rounds
            for table in ask(f"evenings/{evening.pk}/rounds/{row['number']}/tables?limit=100")["items"]
        ]
        assert table_ids == list(
            Table.objects.in_evenings([evening]).filter(round__state="accepted").values_list("pk", flat=True)
        )


def test_sheets_and_deals(ask: Read, shown_at: Callable[[str], str]) -> None:
    for season in Season.objects.without_tournaments().filter(club_game=None):
        table = Table.objects.filter(round__evening__season=season, dealt__isnull=False).earliest("pk")
        sheet, page = ask(f"tables/{table.pk}"), shown_at(f"/tables/{table.pk}/")
        values = Counter(POINTS.findall(page))
        points = [row for deal in sheet["deals"] for row in deal["points"] if row is not None]
        assert points
        assert not Counter(map(str, points)) - values
        assert [seat["points"] for seat in sheet["seats"]] == sheet["deals"][-1]["totals"]
        for deal in sheet["deals"]:
            assert deal["summary"] in page
            answer, explained = ask(f"deals/{deal['id']}"), shown_at(f"/deals/{deal['id']}/")
            assert answer["summary"] == deal["summary"]
            assert [row["points"] for row in answer["seats"]] == [row for row in deal["points"] if row is not None]
            assert all(line["text"] in explained for line in answer["lines"])
            points_given = [row["points"] for line in answer["lines"] for row in line["given"]]
            assert not Counter(map(str, points_given)) - Counter(POINTS.findall(explained))
    assert Deal.objects.filter(rests__len__gt=0).exists()  # one of the sheets has somebody who rests


def test_leaderboards(ask: Read, shown_at: Callable[[str], str]) -> None:
    for game in ask("games"):
        for query in ("", "?inactive=true", "?established=true", f"?on={NOW.date().replace(month=9, day=26)}"):
            answer = ask(f"games/{game['slug']}/leaderboard{query}{'&' if query else '?'}limit=100")["items"]
            file = rows(shown_at(f"/games/{game['slug']}/leaderboard.csv{query.replace('true', 'on')}"))
            assert [(row["rank"], row["player"]["name"]) for row in answer] == [
                (int(row["Rank"]), row["Player"]) for row in file
            ]
            assert [row["rating"] for row in answer] == pytest.approx([float(row["Rating"]) for row in file], abs=0.5)


def test_a_player(ask: Read, shown_at: Callable[[str], str], member: Player) -> None:
    answer, page = ask(f"players/{member.pk}"), shown_at(f"/players/{member.pk}/")
    assert answer["name"] in page
    assert {row["game"]: row["rating"] for row in answer["ratings"]} == {
        row.game: row.points for row in Rating.objects.filter(player=member)
    }
    results = ask(f"players/{member.pk}/results?limit=100")["items"]
    assert results
    values = Counter(POINTS.findall(page))
    for result in results[:5]:
        assert str(result["points"]) in values
        assert sum(table["points"] for table in result["tables"]) == result["points"] or result["tables"] == []
    for rating in answer["ratings"]:
        steps = ask(f"players/{member.pk}/ratings/{rating['game']}")
        assert steps["items"][0]["rating"] == rating["rating"]
        assert steps["count"] == len(steps["items"])
        changes = sum(step["change"] for step in steps["items"])
        assert changes == pytest.approx(rating["rating"] - 1000)


def test_statistics(ask: Read, shown_at: Callable[[str], str]) -> None:
    for season in Season.objects.filter(player_statistics__isnull=False).distinct():
        player = season.player_statistics.order_by("-deals")[0].player_id
        numbers = ask(f"players/{player}/statistics/{season.game}?season={season.pk}")
        page = shown_at(f"/players/{player}/statistics/{season.game}?season={season.pk}")
        labels = [row["label"] for section in numbers["sections"] for row in section["statistics"]]
        assert bool(labels) == bool(find_game(season.game).statistics.sections)
        assert all(label in page for label in labels)
        assert all(f"/deals/{numbers[name]}/" in page for name in ("best_deal", "worst_deal"))


def test_tournaments(client: Client, member: Player) -> None:
    club = a_club(public=True)
    tournament = a_tournament(club, places=2)
    for _ in range(3):
        a_unit(tournament)
    a_tournament(club, is_open=False)  # a draft
    a_tournament(a_club(), public=False)
    [answer] = read(client, f"tournaments?club={club.slug}")["items"]
    assert answer == read(client, f"tournaments/{tournament.pk}")
    page = client.get(answer["page"]).context
    numbers = page["counts"]
    assert (answer["registered"], answer["waiting"]) == (numbers.registered, numbers.waiting) == (2, 1)
    assert (answer["state"], answer["open"], answer["places"], answer["fee"]) == ("open", page["accepts"], 2, 800)
    assert answer["winners"] == []


def test_members(ask: Read, shown_at: Callable[[str], str]) -> None:
    club = Season.objects.earliest("pk").club
    answer = ask(f"clubs/{club.slug}/members?limit=100")
    assert answer["count"] == club.memberships.count() == len(answer["items"])
    assert people(answer) == linked(shown_at(f"/clubs/{club.slug}/members"))
    roles = {row.player_id: row.role for row in club.memberships.all()}
    assert {row["player"]["id"]: row["role"] for row in answer["items"]} == roles


def test_visitors_are_told_members_without_roles_and_no_guests(client: Client, member: Player) -> None:
    club = Season.objects.earliest("pk").club
    answer = read(client, f"clubs/{club.slug}/members?limit=100")
    assert people(answer) == linked(unescape(client.get(f"/clubs/{club.slug}/members").content.decode()))
    guests = set(club.memberships.filter(role=Role.GUEST).values_list("player_id", flat=True))
    assert guests
    assert not guests & {player for player, _name in people(answer)}
    assert {row["role"] for row in answer["items"]} == {None}


def people(answer: Any) -> list[tuple[int, str]]:
    """Return whom an answer lists, in its order."""
    return [(row["player"]["id"], row["player"]["name"]) for row in answer["items"]]


def linked(page: str) -> list[tuple[int, str]]:
    """Return the people to whose pages a table leads, in its order."""
    return [(int(pk), name) for pk, name in LINKED.findall(page.partition("<table")[2])]


def test_records_of_a_game(ask: Read, shown_at: Callable[[str], str]) -> None:
    answer, page = ask("games/tarot/records")["records"], shown_at("/games/tarot/records")
    assert len(answer) > 3
    for record in answer:
        assert record["label"] in page
        assert all(row["player"] is None or row["player"]["name"] in page for row in record["holders"])
    points = {str(row["value"]) for row in answer if row["unit"] == "points"}
    assert points <= set(POINTS.findall(page))


def test_honours(ask: Read, shown_at: Callable[[str], str]) -> None:
    closed = Season.objects.get(state=SeasonState.CLOSED)
    answer, page = ask(f"seasons/{closed.pk}/honours"), shown_at(f"/seasons/{closed.pk}/honours")
    assert len(answer["records"]) > 3
    for record in answer["records"]:
        assert record["label"] in page
        assert all(row["player"] is None or row["player"]["name"] in page for row in record["holders"])
    values = Counter(POINTS.findall(page))
    assert not Counter(str(row["value"]) for row in answer["records"] if row["unit"] == "points") - values
    hall = ask(f"clubs/{closed.club.slug}/hall-of-fame?game={closed.game}")
    assert [row["season"]["id"] for row in hall["champions"]] == [closed.pk]
    assert hall["champions"][0]["players"] == [row["player"] for row in answer["podium"] if row["rank"] == 1]
