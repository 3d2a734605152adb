"""The grid's URLs without a browser: points of a row, conflicts and repeated requests."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings
from league.models import Deal, Table
from league.models.rights import Role
from league.sheets.queries.deal_history import deal_history
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in
from tests.markup import unbroken

# 001's third example as codes: a guard of seat 1, two oudlers, 60 points, Small last and double handful: 414.
TYPED = {
    "cell_taker": "1", "cell_contract": "g", "cell_oudlers": "2", "cell_points": "60", "cell_extras": "+d",
}  # fmt: skip


@pytest.fixture
def table(db: None) -> Table:
    return a_table(an_evening(a_season(a_club())), [a_player(name, "") for name in ("Ann", "Bob", "Cid", "Dee")])


@pytest.fixture
def desk(client: Client, table: Table) -> Client:
    return sign_in(client, a_member(table.round.evening.season.club, Role.SECRETARY))


def row_data(**extra: Any) -> dict[str, Any]:
    return {**TYPED, "client_key": str(uuid4()), **extra}


def row(desk: Client, table: Table, data: dict[str, Any]) -> tuple[int, Any]:
    answer = desk.post(reverse("league:grid-row", args=[table.pk]), data)
    return answer.status_code, answer.json()


def test_a_row_comes_to_points_and_totals(desk: Client, table: Table) -> None:
    status, answer = row(desk, table, row_data(before="81,-27,-27,-27"))
    assert status == 200
    assert answer["points"] == [414, -138, -138, -138]
    assert ">495<" in answer["totals"][0]
    assert not Deal.objects.exists()


def test_what_is_missing_is_not_wrong(desk: Client, table: Table) -> None:
    _status, said = row(desk, table, row_data(cell_points="", cell_oudlers="2"))
    assert said["needed"] == ["points"]
    assert said["wrong"] == {}
    _status, said = row(desk, table, row_data(cell_contract="z"))
    assert list(said["wrong"]) == ["contract"]


def test_a_code_that_is_not_understood_is_answered_with_the_legends_letters(desk: Client, table: Table) -> None:
    wrong = {"cell_contract": "z", "cell_extras": "z"}
    _status, said = row(desk, table, row_data(**wrong))
    assert said["wrong"]["contract"].startswith(
        "z is not understood here. Write: T take, G guard, W without, A against"
    )
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    _status, said = row(desk, table, row_data(**wrong))
    assert "P prise, G garde, S garde sans, C garde contre" in said["wrong"]["contract"]
    assert "Contrat" not in said["wrong"]["contract"]  # its label stands before
    assert "c+ ou c−" in said["wrong"]["extras"]
    _status, said = row(desk, table, row_data(cell_contract="c", cell_extras="p"))
    assert not {"contract", "extras"} & said["wrong"].keys()


def test_the_engines_refusal_stands_on_its_cell(desk: Client, table: Table) -> None:
    _status, said = row(desk, table, row_data(cell_oudlers="0"))
    assert list(said["wrong"]) == ["extras"]  # the attack has no oudler, so not the Small
    _status, said = row(desk, table, row_data(cell_points="91"))
    assert "86.5" in said["wrong"]["points"]


def test_a_row_sent_twice_is_recorded_once(desk: Client, table: Table) -> None:
    data = row_data(record="1")
    for _time in range(2):
        status, said = row(desk, table, data)
        assert status == 200
    assert Deal.objects.count() == 1
    assert said["totals"] == [414, -138, -138, -138]
    assert "Guard, Ann: 60 with 2 oudlers" in said["rows"]


def test_another_row_by_the_same_key_is_asked_about_and_gets_its_own(desk: Client, table: Table) -> None:
    data = row_data(record="1")
    row(desk, table, data)
    changed_row = {**data, "cell_points": "55"}
    status, said = row(desk, table, changed_row)
    assert status == 422
    assert "What you sent here before is deal 1" in said["refused"][0]
    assert row(desk, table, {**changed_row, "client_key": said["key"]})[0] == 200
    assert Deal.objects.count() == 2


def test_a_row_whose_answer_was_lost_is_known_though_the_table_is_complete_since(desk: Client, table: Table) -> None:
    for _deal in range(3):
        a_deal(table)
    data = row_data(record="1")
    assert row(desk, table, data)[0] == 200
    table.refresh_from_db()
    assert table.complete
    assert row(desk, table, data)[0] == 200
    status, said = row(desk, table, row_data(record="1"))
    assert status == 422
    assert said["doubts"] == ["The table was complete already.", "Deal 4 is the same. Is this another one?"]
    assert row(desk, table, row_data(record="1", confirmed=said["fingerprint"]))[0] == 200


def test_a_doubt_is_confirmed_by_its_fingerprint(desk: Client, table: Table) -> None:
    status, said = row(desk, table, row_data(cell_points="60,5", record="1"))
    assert (status, Deal.objects.count()) == (422, 0)
    assert row(desk, table, row_data(cell_points="60,5", record="1", confirmed=said["fingerprint"]))[0] == 200


def test_the_same_row_twice_in_succession_is_asked_about(desk: Client, table: Table) -> None:
    assert row(desk, table, row_data(record="1"))[0] == 200
    status, said = row(desk, table, row_data(record="1"))
    assert (status, Deal.objects.count()) == (422, 1)
    assert said["doubts"] == ["Deal 1 is the same. Is this another one?"]
    assert row(desk, table, row_data(record="1", confirmed=said["fingerprint"]))[0] == 200
    status, said = row(desk, table, row_data(number="1"))  # above the first, too
    assert said["doubts"] == ["Deal 1 is the same. Is this another one?"]


def test_the_same_row_is_asked_about_though_another_rests(desk: Client, table: Table) -> None:
    five = a_table(table.round.evening, size=5, one_rests=True)
    typed = {**TYPED, "cell_taker": "4"}
    assert row(desk, five, {**typed, "cell_rests": "1", "client_key": str(uuid4()), "record": "1"})[0] == 200
    _status, said = row(desk, five, {**typed, "cell_rests": "2", "client_key": str(uuid4())})
    assert said["doubts"] == ["Deal 1 is the same. Is this another one?"]
    _status, said = row(desk, five, {**typed, "cell_rests": "2", "cell_taker": "3", "client_key": str(uuid4())})
    assert said["doubts"] == []  # the same seat number among the players, but another player


def test_a_deal_is_put_between_two(desk: Client, table: Table) -> None:
    a_deal(table)
    a_deal(table)
    assert row(desk, table, row_data(record="1", number="2"))[0] == 200
    assert [deal.facts["contract"] for deal in Deal.objects.order_by("number")] == ["take", "guard", "take"]


def test_who_revises_an_older_version_is_told_what_stands(desk: Client, table: Table) -> None:
    deal = a_deal(table)
    deals.revise(deal.pk, {**TAKE, "points": 44}, client_key=uuid4(), seen_version=1, now=NOW)
    data = row_data(record="1", deal=str(deal.pk), seen_version="1")
    status, said = row(desk, table, data)
    assert (status, said["version"]) == (409, 2)
    assert "44 with 2 oudlers" in said["refused"][0]
    assert row(desk, table, {**data, "seen_version": "2"})[0] == 200
    deal.refresh_from_db()
    assert (deal.version, deal.facts["contract"]) == (3, "guard")


def test_who_revises_a_deal_voided_meanwhile_is_told_so_and_loses_no_codes(desk: Client, table: Table) -> None:
    """The deal's form is tested elsewhere; the grid responded "not found" to a deal that another page has voided."""
    deal = a_deal(table)
    deals.void(deal.pk, client_key=uuid4(), seen_version=1, now=NOW)
    address, data = reverse("league:grid", args=[table.pk]), row_data(deal=str(deal.pk), seen_version="1")
    refusal = "This deal was voided meanwhile, so it can't be revised any more."

    status, answer = row(desk, table, data | {"record": "1"})
    page = desk.post(address, data)

    assert (status, answer["refused"]) == (422, [refusal])
    assert row(desk, table, data)[1]["points"] == [414, -138, -138, -138]
    assert page.status_code == 422
    assert page.context["form"].non_field_errors() == [refusal]
    assert page.context["form"]["cell_points"].value() == "60"
    assert desk.get(address, {"deal": deal.pk}).headers["Location"] == deal.get_absolute_url()


def test_a_closed_evening_wants_a_reason(desk: Client, table: Table) -> None:
    evenings.close(table.round.evening_id, now=NOW)
    assert row(desk, table, row_data(record="1"))[0] == 422
    assert row(desk, table, row_data(record="1", reason="The sheet came late"))[0] == 200


def test_another_tables_deal_can_not_be_reached(desk: Client, table: Table) -> None:
    other = a_deal(a_table(table.round.evening))
    answer = desk.post(reverse("league:grid-row", args=[table.pk]), row_data(record="1", deal=str(other.pk)))
    assert answer.status_code == 404
    other.refresh_from_db()
    assert other.version == 1


def test_without_scripts_errors_stand_on_their_cells(desk: Client, table: Table) -> None:
    answer = desk.post(reverse("league:grid", args=[table.pk]), row_data(cell_points="91"))
    assert answer.status_code == 422
    page = answer.content.decode()
    assert 'id="id_cell_points_error"' in page
    assert 'aria-invalid="true" aria-describedby="id_cell_points_error"' in page
    assert desk.post(reverse("league:grid", args=[table.pk]), row_data()).status_code == 302
    assert Deal.objects.count() == 1


def test_where_one_rests_the_seats_are_those_printed(desk: Client, table: Table) -> None:
    five = a_table(table.round.evening, size=5, one_rests=True)
    assert row(desk, five, row_data(record="1", cell_taker="2", cell_extras="", cell_rests="1"))[0] == 200
    assert five.seats.get(number=1).points == 264  # (25 + 19) × 2 × 3
    _status, said = row(desk, five, row_data(cell_taker="2", cell_rests="2"))
    assert list(said["wrong"]) == ["taker"]
    _status, said = row(desk, five, row_data(cell_rests="7"))
    assert "rests" in said["wrong"]


def test_totals_written_before_are_compared_with_the_rows(desk: Client, table: Table) -> None:
    a_deal(table)
    query = {f"written_{seat}": total for seat, total in enumerate(("81", "-27", "-27", "-27"))}
    assert "agree with the rows" in desk.get(reverse("league:grid", args=[table.pk]), query).content.decode()
    page = desk.get(reverse("league:grid", args=[table.pk]), {**query, "written_3": "-72"}).content.decode()
    assert "two digits of Dee’s total are exchanged" in page


def test_numbers_without_end_are_nonsense_and_no_error(client: Client, db: None) -> None:
    table = a_table(an_evening(a_season(a_club())), size=5, one_rests=True)
    desk = sign_in(client, a_member(table.round.evening.season.club, Role.SECRETARY))
    endless = "9" * 5000  # more digits than Python reads as a number
    status, said = row(desk, table, row_data(cell_rests=endless))
    assert status == 200
    assert "rests" in said["wrong"]
    address = reverse("league:grid-row", args=[table.pk])
    assert desk.post(address, row_data(deal=endless)).status_code == 404
    assert desk.post(address, row_data(number=endless)).status_code == 200


def test_a_reason_that_nobody_was_asked_for_is_not_kept(desk: Client, table: Table) -> None:
    row(desk, table, row_data(record="1", reason="said by a hidden field"))
    deal = Deal.objects.get()
    assert [change.reason for change in deal_history(deal, list(deal.table.seats.all()))] == [""]


def test_a_row_after_a_dispute_gets_what_it_held(client: Client, db: None) -> None:
    season = a_season(a_club(), "belote", table_sizes=[4], house_rules={"dispute": "held"})
    table = a_table(an_evening(season))
    a_deal(table, {"taker": 1, "points": 90, "last_trick": "attack"})
    desk = sign_in(client, a_member(season.club, Role.SECRETARY))
    typed = {"cell_taker": "1", "cell_points": "71", "cell_last_trick": "+", "client_key": str(uuid4())}
    status, said = row(desk, table, {**typed, "number": "1", "record": "1"})
    assert status == 200
    assert [score.points for score in Deal.objects.get(number=2).scores.order_by("seat__number")] == [62, 181, 62, 181]
    assert ">181<" in said["rows"].replace("+", "")  # the row below is shown as it now is
    _status, said = row(desk, table, {**typed, "client_key": str(uuid4())})
    assert said["points"] == [0, 81, 0, 81]


def test_held_points_are_named_while_open_and_when_nobody_gets_them(client: Client, db: None) -> None:
    season = a_season(a_club(), "belote", table_sizes=[4], house_rules={"dispute": "held"}, end_number=2)
    table = a_table(an_evening(season))
    desk = sign_in(client, a_member(season.club, Role.SECRETARY))
    pages = [table.get_absolute_url(), reverse("league:grid", args=[table.pk])]
    # 61 + 10 + 20 = 91, half of 182
    dispute = {"cell_taker": "2", "cell_points": "61", "cell_last_trick": "+", "cell_extras": "b+", "record": "1"}
    _status, said = row(desk, table, {**dispute, "client_key": str(uuid4())})
    assert said["done"] == '<p class="held">91 held</p>'
    for page in pages:
        assert "91 held<" in unbroken(desk.get(page))
    passed = {"cell_taker": "0", "client_key": str(uuid4()), "record": "1"}
    status, said = row(desk, table, passed)
    assert status == 200, said
    assert said["done"].startswith('<p class="held">91 held: the table is complete, so nobody gets them</p>')
    for page in pages:
        assert "91 held: the table is complete, so nobody gets them" in unbroken(desk.get(page))
    assert "Record a further deal" in unbroken(desk.get(pages[0]))
    assert "&lt;" not in unbroken(desk.get(pages[1]))
    won = {"cell_taker": "1", "cell_points": "90", "cell_last_trick": "+", "client_key": str(uuid4()), "record": "1"}
    _status, said = row(desk, table, won)
    status, said = row(desk, table, {**won, "confirmed": said["fingerprint"]})
    assert status == 200
    assert "held" not in said["done"]
    assert "&lt;" not in unbroken(desk.get(pages[1]))  # with nothing held, too
    assert all("91 held" not in unbroken(desk.get(page)) for page in pages)


def test_points_are_typed_and_shown_as_the_seasons_sheets_give_them(client: Client, db: None) -> None:
    season = a_season(a_club(), "belote", table_sizes=[4], typing="with_ten")
    table = a_table(an_evening(season))
    desk = sign_in(client, a_member(season.club, Role.SECRETARY))
    codes = {"cell_taker": "1", "cell_points": "85", "cell_last_trick": "+"}
    _status, said = row(desk, table, {**codes, "client_key": str(uuid4()), "record": "1"})
    deal = Deal.objects.get()
    assert deal.facts == {"taker": 0, "points": 75, "last_trick": "attack"}
    assert ">85<" in said["rows"]
    grid = desk.get(reverse("league:grid", args=[table.pk]) + f"?deal={deal.pk}").content.decode()
    assert 'value="85"' in grid
    assert "with the ten of the last trick" in grid
    assert 'value="85"' in desk.get(reverse("league:deal-revise", args=[deal.pk])).content.decode()
    assert "take: 85, last trick" in desk.get(table.get_absolute_url()).content.decode()
    sheet = desk.get(reverse("league:blank-sheet", args=[season.pk])).content.decode()
    assert "with the ten of the last trick" in sheet
