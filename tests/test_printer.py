"""Printed pages: their number and size, and nothing but the sheet, the poster or the list."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.actions import evenings
from league.models import Club
from league.models.evening import EveningState
from league.models.rights import Role
from league.seasons.tests.full_season import a_full_season
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ("Ann", "Bob", "Cid", "Dee", "Eve", "Fay", "Gus", "Hal", "Ida", "Jon")
A4 = (595, 842)  # points


@pytest.fixture
def desk(browser_of: Callable[..., BrowserContext], live_server: LiveServer) -> Callable[[Club], Page]:
    def opened(club: Club) -> Page:
        return browser_of(a_member(club, Role.SECRETARY).user, live_server.url).new_page()

    return opened


def pages(page: Page, address: str) -> list[tuple[int, int]]:
    """Width and height of each page that the printer gets, in points."""
    page.goto(address)
    media_boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True, format="A4"))
    return [(round(float(width)), round(float(height))) for width, height in media_boxes]


@pytest.mark.faults
def test_every_table_comes_out_as_its_own_page(desk: Callable[[Club], Page]) -> None:
    club = a_club(table_entry=True, name="Le Petit au bout de la rue des Quatre-Vents")
    long = "Marie-Antoinette de la Rochefoucauld"
    people = [a_player(f"{long} {name}", "") for name in NAMES]
    sideways = (A4[1], A4[0])
    expected = {
        ("tarot", 5, 4): [A4, A4],  # three tables, two on a page
        ("tarot", 5, 20): [A4] * 3,
        ("belote", 4, 12): [A4] * 3,
        ("two-way-street", 10, 10): [sideways] * 3,
    }
    page = desk(club)
    for number, ((game, size, deals), sizes) in enumerate(expected.items()):
        season = a_season(club, game, name=f"Season of print {number}", table_sizes=[size], end_number=deals)
        evening = an_evening(season)
        a_table(evening, people[:size])
        for _table in range(2):
            a_table(evening, size=size)
        address = reverse("league:round-sheets", args=[evening.rounds.get().pk])
        assert pages(page, address) == sizes, (game, size, deals)
        assert pages(page, reverse("league:blank-sheet", args=[season.pk])) == sizes[:1]


def test_the_printer_gets_the_sheet_alone(desk: Callable[[Club], Page]) -> None:
    club = a_club(table_entry=True)
    table = a_table(an_evening(a_season(club)))
    page = desk(club)
    page.goto(reverse("league:round-sheets", args=[table.round_id]))
    expect(page.get_by_role("button", name="Print")).to_be_visible()
    page.emulate_media(media="print")
    for gone in (page.get_by_role("banner"), page.get_by_role("button", name="Print"), page.get_by_role("contentinfo")):
        expect(gone).to_be_hidden()
    expect(page.get_by_role("heading", level=2, name="Round 1, Table 1")).to_be_visible()
    expect(page.get_by_role("img", name="Code that opens Table 1 on a phone")).to_be_visible()
    for seat in table.seats.all():
        expect(page.get_by_text(str(seat.player))).to_be_visible()
    cut = "[...document.querySelectorAll('.paper')].filter(paper => paper.scrollHeight > paper.clientHeight + 1).length"
    assert page.evaluate(cut) == 0


CUT = """
() => [...document.querySelectorAll('.paper-half')].filter(paper => {
    const box = paper.getBoundingClientRect()
    const held = [...paper.children].map(part => part.getBoundingClientRect())
    const low = Math.max(...held.map(part => part.bottom))
    return Math.min(...held.map(part => part.top)) < box.top || low > box.bottom - 4
}).length
"""


@pytest.mark.faults
def test_two_tables_on_a_page_leave_room_for_the_cut_and_have_lines_to_sign(desk: Callable[[Club], Page]) -> None:
    club = a_club(table_entry=True, language="fr")  # the longer of the two legends
    page = desk(club)
    page.set_viewport_size({"width": 710, "height": 1000})  # 188 mm, as wide as the paper without its margins
    for size in (4, 5):
        evening = an_evening(a_season(club, table_sizes=[size], end_number=size, name=f"Season of {size}"))
        for _table in range(2):
            a_table(evening, size=size)
        page.emulate_media(media="screen")
        page.goto(reverse("league:round-sheets", args=[evening.rounds.get().pk]))
        page.emulate_media(media="print")
        assert page.locator(".paper-half").count() == 2
        assert page.evaluate(CUT) == 0, size
        assert page.locator(".paper-sign .blank").count() == 2 * size


@pytest.mark.faults
def test_results_are_printed_from_the_evenings_menu(desk: Callable[[Club], Page]) -> None:
    club = a_club()
    evening = an_evening(a_season(club, end_number=1))
    a_deal(a_table(evening))
    page = desk(club)
    page.add_init_script("window.print = () => { window.printed = true }")
    for name, state in (("Results so far", EveningState.OPEN), ("Results", EveningState.CLOSED)):
        if state == EveningState.CLOSED:
            evenings.close(evening.pk, now=NOW)
        page.goto(evening.get_absolute_url())
        page.locator("summary", has_text="Print").click()
        page.get_by_role("button", name=name, exact=True).click()
        assert page.evaluate("window.printed")


@pytest.mark.faults
def test_a_poster_is_one_page_for_few_else_a_page_of_names_and_one_of_tables(desk: Callable[[Club], Page]) -> None:
    club = a_club()
    for people, sheets in ((8, 1), (13, 1), (16, 1), (40, 2), (64, 2)):
        evening = an_evening(a_season(club))
        # Names of one length: what fits on a page depends on it. 13 are 4 + 4 + 5.
        family = "Martin-Desrosiers" if sheets == 1 else "Martin"
        names = [a_player(f"Marie{number:02}", family) for number in range(people)]
        for first in range(0, people - people % 4, 4):
            a_table(evening, names[first:] if first + 5 == people else names[first : first + 4])
        address = reverse("league:poster", args=[evening.rounds.get().pk])
        page = desk(club)
        assert pages(page, address) == [A4] * sheets, people
        page.emulate_media(media="print")
        for seat in evening.rounds.get().seats.all():
            expect(page.get_by_text(str(seat.player)).first).to_be_visible()


@pytest.mark.faults
def test_the_attendance_list_names_everyone_who_may_come(desk: Callable[[Club], Page]) -> None:
    club = a_club(fee_member=300)
    member = a_member(club, login=False)
    evening = an_evening(a_season(club))
    page = desk(club)
    address = reverse("league:attendance-list", args=[evening.pk])
    assert pages(page, address) == [A4]
    row = page.get_by_role("row", name=str(member))  # nobody has come: the club's people
    expect(row).to_contain_text("€3.00")
    expect(row).to_contain_text("not paid")
    table = a_table(evening)
    assert pages(page, address) == [A4]
    expect(page.get_by_role("row", name=str(table.seats.get(number=0).player))).to_be_visible()
    expect(page.get_by_role("row", name=str(member))).to_have_count(0)


@pytest.mark.faults
def test_an_evenings_results_begin_on_the_first_page(desk: Callable[[Club], Page]) -> None:
    club = a_club()
    evening = an_evening(a_season(club, end_number=1))
    for _table in range(12):
        a_deal(a_table(evening))
    page = desk(club)
    # 48 lines of at least 5 mm are a page, the 12 tables another half; a third is for their heads.
    assert len(pages(page, evening.get_absolute_url())) <= 3
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="Ranking so far")).to_be_visible()
    expect(page.get_by_role("link", name="Close the evening")).to_be_hidden()
    assert page.get_by_role("heading", name="Ranking so far").evaluate("it => it.getBoundingClientRect().top") < 400


def test_standings_of_40_players_and_20_evenings_fit_on_a_page(desk: Callable[[Club], Page]) -> None:
    club = a_club()
    season = a_full_season(club)
    page = desk(club)
    assert pages(page, reverse("league:standings-paper", args=[season.pk])) == [(A4[1], A4[0])]
    page.emulate_media(media="print")
    width_on_paper = 1040  # 275 mm
    page.set_viewport_size({"width": width_on_paper, "height": 727})
    table = page.get_by_role("table").bounding_box()
    assert table
    assert table["x"] >= 0
    assert table["width"] <= width_on_paper
