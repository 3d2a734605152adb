"""What a season's deals count for each player."""

from uuid import uuid4

import pytest

from league.actions import deals, evenings
from league.models import Deal, Season
from league.statistics.queries.deal_statistics import statistics_of
from players.models import Player
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

LOST = {**TAKE, "oudlers": 1}  # −99, and 33 for each of the others


@pytest.fixture
def people() -> list[Player]:
    return [a_player() for _ in range(4)]


@pytest.fixture
def season(people: list[Player]) -> Season:
    """Return a season with one closed evening: the first player took three deals and won two."""
    season = a_season(a_club(), end_number=3)
    evening = an_evening(season)
    table = a_table(evening, people)
    for facts in (TAKE, LOST, TAKE):
        a_deal(table, facts)
    evenings.close(evening.pk, now=NOW)
    return season


def test_deals_points_the_best_and_the_worst(season: Season, people: list[Player]) -> None:
    counters = statistics_of([season])[season.pk]
    won, lost, _last = Deal.objects.order_by("pk").values_list("pk", flat=True)
    taker = counters[people[0].pk]
    assert (taker.deals, taker.points, taker.gained) == (3, 81 - 99 + 81, 2)
    assert (taker.best, taker.worst) == ((81, won), (-99, lost))  # the first of two equal ones
    assert (taker.counts["taker"], taker.counts["taker_won"], taker.counts["margin"]) == (3, 2, 2 - 8 + 2)
    defender = counters[people[1].pk]
    assert (defender.deals, defender.points, defender.gained) == (3, -27 + 33 - 27, 1)
    assert (defender.best, defender.worst) == ((33, lost), (-27, won))


def test_an_evening_that_is_open_counts_nothing(season: Season, people: list[Player]) -> None:
    table = a_table(an_evening(season), people)
    for _ in range(3):
        a_deal(table)
    assert statistics_of([season])[season.pk][people[0].pk].deals == 3


def test_a_voided_deal_counts_nothing(season: Season, people: list[Player]) -> None:
    first = Deal.objects.earliest("pk")
    deals.void(first.pk, client_key=uuid4(), seen_version=1, now=NOW, reason="never played")
    # Two of three deals are left: the table is not complete, and counts nowhere.
    assert statistics_of([season])[season.pk] == {}


def test_a_deal_that_cannot_be_read_adds_its_points_only(season: Season, people: list[Player]) -> None:
    Deal.objects.filter(facts=LOST).update(facts={"contract": "whist"})
    taker = statistics_of([season])[season.pk][people[0].pk]
    assert (taker.deals, taker.points, taker.counts["taker"]) == (3, 63, 2)
