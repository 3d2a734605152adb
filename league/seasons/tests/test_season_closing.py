"""The page that closes a season, and the one that reopens it."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from league.actions import contests, deals, evenings, season_closing
from league.models import Deal, Season, SeasonClosing, Table
from league.models.deal import DealSource
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState
from league.seasons.queries.closing_checklist import season_checklist
from tests.build import NOW, TAKE, TODAY, a_club, a_deal, a_member, a_season, a_table, an_evening
from tests.markup import unbroken
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    """Return an open season with a closed evening: one table complete, one without a deal."""
    evening = an_evening(a_season(a_club(), end_number=1))
    a_deal(a_table(evening))
    a_table(evening)
    evenings.close(evening.pk, now=NOW)
    return evening.season


@pytest.fixture
def admin(client: Client, season: Season) -> Client:
    return signed_in(client, a_member(season.club, Role.ADMIN))


def address(step: str, season: Season) -> str:
    return reverse(f"league:season-{step}", args=[season.pk])


def test_everything_that_is_open_is_named_with_its_address(season: Season) -> None:
    table = Table.objects.get(complete=True)
    deal = Deal.objects.get()
    contests.record_contest(deal.pk, player_id=table.seats.get(number=0).player_id, reason="Was 34", now=NOW)
    tonight, planned_evening = an_evening(season), an_evening(season, EveningState.PLANNED, TODAY + timedelta(days=7))
    empty = Table.objects.get(complete=False)
    points = season_checklist(season, [], now=NOW)
    assert [point.text for point in points if not point.is_done] == [
        "1 evening is still open: close or cancel it first.",
        "1 evening is planned and will not be played.",
        "1 table is incomplete and does not count.",
        "1 contested deal waits for an answer.",
        "The results of 1 evening are provisional: closing the season ends the members' time to object.",
        "Nobody is ranked: the season has no champion.",
    ]
    assert [link.address for point in points for link in point.tasks] == [
        tonight.get_absolute_url(),
        planned_evening.get_absolute_url(),
        empty.get_absolute_url(),
        reverse("league:contest-answer", args=[deal.contests.get().pk]),
        table.round.evening.get_absolute_url(),
        reverse("league:standings-rules", args=[season.pk]),
    ]
    assert "Results came in" in points[6].text


def test_a_season_with_nothing_open_says_so(season: Season) -> None:
    Table.objects.filter(complete=False).delete()
    season_closing.close(season.pk, now=NOW)
    points = season_checklist(season, list(season.standings.all()), now=NOW + timedelta(days=3))
    assert [point.text for point in points if not point.is_done] == []
    assert points[-1].text == "The champion is known."
    season.standings.update(rank=1)
    assert (
        season_checklist(season, list(season.standings.all()), now=NOW)[-1].text
        == "4 players share the first place: each of them is champion."
    )


def test_unchecked_deals_are_named(season: Season) -> None:
    Deal.objects.update(source=DealSource.TABLE, checked=False)
    [point] = [point for point in season_checklist(season, [], now=NOW) if "is not checked yet" in point.text]
    assert [link.address for link in point.tasks] == [Deal.objects.get().get_absolute_url()]


def test_what_is_open_is_accepted_and_what_was_seen_is_kept(admin: Client, season: Season) -> None:
    page = admin.get(address("close", season))
    champion = season_closing.final_standings(season)[0].player
    assert f'<td class="rank">1</td><th scope="row">{champion}</th>' in unbroken(page)
    digest = page.context["form"]["seen"].value()
    answer = admin.post(address("close", season), {"seen": digest})
    assert answer.status_code == 422
    assert "settle it, or tick this" in unbroken(answer)

    deal = Deal.objects.get()
    deals.revise(deal.pk, {**TAKE, "points": 50}, client_key=uuid4(), seen_version=1, now=NOW, reason="misread")
    answer = admin.post(address("close", season), {"seen": digest, "accepted": "on"})
    assert answer.status_code == 409
    assert "The standings have changed meanwhile." in unbroken(answer)
    assert not SeasonClosing.objects.exists()

    digest = answer.context["form"]["seen"].value()
    for _two_tabs in range(2):
        answer = admin.post(address("close", season), {"seen": digest, "accepted": "on"}, follow=True)
        assert "Its standings stay as they are." in unbroken(answer)
    assert SeasonClosing.objects.get().season == season
    assert admin.get(address("close", season)).url == season.get_absolute_url()  # type: ignore[attr-defined]


def test_open_evenings_are_counted_and_nothing_is_accepted_while_one_is(admin: Client, season: Season) -> None:
    for days in (1, 2):
        an_evening(season, on=TODAY + timedelta(days=days))
    page = admin.get(address("close", season))
    html = page.content.decode()
    assert "2 evenings are still open: close or cancel them first." in html
    assert "The season can’t be closed while one of its evenings is open." in html
    assert "accepted" not in page.context["form"].fields
    answer = admin.post(address("close", season), {"seen": page.context["form"]["seen"].value()}, follow=True)
    assert "Close or cancel it first." in answer.content.decode()
    assert not SeasonClosing.objects.exists()


def test_unreadable_rules_are_refused_in_words(admin: Client, season: Season) -> None:
    Season.objects.update(standings_rules={"counts": 1})
    page = admin.get(address("close", season))
    typed = {"seen": page.context["form"]["seen"].value(), "accepted": "on"}
    answer = admin.post(address("close", season), typed, follow=True)
    assert "rules can&#x27;t be read. Set them again first." in answer.content.decode()


def test_opening_again_is_told_to_members_with_its_reason(admin: Client, season: Season) -> None:
    season_closing.close(season.pk, now=NOW)
    form = admin.get(address("reopen", season)).context["form"]
    assert admin.post(address("reopen", season), {"reason": " "}).status_code == 422
    old = {"reason": "A sheet was found", "seen": form["seen"].value() + 1}
    admin.post(address("reopen", season), old)
    season.refresh_from_db()
    assert season.state == SeasonState.CLOSED
    with time_machine.travel(NOW):
        admin.post(address("reopen", season), {**old, "seen": form["seen"].value()})
    season.refresh_from_db()
    assert season.state == SeasonState.OPEN
    assert admin.post(address("reopen", season), old, follow=True).status_code == 200
    reader = signed_in(Client(), a_member(season.club))
    page = reader.get(season.get_absolute_url()).content.decode()
    assert "Closed, and opened again on" in page
    assert "A sheet was found" in page
    assert admin.get(address("reopen", season)).status_code == 302
