"""A closed season's honours, its final table on paper, and the club's hall of fame."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import evenings, season_closing, totals
from league.models import Club, Run, Season
from league.night import runs
from league.results.honours import NAMED, Holder, Record, biggest_jump, honours
from league.results.table_sums import Sums
from players.models import Player
from tests.build import NOW, TODAY, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.readers import user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(public=True)


def played(season: Season, players: Sequence[Player], *results: Sequence[int], weeks: int = 0) -> Season:
    """Play an evening for each row of totals."""
    for number, points in enumerate(results):
        evening = an_evening(season, on=TODAY - timedelta(days=7 * (len(results) - number + weeks)))
        table = a_table(evening, players)
        written = {seat: Sums(each, 4) for seat, each in enumerate(points)}
        totals.record(table.pk, written, client_key=uuid4(), seen_version=0, now=NOW)
        evenings.close(evening.pk, now=NOW)
    return season


def named(record: Record | None) -> tuple[int, list[str]]:
    assert record is not None
    return record.value, [holder.name for holder in record.holders]


def test_records_are_told_with_all_who_hold_them(club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    season = a_season(club, end_number=4)
    # Ann wins twice, Bob and Cy share the third evening with 60 each; the best evening is Ann's 90.
    played(season, players, (90, -30, -30, -30), (40, 20, -20, -40), (-60, 60, 60, -60))
    evening = an_evening(season)
    table = a_table(evening, [*players[:3], a_player("Eve", "")])
    deals = [a_deal(table) for _ in range(4)]
    evenings.close(evening.pk, now=NOW)
    season_closing.close(season.pk, now=NOW)
    found = honours([season], list(season.evenings.closed().order_by("date")))
    # Ann took four times for 81 each: 324 in the fourth evening.
    assert named(found.best_evening) == (324, ["Ann"])
    assert named(found.most_wins) == (3, ["Ann"])
    assert named(found.most_evenings) == (4, ["Ann", "Bob", "Cy"])
    assert found.best_deal is not None
    assert (found.best_deal.value, len(found.best_deal.holders)) == (81, 4)
    assert found.best_deal.holders[0] == Holder(players[0].pk, "Ann", evening, deals[0])


def test_of_many_who_share_a_record_some_are_named(club: Club) -> None:
    players = [a_player() for _ in range(8)]
    season = a_season(club, end_number=4)
    for table in (players[:4], players[4:]):
        played(season, table, (0, 0, 0, 0))
    season_closing.close(season.pk, now=NOW)
    found = honours([season], list(season.evenings.closed()))
    assert found.most_evenings is not None
    assert (len(found.most_evenings.holders), found.most_evenings.others) == (NAMED, 3)
    assert found.best_deal is None


def test_nothing_played_has_no_records(club: Club) -> None:
    season = a_season(club)
    assert honours([season], []) == (None, None, None, None)
    assert biggest_jump(season, [], user_of(a_member(club))) is None


def test_biggest_jump_is_the_largest_gain_from_a_rating_that_was_there(club: Club) -> None:
    players = [a_member(club) for _ in range(4)]
    season = played(a_season(club, end_number=4), players, (90, -30, -30, -30), (-60, 100, -20, -20))
    runs.run(Run.Trigger.COMMAND, now=NOW)
    jump = biggest_jump(season, season.evenings.closed(), user_of(players[2]))
    assert jump is not None
    assert jump.step.player == players[1]
    steps = list(players[1].rating_steps.order_by("date").values_list("micro", flat=True))
    assert jump.gain == steps[1] - steps[0]
    club.public = False
    club.save()
    assert biggest_jump(season, season.evenings.closed(), user_of(a_member(a_club()))) is None


def test_champions_who_share_the_first_place_are_all_named(client: Client, club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    season = played(a_season(club, end_number=4, name="2026"), players, (50, 50, -40, -60))
    address = reverse("league:honours", args=[season.pk])
    assert client.get(address).status_code == 404
    season_closing.close(season.pk, now=NOW)
    page = client.get(address).content.decode()
    assert "<h1>Champions: Ann, Bob</h1>" in page
    assert '<meta name="description" content="Champions of 2026: Ann, Bob. ' in page
    assert "Champions: " in client.get(season.get_absolute_url()).content.decode()
    paper = client.get(reverse("league:final-table", args=[season.pk])).content.decode()
    assert [paper.index(f">{name}<") for name in ("Ann", "Bob", "Cy", "Dan")] == sorted(
        paper.index(f">{name}<") for name in ("Ann", "Bob", "Cy", "Dan")
    )
    season_closing.reopen(season.pk, reason="A sheet was found", now=NOW)
    assert client.get(address).status_code == 404


def test_hall_of_fame_counts_all_years_and_keeps_games_apart(client: Client, club: Club) -> None:
    players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    old = played(a_season(club, end_number=4, name="Old"), players, (90, -30, -30, -30), weeks=60)
    belote = played(a_season(club, "belote", end_number=4, name="Cards"), players, (10, 152, 10, 152))
    new = played(a_season(club, end_number=4, name="New"), players, (-60, 100, -20, -20), (-60, 120, -30, -30))
    for season in (old, belote):
        season_closing.close(season.pk, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    answer = client.get(reverse("league:hall-of-fame", args=[club.slug]), {"game": "tarot"})
    assert [(season.name, [row.player for row in rows]) for season, rows in answer.context["champions"]] == [
        ("Old", [players[0]])
    ]
    found = answer.context["honours"]
    assert named(found.most_evenings) == (3, ["Ann", "Bob", "Cy", "Dan"])
    assert named(found.most_wins) == (2, ["Bob"])
    assert named(found.best_evening) == (120, ["Bob"])
    assert new.evenings.latest("date").get_absolute_url() in answer.content.decode()
    answer = client.get(reverse("league:hall-of-fame", args=[club.slug]), {"game": "belote"})
    [(season, rows)] = answer.context["champions"]
    assert (season, [row.player for row in rows]) == (belote, [players[1], players[3]])


def test_hall_of_fame_of_a_club_without_seasons_is_empty(client: Client, club: Club) -> None:
    page = client.get(reverse("league:hall-of-fame", args=[club.slug])).content.decode()
    assert "No season has been closed yet." in page
    assert "No evening has been closed yet." in page
