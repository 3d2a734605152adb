"""An evening's ranking, its winners, what its tables lack. The usual deal is a take: +81, −27 for the others."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.actions import evenings as evenings_actions
from league.actions import totals
from league.evenings.queries.evening_page import SelectedParts, evening_page
from league.evenings.queries.evening_ranking import evenings_with_winners, ranking
from league.evenings.queries.played_rounds import incomplete_tables, played_rounds
from league.models import Evening, Rest, Run
from league.models.evening import AttendanceRole, EveningState
from league.models.round import RestKind
from league.models.season import TableEnd
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in

pytestmark = pytest.mark.django_db


def test_the_ranking_adds_up_tables_and_shares_ranks() -> None:
    evening = an_evening(a_season(a_club()))
    ann, bob, cy, dan = players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    a_deal(a_table(evening, players))
    a_deal(a_table(evening, [bob, ann, cy, dan], round_number=2))
    assert [(row.rank, str(row.name), row.points, row.deals, row.tables) for row in ranking(evening)] == [
        (1, "Ann", 54, 2, 2),
        (1, "Bob", 54, 2, 2),
        (3, "Cy", -54, 2, 2),
        (3, "Dan", -54, 2, 2),
    ]


def test_a_table_without_a_deal_ranks_nobody() -> None:
    evening = an_evening(a_season(a_club()))
    a_table(evening)
    assert ranking(evening) == []


def test_exempt_points_count_and_resting_gives_none() -> None:
    evening = an_evening(a_season(a_club()))
    table = a_table(evening)
    a_deal(table)
    exempt, resting = a_player("Exempt", ""), a_player("Resting", "")
    Rest.objects.create(round=table.round, player=exempt, kind=RestKind.EXEMPT, points=100)
    Rest.objects.create(round=table.round, player=resting)
    places = ranking(evening)
    assert (str(places[0].name), places[0].points, places[0].tables) == ("Exempt", 100, 0)
    assert [(str(place.name), place.points, place.tables) for place in places if place.rested] == [("Resting", 0, 0)]
    assert len(places) == 6


def test_page_file_and_standings_say_who_rested_all_evening(client: Client) -> None:
    club = a_club()
    season = a_season(club, "belote", table_sizes=[4], end=TableEnd.MANUAL, end_number=None)
    evening = an_evening(season)
    table = a_table(evening)
    resting = a_member(club)
    evening.attendances.create(player=resting)
    Rest.objects.create(round=table.round, player=resting)
    sign_in(client, resting)
    url = reverse("league:evening", args=[evening.pk])
    assert b"Rested</span>" not in client.get(url).content  # nothing is played yet
    totals_by_seat = {seat: PointsAndDeals(points, 12) for seat, points in enumerate([900, 700, 900, 700])}
    totals.record(table.pk, totals_by_seat, client_key=uuid4(), seen_version=0, now=NOW)
    evenings_actions.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    pages = [
        url,
        reverse("league:season", args=[season.pk]),
        reverse("league:player", args=[resting.pk]),
    ]
    for address in pages:
        page = client.get(address)
        assert page.status_code == 200
        assert "rested" in page.content.decode().lower(), address
    file = client.get(reverse("league:evening-csv", args=[evening.pk])).content.decode()
    assert [line.rsplit(",", 1)[1] for line in file.splitlines()][::5] == ["Rested", "Rested"]
    assert "1 round sat out" in client.get(reverse("league:standing", args=[season.pk, resting.pk])).content.decode()
    assert not list(verify())


def test_season_page_names_an_exempt_player_level_with_the_winner(client: Client) -> None:
    evening = an_evening(a_season(a_club(public=True), end_number=1))
    table = a_table(evening, [a_player("Played", ""), a_player(), a_player(), a_player()])
    Rest.objects.create(round=table.round, player=a_player("Exempt", ""), kind=RestKind.EXEMPT, points=81)
    assert evenings_with_winners([evening])[0].winners == ()
    a_deal(table)
    evening = evenings_actions.close(evening.pk, now=NOW)
    assert sorted(str(winner.name) for winner in evenings_with_winners([evening])[0].winners) == ["Exempt", "Played"]
    page = client.get(evening.season.get_absolute_url()).content.decode()
    assert "Played, Exempt" in page.partition(">Winner<")[2]
    assert "Winner: Played, Exempt, 81 points" in client.get(evening.get_absolute_url()).content.decode()


def test_a_guest_is_ranked_and_marked() -> None:
    evening = an_evening(a_season(a_club()))
    guest = a_player()
    a_deal(a_table(evening, [guest, a_player(), a_player(), a_player()]))
    evening.attendances.filter(player=guest).update(standing=AttendanceRole.GUEST)
    assert [(each.rank, each.guest) for each in ranking(evening)] == [(1, True), (2, False), (2, False), (2, False)]


def test_closing_takes_incomplete_tables_out() -> None:
    season = a_season(a_club(), end_number=1)
    evening = an_evening(season)
    a_deal(a_table(evening))
    half = a_table(evening)
    season.end_number = 2
    season.save()
    a_deal(half)
    assert len(ranking(evening)) == 8
    evening = evenings_actions.close(evening.pk, now=NOW)
    places = ranking(evening)
    assert len(places) == 4
    rows = evening_page(evening, places, SelectedParts()).rows
    assert all(cell.counts for row in rows for cell in row.cells)


def test_queries_do_not_grow_with_evenings_and_tables(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    season = a_season(a_club(), end_number=1)
    for _ in range(3):
        evening = an_evening(season)
        for number in (1, 2):
            a_deal(a_table(evening, round_number=number))
        evenings_actions.close(evening.pk, now=NOW)
    evenings = list(season.evenings.all())
    with django_assert_num_queries(1):
        winners = evenings_with_winners(evenings)
    assert [len(winner.winners) for winner in winners] == [2, 2, 2]
    with django_assert_num_queries(4):  # rounds, tables, seats with players, rests
        played_rounds(evenings[0])


def test_nobody_wins_an_evening_without_a_deal() -> None:
    evening = an_evening(a_season(a_club()), EveningState.CLOSED)
    assert evenings_with_winners([evening])[0].winners == ()


def lacking(evening: Evening) -> list[str]:
    return [sheet.missing_text for _round, sheet in incomplete_tables(played_rounds(evening))]


def test_what_a_table_lacks_until_its_deals_are_in() -> None:
    evening = an_evening(a_season(a_club()))
    table = a_table(evening)
    assert lacking(evening) == ["nothing recorded yet"]
    a_deal(table)
    assert lacking(evening) == ["3 deals are missing"]
    for _ in range(2):
        a_deal(table)
    assert lacking(evening) == ["1 deal is missing"]
    a_deal(table)
    assert lacking(evening) == []


def test_a_table_of_five_with_one_resting_lacks_more() -> None:
    evening = an_evening(a_season(a_club()))
    table = a_table(evening, size=5, one_rests=True)
    a_deal(table, TAKE)
    assert lacking(evening) == ["4 deals are missing"]


def test_what_a_table_lacks_that_ends_otherwise() -> None:
    for fields, words in (
        ({"end": TableEnd.TARGET, "end_number": 1000}, "nobody leads with 1000 points yet"),
        ({"end": TableEnd.MINUTES, "end_number": 60}, "not marked as complete yet"),
        ({"end": TableEnd.MANUAL, "end_number": None}, "not marked as complete yet"),
    ):
        evening = an_evening(a_season(a_club(), **fields))
        a_deal(a_table(evening))
        assert lacking(evening) == [words]


def two_rounds(**season: str) -> Evening:
    """Ann leads; she and Cy leave after the first of two rounds."""
    evening = an_evening(a_season(a_club(), **season))
    people = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan", "Eve")]
    table = a_table(evening, people[:4])
    for _ in range(2):
        a_deal(table)
    a_table(evening, [people[1], people[3], people[4]], round_number=2)
    evening.attendances.filter(player__in=[people[0], people[2]]).update(to_round=1)
    return evening


def test_who_leaves_early_is_last_where_the_season_says_so() -> None:
    # 81, -27, -27, -27 twice: 001's first example.
    evening = two_rounds(leavers="last")
    assert [(each.rank, str(each.name), each.points, each.left_early) for each in ranking(evening)] == [
        (1, "Bob", -54, False),
        (1, "Dan", -54, False),
        (3, "Ann", 162, True),
        (4, "Cy", -54, True),
    ]
    assert [str(winner.name) for winner in evenings_with_winners([evening])[0].winners] == ["Bob", "Dan"]


def test_who_leaves_early_is_ranked_like_everyone_else_where_it_does_not() -> None:
    places = ranking(two_rounds())
    assert (str(places[0].name), places[0].rank) == ("Ann", 1)
    assert not any(place.left_early for place in places)


def test_who_leaves_with_the_last_round_has_stayed() -> None:
    evening = two_rounds(leavers="last")
    evening.attendances.filter(to_round=1).update(to_round=2)
    assert not any(each.left_early for each in ranking(evening))


def test_page_and_file_say_who_left_early(client: Client) -> None:
    evening = two_rounds(leavers="last")
    sign_in(client, a_member(evening.season.club))
    shown = client.get(evening.get_absolute_url()).content.decode()
    assert shown.count("Left early") == 2
    assert "rank after all others, by this season’s rules" in shown
    file = client.get(reverse("league:evening-csv", args=[evening.pk])).content.decode("utf-8-sig").splitlines()
    assert file[0].endswith("Left early")
    assert sum("Left early, placed last" in line for line in file) == 2
