"""A correction of a closed evening: seen a moment later, and announced until then."""

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.test import Client

from league.actions import deals, evenings
from league.actions.pending_recomputes import CORRECTION_DELAY
from league.models import Deal, PendingRecompute, Run, Season
from league.recompute.work import runs
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

LOST = {**TAKE, "oudlers": 1}
ABOUT_TO_CHANGE = "About to change: results came in or were corrected."


@pytest.fixture
def season() -> Season:
    """Return a public season with one closed evening of two deals, computed."""
    season = a_season(a_club(public=True), end_number=2)
    evening = an_evening(season)
    table = a_table(evening, [a_player("Ann", ""), a_player("Bob", ""), a_player("Cy", ""), a_player("Dan", "")])
    a_deal(table, LOST)
    a_deal(table, LOST)
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    return season


def revise(deal: Deal, after: timedelta) -> None:
    deals.revise(deal.pk, TAKE, client_key=uuid4(), seen_version=1, now=NOW + after, reason="misread")


def points_of_the_first(season: Season) -> int:
    return int(season.standings.get(player__given_name="Ann").total)


def test_corrections_within_a_minute_are_one_run(season: Season) -> None:
    before = Run.objects.count()
    lost = points_of_the_first(season)
    first, second = Deal.objects.order_by("number")
    revise(first, timedelta(0))
    revise(second, timedelta(seconds=50))
    assert runs.pending_trigger(NOW + timedelta(seconds=59)) is None

    assert runs.pending_trigger(NOW + CORRECTION_DELAY) == Run.Trigger.CHANGE
    runs.run(Run.Trigger.CHANGE, now=NOW + CORRECTION_DELAY)
    assert not PendingRecompute.objects.exists()
    assert Run.objects.count() == before + 1
    assert points_of_the_first(season) > 0 > lost


@pytest.mark.parametrize("board", ["season", "leaderboard"])
def test_boards_say_that_they_are_about_to_change(season: Season, board: str, client: Client) -> None:
    address = {"season": season.get_absolute_url(), "leaderboard": "/games/tarot/leaderboard"}[board]
    with time_machine.travel(NOW + timedelta(seconds=10)):
        assert ABOUT_TO_CHANGE not in client.get(address).content.decode()
        revise(Deal.objects.earliest("number"), timedelta(seconds=10))
        assert ABOUT_TO_CHANGE in client.get(address).content.decode()
        runs.run(Run.Trigger.CHANGE, now=NOW + 2 * CORRECTION_DELAY)
        assert ABOUT_TO_CHANGE not in client.get(address).content.decode()


def test_a_board_that_waits_for_the_night_says_so(season: Season, client: Client) -> None:
    PendingRecompute.objects.create(
        season=season, not_before=NOW + timedelta(hours=5), why=PendingRecompute.Reason.CLOSED
    )
    with time_machine.travel(NOW):
        assert "computed in the coming night" in client.get(season.get_absolute_url()).content.decode()
