"""What the printer gets: how many pages of which size, and nothing on them but the sheet, the poster or the list."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.urls import reverse
from playwright.sync_api import BrowserContext, Page, expect
from pytest_django.live_server_helper import LiveServer

from league.models import Club
from league.models.rights import Role
from tests.build import a_club, a_deal, a_member, a_player, a_season, a_table, an_evening

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
    found = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", page.pdf(prefer_css_page_size=True, format="A4"))
    return [(round(float(width)), round(float(height))) for width, height in found]


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


def test_a_poster_is_a_page_of_names_and_one_of_tables(desk: Callable[[Club], Page]) -> None:
    club = a_club()
    for people, sheets in ((8, 2), (40, 2), (64, 2)):
        evening = an_evening(a_season(club))
        for table in range(people // 4):  # names of one length: what fits on a page depends on it
            a_table(evening, [a_player(f"Marie{4 * table + seat:02}", "Martin") for seat in range(4)])
        address = reverse("league:poster", args=[evening.rounds.get().pk])
        page = desk(club)
        assert pages(page, address) == [A4] * sheets, people
        page.emulate_media(media="print")
        for seat in evening.rounds.get().seats.all():
            expect(page.get_by_text(str(seat.player)).first).to_be_visible()


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
