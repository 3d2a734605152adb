"""Pictures of a table and of a deal: running totals as lines, and the reasons of a taker's points as a waterfall."""

import gzip
import re

import pytest
from django.test import Client

from league.models import Table
from players.models import Player
from players.naming import Names
from tests.build import a_club, a_deal, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(db: None) -> Table:
    season = a_season(a_club(public=True))
    return a_table(an_evening(season), [a_player(name, "") for name in ("Ann", "Bob", "Cid", "Dee")])


def test_a_deal_shows_how_the_points_of_the_taker_add_up(client: Client, table: Table) -> None:
    # A take won by 2: 25 + 2 from each of three defenders.
    answer = client.get(a_deal(table).get_absolute_url())
    waterfall = answer.context["waterfall"]
    assert (waterfall["seat"].name, waterfall["seat"].points) == ("Ann", 81)
    assert [gained for _line, _bar, gained in waterfall["rows"]] == [75, 6]
    page = answer.content.decode()
    assert "the bars add up to the points of Ann" in " ".join(page.split())
    assert page.count('<svg class="bar"') == 3


def test_a_deal_with_one_reason_has_no_waterfall(client: Client) -> None:
    table = a_table(an_evening(a_season(a_club(public=True), "contree")))
    facts = {"contract": 90, "trump": "spades", "taker": 0, "points": 38, "last_trick": "defence"}
    deal = a_deal(table, facts)
    page = client.get(deal.get_absolute_url()).content.decode()
    assert "The reasons, and what each gives" in page
    assert '<svg class="bar"' not in page


def test_a_table_shows_who_led_when(client: Client, table: Table) -> None:
    assert client.get(table.get_absolute_url()).context["scores"] is None
    deals = [a_deal(table)]
    assert client.get(table.get_absolute_url()).context["scores"] is None  # one deal is no course
    deals += [a_deal(table), a_deal(table)]
    answer = client.get(table.get_absolute_url())
    page = answer.content.decode()
    assert page.count('class="race-line"') == 4
    chart = page.partition('<svg class="chart scores"')[2].partition("</svg>")[0]
    assert re.findall(r'href="([^"]*)"', chart) == [deal.get_absolute_url() for deal in deals]
    assert [text for _y, text, _is_zero in answer.context["scores"]["ticks"]] == ["−81", "0", "243"]
    assert len(gzip.compress(chart.encode())) <= 6 * 1024


def test_names_beside_the_lines_are_those_of_the_sheet(client: Client, table: Table) -> None:
    for _number in range(2):
        a_deal(table)
    Player.objects.filter(seats__table=table, given_name="Ann").update(names=Names("Queen", "Ann", "Ann"))
    page = client.get(table.get_absolute_url()).content.decode()
    assert page.count(">Queen<") == 2
    assert "Ann" not in page
