"""An evening of thirteen without the mouse, from check-in to closing: keys are counted, and the worst are bounded."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from league.models import Attendance, Evening, Table
from league.models.evening import EveningState
from league.models.rights import Role
from tests.build import a_club, a_member, a_player, a_season, an_evening
from tests.sheet_keys import SHEETS, keys
from tests.webserver import WebServer

pytestmark = [pytest.mark.faults, pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MEMBERS = ["Anne", "Basile", "Cléo", "Denis", "Élodie", "Fabien", "Gaëlle", "Hugo", "Inès", "Jean", "Karim", "Léa"]
GUEST = "Zora Visiteur"
DEALS = 2  # of each table
PILES = SHEETS["one_for_one"]["deals"][:DEALS]
PLAIN = {"contract", "taker", "partner", "oudlers", "points"}
# Keys of each kind of thing, at most; a guest's beside his name, and a total's beside its digits.
MAX_KEYS = {
    "member": 4,
    "guest": 1,
    "fee at once": 1,
    "fee later": 4,
    "plain row": 9,
    "row with extras": 12,
    "one for one": 24,
    "total": 1,
    "to the totals": 1,
    "to another page": 30,
}
NO_MOUSE = (
    "for (const name of ['pointerdown', 'mousedown']) addEventListener(name, () => console.error('a mouse'), true)"
)
HAS_FOCUS = "control => control === document.activeElement"


class Keyboard:
    """A page's keyboard, which counts."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.pressed = 0
        self.counted: dict[str, list[int]] = defaultdict(list)

    def press(self, *names: str) -> None:
        for name in names:
            if name.isascii():
                self.page.keyboard.press(name)
            else:
                self.page.keyboard.type(name)
        self.pressed += len(names)

    @contextmanager
    def counting(self, action: str, *, but: int = 0) -> Iterator[None]:
        """Note how many keys this took, `but` those that say what nobody else can know."""
        before = self.pressed
        yield
        self.counted[action].append(self.pressed - before - but)

    def follow(self, control: Locator, step: str = "Tab") -> None:
        """Go to a link or button, and press it."""
        with self.counting("to another page"):
            for _step in range(MAX_KEYS["to another page"]):
                if control.evaluate(HAS_FOCUS):
                    break
                self.press(step)
            expect(control).to_be_focused()
            self.press("Enter")


def check_in(keyboard: Keyboard) -> None:
    """Everyone by three letters; all but one pay at once, and the guest is new."""
    page = keyboard.page
    message = page.locator("#said")
    expect(page.get_by_label("Find a name")).to_be_focused()
    page.wait_for_load_state()
    for name in MEMBERS:
        with keyboard.counting("member"):
            keyboard.press(*name[:3], "Enter")
        if name == "Léa":
            expect(message).to_contain_text(f"{name} is there.")
        else:
            with keyboard.counting("fee at once"):
                keyboard.press("+")
            expect(message).to_contain_text(f"{name} has paid.")
    with keyboard.counting("guest", but=len(GUEST)):
        keyboard.press(*GUEST, "Shift+Enter")
    expect(page.get_by_text(f"{GUEST} is checked in as a guest.")).to_be_visible()
    page.wait_for_load_state()
    for name in (GUEST, "Léa"):
        expect(page.get_by_label("Find a name")).to_be_focused()
        with keyboard.counting("fee later"):
            keyboard.press(*name[:3], "+")
        expect(message).to_contain_text(f"{name} has paid.")
    expect(page.get_by_text("13 players are there")).to_be_visible()


def enter_sheet(keyboard: Keyboard, deals: Iterable[dict[str, Any]]) -> None:
    """The table whose grid is open: its rows, then the totals on its paper, then on to the next page."""
    page = keyboard.page
    table = Table.objects.get(pk=re.findall(r"\d+", page.url)[-1])
    seats = table.seats.order_by("number")
    expect(page.locator("#grid-number")).to_have_text("1")
    page.wait_for_load_state()  # what listens to keys comes with the page's scripts
    for number, facts in enumerate(deals, 1):
        kind = (
            "one for one"
            if facts["contract"] == "one_for_one"
            else "plain row"
            if facts.keys() <= PLAIN
            else "row with extras"
        )
        with keyboard.counting(kind):
            keyboard.press(*keys(facts, table.size))
        expect(page.locator("#grid-recorded tr")).to_have_count(number)
    expect(page.locator("#grid-done a")).to_be_visible()
    with keyboard.counting("to the totals"):
        keyboard.press("Enter")
    expect(page.get_by_label("total on the paper").first).to_be_focused()
    with page.expect_navigation():
        for points in seats.values_list("points", flat=True):
            with keyboard.counting("total", but=len(str(points))):
                keyboard.press(*str(points), "Enter")
    assert all(seat.paper == seat.points for seat in seats)


def enter_round(keyboard: Keyboard, evening: Evening, number: int, sheets: dict[int, list[Any]]) -> None:
    """Every sheet of a round, each by the size of its table; the last one leads back to the evening."""
    page = keyboard.page
    keyboard.follow(page.get_by_role("link", name="Sheets"))
    pile = page.get_by_role("table", name=f"Round {number}")
    keyboard.follow(pile.get_by_role("link", name="Table 1"))
    for table in evening.rounds.get(number=number).tables.order_by("number"):
        expect(page).to_have_url(re.compile(f"/tables/{table.pk}/grid$"))
        enter_sheet(keyboard, sheets[table.size].pop(0))
    expect(page).to_have_url(re.compile(f"/evenings/{evening.pk}/$"))


def accept(keyboard: Keyboard, number: int) -> None:
    page = keyboard.page
    keyboard.follow(page.get_by_role("button", name=f"Accept round {number}"))
    expect(page.get_by_text(f"Round {number} is accepted")).to_be_visible()


def test_an_evening_of_thirteen_by_keys_alone(browser_of: Callable[..., BrowserContext], server: WebServer) -> None:
    club = a_club(fee_member=300, fee_guest=500)
    for name in MEMBERS:
        club.memberships.create(player=a_player(name, ""))
    evening = an_evening(a_season(club, end_number=DEALS, rounds=2))
    context = browser_of(a_member(club, Role.SECRETARY).user, server.url)
    context.add_init_script(NO_MOUSE)
    page = context.new_page()
    keyboard = Keyboard(page)
    page.goto(evening.get_absolute_url())

    keyboard.follow(page.get_by_role("link", name="Check-in"))
    check_in(keyboard)
    keyboard.follow(page.get_by_role("link", name="Draw", exact=True), "Shift+Tab")
    keyboard.follow(page.get_by_role("button", name="Draw from round 1 on"))
    accept(keyboard, 1)
    home = page.get_by_label("Where this page is").get_by_role("link").last
    keyboard.follow(home)
    four, five = SHEETS["four"]["deals"], SHEETS["five"]["deals"]
    enter_round(keyboard, evening, 1, {4: [four[:DEALS], PILES], 5: [five[:DEALS]]})
    keyboard.follow(page.get_by_role("link", name="Draw", exact=True))
    accept(keyboard, 2)
    keyboard.follow(home)
    enter_round(keyboard, evening, 2, {4: [four[4:6], four[6:8]], 5: [five[10:12]]})
    keyboard.follow(page.get_by_role("link", name="Close the evening"))
    keyboard.follow(page.get_by_role("button", name="Close the evening"))
    expect(page.get_by_text("The results are provisional")).to_be_visible()

    evening.refresh_from_db()
    assert evening.state == EveningState.CLOSED
    assert Attendance.objects.filter(evening=evening, paid__gt=0).count() == len(MEMBERS) + 1
    worst = {action: max(counts) for action, counts in keyboard.counted.items()}
    print(f"\n{keyboard.pressed} keys for the evening; at most, and how often:")
    for action, counts in keyboard.counted.items():
        print(f"    {action}: {max(counts)}, {len(counts)} times")
    assert worst.keys() == MAX_KEYS.keys()
    assert {action: worst_count for action, worst_count in worst.items() if worst_count > MAX_KEYS[action]} == {}
