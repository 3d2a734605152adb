"""A player's page: whose results and ratings which reader sees."""

import gzip
from datetime import date, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from league.actions import evenings, roles, season_closing
from league.models import Adjustment, Club, Run, Standing
from league.models.evening import EveningState
from league.models.rights import Role
from league.recompute.work import runs
from players.models import Player, Rating, RatingStep
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

POINT = 1_000_000
TONIGHT = NOW.date()


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi")


def page(player: Player, **query: object) -> str:
    return reverse("league:player", args=[player.pk], query=query)


def played(club: Club, player: Player, day: date = TONIGHT, season_name: str = "Autumn") -> None:
    """Play a closed evening with one deal: the player takes and wins 81, the others lose 27 (001's first example)."""
    season = club.seasons.filter(name=season_name).first() or a_season(club, name=season_name, end_number=1)
    evening = an_evening(season, on=day)
    a_deal(a_table(evening, [player, *(a_player() for _ in range(3))]))
    evenings.close(evening.pk, now=NOW)


def test_stranger_finds_no_page(client: Client, club: Club) -> None:
    player = a_member(club)
    assert client.get(page(player)).status_code == 404
    signed_in(client, a_member(a_club()))
    assert client.get(page(player)).status_code == 404


def test_member_sees_results_with_rank_and_links(client: Client, club: Club) -> None:
    player = a_member(club)
    played(club, player)
    signed_in(client, a_member(club))
    answer = client.get(page(player))
    [result] = answer.context["results"]
    assert (result.ranking_row.points, result.ranking_row.rank, result.ranked) == (81, 1, 4)
    text = answer.content.decode()
    assert result.evening.get_absolute_url() in text
    assert reverse("league:table", args=[result.tables[0].table]) in text


def test_results_of_clubs_that_the_reader_may_not_see_stay_hidden(client: Client, club: Club) -> None:
    player = a_member(club)
    private_club = a_club(name="Secret club")
    private_club.memberships.create(player=player)
    played(private_club, player)
    signed_in(client, a_member(club))
    answer = client.get(page(player))
    assert answer.context["results"] == []
    assert "Secret club" not in answer.content.decode()


def test_guest_sees_own_results_without_links_to_pages_closed_to_him(client: Client, club: Club) -> None:
    guest = a_member(club, Role.GUEST)
    played(club, guest)
    signed_in(client, guest)
    answer = client.get(page(guest))
    [result] = answer.context["results"]
    assert not answer.context["visible_clubs"]
    text = answer.content.decode()
    assert "Tarot du mardi" in text
    assert club.get_absolute_url() not in text
    assert result.evening.get_absolute_url() not in text
    assert reverse("league:table", args=[result.tables[0].table]) in text


def test_anonymous_reader_sees_a_public_club_only(client: Client) -> None:
    public = a_club(public=True)
    player = a_member(public)
    played(public, player)
    private = a_club()
    private.memberships.create(player=player)
    played(private, player)
    assert len(client.get(page(player)).context["results"]) == 1


def test_filter_by_season(client: Client, club: Club) -> None:
    player = a_member(club)
    played(club, player, season_name="Autumn")
    played(club, player, day=NOW.date() + timedelta(days=90), season_name="Winter")
    signed_in(client, player)
    everything = client.get(page(player))
    assert [result.evening.season.name for result in everything.context["results"]] == ["Winter", "Autumn"]
    autumn = club.seasons.get(name="Autumn")
    assert [r.evening.season for r in client.get(page(player, season=autumn.pk)).context["results"]] == [autumn]
    assert len(client.get(page(player, season="x")).context["results"]) == 2


def test_cancelled_evening_is_no_result(client: Client, club: Club) -> None:
    player = a_member(club)
    played(club, player)
    club.seasons.get().evenings.update(state=EveningState.CANCELLED, closed_at=None, final_at=None)
    signed_in(client, player)
    assert client.get(page(player)).context["results"] == []


def test_new_player_has_a_page_that_says_so(client: Client, club: Club) -> None:
    player = a_member(club)
    signed_in(client, player)
    text = client.get(page(player)).content.decode()
    assert "No rating yet" in text
    assert "No evening that you may see." in text


def test_rating_is_shown_with_band_rank_chart_and_numbers(client: Client, club: Club) -> None:
    player, better = a_member(club), a_member(club)
    today = timezone.localdate()
    # n = 20 halves the variance: ±90·√(20 / 40) = ±63.6
    for rated, micro in [(player, 1012 * POINT + 400_000), (better, 1100 * POINT)]:
        Rating.objects.create(
            player=rated, game="tarot", micro=micro, weight=20_000, tables=20, dates=2, opponents=9,
            provisional=True, last_date=today,
        )  # fmt: skip
    for number, micro in enumerate([997 * POINT, 1012 * POINT + 400_000]):
        RatingStep.objects.create(
            player=player, game="tarot", date=today - timedelta(days=7 - 7 * number), micro=micro,
            weight=10_000 * (number + 1),
            tables=10 * (number + 1), dates=number + 1, opponents=9,
        )  # fmt: skip
    signed_in(client, player)
    answer = client.get(page(player))
    [panel] = answer.context["panels"]
    assert panel.rating.rank == 2
    assert [change.change for change in panel.changes] == [15 * POINT + 400_000, -3 * POINT]
    text = answer.content.decode()
    assert "<strong>1,012</strong> ±64" in text
    assert 'role="img"' in text
    assert "+15.4" in text
    assert "−3.0" in text
    assert " style=" not in text


def test_the_latest_ten_changes_are_shown_and_the_chart_has_all(client: Client, club: Club) -> None:
    player = a_member(club)
    today = timezone.localdate()
    fields = {"player": player, "game": "tarot", "weight": 1000, "tables": 1, "opponents": 9}
    Rating.objects.create(**fields, micro=1012 * POINT, dates=12, provisional=True, last_date=today)
    for week in range(12):
        day = today - timedelta(days=7 * (11 - week))
        RatingStep.objects.create(**fields, date=day, micro=(1000 + week) * POINT, dates=week + 1)
    [panel] = signed_in(client, player).get(page(player)).context["panels"]
    assert [(change.micro, change.change) for change in panel.changes] == [
        ((1011 - back) * POINT, POINT) for back in range(10)
    ]
    assert len(panel.chart.points) == 12


def test_number_of_queries_is_the_same_for_one_evening_and_many(client: Client, club: Club) -> None:
    player = a_member(club)
    signed_in(client, player)
    played(club, player)
    few = _queries(client, page(player))
    for week in range(1, 6):
        played(club, player, day=NOW.date() + timedelta(days=7 * week))
    assert _queries(client, page(player)) == few


def _queries(client: Client, address: str) -> int:
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    return len(queries)


def test_a_number_of_the_standings_leads_to_its_rows_and_their_sum(client: Client, club: Club) -> None:
    """Twice 81, once of an evening that counts twice, and −8: 81 + 162 − 8 = 235. Tonight's 81 stand apart."""
    player = a_member(club)
    season = a_season(club, name="Autumn", end_number=1)
    for days, weight in ((14, 1), (7, 2), (0, 1)):
        evening = an_evening(season, on=TONIGHT - timedelta(days=days))
        season.evenings.filter(pk=evening.pk).update(weight=weight)
        a_deal(a_table(evening, [player, *(a_player() for _ in range(3))]))
        if days:
            evenings.close(evening.pk, now=NOW)
    Adjustment.objects.create(season=season, player=player, points=-8, reason="Came late")
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    signed_in(client, player)

    standings = client.get(season.get_absolute_url()).content.decode()
    address = f"{page(player)}?season={season.pk}#results"
    assert address in standings
    assert Standing.objects.get(player=player).total == 235
    answer = client.get(address)
    text = " ".join(answer.content.decode().split())
    assert text.index('id="results"') < text.index("No rating yet")
    assert answer.context["sum"].points == 235
    assert "Sum of 2 evenings" in text
    assert "Adjustment: Came late" in text
    assert "The standings say" not in text
    [tonight] = answer.context["running"]
    assert tonight.evening.date == TONIGHT
    assert tonight not in answer.context["results"]

    # After a correction, the page shows the new sum and the former total of the standings.
    Adjustment.objects.update(points=-10)
    answer = client.get(address)
    assert (answer.context["sum"].points, answer.context["sum"].total) == (233, 235)
    assert "The standings say" in answer.content.decode()


def test_in_a_season_with_rules_the_sum_stands_beside_the_total_of_the_standings(client: Client, club: Club) -> None:
    """Three times 81 are 243; the best two count: 162, and 5 were given."""
    player = a_member(club)
    season = a_season(club, end_number=1, standings_rules={"counts": {"which": "best", "n": 2}})
    for days in (21, 14, 7):
        evening = an_evening(season, on=TONIGHT - timedelta(days=days))
        a_deal(a_table(evening, [player, *(a_player() for _ in range(3))]))
        evenings.close(evening.pk, now=NOW)
    Adjustment.objects.create(season=season, player=player, points=5, reason="Lent the cards")
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    signed_in(client, player)
    answer = client.get(f"{page(player)}?season={season.pk}")
    assert (answer.context["sum"].points, answer.context["sum"].total) == (243, 167)
    text = " ".join(answer.content.decode().split())
    assert "Sum of 3 evenings" in text
    assert "In the standings, by the season's rules" in text
    assert reverse("league:standing", args=[season.pk, player.pk]) in text
    assert "The standings say" not in text


def test_an_evenings_number_leads_to_its_row(client: Client, club: Club) -> None:
    player = a_member(club)
    played(club, player)
    signed_in(client, player)
    evening = club.seasons.get().evenings.get()
    address = f"{page(player)}?season={evening.season_id}#evening-{evening.pk}"
    assert address in client.get(evening.get_absolute_url()).content.decode()
    assert f'id="evening-{evening.pk}"' in client.get(address).content.decode()


def test_who_left_the_club_is_found_by_the_links_of_its_results_alone(client: Client, club: Club) -> None:
    player = a_member(club)
    played(club, player)
    Rating.objects.create(
        player=player, game="tarot", micro=1000 * POINT, weight=1000, tables=1, dates=1, opponents=3,
        provisional=True, last_date=timezone.localdate(),
    )  # fmt: skip
    roles.end_membership(club.memberships.get(player=player).pk)
    client.logout()
    assert client.get(page(player)).status_code == 404  # the club is private
    signed_in(client, a_member(club))
    evening = club.seasons.get().evenings.get()
    assert page(player) in client.get(evening.get_absolute_url()).content.decode()
    answer = client.get(page(player))
    assert [result.ranking_row.points for result in answer.context["results"]] == [81]
    assert answer.context["panels"] == []
    assert client.get(reverse("league:ratings", args=[player.pk, "tarot"])).status_code == 404
    stranger = Client()
    signed_in(stranger, a_member(a_club()))
    assert stranger.get(page(player)).status_code == 404


def test_current_season_shows_rank_and_form_with_wins_and_absences(client: Client, club: Club) -> None:
    """Two won evenings of 81, and one between them without the player; the chart and its table have the same."""
    player = a_member(club)
    season = a_season(club, end_number=1)
    for days in (21, 14, 7):
        evening = an_evening(season, on=TONIGHT - timedelta(days=days))
        players = [a_player() for _ in range(4)] if days == 14 else [player, *(a_player() for _ in range(3))]
        a_deal(a_table(evening, players))
        evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    answer = signed_in(client, player).get(page(player))
    [card] = answer.context["current"]
    assert [(mark.kind, mark.number, mark.is_won) for _column, mark in card.columns] == [
        ("counted", "81", True),
        ("absent", "", False),
        ("counted", "81", True),
    ]
    text = " ".join(answer.content.decode().split())
    assert text.count("★") == 3  # and in the legend
    chart = text.partition('<svg class="chart evening-chart"')[2].partition("</svg>")[0]
    assert len(gzip.compress(chart.encode())) <= 6 * 1024
    assert text.count("1st of 4") == 4  # below the chart, and in the results


def test_season_of_the_last_evening_is_first(client: Client, club: Club) -> None:
    player = a_member(club)
    played(club, player, day=TONIGHT - timedelta(days=7), season_name="Autumn")
    played(club, player, day=TONIGHT - timedelta(days=14), season_name="Winter")
    played(club, player, day=TONIGHT - timedelta(days=21), season_name="Autumn")
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    cards = signed_in(client, player).get(page(player)).context["current"]
    assert [str(card.standing.season) for card in cards] == ["Autumn", "Winter"]


def test_achievements_are_medals_wins_and_the_last_round_number(client: Client, club: Club) -> None:
    """Ten won evenings: first of a closed season, on the tenth one ten evenings."""
    player = a_member(club)
    for week in range(10, 0, -1):
        played(club, player, day=TONIGHT - timedelta(days=7 * week))
    season_closing.close(club.seasons.get().pk, now=NOW)
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    answer = signed_in(client, player).get(page(player))
    badges = answer.context["achievements"]
    assert [(row.rank, str(row.season)) for row in badges.medals] == [(1, "Autumn")]
    assert (badges.won, badges.milestone) == (10, (10, TONIGHT - timedelta(days=7)))
    assert answer.context["strip"].day_count == 10
    assert reverse("league:honours", args=[club.seasons.get().pk]) in answer.content.decode()
