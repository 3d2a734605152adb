"""The shown effects of a correction are its real effects, and showing them changes nothing."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings
from league.evenings.queries.evening_ranking import ranking
from league.models import Deal, PendingRecompute, Run, Table
from league.models.rights import Role
from league.recompute.work import runs
from league.seasons.queries.season_rankings import rank_season
from league.sheets.queries.consequences import CorrectionEffects, compute_correction_effects
from players.models import Rating
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

LOST = {**TAKE, "points": 30}


@pytest.fixture
def table() -> Table:
    """Return a complete table of a closed evening, rated."""
    club = a_club()
    table = a_table(an_evening(a_season(club)), [a_member(club, login=False) for _ in range(4)])
    for _deal in range(4):
        a_deal(table)
    evenings.close(table.round.evening_id, now=NOW)
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    return Table.objects.with_club().get(pk=table.pk)


def revised(deal: Deal, facts: dict[str, object] = LOST) -> Deal:
    return deals.revise(deal.pk, facts, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="read wrongly")


def foreseen(table: Table, facts: dict[str, object] = LOST) -> CorrectionEffects:
    deal = table.dealt.get(number=1)
    return compute_correction_effects(table.round.evening, [table.pk], lambda: revised(deal, facts))


def test_what_is_foreseen_happens(table: Table) -> None:
    effects = foreseen(table)
    revised(table.dealt.get(number=1))
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    season, evening = table.round.evening.season, table.round.evening
    points = {place.player: (place.rank, place.points) for place in ranking(evening)}
    places = {row.player: (row.rank, row.total) for row in rank_season(season)}
    ratings = dict(Rating.objects.values_list("player_id", "micro"))
    for move in effects.tables + effects.evening + effects.season + effects.ratings:
        assert move.before != move.after
    assert all(move.after and points[move.player.pk] == tuple(move.after) for move in effects.evening)
    assert all(move.after and places[move.player.pk] == tuple(move.after) for move in effects.season)
    assert all(move.after and ratings[move.player.pk] == move.after.points_or_rating for move in effects.ratings)
    assert len(effects.tables) == len(effects.evening) == len(effects.season) == 4


def test_looking_changes_nothing(table: Table) -> None:
    before = list(Deal.objects.values()), list(PendingRecompute.objects.values()), list(table.seats.values())
    foreseen(table)
    assert (list(Deal.objects.values()), list(PendingRecompute.objects.values()), list(table.seats.values())) == before


def test_the_same_facts_again_change_nothing(table: Table) -> None:
    assert not foreseen(table, dict(TAKE)).has_changes


def test_ratings_move_only_when_an_order_does(table: Table) -> None:
    assert foreseen(table, {**TAKE, "points": 44}).ratings == []
    assert foreseen(table, {**TAKE, "points": 44}).season


def test_the_pages_show_it_with_and_without_a_script(client: Client, table: Table) -> None:
    signed_in(client, a_member(table.round.evening.season.club, Role.SECRETARY))
    deal = table.dealt.get(number=1)
    address = reverse("league:deal-consequences", args=[deal.pk])
    voiding = client.get(address, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in voiding
    assert "The season" in voiding
    sent = {
        "client_key": str(uuid4()),
        "seen_version": "1",
        "reason": "read wrongly",
        "contract": "take",
        "taker": "0",
        "points": "30",
        "oudlers": "2",
    }
    page = client.post(address, sent)
    assert "The season" in page.content.decode()
    assert 'value="read wrongly"' in page.content.decode()
    assert deal.version == Deal.objects.get(pk=deal.pk).version
    assert "once the deal is complete" in client.post(address, {"contract": ""}).content.decode()
