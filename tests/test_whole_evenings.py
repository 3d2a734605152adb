"""Whole club evenings in a real browser, from check-in to standings: the desk as a secretary works it, four times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from league.actions import attendance as attending
from league.models import Attendance, Evening, Rest, Round, Standing, Table
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import TableEnd
from league.operations.work.verification import verify
from tests.build import a_club, a_deal, a_member, a_player, a_season, an_evening
from tests.conftest import add_session
from tests.readers import user_of

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

NAMES = ["Anne", "Basile", "Cléo", "Denis", "Élodie", "Fabien", "Gaëlle", "Hugo", "Inès"]
NAMES += ["Jean", "Karim", "Léa", "Marc", "Nadia", "Omar", "Paule", "Quentin", "Rose"]


class Desk:
    """A secretary's browser at one evening."""

    def __init__(self, page: Page, server: LiveServer, evening: Evening) -> None:
        self.page, self.server, self.evening = page, server, evening

    def goto(self, name: str, *args: object) -> None:
        self.page.goto(self.server.url + reverse(name, args=args or [self.evening.pk]))

    def check_in(self, *names: str) -> None:
        """Two letters or more of each name, and Enter."""
        self.goto("league:attendance")
        for name in names:
            self.page.get_by_label("Find a name").fill(name)
            self.page.keyboard.press("Enter")
            expect(self.page.locator("#said")).to_contain_text(f"{name}")

    def all_here(self) -> None:
        """Everyone of the club is there: for evenings whose check-in is like the first one's."""
        members = self.evening.season.club.memberships.filter(player__display_name__in=NAMES)
        attending.check_in(self.evening.pk, list(members.values_list("player", flat=True)))

    def draw(self, number: int, rounds: int, seed: int = 5) -> Round:
        """Plan all rounds that are left, and accept the one of that number."""
        self.goto("league:draw")
        self.page.get_by_label("Rounds of the evening").fill(str(rounds))
        self.page.get_by_label("Seed").fill(str(seed))
        self.page.get_by_role("button", name=f"Draw from round {number} on").click()
        self.accept(number)
        drawn_round: Round = self.evening.rounds.get(number=number)
        return drawn_round

    def accept(self, number: int) -> None:
        self.page.get_by_role("button", name=f"Accept round {number}").click()
        expect(self.page.get_by_text(f"Round {number} is accepted")).to_be_visible()

    def enter(self, table: Table, *rows: str) -> None:
        """A sheet, row by row, on the grid."""
        self.goto("league:grid", table.pk)
        for number, row in enumerate(rows, 1):
            for key in [*row, "Enter"]:
                self.page.keyboard.press("Tab" if key == " " else key)
            expect(self.page.locator("#grid-recorded tr")).to_have_count(number)

    def enter_round(self, round_: Round, rows: Mapping[int, tuple[str, ...]], *, but: Table | None = None) -> None:
        """Every sheet of a round, by the size of its table: one of each size by hand, the others the same at once."""
        by_hand: dict[int, Table] = {}
        for table in round_.tables.all():
            if table == but:
                continue
            if table.size not in by_hand:
                self.enter(table, *rows[table.size])
                by_hand[table.size] = table
            else:
                for deal in by_hand[table.size].dealt.all():
                    a_deal(table, deal.facts)

    def close(self, *, although: bool = False) -> None:
        """Through the checklist."""
        self.page.goto(self.server.url + self.evening.get_absolute_url())
        self.page.get_by_role("link", name="Close the evening").click()
        if although:
            self.page.get_by_label("Close it although something is open").check()
        self.page.get_by_role("button", name="Close the evening").click()
        expect(self.page.get_by_text("The results are provisional")).to_be_visible()

    def season_shows(self, place: str) -> None:
        """The season's standings, once the worker has computed them."""
        self.page.goto(self.server.url + self.evening.season.get_absolute_url())
        for _try in range(60):
            if self.page.get_by_role("row").filter(has_text=place).count():
                break
            self.page.wait_for_timeout(250)
            self.page.reload()
        expect(self.page.get_by_role("row").filter(has_text=place).first).to_be_visible()


@pytest.fixture
def open_desk(worker: None, page: Page, live_server: LiveServer) -> Callable[..., Desk]:
    """Return an open evening of a new season in a club of so many people, and its secretary signed in."""

    def opened(game: str, people: int, **season: Any) -> Desk:
        club = a_club(name="Le Petit au bout", fee_member=300, fee_guest=500)
        for name in NAMES[:people]:
            club.memberships.create(player=a_player(name, ""))
        evening = an_evening(a_season(club, game, name=game, **season))
        add_session(page.context, user_of(a_member(club, Role.SECRETARY)), live_server.url)
        return Desk(page, live_server, evening)

    return opened


@pytest.mark.faults
def test_thirteen_at_tarot_with_a_late_guest_a_leaver_a_totals_only_table_and_a_correction(
    open_desk: Callable[..., Desk],
) -> None:
    desk = open_desk("tarot", 13, end_number=2, rounds=2)
    page, evening = desk.page, desk.evening
    desk.check_in(*NAMES[:13])
    expect(page.get_by_text("13 players are there")).to_be_visible()
    desk.goto("league:attendance")
    page.get_by_role("button", name=re.compile("To pay.*Anne")).click()
    expect(page.get_by_text("Anne has paid.")).to_be_visible()
    first = desk.draw(1, 2)
    assert sorted(first.tables.values_list("size", flat=True)) == [4, 4, 5]
    desk.enter_round(first, {4: ("1t243", "2g152"), 5: ("1t2243", "3g0152")})

    # Between the rounds a guest comes and somebody leaves.
    desk.goto("league:attendance")
    page.get_by_label("Name of a guest").fill("Zora Visiteur")
    page.get_by_role("button", name="Check in as a guest").click()
    expect(page.get_by_text("Zora Visiteur is checked in as a guest.")).to_be_visible()
    page.get_by_role("button", name=re.compile("Leaves.*Basile")).click()
    expect(page.get_by_text("Basile leaves early.")).to_be_visible()
    second = desk.draw(2, 2)
    seated = set(second.seats.values_list("player__display_name", flat=True))
    assert seated == {*NAMES[:13], "Zora Visiteur"} - {"Basile"}

    # One table hands in its totals only.
    [totals_only, *_rest] = second.tables.filter(size=4)
    desk.enter_round(second, {4: ("4g260", "3t056"), 5: ("4g1260", "2t3056")}, but=totals_only)
    desk.goto("league:table-totals", totals_only.pk)
    for seat, points in zip(totals_only.seats.select_related("player"), (90, -30, -30, -30), strict=True):
        page.get_by_label(str(seat.player)).fill(str(points))
    page.get_by_label("Number of deals").fill("2")
    page.get_by_role("button", name="Record the totals").click()
    expect(page.get_by_text("The totals are recorded.")).to_be_visible()

    desk.goto("league:sheets")
    expect(page.get_by_text("complete", exact=True)).to_have_count(6)
    desk.close(although=True)  # fees are still to be paid
    desk.season_shows("Anne")
    before = Standing.objects.get(season=evening.season, player__display_name="Anne").total

    # The day after, a deal of round 1 turns out to have been read wrongly.
    table = first.tables.filter(seats__player__display_name="Anne").get()
    deal = table.dealt.get(number=1)
    desk.goto("league:deal-revise", deal.pk)
    page.get_by_label("Points", exact=True).fill("33")
    expect(page.get_by_role("table", name="The season").get_by_role("row").filter(has_text="Anne")).to_be_visible()
    page.get_by_label("Reason").fill("33 on the sheet")
    page.get_by_role("button", name="Revise the deal").click()
    expect(page.get_by_text("The deal is revised.")).to_be_visible()
    desk.goto("league:errata")
    expect(page.get_by_role("row").filter(has_text="33 on the sheet")).to_contain_text("Deal 1 was revised.")
    assert list(verify()) == []
    evening.refresh_from_db()
    assert evening.state == EveningState.CLOSED
    assert Attendance.objects.get(evening=evening, player__display_name="Basile").to_round == 1
    assert before is not None


@pytest.mark.faults
def test_nine_belote_pairs_with_an_exempt_pair(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk("belote", 18, table_sizes=[4], end_number=2, rounds=2, exempt_points=200)
    desk.all_here()
    for number in (1, 2):
        round_ = desk.draw(number, 2)
        assert round_.tables.count() == 4
        assert list(round_.rests.values_list("kind", "points")) == [("exempt", 200)] * 2
        desk.enter_round(round_, {4: ("175+", "280+b+")})
    desk.close(although=True)
    desk.season_shows("Anne")
    exempt = set(Rest.objects.filter(round__evening=desk.evening).values_list("player", flat=True))
    assert len(exempt) == 4  # nobody twice
    assert Standing.objects.filter(season=desk.evening.season).count() == 18
    assert list(verify()) == []


@pytest.mark.faults
def test_eleven_at_two_way_street_with_a_duel(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk("two-way-street", 11, table_sizes=[2, 3], end=TableEnd.TARGET, end_number=12, rounds=1)
    desk.all_here()
    round_ = desk.draw(1, 1)
    assert sorted(round_.tables.values_list("size", flat=True)) == [2, 3, 3, 3]
    desk.enter_round(round_, {2: ("1h82",), 3: ("h7l2h1",)})
    desk.close(although=True)
    desk.season_shows("Anne")
    assert list(verify()) == []


@pytest.mark.faults
def test_a_table_of_five_at_which_one_rests(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk("tarot", 9, table_sizes=[4, 5], fifth_rests=True, end_number=4, rounds=1)
    desk.all_here()
    round_ = desk.draw(1, 1)
    five = round_.tables.get(size=5)
    assert five.one_rests
    rows = tuple(f"{taker}t243" for taker in (2, 3, 4, 5, 1))
    desk.enter_round(round_, {5: rows, 4: rows[:3] + rows[4:]})
    expect(desk.page.locator("#grid-status")).to_be_attached()
    five.refresh_from_db()
    assert five.complete
    assert set(five.seats.values_list("deals", flat=True)) == {4}
    desk.close(although=True)
    desk.season_shows("Anne")
    assert list(verify()) == []
