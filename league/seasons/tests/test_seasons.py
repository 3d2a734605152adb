"""A season's page, its file, and its opening and closing."""

import csv
from datetime import timedelta
from fractions import Fraction
from itertools import cycle

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from pytest_django import DjangoAssertNumQueries
from tablib.core import Dataset

from league.actions import evenings as evenings_actions
from league.actions.standings import replace_standings
from league.models import Season, Standing, versions
from league.models.evening import AttendanceRole, EveningState
from league.models.rights import Role
from league.models.season import SeasonState
from league.models.standing import rows_digest
from league.seasons.queries.season_rankings import rank_season
from league.web.marks import rank_change
from players.models import User
from tests.build import NOW, TODAY, a_club, a_deal, a_player, a_season, a_table, a_user, an_evening, some_players
from tests.logins import a_login
from tests.markup import unbroken

pytestmark = pytest.mark.django_db


def a_played_season(tables: int = 1) -> Season:
    """Return one closed evening: Ann and Eve win 81 each at the tables of odd number, the others lose 27."""
    season = a_season(a_club(), end_number=1)
    evening = an_evening(season)
    for number in range(tables):
        table = a_table(evening, [a_player(f"{name}{number}", "") for name in ("Ann", "Bob", "Cy", "=Dan")])
        a_deal(table)
    guest = table.seats.get(number=3).player
    evening.attendances.filter(player=guest).update(standing=AttendanceRole.GUEST)
    evenings_actions.close(evening.pk, now=NOW)
    replace_standings({season.pk: rank_season(season)})
    return season


def test_strangers_do_not_find_it_and_members_do(client: Client) -> None:
    season = a_season(a_club())
    files = [reverse(f"league:season-{extension}", args=[season.pk]) for extension in ("csv", "xlsx")]
    addresses = [season.get_absolute_url(), *files]
    for user, status in (
        (a_user(), 404),
        (a_login(season.club, Role.GUEST), 404),
        (a_login(season.club), 200),
    ):
        client.force_login(user)
        assert [client.get(address).status_code for address in addresses] == [status] * 3


def test_an_empty_season_says_so(client: Client) -> None:
    season = a_season(a_club())
    client.force_login(a_login(season.club))
    page = client.get(season.get_absolute_url()).content.decode()
    assert "No evening counts yet" in page
    assert "No evening is planned" in page


def test_standings_rank_members_and_lead_to_their_results(client: Client) -> None:
    season = a_played_season()
    client.force_login(a_login(season.club))
    response = client.get(season.get_absolute_url())
    rows = [strip_tags(row.get_cell("rank")) for row in response.context["table"].rows]
    assert rows == ["1, why?", "2, why?", "2, why?", "–, why?"]
    ann = Standing.objects.get(rank=1)
    page = response.content.decode()
    assert f"{reverse('league:player', args=[ann.player_id])}?season={season.pk}" in page
    assert page.count(">Guest<") == 1


def test_standings_are_sorted_by_a_column(client: Client) -> None:
    season = a_played_season()
    client.force_login(a_login(season.club))
    response = client.get(season.get_absolute_url(), {"sort": "-player"})
    assert [str(row.record.player) for row in response.context["table"].rows] == ["Cy0", "Bob0", "Ann0", "=Dan0"]
    assert 'aria-sort="descending"' in response.content.decode()
    response = client.get(season.get_absolute_url(), {"sort": "-rank"})
    assert [row.record.rank for row in response.context["table"].rows] == [2, 2, 1, None]


@pytest.mark.parametrize("column", ["evenings", "points"])
def test_each_player_is_on_one_page_whatever_the_column(client: Client, column: str) -> None:
    """Only here a page break parts rows that are equal in the sorted column, so that the database may mix them."""
    season = a_season(a_club(public=True))
    players = some_players(120)
    Standing.objects.bulk_create(
        Standing(season=season, player=player, rank=1 + odd, numerator=-odd, evenings=odd, deals=4, arithmetic=1)
        for odd, player in zip(cycle((0, 1)), players, strict=False)
    )
    pages = [client.get(season.get_absolute_url(), {"sort": column, "page": page}) for page in (1, 2, 3)]
    shown = [row.record.player_id for page in pages for row in page.context["table"].page.object_list]
    assert sorted(shown) == sorted(player.pk for player in players)


def test_fractions_are_rounded_and_sorted_exactly(client: Client) -> None:
    season = a_played_season()
    rows = [(400, 3), (401, 3), (-1, 7), (2, 1)]
    for row, (numerator, denominator) in zip(season.standings.order_by("pk"), rows, strict=True):
        Standing.objects.filter(pk=row.pk).update(numerator=numerator, denominator=denominator)
    client.force_login(a_login(season.club))
    response = client.get(season.get_absolute_url(), {"sort": "-points"})
    totals = [row.record.total for row in response.context["table"].rows]
    assert totals == [Fraction(401, 3), Fraction(400, 3), 2, Fraction(-1, 7)]
    page = response.content.decode()
    for number in (">133.67<", ">133.33<", ">2<", ">−0.14<"):
        assert number in page
    file = client.get(reverse("league:season-csv", args=[season.pk])).content.decode()
    assert "133.67" in file
    page = client.get(season.get_absolute_url(), headers={"accept-language": "fr"}).content.decode()
    assert ">133,67<" in page


def test_row_without_a_rank_says_why(client: Client) -> None:
    season = a_played_season()
    Season.objects.filter(pk=season.pk).update(standings_rules={"minimum": {"evenings": 2}})
    season.refresh_from_db()
    replace_standings({season.pk: rank_season(season)})
    client.force_login(a_login(season.club))
    page = client.get(season.get_absolute_url()).content.decode()
    assert (page.count(">1 evening missing<"), page.count(">Guest<")) == (3, 1)
    Season.objects.filter(pk=season.pk).update(standings_rules={"partners": 2})
    season.refresh_from_db()
    replace_standings({season.pk: rank_season(season)})
    page = client.get(season.get_absolute_url()).content.decode()
    assert (page.count(">2 partners missing<"), page.count(">Guest<")) == (3, 1)


def test_past_standings_by_unreadable_rules_are_empty(client: Client) -> None:
    season = a_played_season()
    Season.objects.filter(pk=season.pk).update(standings_rules={"counts": {}})
    client.force_login(a_login(season.club))
    response = client.get(season.get_absolute_url(), {"on": TODAY.isoformat()})
    assert response.status_code == 200
    assert not response.context["table"].rows


def test_the_readers_own_row_is_marked(client: Client) -> None:
    season = a_played_season()
    ann = Standing.objects.get(rank=1).player
    ann.user = User.objects.create_user("ann@club.example")
    ann.save()
    client.force_login(ann.user)
    assert client.get(season.get_absolute_url()).content.decode().count('class="own') == 1


def test_the_page_costs_the_same_for_a_large_season(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for tables in (1, 4):
        season = a_played_season(tables)
        client.force_login(a_login(season.club))
        # user with player, version, season twice, evenings, their rankings, count, standings; of the race: adjustments,
        # players
        with django_assert_num_queries(10):
            client.get(season.get_absolute_url())


def test_a_name_is_found_and_the_files_hold_what_is_shown(client: Client) -> None:
    season = a_played_season()
    season.club.public = True
    season.club.save()
    name = str(Standing.objects.filter(season=season).order_by("rank")[1].player)
    address = season.get_absolute_url()
    for query in ({"q": name.upper()}, {"q": name, "on": "2030-01-01"}):
        page = client.get(address, query)
        assert [str(row.record.player) for row in page.context["table"].page] == [name]
        lines = client.get(page.context["files"]["csv"]).content.decode("utf-8-sig").splitlines()
        assert [line.split(",")[1] for line in lines[1:]] == [name]
    assert "Nobody is called “xyz”." in client.get(address, {"q": "xyz"}).content.decode()


def test_the_file_holds_everyone_and_no_formula(client: Client) -> None:
    season = a_played_season()
    client.force_login(a_login(season.club))
    response = client.get(reverse("league:season-csv", args=[season.pk]))
    rows = list(csv.reader(response.content.decode("utf-8-sig").splitlines()))
    assert rows == [
        ["Rank", "Player", "Points", "Evenings", "Deals", "Rank before", TODAY.isoformat()],
        ["1", "Ann0", "81", "1", "1", "", "81"],
        ["2", "Bob0", "-27", "1", "1", "", "-27"],
        ["2", "Cy0", "-27", "1", "1", "", "-27"],
        ["", "'=Dan0", "-27", "1", "1", "", "-27"],
    ]
    response = client.get(reverse("league:season-xlsx", args=[season.pk]))
    sheet = Dataset().load(response.content, format="xlsx")
    assert sheet.headers == rows[0]
    assert sheet.title == "Standings"
    assert sheet[:] == [
        (1, "Ann0", 81, 1, 1, None, 81),
        (2, "Bob0", -27, 1, 1, None, -27),
        (2, "Cy0", -27, 1, 1, None, -27),
        (None, "'=Dan0", -27, 1, 1, None, -27),
    ]


@pytest.mark.parametrize(
    ("role", "status"), [(Role.GUEST, 404), (Role.MEMBER, 403), (Role.SECRETARY, 403), (Role.ADMIN, 302)]
)
def test_only_admins_open_and_close(client: Client, role: Role, status: int) -> None:
    season = a_season(a_club(), state=SeasonState.DRAFT)
    client.force_login(a_login(season.club, role))
    typed = {"seen": rows_digest([]), "accepted": "on"}
    for step, state in (("open", SeasonState.OPEN), ("close", SeasonState.CLOSED)):
        assert client.post(reverse(f"league:season-{step}", args=[season.pk]), typed).status_code == status
        season.refresh_from_db()
        assert season.state == (state if status == 302 else SeasonState.DRAFT)


def test_a_link_does_not_change_a_season(client: Client) -> None:
    season = a_season(a_club(), state=SeasonState.DRAFT)
    client.force_login(a_login(season.club, Role.ADMIN))
    assert client.get(reverse("league:season-open", args=[season.pk])).status_code == 405


def test_closing_under_an_open_evening_is_refused_in_words(client: Client) -> None:
    evening = an_evening(a_season(a_club()))
    client.force_login(a_login(evening.season.club, Role.ADMIN))
    typed = {"seen": rows_digest([]), "accepted": "on"}
    response = client.post(reverse("league:season-close", args=[evening.season_id]), typed, follow=True)
    assert "still open. Close or cancel it first." in response.content.decode()
    evening.season.refresh_from_db()
    assert evening.season.state == SeasonState.OPEN


def test_evenings_are_listed_with_state_and_winner(client: Client) -> None:
    season = a_played_season()
    planned_evenings = an_evening(season, EveningState.PLANNED)
    client.force_login(a_login(season.club))
    page = client.get(season.get_absolute_url()).content.decode()
    assert planned_evenings.get_absolute_url() in page
    assert "Planned" in page
    assert page.count("Ann0") == 2


def test_of_many_closed_evenings_the_latest_are_listed_and_all_are_a_link_away(client: Client) -> None:
    season = a_season(a_club())
    days = [TODAY - timedelta(days=7 * week) for week in range(12)]
    evenings = [an_evening(season, EveningState.CLOSED, on=day) for day in days]
    planned_evenings = an_evening(season, EveningState.PLANNED, on=TODAY + timedelta(days=7))
    client.force_login(a_login(season.club))
    answer = client.get(season.get_absolute_url())
    assert [held.evening for held in answer.context["evenings"]] == [planned_evenings, *evenings[:10]]
    assert '<a href="?evenings=all#evenings">All 13 evenings</a>' in unbroken(answer)
    answer = client.get(season.get_absolute_url(), {"evenings": "all"})
    assert [held.evening for held in answer.context["evenings"]] == [planned_evenings, *evenings]
    assert "13 evenings" not in unbroken(answer)


def test_tonights_evening_stands_above_those_planned_up_to_june(client: Client) -> None:
    season = a_season(a_club())
    over = [an_evening(season, EveningState.CLOSED, on=TODAY - timedelta(weeks=week)) for week in (1, 2)]
    planned_evenings = [
        an_evening(season, EveningState.PLANNED, on=TODAY + timedelta(weeks=week)) for week in range(1, 31)
    ]
    tonight = an_evening(season)
    client.force_login(a_login(season.club))
    answer = client.get(season.get_absolute_url())
    assert [held.evening for held in answer.context["evenings"]] == [tonight, *planned_evenings[:3], *over]
    assert "All 33 evenings" in answer.content.decode()
    answer = client.get(season.get_absolute_url(), {"evenings": "all"})
    assert [held.evening for held in answer.context["evenings"]] == [tonight, *planned_evenings, *over]


def test_moves_are_told_in_words() -> None:
    assert [rank_change(2, 5), rank_change(5, 2), rank_change(3, 3), rank_change(3, None), rank_change(None, 3)] == [
        "up 3",
        "down 3",
        "same",
        "new",
        "",
    ]


def test_a_board_says_what_decided_between_equal_totals(client: Client) -> None:
    season = a_season(a_club(public=True))
    for rank, total in ((1, 90), (2, 50), (3, 50)):
        Standing.objects.create(
            season=season, player=a_player(), rank=rank, numerator=total, evenings=1, deals=4, tie_break="best_evening",
            arithmetic=versions.STANDINGS,
        )  # fmt: skip
    page = client.get(season.get_absolute_url()).content.decode()
    assert page.count("by best evening") == 2
    assert "by best" not in client.get(reverse("league:season-csv", args=[season.pk])).content.decode()
