"""A game's leaderboard: visible players and their ranks."""

import csv
import re
from datetime import date, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from tablib.core import Dataset

from league.actions import api_tokens
from league.models import Club
from league.models.rights import Role
from league.ratings.queries.leaderboard import LeaderboardScope, leaderboard, with_ranks
from league.ratings.views import leaderboards
from players.models import Player, Rating, RatingStep, User
from tests.build import NOW, a_club, a_member, a_player, a_season
from tests.markup import unbroken
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


def ranks_of(rating: Rating, reader: User) -> dict[str, int | None]:
    """Return the ranks of all ratings of the player, by game."""
    return {row.game: row.rank for row in with_ranks(rating.player.ratings.all(), reader, today=TODAY)}


def address(slug: str = "tarot", **query: object) -> str:
    return reverse("league:leaderboard", args=[slug], query=query)


def test_equal_ratings_share_a_rank_and_the_next_one_skips() -> None:
    club = a_club()
    ratings = [rated(a_member(club), points) for points in (1000, 1050, 1050, 1100)]
    reader = user_of(a_member(club))
    assert list(leaderboard(reader, "tarot", today=TODAY).values_list("rank", flat=True)) == [1, 2, 2, 4]
    assert [ranks_of(rating, reader)["tarot"] for rating in ratings] == [4, 2, 2, 1]


def test_clubs_link_leads_to_its_own_players_and_to_all_clubs_from_there(client: Client) -> None:
    club, second_club = a_club(public=True), a_club(public=True)
    club_player, foreign = (a_member(home_club, login=False) for home_club in (club, second_club))
    rated(club_player, 1000)
    rated(foreign, 1100)
    a_season(club)
    home = unbroken(client.get(club.get_absolute_url()))
    [link] = re.findall(r'href="([^"]*/leaderboard[^"]*)"', home.partition('id="more"')[2])
    assert link == address(club=club.slug)
    page = client.get(link)
    assert [row.record.player for row in page.context["table"].rows] == [club_player]
    chip = re.search(r'<a[^>]*href="([^"]*)">Only ([^<]*) · ?<strong>show all clubs', unbroken(page))
    assert chip is not None
    assert chip[2] == str(club)
    wide = client.get(link.partition("?")[0] + chip[1])
    assert {row.record.player for row in wide.context["table"].rows} == {club_player, foreign}
    assert "show all clubs" not in unbroken(wide)


def test_each_game_has_its_own_ranks() -> None:
    club = a_club()
    player, opponent = a_member(club), a_member(club)
    rating = rated(player, 1050)
    rated(player, 900, game="belote")
    rated(opponent, 1100)
    rated(opponent, 800, game="belote")
    assert ranks_of(rating, user_of(player)) == {"tarot": 2, "belote": 1}


def test_rank_counts_only_those_whom_the_reader_may_see() -> None:
    home, foreign = a_club(), a_club()
    rated(a_member(foreign), 1200)
    mine = rated(a_member(home), 1100)
    board = leaderboard(user_of(a_member(home)), "tarot", today=TODAY)
    assert list(board.values_list("player_id", "rank")) == [(mine.player_id, 1)]


def test_player_in_two_clubs_of_the_reader_is_shown_once() -> None:
    first_club, second_club = a_club(), a_club()
    reader, player = a_member(first_club), a_member(first_club)
    second_club.memberships.create(player=reader)
    second_club.memberships.create(player=player)
    rated(player, 1100)
    assert leaderboard(user_of(reader), "tarot", today=TODAY).count() == 1


@pytest.mark.parametrize(("days", "is_listed"), [(179, True), (180, False)])
def test_180_days_without_a_rated_table_take_off_the_leaderboard(days: int, is_listed: bool) -> None:
    club = a_club()
    rating = rated(a_member(club), 1100, last=TODAY - timedelta(days=days))
    reader = user_of(a_member(club))
    assert leaderboard(reader, "tarot", today=TODAY).exists() == is_listed
    assert ranks_of(rating, reader) == {"tarot": 1 if is_listed else None}
    assert leaderboard(reader, "tarot", today=TODAY, scope=LeaderboardScope(include_inactive=True)).exists()


def test_page_marks_the_provisional_and_hides_the_inactive(client: Client) -> None:
    club = a_club(public=True)
    today = timezone.localdate()
    for given_name, points, last, provisional in [
        ("Zoé", 1300, today, False),
        ("Léo", 1050, today, True),
        ("Max", 1400, today - timedelta(days=400), False),
    ]:
        player = a_player(given_name, "Petit")
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


def a_board(*names: str) -> Club:
    """Return a public club whose people are rated 1300, 1200, …; the last of them can't be trusted yet."""
    club = a_club(public=True)
    for place, name in enumerate(names):
        player = a_player(name, "")
        club.memberships.create(player=player)
        points, last = 1300 - 100 * place, place == len(names) - 1
        rated(player, points, last=timezone.localdate(), provisional=last)
    return club


def rows(client: Client, **query: Any) -> list[tuple[int, str]]:
    """Return rank and name of a page's rows; its files have the same rows."""
    answer = client.get(address(**query))
    page_rows = [(row.record.rank, str(row.record.player)) for row in answer.context["table"].page]
    files = [client.get(answer.context["files"][extension]).content for extension in ("csv", "xlsx")]
    lines = list(csv.reader(files[0].decode("utf-8-sig").splitlines()))[1:]
    assert [(int(line[0]), line[1]) for line in lines] == page_rows
    assert [row[:2] for row in Dataset().load(files[1], format="xlsx")] == page_rows
    return page_rows


def test_a_name_is_found_without_accents_and_keeps_its_rank(client: Client) -> None:
    a_board("Anne Roy", "Élodie Roux", "Élise Ray")
    assert rows(client, q="eli") == [(3, "Élise Ray")]
    assert rows(client, q="ROU elo") == [(2, "Élodie Roux")]
    today = client.get(address(q="nobody"))
    assert "Nobody is called “nobody”." in today.content.decode()


def test_a_filter_ranks_those_who_are_shown(client: Client) -> None:
    a_board("Anne", "Bob", "Cy")
    second_club = a_board("Dora", "Eve")
    assert rows(client) == [(1, "Anne"), (1, "Dora"), (3, "Bob"), (3, "Eve"), (5, "Cy")]
    assert rows(client, club=second_club.slug) == [(1, "Dora"), (2, "Eve")]
    assert rows(client, established=1) == [(1, "Anne"), (1, "Dora"), (3, "Bob")]
    assert rows(client, sort="-player", club=second_club.slug) == [(2, "Eve"), (1, "Dora")]


def test_a_club_that_the_reader_may_not_see_is_no_choice(client: Client) -> None:
    hidden = a_club()
    assert client.get(address(club=hidden.slug)).status_code == 422
    file = reverse("league:leaderboard-csv", args=["tarot"], query={"club": hidden.slug})
    assert client.get(file).status_code == 400


def test_the_reader_finds_his_own_row(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leaderboards, "ROWS_PER_PAGE", 2)
    club = a_board("Anne", "Bob")
    reader = a_member(club)
    rated(reader, 1000, last=timezone.localdate())
    client.force_login(user_of(reader))
    assert "mine=1#own" in client.get(address()).content.decode().replace("&amp;", "&")
    page = client.get(address(mine=1))
    assert page.context["table"].page.number == 2
    assert 'id="own"' in page.content.decode()


def test_unknown_game_is_not_found(client: Client) -> None:
    assert client.get(address("bridge")).status_code == 404


def test_a_public_club_in_which_somebody_is_only_a_guest_is_named_to_its_own_readers_alone(client: Client) -> None:
    home, visited = a_club(public=True), a_club(public=True)
    person = a_member(home, login=False)
    visited.memberships.create(player=person, role=Role.GUEST)
    rating = rated(person, 1000, last=timezone.localdate())
    step = {name: getattr(rating, name) for name in ("game", "micro", "weight", "tables", "dates", "opponents")}
    RatingStep.objects.create(player=person, date=timezone.localdate() - timedelta(days=2), **step)
    root = User.objects.create_superuser("root@club.example", "a-long-enough-password")
    readers = {
        "anonymous": None,
        "stranger": user_of(a_member(a_club())),
        "member": user_of(a_member(visited)),
        "root": root,
    }
    yesterday = timezone.localdate() - timedelta(days=1)
    for name, reader in readers.items():
        sees_guests = name in ("member", "root")
        if reader is not None:
            client.force_login(reader)
        headers = (
            {"Authorization": f"Bearer {api_tokens.create_token(reader, 'Program', None, now=NOW)}"} if reader else {}
        )
        queries: list[dict[str, str]] = [{}, {"on": str(yesterday)}]
        for past in queries:
            for club, is_visible in ((home, True), (visited, sees_guests)):
                page = client.get(address("tarot", club=club.slug, **past))
                assert (f"/players/{person.pk}/" in page.content.decode()) == is_visible, (name, past)
                api = reverse("api:leaderboard", args=["tarot"], query={"club": club.slug, **past})
                if reader:
                    rows = client.get(api, headers=headers).json()["items"]
                    assert [row["player"]["id"] for row in rows] == [person.pk] * is_visible, (name, past)
        profile = client.get(reverse("league:player", args=[person.pk])).content.decode()
        assert home.name in profile
        assert (f"/clubs/{visited.slug}/" in profile) == sees_guests, name
        if reader:
            clubs = client.get(reverse("api:player", args=[person.pk]), headers=headers).json()["clubs"]
            assert (visited.slug in clubs) == sees_guests, name
