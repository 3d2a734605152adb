"""An evening comes back from the hall in a real browser: the file, its consequences, and the stored evening."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.actions import attendance, hall, people
from league.actions.club_import import import_club
from league.actions.tests.test_hall import played
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.reading import read_club_file
from league.imports.queries.club_file.scope import HallServerScope, OneEveningScope
from league.models import Evening
from league.models.evening import EveningState
from league.models.rights import Role
from tests.build import NOW, a_club, a_member, a_season, an_evening
from tests.conftest import Console, add_session
from tests.readers import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.faults
def test_an_evening_is_brought_back_with_a_question_about_a_guest(
    page: Page, live_server: LiveServer, tmp_path: Path, console: Console
) -> None:
    console.expect("422")
    club = a_club(fee_member=500)
    secretary = a_member(club, Role.SECRETARY)
    for _number in range(3):
        a_member(club, login=False)
    evening = an_evening(a_season(club), EveningState.PLANNED)
    attendance.check_in(evening.pk, [secretary.pk])
    copy = hall.mark_taken_to_hall(evening.pk, now=NOW)
    file = io.BytesIO()
    write_club_file(club, file, HallServerScope(copy))
    there = played(Evening.objects.with_season().get(season__club=import_club(read_club_file(file), now=NOW)))
    with (tmp_path / "evening.zip").open("w+b") as back:
        write_club_file(there.season.club, back, OneEveningScope(there))
    known = people.add_person(club, "Zoé", "Passage", Role.GUEST)

    add_session(page.context, user_of(secretary), live_server.url)
    page.goto(live_server.url + reverse("league:evening", args=[evening.pk]))
    expect(page.get_by_text("this evening is played on a hall server")).to_be_visible()
    page.get_by_role("link", name="Bring it back").click()
    page.get_by_label("The evening’s file").set_input_files(tmp_path / "evening.zip")
    page.get_by_role("button", name="Show what it changes").click()
    expect(page.get_by_role("heading", name="Store this evening?")).to_be_visible()
    page.get_by_role("button", name="Store the evening").click()
    page.get_by_role("link", name="Choose who it is.").click()
    expect(page.get_by_label("Who is Zoé Passage?")).to_be_focused()
    page.get_by_label("Who is Zoé Passage?").select_option(str(known.pk))
    page.get_by_role("button", name="Store the evening").click()
    expect(page.get_by_text("The evening is here, as it was played in the hall.")).to_be_visible()
    expect(page.get_by_role("heading", name="Ranking")).to_be_visible()
    assert evening.attendances.filter(player=known).exists()
