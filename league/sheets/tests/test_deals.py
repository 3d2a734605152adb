"""A secretary at the desk: record, revise, insert and void deals, and enter totals."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings, season_closing, seating
from league.models import Deal, Table
from league.models.rights import Role
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in

TYPED = {"contract": "take", "taker": "0", "points": "43", "oudlers": "2"}


@pytest.fixture
def table(db: None) -> Table:
    return a_table(an_evening(a_season(a_club())), [a_player(name, "") for name in ("Ann", "Bob", "Cid", "Dee")])


@pytest.fixture
def desk(client: Client, table: Table) -> Client:
    """Return the client of the club's secretary."""
    return sign_in(client, a_member(table.round.evening.season.club, Role.SECRETARY))


def url(name: str, pk: int) -> str:
    return reverse(f"league:{name}", args=[pk])


def form_data(**extra: Any) -> dict[str, Any]:
    return {**TYPED, "client_key": str(uuid4()), **extra}


def test_a_recorded_deal_stands_on_the_sheet(desk: Client, table: Table) -> None:
    answer = desk.post(url("deal-record", table.pk), form_data(), follow=True)

    assert answer.redirect_chain
    page = answer.content.decode()
    assert "The deal is recorded." in page
    assert "in the night" not in page  # the evening is open: nothing is computed of it yet
    assert 'value="81">+81<' in page
    assert 'value="-27">−27<' in page
    assert Deal.objects.get().facts["points"] == 43


def test_sending_twice_records_once(desk: Client, table: Table) -> None:
    form = form_data()
    for _time in range(2):
        assert desk.post(url("deal-record", table.pk), form).status_code == 302
    assert Deal.objects.count() == 1


def test_the_last_deal_sent_twice_is_not_asked_about(desk: Client, table: Table) -> None:
    for _deal in range(3):
        a_deal(table)
    form = form_data(points="60")
    for _time in range(2):
        assert desk.post(url("deal-record", table.pk), form).status_code == 302
    assert Deal.objects.count() == 4


def test_the_same_deal_in_succession_is_asked_about(desk: Client, table: Table) -> None:
    a_deal(table, TAKE)
    response = desk.post(url("deal-record", table.pk), form_data())
    assert Deal.objects.count() == 1
    assert "Deal 1 is the same. Is this another one?" in response.text
    confirmed = form_data(confirmed=response.context["entry"].fingerprint)
    assert desk.post(url("deal-record", table.pk), confirmed).status_code == 302
    assert desk.post(url("deal-record", table.pk), form_data(points="60")).status_code == 302
    assert desk.post(url("deal-record", table.pk), form_data()).status_code == 302  # the deal before it differs
    assert Deal.objects.count() == 4


def test_a_sent_form_that_is_gone_back_to_and_changed_is_asked_about(desk: Client, table: Table) -> None:
    form = form_data()
    desk.post(url("deal-record", table.pk), form)
    answer = desk.post(url("deal-record", table.pk), {**form, "points": "60"})

    assert answer.status_code == 422
    assert "What you sent here before is deal 1; this is not the same." in answer.content.decode()
    assert 'value="60"' in answer.content.decode()
    changed_form = {**form, "points": "60", "client_key": answer.context["write_form"]["client_key"].value()}
    assert desk.post(url("deal-record", table.pk), changed_form).status_code == 302
    assert [deal.facts["points"] for deal in Deal.objects.all()] == [43, 60]


def test_a_sent_form_that_is_gone_back_to_and_made_illegal_is_not_taken_for_recorded(
    desk: Client, table: Table
) -> None:
    form = form_data()
    desk.post(url("deal-record", table.pk), form)
    assert desk.post(url("deal-record", table.pk), {**form, "points": "92"}).status_code == 422


def test_a_number_that_no_deal_has_inserts_nowhere(desk: Client, table: Table) -> None:
    a_deal(table)
    for number in ("0", "7", "-1", "x", "9" * 5000):
        answer = desk.get(url("deal-record", table.pk), {"number": number})
        assert answer.status_code == 200
        assert not answer.context["inserted"]


def test_a_preview_shows_the_points_and_records_nothing(desk: Client, table: Table) -> None:
    live = desk.post(url("deal-record", table.pk), form_data(), headers={"HX-Request": "true"})
    plain = desk.post(url("deal-record", table.pk), form_data(preview="1"))

    for answer in (live, plain):
        assert "(25 + 2) × 1 × 3 = 81" in answer.content.decode()
    assert not Deal.objects.exists()


def test_an_illegal_deal_is_refused_on_its_field_and_kept(desk: Client, table: Table) -> None:
    answer = desk.post(url("deal-record", table.pk), form_data(points="92"))

    assert answer.status_code == 422
    assert "points" in answer.context["form"].errors
    page = answer.content.decode()
    assert 'value="92"' in page
    assert page.index('<a href="#id_points">') < page.index('id="id_points"')
    assert not Deal.objects.exists()


def test_a_suspicious_deal_is_recorded_when_confirmed(desk: Client, table: Table) -> None:
    asked = desk.post(url("deal-record", table.pk), form_data(points="43.5"))
    assert not Deal.objects.exists()

    entry = asked.context["entry"]
    assert entry.warnings
    desk.post(url("deal-record", table.pk), form_data(points="43.5", confirmed=entry.fingerprint))
    assert Deal.objects.get().facts["points"] == 43.5


def test_a_deal_after_the_end_is_asked_about(desk: Client, table: Table) -> None:
    for _time in range(4):
        a_deal(table)
    asked = desk.post(url("deal-record", table.pk), form_data())

    assert "The table was complete already." in asked.content.decode()
    assert Deal.objects.count() == 4


def test_a_deal_is_inserted_above_another(desk: Client, table: Table) -> None:
    first, second = a_deal(table), a_deal(table)
    desk.post(url("deal-record", table.pk) + "?number=2", form_data(points="50"))

    numbers = dict(Deal.objects.values_list("pk", "number"))
    assert (numbers.pop(first.pk), numbers.pop(second.pk), list(numbers.values())) == (1, 3, [2])


def test_revising_shows_the_facts_and_writes_new_ones(desk: Client, table: Table) -> None:
    deal = a_deal(table)
    form_page = desk.get(url("deal-revise", deal.pk))
    assert 'value="43"' in form_page.content.decode()

    desk.post(url("deal-revise", deal.pk), form_data(oudlers="1", seen_version="1"))
    assert [seat.points for seat in table.seats.all()] == [-99, 33, 33, 33]


def test_both_versions_are_shown_when_someone_else_was_faster(desk: Client, table: Table) -> None:
    deal = a_deal(table)
    deals.revise(deal.pk, {**TAKE, "points": 60}, client_key=uuid4(), seen_version=1, now=NOW)
    answer = desk.post(url("deal-revise", deal.pk), form_data(oudlers="1", seen_version="1"))

    page = answer.content.decode()
    assert "This deal was changed meanwhile" in page
    assert "60 with 2 oudlers" in page
    assert Deal.objects.get().facts["points"] == 60

    again = answer.context["write_form"]
    form = form_data(oudlers="1", seen_version=again["seen_version"].value(), client_key=again["client_key"].value())
    desk.post(url("deal-revise", deal.pk), form)
    assert (Deal.objects.get().facts["oudlers"], Deal.objects.get().version) == (1, 3)


def test_what_was_typed_survives_a_deal_voided_meanwhile(desk: Client, table: Table) -> None:
    deal = a_deal(table)
    deals.void(deal.pk, client_key=uuid4(), seen_version=1, now=NOW)
    answer = desk.post(url("deal-revise", deal.pk), form_data(points="77", seen_version="1"))

    assert "It was voided" in answer.content.decode()
    assert 'value="77"' in answer.content.decode()
    assert "Revise deal None" not in answer.content.decode()


def test_voiding_asks_and_then_takes_the_points(desk: Client, table: Table) -> None:
    deal = a_deal(table)
    assert desk.get(url("deal-void", deal.pk)).status_code == 200
    desk.post(url("deal-void", deal.pk), {"client_key": str(uuid4()), "seen_version": "1"})

    assert [seat.points for seat in table.seats.all()] == [0, 0, 0, 0]
    assert desk.get(deal.get_absolute_url()).status_code == 200


def test_a_closed_evening_asks_why_and_tells_it(desk: Client, table: Table) -> None:
    deal = a_deal(table)
    evenings.close(table.round.evening_id, now=NOW)
    refused = desk.post(url("deal-revise", deal.pk), form_data(oudlers="1", seen_version="1"))
    assert "reason" in refused.context["write_form"].errors

    desk.post(
        url("deal-revise", deal.pk), form_data(oudlers="1", seen_version="1", reason="The Excuse was counted twice")
    )
    page = desk.get(deal.get_absolute_url()).content.decode()
    assert "The Excuse was counted twice" in page
    assert "The deal is revised. The season&#x27;s standings and the ratings follow in a minute or two." in page


def test_who_rests_is_asked_where_one_rests(desk: Client, table: Table) -> None:
    five = a_table(table.round.evening, size=5, one_rests=True, round_number=2)
    shown = desk.get(url("deal-record", five.pk))
    assert shown.context["write_form"]["rests"].value() == 0

    desk.post(url("deal-record", five.pk), form_data(rests="3"))
    assert Deal.objects.get().rests == [3]
    assert [seat.points for seat in five.seats.all()] == [81, -27, -27, 0, -27]


def test_totals_alone_make_a_table_complete(desk: Client, table: Table) -> None:
    totals = {f"seat_{seat}": points for seat, points in enumerate((120, -40, -40, -40))}
    form = {**totals, "deals": 4, "client_key": str(uuid4()), "seen_version": 0}
    desk.post(url("table-totals", table.pk), form)

    stored = Table.objects.get()
    assert (stored.complete, stored.deals) == (True, 4)


@pytest.mark.parametrize(("deals", "played"), [(1, [0, 1, 1, 1, 1]), (6, [4, 5, 5, 5, 5]), (7, [5, 5, 6, 6, 6])])
def test_totals_of_a_table_where_one_rests_keep_the_number_of_deals(
    desk: Client, table: Table, deals: int, played: list[int]
) -> None:
    """Each seat had the same share, rounded down: six deals at a table of five were shown as five."""
    resting = a_table(table.round.evening, size=5, one_rests=True)
    totals = {f"seat_{seat}": 0 for seat in range(5)}
    form = {**totals, "deals": deals, "client_key": str(uuid4()), "seen_version": 0, "confirmed": f"0,0,0,0,0/{deals}"}
    assert desk.post(url("table-totals", resting.pk), form).status_code == 302
    assert Table.objects.get(pk=resting.pk).deals == deals
    assert [seat.deals for seat in resting.seats.all()] == played


def test_totals_propose_the_number_of_deals_after_which_a_table_ends(desk: Client, table: Table) -> None:
    assert desk.get(url("table-totals", table.pk)).context["form"]["deals"].value() == 4


def test_totals_that_do_not_add_up_are_refused_and_kept(desk: Client, table: Table) -> None:
    totals = {f"seat_{seat}": points for seat, points in enumerate((120, -40, -40, -30))}
    form = {**totals, "deals": 4, "client_key": str(uuid4()), "seen_version": 0}
    answer = desk.post(url("table-totals", table.pk), form)

    assert answer.status_code == 422
    assert 'value="-30"' in answer.content.decode()
    assert not Table.objects.get().complete


def test_more_deals_than_a_table_plays_are_asked_about_once(desk: Client, table: Table) -> None:
    form = {f"seat_{seat}": 0 for seat in range(4)} | {"deals": 44, "client_key": str(uuid4()), "seen_version": 0}
    asked = desk.post(url("table-totals", table.pk), form)
    assert asked.status_code == 422
    assert "A table ends after 4 deals here; these are totals of 44 deals." in asked.content.decode()
    assert not Table.objects.get().deals
    desk.post(url("table-totals", table.pk), {**form, "confirmed": asked.context["form"].fingerprint})
    assert Table.objects.get().deals == 44


def test_totals_written_meanwhile_are_not_overwritten(desk: Client, table: Table) -> None:
    form = {f"seat_{seat}": 0 for seat in range(4)} | {"deals": 4, "seen_version": 0}
    desk.post(url("table-totals", table.pk), {**form, "seat_0": 120, "seat_1": -120, "client_key": str(uuid4())})
    answer = desk.post(url("table-totals", table.pk), {**form, "client_key": str(uuid4())})

    assert "Current total: 120" in answer.content.decode()
    assert [seat.written for seat in table.seats.all()] == [120, -120, 0, 0]


def test_totals_of_players_who_changed_seats_meanwhile_are_refused_without_a_stored_total(
    desk: Client, table: Table
) -> None:
    """No other test changes the players before the first totals: each seat showed "Current total: None"."""
    first, *others = [seat.player_id for seat in table.seats.all()]
    seating.change_seats(table.pk, [*others, first], now=NOW)
    form = {f"seat_{seat}": 0 for seat in range(4)} | {"deals": 4, "seen_version": 0, "client_key": str(uuid4())}
    answer = desk.post(url("table-totals", table.pk), form)

    assert answer.status_code == 422
    assert answer.context["form"].errors["seat_0"] == ["No total is stored yet."]


def test_the_secretary_says_that_a_table_is_complete(desk: Client, table: Table) -> None:
    a_deal(table)
    desk.post(url("table-finish", table.pk), {"finished": "yes"})
    assert Table.objects.get().complete
    desk.post(url("table-finish", table.pk), {"finished": "no"})
    assert not Table.objects.get().complete


@pytest.mark.parametrize("reason", ["", "\0", "A" * 201])
def test_after_closing_its_end_wants_a_reason_that_can_be_read(desk: Client, table: Table, reason: str) -> None:
    a_deal(table)
    evenings.close(table.round.evening_id, now=NOW)
    answer = desk.post(url("table-finish", table.pk), {"finished": "yes", "reason": reason}, follow=True)

    assert "a change needs a reason" in answer.content.decode()
    assert not Table.objects.get().complete


@pytest.mark.parametrize("role", [Role.GUEST, Role.MEMBER])
def test_a_member_cannot_record(client: Client, table: Table, role: Role) -> None:
    player = a_member(table.round.evening.season.club, role)
    sign_in(client, player)
    assert client.post(url("deal-record", table.pk), form_data()).status_code in (403, 404)
    assert not Deal.objects.exists()


def test_a_stranger_cannot_void(client: Client, table: Table) -> None:
    deal = a_deal(table)
    stranger = a_member(a_club(), Role.SECRETARY)
    sign_in(client, stranger)
    answer = client.post(url("deal-void", deal.pk), {"client_key": str(uuid4()), "seen_version": "1"})

    assert answer.status_code == 404
    assert Deal.objects.get().voided_at is None


def test_a_guest_sees_the_table_at_which_he_sat(client: Client, table: Table) -> None:
    guest = a_member(table.round.evening.season.club, Role.GUEST)
    a_deal(table)
    sign_in(client, guest)
    assert client.get(table.get_absolute_url()).status_code == 404

    table.seats.filter(number=3).update(player=guest)
    assert client.get(table.get_absolute_url()).status_code == 200


def test_the_deal_page_explains_each_point(client: Client, table: Table) -> None:
    facts = {"contract": "guard", "taker": 0, "points": 60, "oudlers": 2, "small_last": "attack"}
    deal = a_deal(table, {**facts, "handfuls": [{"seat": 0, "size": "double"}]})
    member = a_member(table.round.evening.season.club)
    sign_in(client, member)
    page = client.get(deal.get_absolute_url()).content.decode()

    assert "((25 + 19 + 10) × 2 + 30) × 3 = 414" in page  # 001's third example


def test_a_closed_season_offers_no_correction(desk: Client, table: Table) -> None:
    deal = a_deal(table)
    offers = [url("deal-revise", deal.pk), url("deal-void", deal.pk)]
    sheet, shown = table.get_absolute_url(), deal.get_absolute_url()
    for address in (sheet, shown):
        assert all(offer in desk.get(address).content.decode() for offer in offers)

    evening = evenings.close(table.round.evening_id, now=NOW)
    season_closing.close(evening.season_id, now=NOW)
    for address in (sheet, shown, evening.get_absolute_url()):
        page = desk.get(address).content.decode()
        assert not [offer for offer in offers if offer in page]
        assert url("deal-check", deal.pk) not in page
        assert url("evening-reopen", evening.pk) not in page
    for address in (*offers, url("deal-record", table.pk), url("grid", table.pk), url("table-totals", table.pk)):
        answer = desk.get(address, follow=True)
        assert answer.redirect_chain == [(sheet, 302)], address
        assert "The season is closed. Open it first." in answer.content.decode()


def test_a_deal_changed_meanwhile_is_voided_only_after_another_look(desk: Client, table: Table) -> None:
    deal = a_deal(table)
    deals.revise(deal.pk, {**TAKE, "points": 60}, client_key=uuid4(), seen_version=1, now=NOW)
    sent = {"client_key": str(uuid4()), "seen_version": "1"}
    answer = desk.post(url("deal-void", deal.pk), sent)
    assert "This deal was changed meanwhile. Look at it again before you void it." in answer.content.decode()
    assert Deal.objects.not_voided().count() == 1

    desk.post(url("deal-void", deal.pk), {**sent, "seen_version": answer.context["form"]["seen_version"].value()})
    assert not Deal.objects.not_voided().exists()


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_deal_that_is_voided_already_is_shown_instead_of_an_error(desk: Client, table: Table, method: str) -> None:
    """The form sent twice by a double click, or by two secretaries."""
    deal = a_deal(table)
    sent = {"client_key": str(uuid4()), "seen_version": "1"}
    desk.post(url("deal-void", deal.pk), sent)
    answer = getattr(desk, method)(url("deal-void", deal.pk), sent)
    assert (answer.status_code, answer.headers["Location"]) == (302, deal.get_absolute_url())
    assert Deal.objects.get().version == 2
