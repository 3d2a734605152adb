"""A whole paper sheet entered with keys alone: every key is counted, and how long each one waits is printed."""

from __future__ import annotations

import re
from collections.abc import Callable
from statistics import mean, quantiles

import pytest
from playwright.sync_api import BrowserContext, expect

from league.models.rights import Role
from scoring import registry
from tests.build import a_deal, a_member, a_player, a_table
from tests.grid_desk import Desk, facts_of, press, seated
from tests.sheet_keys import SHEETS, keys
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PLAIN = {"contract", "taker", "partner", "oudlers", "points"}
MAX_KEYS = {"four": 12, "five": 14}  # keys of a plain deal, with Tab and Enter
PILES = 24  # keys of a deal one for one at four seats
MEASURES = "performance.getEntriesByName('grid-answer').map((each) => each.duration)"


@pytest.mark.parametrize("size", ["four", pytest.param("five", marks=pytest.mark.faults)])
def test_a_sheet_of_twenty_deals(desk: Desk, size: str) -> None:
    sheet = SHEETS[size]
    seats = len(sheet["names"])
    table = seated(sheet["names"])
    page = desk(table)
    keys_by_deal: list[tuple[int, bool]] = []
    for facts in sheet["deals"]:
        typed = list(keys(facts, seats))
        for key in typed:
            page.keyboard.press(key)
        keys_by_deal.append((len(typed), facts.keys() <= PLAIN))
    expect(page.locator("#grid-recorded tr")).to_have_count(20)

    read = registry.rules("tarot").read_earlier
    assert read(seats, facts_of(table)) == read(seats, sheet["deals"])
    expect(page.locator("#grid-number")).to_have_text("21")
    plain = [count for count, is_plain in keys_by_deal if is_plain]
    assert max(plain) <= MAX_KEYS[size]
    waits = sorted(page.evaluate(MEASURES))
    every = [count for count, _plain in keys_by_deal]
    print(
        f"\n{size}: {sum(every)} keys, mean {mean(every):.1f}, worst {max(every)}; plain: mean {mean(plain):.1f}, "
        f"worst {max(plain)}. Wait after a key, {len(waits)} keys: median {waits[len(waits) // 2]:.0f} ms, "
        f"p95 {quantiles(waits, n=20)[-1]:.0f} ms, worst {waits[-1]:.0f} ms"
    )


@pytest.mark.faults
def test_other_games_and_a_resting_fifth_have_their_own_cells(desk: Desk) -> None:
    belote = seated(["Ida", "Jon", "Kit", "Leo"], "belote")
    page = desk(belote)
    press(page, "1 75 + b- Enter 0 Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(2)
    assert facts_of(belote) == [
        {"taker": 0, "points": 75, "last_trick": "attack", "belote": "defence"},
        {"taker": None},
    ]

    street = seated(["Mia", "Ned", "Oda"], "two-way-street")
    page = desk(street)
    press(page, "h6l1H3 Enter")  # forced without a majority: asked about
    expect(page.locator("#grid-status")).to_contain_text("Press Enter again")
    press(page, "Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(1)
    assert [hand["call"] for hand in facts_of(street)[0]["hands"]] == ["high", "low", "high"]

    duel = seated(["Pia", "Quy"], "two-way-street")
    page = desk(duel)
    press(page, "2l64 Enter 1h1 Tab 9 Enter 1h102 Enter")  # 1 may become 10, 6 is all there is
    expect(page.locator("#grid-recorded tr")).to_have_count(3)
    assert facts_of(duel) == [
        {"direction": "low", "dealer": 1, "tricks": [6, 4]},
        {"direction": "high", "dealer": 0, "tricks": [1, 9]},
        {"direction": "high", "dealer": 0, "tricks": [10, 2]},
    ]

    resting = seated(["Ann", "Bob", "Cid", "Dee", "Eve"], one_rests=True)
    page = desk(resting)
    expect(page.get_by_label("Rests")).to_have_value("1")
    press(page, "2t243 Enter")
    expect(page.get_by_label("Rests")).to_have_value("2")
    press(page, "ArrowLeft 5 1t243 Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(2)
    assert list(resting.dealt.values_list("rests", flat=True)) == [[0], [4]]
    expect(page.locator("#grid-recorded tr").first).to_contain_text("rests")


@pytest.mark.faults
@pytest.mark.parametrize(("seats", "scrolls"), [(6, False), (10, True)])
def test_on_a_desk_nothing_cuts_off_what_a_row_can_be_told(desk: Desk, seats: int, *, scrolls: bool) -> None:
    names = ["Ann", "Bernadette", "Cid", "Dominique", "Eve", "Maximilien", "Guy", "Hélène", "Ivo", "Jacqueline"]
    table = seated(names[:seats], "two-way-street")
    page = desk(table)
    page.set_viewport_size({"width": 1280, "height": 800})
    room = page.locator(".grid-room")
    assert (room.evaluate("box => box.scrollWidth > box.clientWidth")) is scrolls
    edge = room.evaluate("box => box.getBoundingClientRect().right")
    for name in ("Record", "Compare"):
        box = page.get_by_role("button", name=name).bounding_box()
        assert box
        assert box["x"] + box["width"] <= edge
    if scrolls:  # the cell that has the focus is not behind them
        last = page.get_by_label(f"{names[seats - 1]}: total on the paper")
        last.focus()
        cell, button = last.bounding_box(), page.get_by_role("button", name="Compare").bounding_box()
        assert cell
        assert button
        assert cell["x"] + cell["width"] <= button["x"]


@pytest.mark.faults
def test_a_tab_or_a_space_after_a_full_cell_skips_nothing(desk: Desk) -> None:
    table = seated(["Ann", "Bob", "Cid", "Dee", "Eve"])
    page = desk(table)
    press(page, "2 Tab p Tab 4 Tab 1 Tab 51 Tab Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(1)
    for key in "3 p 4 2 52":
        page.keyboard.press("Space" if key == " " else key)
    press(page, "Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(2)
    assert facts_of(table) == [
        {"contract": "take", "taker": 1, "partner": 3, "oudlers": 1, "points": 51},
        {"contract": "take", "taker": 2, "partner": 3, "oudlers": 2, "points": 52},
    ]

    taker, contract, partner = (page.get_by_label(name, exact=True) for name in ("Taker", "Contract", "Partner"))
    press(page, "2")
    expect(contract).to_be_focused()
    press(page, "Tab")
    expect(contract).to_be_focused()
    press(page, "Tab")  # once only
    expect(partner).to_be_focused()
    press(page, "ArrowLeft ArrowLeft 3 ArrowLeft ArrowRight Tab")  # something else was typed between
    expect(partner).to_be_focused()
    taker.click()
    press(page, "4")
    contract.click()
    press(page, "Tab")
    expect(partner).to_be_focused()
    press(page, "ArrowLeft ArrowLeft 1")
    page.keyboard.press("Shift+Tab")
    expect(taker).to_be_focused()


@pytest.mark.faults
def test_one_for_one_opens_a_second_line_that_is_typed_through(desk: Desk) -> None:
    sheet = SHEETS["one_for_one"]
    table = seated(sheet["names"])
    page = desk(table)
    expect(page.get_by_label("Dog: points")).to_be_hidden()
    page.keyboard.press("o")
    expect(page.get_by_label("Dog: points")).to_be_visible()
    expect(page.get_by_label("Teams")).to_be_hidden()
    expect(page.get_by_label("Pile 1: tie")).to_be_hidden()
    page.keyboard.press("Escape")
    keys_by_deal = []
    for number, facts in enumerate(sheet["deals"], 1):
        typed = list(keys(facts, 4))
        for key in typed:
            page.keyboard.press(key)
        expect(page.locator("#grid-recorded tr")).to_have_count(number)
        keys_by_deal.append(len(typed))
    expect(page.get_by_label("Dog: points")).to_be_hidden()
    assert facts_of(table) == sheet["deals"]
    # With three oudlers the best is 6 below 36: 4 × 2 × (25 − 6 + 6) = 200.
    assert table.dealt.get(number=1).scores.get(seat__number=0).points == 200
    assert max(keys_by_deal) <= PILES
    print(f"\none for one: {keys_by_deal} keys")


@pytest.mark.faults
def test_a_tie_and_teams_have_their_cells_when_they_are_asked_for(desk: Desk) -> None:
    table = seated(["Eve", "Fay", "Gus", "Hal"])
    page = desk(table)
    press(page, "o 6 Tab 30tes6 206 203 153 Enter")  # Fay and Gus are as far below 56
    tie = page.get_by_label("Pile 2: tie")
    expect(tie).to_be_visible()
    expect(tie).to_be_focused()
    press(page, "1020 Enter")
    expect(page.get_by_label("Pile 3: tie")).to_be_focused()
    press(page, "1000 Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(1)
    press(page, "m")
    expect(page.get_by_label("Teams")).to_be_visible()
    expect(page.get_by_label("Pile 3: points")).to_be_hidden()
    press(page, "13 Tab 6 Tab 49tes 10 368 Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(2)
    assert [facts.get("teams") for facts in facts_of(table)] == [None, [[0, 2], [1, 3]]]


@pytest.mark.faults
def test_wrong_cells_are_marked_and_doubts_are_asked_about(desk: Desk) -> None:
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    page = desk(table)
    press(page, "9")
    taker = page.get_by_label("Taker", exact=True)
    expect(taker).to_have_attribute("aria-invalid", "true")
    expect(taker).to_have_accessible_description("Taker: 9 does not play this deal. Write 0, 1, 2, 3, 4.")
    press(page, "Enter")
    expect(taker).to_be_focused()
    press(page, "1t9")
    expect(page.locator("#grid-said")).to_contain_text("Oudlers: 9 is not understood here. Write 0, 1, 2, 3.")
    page.keyboard.press("Backspace")
    press(page, "292 Enter")
    points = page.get_by_label("Points", exact=True)
    expect(points).to_be_focused()
    expect(points).to_have_attribute("aria-invalid", "true")
    press(page, "43,5 Enter")
    expect(page.locator("#grid-said")).to_contain_text("card points are whole")
    expect(page.locator("#grid-recorded tr")).to_have_count(0)
    press(page, "Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(1)
    press(page, '2""" Enter')
    expect(page.locator("#grid-said")).to_contain_text("Press Enter again")
    text_shown = page.get_by_text("Press Enter again if").evaluate_all("all => all.filter(one => one.clientWidth > 1)")
    assert len(text_shown) == 1  # the other one is read out
    press(page, "Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(2)
    assert facts_of(table)[1] == {**facts_of(table)[0], "taker": 1}


@pytest.mark.faults
def test_a_row_is_revised_in_place_and_a_forgotten_one_put_between(desk: Desk) -> None:
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    for points in (43, 44, 45):
        a_deal(table, {"contract": "take", "taker": 0, "oudlers": 2, "points": points})
    page = desk(table)
    press(page, "ArrowUp ArrowUp Enter")
    expect(page.get_by_role("heading", name="Revise deal 2")).to_be_visible()
    expect(page.get_by_label("Points", exact=True)).to_have_value("44")
    press(page, "3 Enter")
    expect(page.locator("#grid-number")).to_have_text("4")
    press(page, "ArrowUp ArrowUp Insert")
    expect(page.get_by_role("heading", name="Insert a deal as number 2")).to_be_visible()
    press(page, "4g250 Enter")
    expect(page.locator("#grid-number")).to_have_text("5")
    assert [(facts["taker"], facts["points"]) for facts in facts_of(table)] == [(0, 43), (3, 50), (2, 44), (0, 45)]


@pytest.mark.faults
def test_totals_on_the_paper_are_compared(desk: Desk) -> None:
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    page = desk(table)
    press(page, "1t243 Enter 2g152 Enter")  # 81, -27, -27, -27 and -52, 156, -52, -52
    expect(page.locator("#grid-recorded tr")).to_have_count(2)
    for name, total in (("Ann", "81"), ("Bob", "-27"), ("Cid", "-27"), ("Dee", "-27")):
        page.get_by_label(f"{name}: total on the paper").fill(total)
    press(page, "Enter")
    expect(page.locator("#grid-paper-says")).to_contain_text("Deal 2 is not on the paper")
    for name, total in (("Ann", "29"), ("Bob", "129"), ("Cid", "-79"), ("Dee", "-79")):
        page.get_by_label(f"{name}: total on the paper").fill(total)
    press(page, "Enter")
    expect(page.locator("#grid-paper-says")).to_contain_text("agree with the rows")


@pytest.mark.faults
def test_enter_leads_from_the_last_row_over_the_totals_to_the_next_sheet(desk: Desk) -> None:
    table = seated(["Ann", "Bob", "Cid", "Dee"], end_number=1)
    following = a_table(table.round.evening, [a_player(name, "") for name in ("Eve", "Fay", "Gus", "Hal")])
    page = desk(table)
    press(page, "1t243 Enter")  # 81, -27, -27, -27
    expect(page.locator("#grid-done a")).to_be_visible()
    press(page, "Enter")
    expect(page.get_by_label("Ann: total on the paper")).to_be_focused()
    press(page, "81 Enter -27 Enter -27 Enter -28 Enter")
    expect(page.locator("#grid-status")).to_contain_text("Press Enter again")
    expect(page.locator("#grid-paper-says")).to_contain_text("The totals on the paper disagree")
    press(page, "Backspace")
    page.get_by_label("Dee: total on the paper").fill("-27")
    press(page, "Enter")
    expect(page).to_have_url(re.compile(f"/tables/{following.pk}/grid"))
    expect(page.get_by_label("Taker", exact=True)).to_be_focused()
    assert list(table.seats.values_list("paper", flat=True)) == [81, -27, -27, -27]
    press(page, "2t244 Enter")
    expect(page.locator("#grid-done")).to_contain_text("Every sheet is in")
    press(page, "Enter Enter")  # nobody wrote totals on this one
    expect(page).to_have_url(re.compile(f"/evenings/{table.round.evening.pk}/?$"))


@pytest.mark.faults
def test_escape_clears_a_row_and_brings_it_back(desk: Desk) -> None:
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    page = desk(table)
    taker, points = page.get_by_label("Taker", exact=True), page.get_by_label("Points", exact=True)
    press(page, "1t243 Escape")
    expect(points).to_have_value("")
    expect(taker).to_be_focused()
    expect(page.locator("#grid-status")).to_contain_text("Escape brings it back")
    page.reload()
    expect(points).to_have_value("")
    press(page, "2g155 Enter")  # another row meanwhile
    expect(page.locator("#grid-recorded tr")).to_have_count(1)
    press(page, "Escape")
    expect(points).to_have_value("43")
    expect(page.locator("[data-points='0']")).to_have_text("+81")
    press(page, "Enter")
    expect(page.locator("#grid-recorded tr")).to_have_count(2)
    press(page, "Escape")
    expect(points).to_have_value("")
    assert [facts["points"] for facts in facts_of(table)] == [55, 43]

    press(page, "ArrowUp Enter")
    expect(points).to_have_value("43")
    press(page, "3t0 Escape")
    expect(taker).to_have_value("1")
    expect(points).to_have_value("43")
    press(page, "Escape")
    expect(taker).to_have_value("3")
    press(page, "Enter")
    expect(page.locator("#grid-number")).to_have_text("3")
    assert [facts["taker"] for facts in facts_of(table)] == [1, 2]


def test_without_scripts_a_row_is_a_form(browser_of: Callable[..., BrowserContext], server: WebServer) -> None:
    table = seated(["Ann", "Bob", "Cid", "Dee"])
    secretary = a_member(table.round.evening.season.club, Role.SECRETARY)
    page = browser_of(secretary.user, server.url, java_script_enabled=False).new_page()
    page.goto(f"/tables/{table.pk}/grid")
    for name, text in (("Taker", "1"), ("Contract", "t"), ("Oudlers", "2"), ("Points", "43")):
        page.get_by_label(name, exact=True).fill(text)
    page.get_by_role("button", name="Record").click()
    expect(page.get_by_text("Deal 1 is recorded.")).to_be_visible()
    assert facts_of(table) == [{"contract": "take", "taker": 0, "oudlers": 2, "points": 43}]
