"""A game's leaderboard: who is shown to whom, and ranked how."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.results.leaderboard import leaderboard, ranks_of
from players.models import Player, Rating
from tests.build import a_club, a_member, a_player
from tests.readers import user_of

pytestmark = pytest.mark.django_db

TODAY = date(2026, 10, 2)
POINT = 1_000_000


def rated(player: Player, points: int, *, last: date = TODAY, game: str = "tarot", provisional: bool = False) -> Rating:
    row: Rating = Rating.objects.create(
        player=player, game=game, micro=points * POINT, weight=30_000, tables=30, dates=5, opponents=12,
        provisional=provisional, last_date=last,
    )  # fmt: skip
    return row


def address(slug: str = "tarot", **query: object) -> str:
    return reverse("league:leaderboard", args=[slug], query=query)


def test_equal_ratings_share_a_rank_and_the_next_one_skips() -> None:
    club = a_club()
    ratings = [rated(a_member(club), points) for points in (1000, 1050, 1050, 1100)]
    reader = user_of(a_member(club))
    assert list(leaderboard(reader, "tarot", today=TODAY).values_list("rank", flat=True)) == [1, 2, 2, 4]
    assert [ranks_of([rating], reader, today=TODAY)["tarot"] for rating in ratings] == [4, 2, 2, 1]


def test_each_game_has_its_own_ranks() -> None:
    club = a_club()
    one, other = a_member(club), a_member(club)
    both = [rated(one, 1050), rated(one, 900, game="belote")]
    rated(other, 1100)
    rated(other, 800, game="belote")
    assert ranks_of(both, user_of(one), today=TODAY) == {"tarot": 2, "belote": 1}


def test_rank_counts_only_those_whom_the_reader_may_see() -> None:
    own, other = a_club(), a_club()
    rated(a_member(other), 1200)
    mine = rated(a_member(own), 1100)
    board = leaderboard(user_of(a_member(own)), "tarot", today=TODAY)
    assert list(board.values_list("player_id", "rank")) == [(mine.player_id, 1)]


def test_player_in_two_clubs_of_the_reader_is_shown_once() -> None:
    one, two = a_club(), a_club()
    reader, player = a_member(one), a_member(one)
    two.memberships.create(player=reader)
    two.memberships.create(player=player)
    rated(player, 1100)
    assert leaderboard(user_of(reader), "tarot", today=TODAY).count() == 1


@pytest.mark.parametrize(("days", "shown"), [(179, True), (180, False)])
def test_180_days_without_a_rated_table_take_off_the_leaderboard(days: int, shown: bool) -> None:
    club = a_club()
    rating = rated(a_member(club), 1100, last=TODAY - timedelta(days=days))
    reader = user_of(a_member(club))
    assert leaderboard(reader, "tarot", today=TODAY).exists() == shown
    assert ranks_of([rating], reader, today=TODAY) == ({"tarot": 1} if shown else {})
    assert leaderboard(reader, "tarot", today=TODAY, inactive=True).exists()


def test_page_marks_the_provisional_and_hides_the_inactive(client: Client) -> None:
    club = a_club(public=True)
    today = timezone.localdate()
    for given, points, last, provisional in [
        ("Zoé", 1300, today, False),
        ("Léo", 1050, today, True),
        ("Max", 1400, today - timedelta(days=400), False),
    ]:
        player = a_player(given, "Petit")
        club.memberships.create(player=player)
        rated(player, points, last=last, provisional=provisional)
    page = client.get(address()).content.decode()
    assert page.index("Zoé Petit") < page.index("Léo Petit")
    assert page.count(">provisional<") == 1
    assert "Max Petit" not in page
    assert "1,300" in page
    assert "Max Petit" in client.get(address(inactive=1)).content.decode()


def test_page_for_a_reader_who_may_see_nobody(client: Client) -> None:
    rated(a_member(a_club()), 1300, last=timezone.localdate())
    assert "Nobody whom you may see" in client.get(address()).content.decode()
    assert "Nobody whom you may see" in client.get(address(inactive=1)).content.decode()


def test_pages_of_50_sorted_by_any_column(client: Client) -> None:
    club = a_club(public=True)
    for points in range(60):
        rated(a_member(club, login=False), 1000 + points, last=timezone.localdate())
    assert len(client.get(address()).context["table"].page.object_list) == 50
    assert [row.record.micro for row in client.get(address(page=2)).context["table"].page.object_list][-1] == 10**9
    assert client.get(address(sort="played")).status_code == 200


def test_unknown_game_is_not_found(client: Client) -> None:
    assert client.get(address("bridge")).status_code == 404
