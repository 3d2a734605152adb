"""The season race: ranks after each evening as lines, with the viewer's line marked."""

import gzip
import re

import pytest
from django.core.cache import cache
from django.test import Client

from league.actions import evenings
from league.actions.standings import replace_standings
from league.models import Season
from league.seasons.queries.season_race import season_race, with_standings_digest
from league.seasons.queries.season_rankings import rank_season
from league.seasons.queries.season_results import matrix_evenings
from league.seasons.tests.three_evenings import three_evenings
from players.models import Player
from players.naming import Names
from tests.build import NOW, a_club, a_deal, a_season, a_table, an_evening
from tests.logins import a_login
from tests.markup import unbroken

pytestmark = pytest.mark.django_db


def a_computed_season() -> tuple[Season, list[Player]]:
    """Return a public season: Ann leads after two evenings, Bea after the third."""
    season = a_season(a_club(public=True))
    players = three_evenings(season)
    season.refresh_from_db()
    replace_standings({season.pk: rank_season(season)})
    return season, players


def test_ranks_after_each_evening_are_shown_as_numbers_too(client: Client) -> None:
    season, _players = a_computed_season()
    race = client.get(season.get_absolute_url()).context["race"]
    ranks = {str(racer.standing.player): list(racer.ranks) for racer, _line in race["racers"]}
    assert ranks == {
        "Bea Durand": [2, 2, 1],
        "Ann Durand": [1, 1, 2],
        "Cid Durand": [2, 2, 3],
        "Dan Durand": [2, 2, 3],
    }
    page = unbroken(client.get(season.get_absolute_url()))
    row = re.search(r'<th scope="row">Bea Durand</th>(.*?)</tr>', page)
    assert row
    assert re.findall(r"<td[^>]*>(\d)</td>", row[1]) == ["2", "2", "1"]


def test_points_lead_to_their_evening(client: Client) -> None:
    season, _players = a_computed_season()
    page = unbroken(client.get(season.get_absolute_url()))
    race = page.partition('<ol class="race-evenings">')[2].partition("</ol>")[0]
    addresses = [evening.get_absolute_url() for evening in season.evenings.order_by("date")]
    assert re.findall(r'href="([^"]*)"', race) == addresses


def test_the_viewers_line_is_marked_also_below_the_first_ten(client: Client) -> None:
    season, (ann, *_others) = a_computed_season()
    user = a_login(season.club)
    Player.objects.filter(user=user).update(user=None)
    Player.objects.filter(pk=ann.pk).update(user=user)
    client.force_login(user)
    page = client.get(season.get_absolute_url()).content.decode()
    assert page.count('class="race-line own"') == 1
    season.standings.filter(player=ann).update(rank=23)
    race = client.get(season.get_absolute_url()).context["race"]
    assert [racer.standing.rank for racer, _line in race["racers"] if racer.is_own] == [23]


def test_names_are_not_cached(client: Client) -> None:
    season, (_ann, bea, *_others) = a_computed_season()
    Player.objects.filter(pk=bea.pk).update(names=Names("Queen", "Bea Durand", "Bea Durand"))
    assert "Bea" not in client.get(season.get_absolute_url()).content.decode()
    client.force_login(a_login(season.club))
    assert "Bea Durand" in client.get(season.get_absolute_url()).content.decode()
    client.logout()
    assert "Bea" not in client.get(season.get_absolute_url()).content.decode()


def test_a_changed_result_is_another_race() -> None:
    season, (ann, *_others) = a_computed_season()
    cache.clear()

    def ranks_of_ann() -> list[int | None]:
        annotated = with_standings_digest(Season.objects.with_club()).get(pk=season.pk)
        race = season_race(annotated, matrix_evenings(season.evenings.all()), None)
        assert race
        return next(list(racer.ranks) for racer in race.racers if racer.standing.player == ann)

    assert ranks_of_ann() == [1, 1, 2]
    season.adjustments.create(player=ann, points=-200, reason="Late")
    assert ranks_of_ann() == [1, 1, 2]  # as the standings, until they are computed
    replace_standings({season.pk: rank_season(season)})
    # 81 − 200 is behind −27; 162 − 200 is before −54; 72 − 200 is behind 216 and before −144.
    assert ranks_of_ann() == [4, 1, 2]


def test_one_evening_or_a_filter_has_no_race(client: Client) -> None:
    season, _players = a_computed_season()
    assert client.get(season.get_absolute_url(), {"q": "Ann"}).context["race"] is None
    season = a_season(a_club(public=True), end_number=1)
    evening = an_evening(season)
    a_deal(a_table(evening))
    evenings.close(evening.pk, now=NOW)
    replace_standings({season.pk: rank_season(season)})
    response = client.get(season.get_absolute_url())
    assert response.context["race"] is None
    assert "Season race" not in response.content.decode()


def test_the_chart_is_small(client: Client) -> None:
    season, _players = a_computed_season()
    page = client.get(season.get_absolute_url()).content.decode()
    chart = page.partition('<div class="race">')[2].partition("<details>")[0]
    assert len(gzip.compress(chart.encode())) <= 6 * 1024
