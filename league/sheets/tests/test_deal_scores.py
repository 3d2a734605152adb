"""What a deal gives, where earlier deals of the table hand something on to it."""

from __future__ import annotations

import pytest

from league.models import Deal
from league.sheets.queries.deal_scores import earlier_facts, score_deal
from league.sheets.queries.score_sheet import explanation
from scoring import registry
from scoring.tests.test_earlier_deals import POT
from tests.build import a_club, a_deal, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def pot(monkeypatch: pytest.MonkeyPatch) -> list[Deal]:
    """Three deals of the game "Pot": two that nobody won, and one that seat 1 won."""
    find = registry.rules
    monkeypatch.setattr(registry, "rules", lambda slug: POT if slug == "pot" else find(slug))
    table = a_table(an_evening(a_season(a_club(), "pot", table_sizes=[3])), size=3)
    return [a_deal(table, {"winner": winner}) for winner in (None, None, 1)]


def test_deal_gets_what_was_handed_on(pot: list[Deal]) -> None:
    played = score_deal(pot[2]).scored
    assert played.points == (0, 3, 0)
    assert played.roles == ("player", "player", "player")
    assert [seat.points for seat in pot[2].table.seats.all()] == [0, 3, 0]


def test_earlier_deals_are_those_that_stand_in_their_order(pot: list[Deal]) -> None:
    table = pot[0].table
    Deal.objects.filter(pk=pot[0].pk).update(facts={"winner": 2})
    assert earlier_facts(table, 3) == [{"winner": 2}, {"winner": None}]
    assert earlier_facts(table, 1) == []
    assert earlier_facts(table, None) == []


def test_dispute_in_the_last_deal_is_explained_as_nobodys() -> None:
    season = a_season(a_club(), "belote", table_sizes=[4], house_rules={"dispute": "held"}, end_number=2)
    table = a_table(an_evening(season))
    dispute = {"taker": 0, "points": 71, "last_trick": "attack"}  # 81 to 81
    clauses = []
    for deal in (a_deal(table, dispute), a_deal(table, dispute)):
        reasons = explanation(deal, list(table.seats.all()))
        assert reasons
        clauses += reasons.lines[-1].clauses
    assert clauses == ["B6.1", "B6.7"]
