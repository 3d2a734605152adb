"""Prizes of a tournament: the list, categories, awards, lots, receipts, prizes handed over."""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from typing import Any
from uuid import uuid4

import pytest
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl.reader.excel import load_workbook

from league.actions import prizes, registrations, totals, tournament_play
from league.actions.prizes import PrizeLine
from league.actions.refusals import WrongState
from league.models import AuditEntry, PrizeReceipt, Table, Tournament
from league.models.audit_entry import AuditEvent
from league.models.prize import WHOLE_UNIT
from league.models.rights import Role
from league.pairing.prizes import Competitor, allocate, lot_order
from league.sheets.queries.table_sums import PointsAndDeals
from league.tournaments.queries.prize_proposals import propose_prizes_in_kind
from league.tournaments.queries.prizes import Awards, compute_awards, prize_lines, to_arithmetic_prize
from league.tournaments.tests.test_play import enter, numbers_at
from tests.build import a_club, a_drawn_round, a_member, a_running_tournament, a_tournament, a_unit, sign_in

pytestmark = pytest.mark.django_db


def line(first: int, last: int | None = None, amount: int = 0, thing: str = "", **fields: Any) -> PrizeLine:
    values: dict[str, Any] = {"category": "", "from_last": False, "worth": 0, **fields}
    return PrizeLine(first=first, last=last or first, amount=amount, thing=thing, **values)


def store(tournament: Tournament, *lines: PrizeLine, ties: str = "shared", seen_version: int = 0) -> None:
    prizes.store_prizes(tournament.pk, lines, ties=ties, seen_version=seen_version)


def a_finished_tournament(*points: tuple[int, int], **fields: Any) -> tuple[Tournament, list[int]]:
    """Return a tournament of one round with these results of its tables, and the numbers in order of the seats."""
    tournament = a_running_tournament(a_club(), units=2 * len(points), rounds=1, **fields)
    numbers: list[int] = []
    for table, sums in zip(a_drawn_round(tournament).tables.with_seats(), points, strict=True):
        enter(table, *sums)
        numbers += [number for number in numbers_at(tournament, table) if number is not None]
    return tournament_play.finish(tournament.pk, now=timezone.now()), numbers


@pytest.mark.parametrize("units", [1, 4, 5, 10, 11, 40])
def test_each_proposed_thing_has_a_winner_if_there_are_enough_units(units: int) -> None:
    lines = [to_arithmetic_prize(prize) for prize in propose_prizes_in_kind(units)]
    competitors = [Competitor(str(rank), rank) for rank in range(1, units + 1)]
    things = [
        thing for award in allocate(lines, competitors, shared=True, lots={}).awards.values() for thing in award.things
    ]
    assert len(things) == min(units, 11)


def correct(tournament: Tournament, table: Table, points: tuple[int, int]) -> None:
    """Correct the result of a finished tournament's table."""
    tournament_play.resume(tournament.pk, now=timezone.now())
    table.refresh_from_db()
    sums = {seat: PointsAndDeals(points[seat % 2], 12) for seat in range(4)}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=table.version, now=timezone.now(), reason="Wrong")
    tournament_play.finish(tournament.pk, now=timezone.now())


def awards_of(tournament: Tournament) -> Awards:
    return compute_awards(tournament, prize_lines(tournament))


def amounts(tournament: Tournament) -> dict[int | None, tuple[int, Sequence[str]]]:
    return {
        winner.competitor.unit.number: (winner.award.amount, winner.award.things)
        for winner in awards_of(tournament).winners
    }


def hand_over(tournament: Tournament, number: int, *, handed: bool = True) -> None:
    unit = tournament.units.get(number=number)
    prizes.hand_over(tournament.pk, unit.pk, WHOLE_UNIT, handed=handed, now=timezone.now())


def test_awards_follow_the_ranking() -> None:
    tournament, (best, worst, second, third) = a_finished_tournament((1200, 744), (1000, 944))
    store(tournament, line(1, amount=10_000), line(2, 3, thing="Wine", worth=800))
    assert amounts(tournament) == {best: (10_000, ()), second: (0, ("Wine",)), third: (0, ("Wine",))}
    assert worst not in amounts(tournament)


def test_the_best_of_a_category_moves_up_the_next() -> None:
    tournament, (best, worst, second, third) = a_finished_tournament((1200, 744), (1000, 944))
    store(tournament, line(1, amount=5_000), line(2, amount=1_000), line(1, amount=2_000, category="Women"))
    category = tournament.prize_categories.get()
    marks = [(category.pk, tournament.units.get(number=number).pk, WHOLE_UNIT) for number in (second, worst)]
    prizes.change_category_members(tournament.pk, added=marks, removed=[])
    assert amounts(tournament) == {best: (5_000, ()), second: (2_000, ()), third: (1_000, ())}
    prizes.change_category_members(tournament.pk, added=[], removed=marks[:1])
    assert amounts(tournament) == {best: (5_000, ()), second: (1_000, ()), worst: (2_000, ())}
    assert AuditEntry.objects.filter(event=AuditEvent.PRIZE_UNITS_MARKED).count() == 2


def test_tied_units_share_or_draw_a_lot_once() -> None:
    tournament, (first, third, second, fourth) = a_finished_tournament((1000, 944), (1000, 944))
    lines = [line(1, amount=6_000), line(2, amount=4_000)]
    store(tournament, *lines)
    assert amounts(tournament) == {first: (5_000, ()), second: (5_000, ())}
    store(tournament, *lines, ties="lot", seen_version=1)
    [group] = awards_of(tournament).open_lots
    keys = [ranked.key for ranked in group]
    assert sorted(keys) == sorted([str(first), str(second)])
    with pytest.raises(WrongState):
        prizes.draw_lot(tournament.pk, [str(third), str(fourth)], seed=5, now=timezone.now())
    prizes.draw_lot(tournament.pk, keys, seed=5, now=timezone.now())
    winner, loser = (int(key) for key in lot_order(keys, 5))
    assert amounts(tournament) == {winner: (6_000, ()), loser: (4_000, ())}
    entry = AuditEntry.objects.get(event=AuditEvent.PRIZE_LOT_DRAWN)
    assert (entry.params["seed"], entry.params["competitors"]) == (5, sorted(keys))
    with pytest.raises(WrongState):
        prizes.draw_lot(tournament.pk, keys, seed=6, now=timezone.now())


def test_a_list_that_somebody_else_changed_is_refused() -> None:
    tournament = a_tournament(a_club())
    store(tournament, line(1, amount=100))
    with pytest.raises(WrongState, match="Somebody else"):
        store(tournament, line(1, amount=200))
    assert [prize.amount for prize in prize_lines(tournament)] == [100]


def test_a_category_without_prizes_and_units_is_deleted() -> None:
    tournament = a_tournament(a_club())
    store(tournament, line(1, amount=100, category="Women"), line(2, amount=50, category="WOMEN"))
    assert list(tournament.prize_categories.values_list("name", flat=True)) == ["Women"]
    store(tournament, line(1, amount=100), seen_version=1)
    assert not tournament.prize_categories.exists()


def test_marks_of_another_tournament_are_refused() -> None:
    tournament, foreign = a_tournament(a_club()), a_tournament(a_club())
    store(tournament, line(1, amount=100, category="Women"))
    unit = a_unit(foreign)
    with pytest.raises(WrongState):
        prizes.change_category_members(
            tournament.pk, added=[(tournament.prize_categories.get().pk, unit.pk, 0)], removed=[]
        )


def test_a_correction_after_the_receipts_shows_what_changed() -> None:
    tournament, (best, _worst, second, _third) = a_finished_tournament((1200, 744), (1000, 944))
    store(tournament, line(1, amount=5_000), line(2, amount=3_000))
    prizes.print_receipts(tournament.pk, now=timezone.now())
    hand_over(tournament, best)
    assert not awards_of(tournament).changes
    table = Table.objects.filter(round__evening__season__tournament=tournament).order_by("number")[1]
    correct(tournament, table, (1300, 644))  # the second becomes the first
    amounts_before_and_after = {
        change.unit.number: (change.receipt and change.receipt.amount, change.award and change.award.amount)
        for change in awards_of(tournament).changes
    }
    assert amounts_before_and_after == {second: (3_000, 5_000), best: (5_000, 3_000)}
    with pytest.raises(WrongState, match="changed since"):
        hand_over(tournament, second)
    prizes.print_receipts(tournament.pk, now=timezone.now())
    assert [change.unit.number for change in awards_of(tournament).changes] == [best], "it was handed over"
    hand_over(tournament, second)
    assert PrizeReceipt.objects.get(unit__number=second).amount == 5_000


def test_a_unit_that_loses_its_prize_after_the_receipts_is_shown() -> None:
    tournament, (best, _worst, second, _third) = a_finished_tournament((1200, 744), (1000, 944))
    store(tournament, line(1, amount=5_000))
    prizes.print_receipts(tournament.pk, now=timezone.now())
    table = Table.objects.filter(round__evening__season__tournament=tournament).order_by("number")[1]
    correct(tournament, table, (1300, 644))
    changes = {change.unit.number: (change.receipt, change.award) for change in awards_of(tournament).changes}
    assert changes[best][1] is None
    assert changes[second][0] is None


def test_a_prize_is_handed_over_once_and_taken_back() -> None:
    tournament, (best, worst, _second, _third) = a_finished_tournament((1200, 744), (1000, 944))
    store(tournament, line(1, amount=5_000))
    for _ in range(2):
        hand_over(tournament, best)
    assert AuditEntry.objects.filter(event=AuditEvent.PRIZE_HANDED).count() == 1
    with pytest.raises(WrongState):
        hand_over(tournament, worst)
    hand_over(tournament, best, handed=False)
    assert not PrizeReceipt.objects.exists(), "it was never printed"


def test_nothing_is_handed_over_before_the_end() -> None:
    tournament = a_running_tournament(a_club(), units=2)
    store(tournament, line(1, amount=5_000))
    for action in (
        lambda: hand_over(tournament, 1),
        lambda: prizes.print_receipts(tournament.pk, now=timezone.now()),
        lambda: prizes.draw_lot(tournament.pk, ["1", "2"], seed=1, now=timezone.now()),
    ):
        with pytest.raises(WrongState, match="not finished"):
            action()


def test_players_have_prizes_of_their_own_if_mates_play_apart() -> None:
    tournament = a_running_tournament(a_club(), game="tarot", plays_apart=True, exempt_points=None, deals=4, rounds=1)
    store(tournament, line(1, 8, amount=500))
    keys = [winner.competitor.key for winner in awards_of(tournament).winners]
    assert sorted(keys) == [f"{number}-{position}" for number in range(1, 5) for position in (1, 2)]


# The pages


@pytest.fixture
def tournament() -> Tournament:
    """A finished tournament of four pairs with two prizes; the best pair is named to visitors, no other."""
    row, numbers = a_finished_tournament((1200, 744), (1000, 944))
    store(row, line(1, amount=5_000), line(2, thing="Ham", worth=3_000))
    row.units.update(name=Concat(Value("Team "), Cast("number", CharField()), Value(".")))
    row.units.filter(number=numbers[0]).update(names_public=True)
    return row


def winning_teams(tournament: Tournament) -> list[str]:
    return [winner.competitor.unit.name for winner in awards_of(tournament).winners]


@pytest.fixture
def secretary(client: Client, tournament: Tournament) -> Client:
    return sign_in(client, a_member(tournament.club, Role.SECRETARY))


def address(name: str, *args: object) -> str:
    return reverse(f"league:{name}", args=args)


def fields(lines: Sequence[dict[str, object]], **plan: object) -> dict[str, object]:
    """Return the posted fields of the list of prizes."""
    posted: dict[str, object] = {"ties": "shared", "version": 0, "prize-INITIAL_FORMS": 0, **plan}
    posted["prize-TOTAL_FORMS"] = len(lines)
    return posted | {f"prize-{number}-{name}": value for number, row in enumerate(lines) for name, value in row.items()}


def test_visitors_see_names_of_those_who_agreed(client: Client, tournament: Tournament) -> None:
    page = client.get(address("tournament-prizes", tournament.pk))
    assert page.status_code == 404, "the club is private"
    Tournament.objects.filter(pk=tournament.pk).update(public=True)
    text = client.get(address("tournament-prizes", tournament.pk)).content.decode()
    best, second = winning_teams(tournament)
    assert best in text
    assert second not in text
    assert second.replace("Team", "Number").rstrip(".") in text
    assert "Ham" in text


def test_winners_are_shown_once_the_tournament_is_finished(client: Client, tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(public=True, state="running")
    text = client.get(address("tournament-prizes", tournament.pk)).content.decode()
    assert "Ham" in text
    assert "Winners" not in text


def test_the_list_is_changed_on_one_screen(secretary: Client, tournament: Tournament) -> None:
    lines: list[dict[str, object]] = [
        {"first": 1, "amount": "120,50"},
        {"first": 4, "last": 10, "thing": " Wine ", "worth": "8"},
        {"category": "Best  woman", "amount": "30"},
        {"first": 1, "from_last": "on", "thing": "Leek"},
        {"first": 7},
    ]
    answer = secretary.post(address("tournament-prizes-edit", tournament.pk), fields(lines, version=1, ties="lot"))
    assert answer.status_code == 302
    assert [
        (str(row.category or ""), row.from_last, row.first, row.last, row.amount, row.thing, row.worth)
        for row in prize_lines(tournament)
    ] == [
        ("", False, 1, 1, 12_050, "", 0),
        ("", False, 4, 10, 0, "Wine", 800),
        ("Best woman", False, 1, 1, 3_000, "", 0),
        ("", True, 1, 1, 0, "Leek", 0),
    ]


def test_prizes_without_a_winner_are_listed_at_the_desk(secretary: Client, tournament: Tournament) -> None:
    lines = [line(1, amount=5_000), line(1, amount=1_000, category="Youth"), line(1, 2, thing="Leek", from_last=True)]
    store(tournament, *lines, seen_version=1)
    page = secretary.get(address("tournament-prize-desk", tournament.pk))
    assert page.context["without_winner"] == ["€10.00 (Youth)"]


def test_a_list_saved_again_without_a_change_stays(secretary: Client, tournament: Tournament) -> None:
    """A line whose fields are all filled in equals its initial values, and an unchanged form is easily left out."""
    store(tournament, line(1, amount=5_500, thing="Ham", worth=3_000, category="Youth"), seen_version=1)
    page = secretary.get(address("tournament-prizes-edit", tournament.pk))
    lines = page.context["lines"]
    posted = {field.html_name: field.value() or "" for form in lines for field in form if field.name != "from_last"}
    posted |= {f"prize-{name}": lines.management_form[name].value() for name in ("TOTAL_FORMS", "INITIAL_FORMS")}
    posted |= {"ties": "shared", "version": 2}
    answer = secretary.post(address("tournament-prizes-edit", tournament.pk), posted)
    assert answer["Location"] == address("tournament-prize-desk", tournament.pk)
    assert [(row.amount, row.thing, row.worth) for row in prize_lines(tournament)] == [(5_500, "Ham", 3_000)]


@pytest.mark.parametrize(
    "row",
    [
        {"amount": "5"},
        {"first": 4, "last": 3, "amount": "5"},
        {"first": 401, "amount": "5"},
        {"first": 1, "worth": "5"},
        {"first": 1, "amount": "lots"},
        {"first": 1, "thing": "x" * 81},
        {"first": "9" * 30, "amount": "5"},
    ],
    ids=["no rank", "order", "rank", "no thing", "amount", "long", "large"],
)
def test_a_wrong_line_stores_nothing(secretary: Client, tournament: Tournament, row: dict[str, object]) -> None:
    answer = secretary.post(address("tournament-prizes-edit", tournament.pk), fields([row], version=1))
    assert answer.status_code == 422
    assert len(prize_lines(tournament)) == 2


@pytest.mark.parametrize(
    "plan",
    [{"version": 0}, {"version": "x"}, {"ties": "age"}, {"prize-TOTAL_FORMS": "x"}, {"prize-TOTAL_FORMS": 10**9}],
)
def test_a_wrong_plan_stores_nothing(secretary: Client, tournament: Tournament, plan: dict[str, object]) -> None:
    posted = {**fields([{"first": 1, "amount": "5"}], version=1), **plan}
    assert secretary.post(address("tournament-prizes-edit", tournament.pk), posted).status_code == 422
    assert len(prize_lines(tournament)) == 2


def test_a_pot_is_proposed_from_the_fees_and_not_stored(secretary: Client, tournament: Tournament) -> None:
    for unit in tournament.units.all():
        registrations.record_payment(unit.pk, cents=1_600, kind="cash")
    query: dict[str, Any] = {"proposal": "pot", "percent": 100, "count": 2, "step": 500, "basis": "paid"}
    answer = secretary.get(address("tournament-prizes-edit", tournament.pk), query)
    # 64 € in steps of 5 €: 60 € as 40 and 20; the ham stays.
    amounts = [(row.get("first"), row.get("amount")) for row in answer.context["lines"].initial]
    assert amounts == [(1, 4_000), (2, 2_000), (2, None)]
    assert [prize.amount for prize in prize_lines(tournament)] == [5_000, 0]
    text = answer.content.decode()
    assert "€64.00" in text, "the fees paid"
    assert "€14.00" in text, "less the stored prizes of 50 €"


@pytest.mark.parametrize("query", [{"count": "x"}, {"percent": 101}, {"step": 7}, {"basis": "none"}, {"count": 10**20}])
def test_a_wrong_pot_proposes_nothing(secretary: Client, tournament: Tournament, query: dict[str, Any]) -> None:
    values: dict[str, Any] = {"proposal": "pot", "percent": 100, "count": 2, "step": 500, "basis": "paid"} | query
    assert secretary.get(address("tournament-prizes-edit", tournament.pk), values).status_code == 422


def test_boxes_that_nobody_changed_are_left_alone(secretary: Client, tournament: Tournament) -> None:
    store(tournament, line(1, amount=100, category="Women"), seen_version=1)
    category = tournament.prize_categories.get()
    first, second = (f"{category.pk}-{unit.pk}-0" for unit in tournament.units.order_by("number")[:2])
    target = address("tournament-prize-categories", tournament.pk)
    secretary.post(target, {"mark": [first]})
    secretary.post(target, {"mark": [second]})  # a page that was opened before the first mark
    assert category.members.count() == 2
    secretary.post(target, {"before": [first, second], "mark": [second]})
    assert category.members.get().unit_id == int(second.split("-")[1])
    for wrong in ("x", "1-2", f"{'9' * 40}-1-0", f"{category.pk}-1-9999999"):
        assert secretary.post(target, {"mark": [wrong]}).status_code == 302
    assert category.members.count() == 1


@pytest.mark.parametrize("position", [3, 5, 10**9])
def test_a_box_of_a_player_that_the_unit_does_not_have_is_refused(
    secretary: Client, tournament: Tournament, position: int
) -> None:
    """The third player of a pair was stored; the database refused the fifth, with an error page."""
    store(tournament, line(1, amount=100, category="Women"), seen_version=1)
    category, unit = tournament.prize_categories.get(), tournament.units.all()[0]
    page = address("tournament-prize-categories", tournament.pk)
    answer = secretary.post(page, {"mark": f"{category.pk}-{unit.pk}-{position}"}, follow=True)
    assert "A category or a unit does not exist any more." in answer.content.decode()
    assert not category.members.exists()


def test_the_desk_prints_and_ticks(secretary: Client, tournament: Tournament) -> None:
    answer = secretary.post(address("tournament-prize-print", tournament.pk), follow=True)
    text = answer.content.decode()
    best, second = (winner.competitor for winner in awards_of(tournament).winners)
    assert best.unit.name in text
    assert "€50.00" in text
    secretary.post(address("unit-prize", second.unit.pk), {"handed": "1"})
    text = secretary.get(address("tournament-prize-desk", tournament.pk)).content.decode()
    assert "Handed over: 1 of 2" in text
    secretary.post(address("unit-prize", second.unit.pk), {"handed": "0"})
    assert not PrizeReceipt.objects.exclude(handed_at=None).exists()
    secretary.post(address("unit-prize", second.unit.pk), {"handed": "1", "position": "3"})
    assert not PrizeReceipt.objects.exclude(handed_at=None).exists(), "a pair has one prize"


def test_the_announcer_reads_from_the_last_to_the_first(secretary: Client, tournament: Tournament) -> None:
    text = secretary.get(address("tournament-prize-announcer", tournament.pk)).content.decode()
    best, second = winning_teams(tournament)
    assert text.index(second) < text.index(best)


def test_the_wall_names_nobody_who_did_not_agree(secretary: Client, tournament: Tournament) -> None:
    text = secretary.get(address("tournament-prize-paper", tournament.pk)).content.decode()
    best, second = winning_teams(tournament)
    assert best in text
    assert second not in text


def test_the_file_has_the_awards(secretary: Client, tournament: Tournament) -> None:
    sheet = load_workbook(BytesIO(secretary.get(address("tournament-prizes-xlsx", tournament.pk)).content)).active
    rows = [[cell.value for cell in row] for row in sheet.iter_rows()]
    assert rows[0][:3] == ["Rank", "Number", "Name"]
    assert [row[4:6] for row in rows[1:]] == [["50.00", None], ["0.00", "Ham"]]


def test_a_lot_is_drawn_by_a_button(secretary: Client) -> None:
    tournament, _numbers = a_finished_tournament((1000, 944), (1000, 944))
    sign_in(secretary, a_member(tournament.club, Role.SECRETARY))
    store(tournament, line(1, amount=6_000), ties="lot")
    page = secretary.get(address("tournament-prize-desk", tournament.pk))
    [(competitors, _group)] = page.context["open_lots"]
    for refused in ("1 x 99", f"{competitors} {competitors}"):
        secretary.post(address("tournament-prize-lot", tournament.pk), {"competitors": refused})
    assert not tournament.prize_lots.exists()
    secretary.post(address("tournament-prize-lot", tournament.pk), {"competitors": competitors})
    assert tournament.prize_lots.count() == 1
    assert len(awards_of(tournament).winners) == 1


def test_the_desk_shows_prizes_that_a_correction_changed_and_refuses_the_old_value(
    secretary: Client, tournament: Tournament
) -> None:
    prizes.print_receipts(tournament.pk, now=timezone.now())
    best, second = (winner.competitor.unit for winner in awards_of(tournament).winners)
    secretary.post(address("unit-prize", best.pk), {"handed": "1"})
    table = Table.objects.filter(round__evening__season__tournament=tournament).order_by("number")[1]
    correct(tournament, table, (1300, 644))  # the second becomes the first
    page = secretary.get(address("tournament-prize-desk", tournament.pk))
    changes = {(row.number, row.before, row.after, row.handed) for row in page.context["changes"]}
    assert changes == {(best.number, "€50.00", "Ham", True), (second.number, "Ham", "€50.00", False)}
    page = secretary.post(address("unit-prize", second.pk), {"handed": "1"}, follow=True)
    assert "Print them again first." in page.content.decode()
    assert not PrizeReceipt.objects.filter(unit=second).exclude(handed_at=None).exists()


def test_a_prize_that_was_never_handed_over_is_taken_back_without_effect(
    secretary: Client, tournament: Tournament
) -> None:
    """Two users untick the same prize."""
    [best, _second] = (winner.competitor.unit for winner in awards_of(tournament).winners)
    assert secretary.post(address("unit-prize", best.pk), {"handed": "0"}).status_code == 302
    assert not AuditEntry.objects.filter(event=AuditEvent.PRIZE_HANDED).exists()
    assert not PrizeReceipt.objects.exists()


def test_no_receipt_and_no_prize_before_the_lot_is_drawn_or_without_prizes(secretary: Client) -> None:
    """The winner of the lot might be another unit than the one that signed."""
    tournament, (first, *_others) = a_finished_tournament((1000, 944), (1000, 944))
    sign_in(secretary, a_member(tournament.club, Role.SECRETARY))
    unit = tournament.units.get(number=first)
    print_page, tick = address("tournament-prize-print", tournament.pk), address("unit-prize", unit.pk)
    assert "There are no prizes to hand over." in secretary.post(print_page, follow=True).content.decode()
    store(tournament, line(1, amount=6_000), ties="lot")
    for page in (secretary.post(print_page, follow=True), secretary.post(tick, {"handed": "1"}, follow=True)):
        assert "A lot is still to be drawn." in page.content.decode()
    assert not PrizeReceipt.objects.exists()
