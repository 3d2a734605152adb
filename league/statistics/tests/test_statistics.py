"""What a player did in a game: the page, and who sees what of it."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.actions import evenings, totals
from league.models import Club, Deal, Run, Season
from league.models.rights import Role
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from league.statistics.queries.tables_played import MIN_SHARED_TABLES
from players.models import Player
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi")


def page(player: Player, game: str = "tarot", **query: object) -> str:
    return reverse("league:player-statistics", args=[player.pk, game], query=query)


def played(club: Club, player: Player) -> Season:
    """A closed evening, computed: a take won by the player, and one lost (001's first examples)."""
    season = a_season(club, end_number=2)
    evening = an_evening(season)
    table = a_table(evening, [player, *(a_player() for _ in range(3))])
    a_deal(table)
    a_deal(table, {**TAKE, "oudlers": 1})
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    return season


def test_numbers_with_their_samples_and_everybodys(client: Client, club: Club) -> None:
    player = a_member(club)
    played(club, player)
    signed_in(client, player)
    answer = client.get(page(player))
    values = {row.value.label: row.value for section in answer.context["sections"] for row in section.rows}
    made_contracts = values["Contracts made"]
    assert (made_contracts.part, made_contracts.total, made_contracts.share, made_contracts.average) == (1, 2, 0.5, 0.5)
    assert (values["Deals taken"].share, values["Deals taken"].average) == (1, 0.25)
    assert values["Margin over what was needed"].mean == (2 - 8) / 2
    assert "Points a deal as the called partner" not in values  # nobody was called
    won, lost = Deal.objects.order_by("pk")
    assert (answer.context["own"].best, answer.context["own"].worst) == ((81, won.pk), (-99, lost.pk))
    text = answer.content.decode()
    assert "1 of 2" in text
    assert won.get_absolute_url() in text


def test_one_season_or_all(client: Client, club: Club) -> None:
    player = a_member(club)
    first, second = played(club, player), played(club, player)
    signed_in(client, player)
    assert client.get(page(player)).context["own"].counts["deals"] == 4
    answer = client.get(page(player, season=first.pk))
    assert (answer.context["chosen"], answer.context["own"].counts["deals"]) == (first, 2)
    for odd in ("", "x", "99999999", second.pk * 1000):
        assert client.get(page(player, season=odd)).context["own"].counts["deals"] == 4


def test_seasons_of_clubs_that_the_reader_may_not_see_stay_hidden(client: Client, club: Club) -> None:
    player, secret = a_member(club), a_club(name="Secret club")
    secret.memberships.create(player=player)
    hidden = played(secret, player)
    signed_in(client, a_member(club))
    answer = client.get(page(player))
    assert answer.context["own"] is None
    assert "Secret club" not in answer.content.decode()
    assert client.get(page(player, season=hidden.pk)).context["chosen"] is None
    signed_in(client, player)
    assert client.get(page(player)).context["own"].counts["deals"] == 2


def test_a_guest_of_a_private_club_reads_his_own_without_links_that_fail(client: Client, club: Club) -> None:
    guest = a_member(club, Role.GUEST)
    played(club, guest)
    signed_in(client, guest)
    answer = client.get(page(guest))
    assert not answer.context["linked"]
    text = answer.content.decode()
    assert club.seasons.get().evenings.get().get_absolute_url() not in text
    for deal in Deal.objects.all():
        assert client.get(deal.get_absolute_url()).status_code == 200


def test_tables_of_totals_say_that_no_deal_is_known(client: Client, club: Club) -> None:
    player = a_member(club)
    season = a_season(club)
    table = a_table(an_evening(season), [player, *(a_player() for _ in range(3))])
    sums = {seat: PointsAndDeals(60 if seat == 0 else -20, 4) for seat in range(4)}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    evenings.close(table.round.evening_id, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    signed_in(client, player)
    text = client.get(page(player)).content.decode()
    assert "handed in as totals" in text
    assert "1 of 1 table" in text


@pytest.mark.parametrize("game", ["bridge", "tarot.", "two-way-street"])
def test_a_game_that_is_not_there_or_not_played(client: Client, club: Club, game: str) -> None:
    player = a_member(club)
    signed_in(client, player)
    answer = client.get(f"/players/{player.pk}/statistics/{game}")
    assert answer.status_code == (200 if game == "two-way-street" else 404)


def test_pairs_have_partners_and_deals_that_gave_points_in_french(client: Client, club: Club) -> None:
    player, partner = a_member(club), a_player()
    season = a_season(club, "belote", table_sizes=[4], end_number=1)
    for _evening in range(MIN_SHARED_TABLES):
        evening = an_evening(season)
        a_deal(a_table(evening, [player, a_player(), partner, a_player()]), {"taker": None})
        evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    signed_in(client, player)
    with translation.override("fr"):  # restores the language after the request
        text = client.get(page(player, "belote"), headers={"Accept-Language": "fr"}).content.decode()
    assert '<th scope="col">Partenaire</th>' in text
    assert "Appelé" not in text
    assert "Donnes qui ont rapporté des points" in text


def test_fewer_than_ten_cases_are_grey_and_said(client: Client, club: Club) -> None:
    """Ten deals taken or defended; two contracts of the player."""
    player = a_member(club)
    season = a_season(club, end_number=10)
    evening = an_evening(season)
    table = a_table(evening, [player, *(a_player() for _ in range(3))])
    for number in range(10):
        a_deal(table, TAKE if number < 2 else {**TAKE, "taker": 1})
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    answer = signed_in(client, player).get(page(player))
    is_few = {row.value.label: row.is_few for section in answer.context["sections"] for row in section.rows}
    assert not is_few["Deals taken"]  # 2 of 10
    assert is_few["Contracts made"]  # 2 of 2
    rows = answer.content.decode().split("<tr")
    [few_row] = [row for row in rows if ">Contracts made<" in row]
    assert 'class="few"' in few_row[:20]
    assert "few cases" in few_row
    [full_row] = [row for row in rows if ">Deals taken<" in row]
    assert "few cases" not in full_row
