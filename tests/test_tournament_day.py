"""Two tournaments played whole in a browser: a belote contest of 75 pairs, and a tarot tournament of 61 players.

The expected rankings are computed here, from the totals that were typed, without the project's code.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from random import Random

import pytest
from django.utils import timezone
from playwright.sync_api import BrowserContext, Locator, Page, expect

from league.actions import registrations
from league.actions.registrations import PlayerEntry, Registration
from league.models import Tournament
from league.models.rights import Role
from tests.build import a_club, a_member, a_tournament
from tests.conftest import Console
from tests.webserver import WebServer

pytestmark = [pytest.mark.browser, pytest.mark.faults, pytest.mark.django_db(transaction=True)]


DEALS, TOTAL = 12, 12 * 162


def register_many(tournament: Tournament, count: int) -> None:
    """Register units at the desk, beside those that visitors register in the browser."""
    new = [
        Registration([PlayerEntry(f"Given{number}{letter} Family{number}") for letter in "ab"[: tournament.unit_size]])
        for number in range(count)
    ]
    registrations.register_list(tournament.pk, new, now=timezone.now())


def as_visitor(
    browser_of: Callable[..., BrowserContext],
    server: WebServer,
    tournament: Tournament,
    *names: str,
    cancels: bool = False,
) -> str:
    """Register on a phone; return the state that the visitor reads. `cancels`: then cancel by the same page."""
    phone = browser_of(None, server.url, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.new_page()
    page.goto(f"/tournaments/{tournament.pk}/")
    page.get_by_role("link", name="Register").click()
    for field, name in zip(page.locator("input[name^=name_]").all(), names, strict=False):
        field.fill(name)
    page.get_by_label("E-mail").first.fill("visitor@club.example")
    page.locator("input[name=consent]").check()
    page.get_by_role("button", name="Register").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("registration", ignore_case=True)
    state = page.get_by_role("heading", level=2).first.inner_text()
    if cancels:
        page.get_by_text("Cancel the registration").click()
        page.get_by_role("button", name="Yes, cancel").click()
        expect(page.get_by_text("You are no longer registered.")).to_be_visible()
    phone.close()
    return state


def check_in(page: Page, tournament: Tournament, *, absent: str) -> None:
    """Check in everybody by one button, but for a unit that is checked out again."""
    page.goto(f"/tournaments/{tournament.pk}/check-in")
    page.get_by_role("button", name="Check in all").click()
    expect(page.get_by_text("units are checked in")).to_be_visible()
    page.get_by_role("button", name=re.compile(rf"Undo\s*, {absent}")).click()
    expect(page.get_by_text("The check-in is taken back")).to_be_visible()


def begin_round(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Draw round {number}", exact=True).click()
    page.get_by_role("button", name=f"Begin round {number}", exact=True).click()
    expect(page.get_by_text(f"Round {number} begins")).to_be_visible()


def entry_rows(page: Page) -> list[Locator]:
    """Return the rows of the page of results, once it is there: `all` does not wait."""
    page.wait_for_url("**/results")
    page.wait_for_load_state()
    return page.locator(".results-entry tbody tr").all()


def fill(page: Page, totals: Callable[[list[int]], Mapping[int, int]]) -> Iterator[tuple[int, int]]:
    """Fill the results of a round; `totals` are for the numbers of a table. Yield the total of each number."""
    page.get_by_role("link", name="Results").first.click()
    for row in entry_rows(page):
        fields = row.locator("input.total").all()
        labels = [label.inner_text() for label in row.locator(".total-row label").all()]
        numbers = [int(label.partition(".")[0]) for label in labels]
        for field, number, total in zip(fields, numbers, totals(numbers).values(), strict=True):
            field.fill(str(total))
            yield number, total
    page.get_by_role("button", name="Store the results").click()
    expect(page.get_by_text("tables are stored")).to_be_visible()
    page.get_by_role("link", name="The day").click()


def shown_ranking(page: Page, tournament: Tournament) -> list[tuple[int, int, int]]:
    """Return rank, number and points of each row."""
    page.goto(f"/tournaments/{tournament.pk}/ranking")
    rows = []
    for row in page.locator("table.ranking tbody tr").all():
        rank, number, points, *_rounds = row.locator("td").all_inner_texts()
        rows.append((int(rank), int(number), int(re.sub(r"[^\d-]", "", points.replace("−", "-")))))
    return rows


def expected_ranking(points: Mapping[int, int]) -> list[tuple[int, int, int]]:
    ranks = {total: 1 + sum(other > total for other in points.values()) for total in points.values()}
    return sorted((ranks[total], number, total) for number, total in points.items())


def test_a_belote_contest_of_75_pairs(
    browser_of: Callable[..., BrowserContext], server: WebServer, console: Console
) -> None:
    """With a waiting list, a no-show, a leaver, a correction, finals, prizes and receipts."""
    console.expect("422 (Unprocessable Entity)")  # a correction is asked about
    club = a_club()
    tournament = a_tournament(
        club,
        name="Concours",
        game="belote",
        places=76,
        deals=DEALS,
        rounds=4,
        exempt_points=972,
        date=timezone.localdate(),
        public=True,
    )
    register_many(tournament, 75)
    assert as_visitor(browser_of, server, tournament, "Visitor One", "Visitor Two") == "You have a place."
    state = as_visitor(browser_of, server, tournament, "Waits One", "Waits Two", cancels=True)
    assert state == "You are number 1 of the waiting list."
    page = browser_of(a_member(club, Role.SECRETARY).user, server.url).new_page()
    page.goto(f"/tournaments/{tournament.pk}/play")
    page.get_by_role("button", name="Start the tournament").click()
    check_in(page, tournament, absent="Given7a")
    page.goto(f"/tournaments/{tournament.pk}/play")

    rng = Random(75)
    points: dict[int, int] = defaultdict(int)
    met: set[frozenset[int]] = set()
    rested: list[int] = []
    leaver = 0

    def split(numbers: list[int]) -> dict[int, int]:
        first = rng.randint(500, TOTAL - 500)
        pair = frozenset(numbers)
        assert pair not in met, "nobody meets twice"
        met.add(pair)
        return dict(zip(numbers, (first, TOTAL - first), strict=True))

    for number in range(1, 5):
        begin_round(page, number)
        resting = page.get_by_text("Rests:")
        if resting.count():
            rested.append(int(resting.locator("strong").inner_text()))
            points[rested[-1]] += 972
        for unit, total in fill(page, split):
            points[unit] += total
        if number == 2:  # a pair leaves: the number of pairs is even then, and nobody rests
            leaver = min(unit for unit in points if unit not in rested)
            page.goto(f"/tournaments/{tournament.pk}/check-in")
            page.get_by_role("listitem").filter(has=page.locator(f"strong:text-is('{leaver}')")).get_by_role(
                "button", name="Leaves"
            ).click()
            page.goto(f"/tournaments/{tournament.pk}/play")

    assert len(points) == 75
    assert len(rested) == 2
    assert len(set(rested)) == 2
    assert sum(points.values()) == TOTAL * (37 * 4) + 2 * 972
    assert shown_ranking(page, tournament) == expected_ranking(points)
    for unit, change in correct(page, tournament, round_number=2):
        points[unit] += change
    assert shown_ranking(page, tournament) == expected_ranking(points)
    seeds = [number for _rank, number, _points in expected_ranking(points) if number != leaver][:4]
    champion, runner_up = play_finals(page, tournament, seeds)
    assert hand_out_prizes(page, tournament) == [(str(champion), "€200.00"), (str(runner_up), "€100.00")]


def correct(page: Page, tournament: Tournament, *, round_number: int) -> Iterator[tuple[int, int]]:
    """Move 10 points at the first table of a round whose later rounds are played; yield the change of each number."""
    page.goto(f"/tournaments/{tournament.pk}/play")
    page.get_by_role("region", name=re.compile(f"^Round {round_number}")).get_by_role("link", name="Results").click()
    row = entry_rows(page)[0]
    for field, label, change in zip(
        row.locator("input.total").all(), row.locator(".total-row label").all(), (10, -10), strict=True
    ):
        number = int(label.inner_text().partition(".")[0])
        field.fill(str(int(field.input_value()) + change))
        yield number, change
    page.get_by_role("button", name="Store the results").click()
    page.get_by_role("button", name=re.compile("Store")).click()  # the page shows the consequences first
    expect(page.get_by_text("1 table is stored")).to_be_visible()


def play_finals(page: Page, tournament: Tournament, seeds: list[int]) -> tuple[int, int]:
    """Play a knock-out of four in which the unit with the lower number wins; return the two of the final."""
    page.goto(f"/tournaments/{tournament.pk}/finals/start")
    page.get_by_label("Knock-out", exact=True).check()
    page.locator("input[name=units]").fill("4")
    page.get_by_role("button", name="Start the finals").click()
    for _stage in ("semi-finals", "final"):
        page.get_by_role("button", name=re.compile("^Draw")).first.click()
        page.get_by_role("link", name="Results").first.click()
        for row in entry_rows(page):
            labels = row.locator(".total-row label").all()
            numbers = [int(label.inner_text().partition(".")[0]) for label in labels]
            for field, number in zip(row.locator("input.total").all(), numbers, strict=True):
                field.fill(str(1000 if number == min(numbers) else TOTAL - 1000))
        page.get_by_role("button", name="Store the results").click()
        page.goto(f"/tournaments/{tournament.pk}/finals")
    finalists = min(seeds[0], seeds[3]), min(seeds[1], seeds[2])
    return min(finalists), max(finalists)


def hand_out_prizes(page: Page, tournament: Tournament) -> list[tuple[str, str]]:
    """Write two prizes, finish the tournament, print the receipts; return number and prize of each receipt."""
    page.goto(f"/tournaments/{tournament.pk}/prizes/edit")
    for line, amount in enumerate(("200", "100")):
        page.locator(f"input[name=prize-{line}-first]").fill(str(line + 1))
        page.locator(f"input[name=prize-{line}-amount]").fill(amount)
    page.get_by_role("button", name="Save the prizes").click()
    expect(page.get_by_text("The prizes are stored.")).to_be_visible()
    page.goto(f"/tournaments/{tournament.pk}/play")
    page.get_by_role("button", name="Finish the tournament").click()
    expect(page.get_by_text("The tournament is finished")).to_be_visible()
    page.goto(f"/tournaments/{tournament.pk}/prizes/desk")
    page.get_by_role("button", name="Print the receipts").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Receipts")
    rows = [row.locator("td, th").all_inner_texts() for row in page.locator("main table tbody tr").all()]
    return [(row[0].strip(), row[2].split()[0]) for row in rows]


def test_a_tarot_tournament_of_61_players(browser_of: Callable[..., BrowserContext], server: WebServer) -> None:
    club = a_club()
    tournament = a_tournament(
        club,
        name="Tournoi",
        game="tarot",
        unit_size=1,
        places=100,
        deals=4,
        rounds=3,
        pairing="lot",
        exempt_wins=False,
        date=timezone.localdate(),
        public=True,
    )
    register_many(tournament, 62)
    page = browser_of(a_member(club, Role.SECRETARY).user, server.url).new_page()
    page.goto(f"/tournaments/{tournament.pk}/play")
    page.get_by_role("button", name="Start the tournament").click()
    check_in(page, tournament, absent="Given7a")
    page.goto(f"/tournaments/{tournament.pk}/play")

    rng = Random(61)
    points: dict[int, int] = defaultdict(int)

    def deal(numbers: list[int]) -> dict[int, int]:
        totals = [rng.randint(-200, 200) for _ in numbers[1:]]
        return dict(zip(numbers, (-sum(totals), *totals), strict=True))

    for number in range(1, 4):
        begin_round(page, number)
        for player, total in fill(page, deal):
            points[player] += total

    assert len(points) == 61
    assert sum(points.values()) == 0
    assert shown_ranking(page, tournament) == expected_ranking(points)
