"""A rating's history, and the pair lines of a date's change: exact values and viewers."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from league.actions import evenings as evenings_actions
from league.models import Club, Evening, Run, Season, Seat
from league.models.rights import Role
from league.ratings.queries.rating_change import explain_change
from league.recompute.work import runs
from players.models import Player
from tests.build import NOW, TODAY, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.markup import unbroken
from tests.rating_changes import all_changes, sums
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi")


def played(season: Season, *rounds: list[Player], on: date = TODAY, deals: int = 4) -> Evening:
    """Return a closed evening with one table per round; the first player wins and the others tie."""
    evening = an_evening(season, on=on)
    for number, players in enumerate(rounds, 1):
        table = a_table(evening, players, round_number=number)
        for _ in range(deals):
            a_deal(table)
    return evenings_actions.close(evening.pk, now=NOW)


def compute() -> None:
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)


def history(player: Player, **query: object) -> str:
    return reverse("league:ratings", args=[player.pk, "tarot"], query=query)


def opened(player: Player, day: date | str = TODAY, game: str = "tarot") -> str:
    return reverse("league:rating-day", args=[player.pk, game, str(day)])


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(unbroken(answer).split())


def test_whoever_came_from_another_clubs_table_brings_what_he_won_there(club: Club) -> None:
    """Round 1 in one club decides what round 2 in the other is rated from, over two evenings and three tables."""
    first, second, third = a_season(club), a_season(a_club()), a_season(a_club())
    shared, also, asked = a_player(), a_player(), a_player()
    played(third, [also, *(a_player() for _ in range(3))])
    played(first, [shared, *(a_player() for _ in range(3))], [a_player(), also, a_player(), a_player()])
    played(second, [a_player() for _ in range(4)], [a_player() for _ in range(4)], [asked, shared, also, a_player()])
    compute()
    changes = all_changes()
    assert sums(changes) == changes
    [table] = explain_change(asked.pk, "tarot", TODAY)
    assert len({reason.expected for reason in table.reasons}) > 1


def test_a_line_reads_as_the_rules_write_it(client: Client, club: Club) -> None:
    """RATINGS.md, club rules: k(4) = 2.309, w = 0.5, f = 4: K = 4.619; half of it is gained from an equal."""
    winner, chloe = a_member(club), a_player("Chloé", "")
    evening = played(a_season(club), [winner, chloe, a_player(), a_player()])
    compute()
    text = page(signed_in(client, winner), opened(winner))
    for part in (
        '<li><span>beat Chloé, expected .500, stake 4.619</span><span class="num">+2.309</span></li>',
        "place 1 of 4",
        "From 1,000.000 to 1,006.928: +6.928.",
        Seat.objects.get(player=winner, round__evening=evening).table.get_absolute_url(),
    ):
        assert part in text
    lost = page(client, opened(chloe))
    assert "lost to" in lost
    assert "drew with" in lost
    assert "−2.309" in lost


def test_too_short_a_table_is_told_as_such(client: Client, club: Club) -> None:
    players = [a_member(club), *(a_player() for _ in range(3))]
    played(a_season(club), players)
    played(a_season(club, end_number=1), players, deals=1)
    compute()
    assert "Too short to be rated" in page(signed_in(client, players[0]), opened(players[0]))


def test_correction_that_is_due_is_said_and_not_hidden(client: Client, club: Club) -> None:
    players = [a_member(club), *(a_player() for _ in range(3))]
    played(a_season(club), players)
    compute()
    assert "would be" not in page(signed_in(client, players[0]), opened(players[0]))
    Seat.objects.filter(player=players[0]).update(points=-1000)
    assert "As the results stand now it would be" in page(client, opened(players[0]))


def test_at_a_table_that_the_reader_may_not_see_nobody_is_named(client: Client, club: Club) -> None:
    player, opponent = a_member(club), a_member(club)
    secret = a_season(a_club(name="Secret club"), name="Secret season")
    played(secret, [player, opponent, a_player("Nobody", "Known"), a_player()])
    played(a_season(club), [player, *(a_player() for _ in range(3))])
    compute()
    text = page(signed_in(client, a_member(club)), opened(player))
    assert "beat another player" in text
    assert "may not see" in text
    for hidden in ("Secret", "Nobody", str(opponent)):
        assert hidden not in text
    assert text.count("/tables/") == 1
    own_page = page(signed_in(client, player), opened(player))  # who sat there sees the sheet
    assert "Nobody Known" in own_page
    assert "/tables/" in own_page


def test_date_of_an_evening_that_the_reader_may_not_see_is_told_nowhere(client: Client, club: Club) -> None:
    """Members of one club, and the public, do not see when a player played in another club."""
    Club.objects.filter(pk=club.pk).update(public=True)
    player, opponent = a_member(club), a_member(club)
    visible, secret = date(2026, 9, 4), date(2026, 9, 11)
    played(a_season(club), [player, opponent, a_player(), a_player()], on=visible)
    played(a_season(a_club()), [a_player(), player, a_player(), a_player()], on=secret)
    compute()
    pages = [history(player), reverse("league:player", args=[player.pk]), f"/players/{player.pk}/compare/{opponent.pk}"]
    for reader in (None, a_member(club)):
        browser = signed_in(Client(), reader) if reader else Client()
        for address in pages:
            text = page(browser, address)
            for hidden in (str(secret), "11 Sep", "11/09"):
                assert hidden not in text, address
        assert [browser.get(opened(player, day)).status_code for day in (visible, secret)] == [200, 404]
        steps = browser.get(f"/api/v1/players/{player.pk}/ratings/tarot").json()["items"]
        assert [step["date"] for step in steps] == [str(visible)]
        assert "are left out" in page(browser, history(player))
    own_page = page(signed_in(client, player), history(player))
    assert str(secret) in own_page
    assert "are left out" not in own_page


def test_player_known_by_hidden_evenings_alone_has_a_rating_without_dates(client: Client, club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(public=True)
    player = a_member(club)
    played(a_season(a_club()), [player, a_player(), a_player(), a_player()])
    compute()
    text = page(client, reverse("league:player", args=[player.pk]))
    assert 'id="rating-tarot"' in text
    assert '<svg class="chart"' not in text


def test_stranger_finds_no_rating(client: Client, club: Club) -> None:
    player = a_member(club)
    played(a_season(club), [player, *(a_player() for _ in range(3))])
    compute()
    signed_in(client, a_member(a_club(), Role.ADMIN))
    assert [client.get(address).status_code for address in (history(player), opened(player))] == [404, 404]


@pytest.mark.parametrize(
    ("on", "game"),
    [("2026-10-01", "tarot"), ("20261002", "tarot"), ("2026-13-01", "tarot"), ("x", "tarot"), ("2026-10-02", "whist")],
)
def test_no_page_where_nothing_was_rated(client: Client, club: Club, on: str, game: str) -> None:
    player = a_member(club)
    played(a_season(club), [player, *(a_player() for _ in range(3))])
    compute()
    assert signed_in(client, player).get(opened(player, on, game)).status_code == 404


@pytest.mark.faults
def test_history_is_told_by_pages_the_newest_first(client: Client, club: Club) -> None:
    players = [a_member(club), *(a_player() for _ in range(3))]
    season = a_season(club)
    for week in range(27):
        played(season, players, players, on=TODAY - timedelta(days=7 * week))
    compute()
    client = signed_in(client, players[0])
    first = client.get(history(players[0])).context["page"]
    assert [step.date for step in first][:2] == [TODAY, TODAY - timedelta(days=7)]
    assert len(first) == 25
    last = list(client.get(history(players[0], page=2)).context["page"])
    assert len(last) == 2
    changes = all_changes()
    assert [step.change for step in [*first, *last]] == [
        changes[players[0].pk, "tarot", TODAY - timedelta(days=7 * week)] for week in range(27)
    ]
    assert {step.rated for step in first} == {2}
    assert opened(players[0]) in page(client, history(players[0]))
    assert history(players[0]) in page(client, reverse("league:player", args=[players[0].pk]))


def test_history_before_the_first_table_says_so(client: Client, club: Club) -> None:
    player = a_member(club)
    assert "No rating yet" in page(signed_in(client, player), history(player))
    assert client.get(reverse("league:ratings", args=[player.pk, "whist"])).status_code == 404


def test_number_of_queries_is_the_same_for_one_table_and_many(
    client: Client, club: Club, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    player = signed_in_player(client, club)
    played(a_season(club), *([player, *(a_player() for _ in range(3))] for _ in range(1)))
    tomorrow = TODAY + timedelta(days=1)
    played(a_season(club), *([player, *(a_player() for _ in range(4))] for _ in range(5)), on=tomorrow)
    compute()
    for day in (TODAY, tomorrow):
        # user, version, player, this date and the one before, evenings, tables, rules, held before, whose tables, names
        with django_assert_num_queries(10):
            client.get(opened(player, day))


def signed_in_player(client: Client, club: Club) -> Player:
    player = a_member(club)
    signed_in(client, player)
    return player


def test_ratings_say_when_they_were_computed(client: Client, club: Club) -> None:
    """The time of the last run that computed the game, not of later runs."""
    player = a_member(club)
    signed_in(client, player)
    board = reverse("league:leaderboard", args=["tarot"])
    assert "Computed on" not in page(client, board)
    played(a_season(club), [player, *(a_player() for _ in range(3))])
    compute()
    Run.objects.update(finished_at=NOW)  # 23:00 in Paris
    Run.objects.create(
        state=Run.State.DONE, trigger=Run.Trigger.NIGHT, started_at=NOW, finished_at=NOW + timedelta(days=1)
    )
    for address in (f"{board}?inactive", history(player)):
        assert "Computed on 2 Oct 2026, 11 p.m." in page(client, address)
    assert "Computed on" not in page(client, f"{board}?inactive&on={TODAY}")
