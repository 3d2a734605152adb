"""Entry at the table: what a code lets a stranger's phone do, and everything that it doesn't."""

from __future__ import annotations

from typing import Any, Protocol
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from league.actions import deals, totals
from league.actions.refusals import WrongState
from league.models import Deal, Table, table_codes
from league.models.deal import DealSource
from league.sheets.queries.deal_history import deal_history
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening


class Answer(Protocol):
    """What every kind of response has."""

    content: bytes


# 001's first example: a take of seat 0 with 43 points and 2 oudlers gives 81, -27, -27, -27.
TYPED = {"contract": "take", "taker": "0", "points": "43", "oudlers": "2"}
LOST = {**TYPED, "oudlers": "1"}  # the second: -99, 33, 33, 33
TOTALS = {"seat_0": "100", "seat_1": "57", "seat_2": "100", "seat_3": "57", "deals": "1", "seen_version": "0"}
NAMES = ("Ann", "Bob", "Cid", "Dee")


@pytest.fixture
def table(db: None) -> Table:
    return a_table(an_evening(a_season(a_club(table_entry=True))), [a_player(name, "") for name in NAMES])


def address(table: Table) -> str:
    return reverse("league:at-table", args=[table_codes.code_of_table(table)])


def form_data(**extra: Any) -> dict[str, Any]:
    return {**TYPED, "client_key": str(uuid4()), **extra}


def at_the_table(table: Table, **more: Any) -> Deal:
    return a_deal(table, source=DealSource.TABLE, **more)


def text(answer: Answer) -> str:
    return answer.content.decode()


# What a phone may


def test_a_phone_without_an_account_records_a_deal(client: Client, table: Table) -> None:
    answer = client.post(address(table), form_data(), follow=True)

    deal = Deal.objects.get(table=table)
    assert (deal.source, deal.checked) == (DealSource.TABLE, False)
    assert [score.points for score in deal.scores.all()] == [81, -27, -27, -27]
    assert "The deal is recorded." in text(answer)
    assert "entered at the table, not checked" in text(answer)
    assert [change.author for change in deal_history(deal, list(deal.table.seats.all()))] == ["at the table"]


def test_the_page_shows_the_table_and_no_way_into_the_club(client: Client, table: Table) -> None:
    a_deal(table)
    answer = client.get(address(table))
    page = text(answer)

    assert all(name in page for name in NAMES)
    assert 'value="81"' in page
    assert 'href="/clubs/' not in page
    assert 'href="/evenings/' not in page
    assert 'href="/players/' not in page
    assert 'href="/tables/' not in page
    assert 'href="/deals/' not in page
    assert table.round.evening.season.club.name not in page
    assert "noindex" in answer["X-Robots-Tag"]
    assert "no-store" in answer["Cache-Control"]
    assert answer["Referrer-Policy"] == "same-origin"


def test_the_live_preview_is_the_form_alone_and_writes_nothing(client: Client, table: Table) -> None:
    answer = client.post(address(table), form_data(), headers={"HX-Request": "true"})
    assert "<html" not in text(answer)
    assert 'value="81"' in text(answer)
    assert not Deal.objects.exists()


def test_one_rests_in_turn_at_the_table_too(client: Client, db: None) -> None:
    cache.clear()
    season = a_season(a_club(table_entry=True), fifth_rests=True)
    table = a_table(an_evening(season), [a_player(name, "") for name in (*NAMES, "Eve")], one_rests=True)
    client.post(address(table), form_data(rests="0"))
    assert Deal.objects.get().rests == [0]


def test_sent_twice_it_is_recorded_once(client: Client, table: Table) -> None:
    data = form_data()
    for _time in range(2):
        assert client.post(address(table), data).status_code == 302
    assert Deal.objects.count() == 1


def test_the_last_deal_sent_twice_is_not_doubted(client: Client, table: Table) -> None:
    for _number in range(3):
        a_deal(table)
    data = form_data(**LOST)
    for _time in range(2):
        assert client.post(address(table), data).status_code == 302  # the second finds the table complete
    assert Deal.objects.count() == 4


def test_a_phone_corrects_its_own_last_deal(client: Client, table: Table) -> None:
    client.post(address(table), form_data())
    assert "?correct" in text(client.get(address(table)))
    assert 'value="43"' in text(client.get(address(table) + "?correct"))

    answer = client.post(
        address(table) + "?correct", {**form_data(**LOST), "client_key": str(uuid4()), "seen_version": 1}
    )

    deal = Deal.objects.get()
    assert answer.status_code == 302
    assert (deal.version, deal.checked, deal.source) == (2, False, DealSource.TABLE)
    assert [score.points for score in deal.scores.all()] == [-99, 33, 33, 33]


# Corrections that a phone may not make


def refused_correction(client: Client, table: Table) -> bool:
    before = list(Deal.objects.order_by("pk").values("facts", "version"))
    answer = client.post(address(table) + "?correct", {**form_data(**LOST), "seen_version": 1}, follow=True)
    assert "be corrected here any more" in text(answer)
    return list(Deal.objects.order_by("pk").values("facts", "version")) == before


def test_another_phone_corrects_nothing(client: Client, table: Table) -> None:
    Client().post(address(table), form_data())
    assert "?correct" not in text(client.get(address(table)))
    assert refused_correction(client, table)


def test_what_the_secretary_checked_or_recorded_stays(client: Client, table: Table) -> None:
    client.post(address(table), form_data())
    deal = Deal.objects.get()
    deals.check_off(table.pk, {deal.pk: deal.version})
    assert refused_correction(client, table)

    own_deal = a_deal(table)
    client.cookies["at-table"] = str(own_deal.client_key)  # even who knew the key of the desk's deal
    assert refused_correction(client, table)


def test_a_deal_that_is_no_longer_the_last_stays(client: Client, table: Table) -> None:
    client.post(address(table), form_data())
    a_deal(table)
    assert refused_correction(client, table)


def test_the_action_refuses_what_the_page_would_not_offer(table: Table) -> None:
    checked, unchecked = a_deal(table), at_the_table(table)
    a_deal(table)
    for deal in (checked, unchecked):
        with pytest.raises(WrongState):
            deals.revise(
                deal.pk, TAKE, client_key=uuid4(), seen_version=1, now=NOW, reason="x", source=DealSource.TABLE
            )


def test_a_made_up_cookie_is_no_deal(client: Client, table: Table) -> None:
    client.post(address(table), form_data())
    for value in ("", "x", "0" * 400, str(uuid4())):
        client.cookies["at-table"] = value
        assert client.get(address(table)).status_code == 200
        assert refused_correction(client, table)


def test_a_reason_from_a_phone_is_not_kept(client: Client, table: Table) -> None:
    client.post(address(table), form_data(reason="Buy cheap cards"))
    deal = Deal.objects.get()
    assert [change.reason for change in deal_history(deal, list(deal.table.seats.all()))] == [""]


def test_an_illegal_deal_stays_a_form(client: Client, table: Table) -> None:
    assert client.post(address(table), form_data(points="92")).status_code == 422
    assert not Deal.objects.exists()


def test_another_site_sends_nothing(table: Table) -> None:
    phone = Client(enforce_csrf_checks=True)
    assert phone.post(address(table), form_data()).status_code == 403

    page = phone.get(address(table))
    token = page.context["csrf_token"]
    assert phone.post(address(table), form_data(csrfmiddlewaretoken=str(token))).status_code == 302
    assert Deal.objects.count() == 1


def test_a_phone_gone_wild_is_stopped(client: Client, table: Table) -> None:
    answers = [client.post(address(table), form_data(confirmed="")).status_code for _time in range(13)]
    assert answers[-1] == 429
    assert Deal.objects.count() < 13
    other_table = a_table(table.round.evening)
    assert client.post(address(other_table), form_data()).status_code == 302  # its own limit


def test_a_second_correction_from_an_old_page_does_not_overwrite_the_first(client: Client, table: Table) -> None:
    client.post(address(table), form_data())
    client.post(address(table) + "?correct", form_data(**LOST, seen_version=1))
    answer = client.post(address(table) + "?correct", form_data(points="60", seen_version=1))
    assert "This deal was changed meanwhile. Look at it again before you correct it." in text(answer)
    assert (Deal.objects.get().facts["points"], Deal.objects.get().version) == (43, 2)


def test_a_phone_that_previews_without_end_is_stopped(client: Client, table: Table, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "at_table_look": "2/m/key"}
    statuses = [client.post(address(table), form_data(preview="1")).status_code for _time in range(3)]
    assert statuses == [200, 200, 429]
    assert client.get(address(table)).status_code == 200
    assert not Deal.objects.exists()


@pytest.mark.parametrize("is_checked", [False, True])
def test_totals_whose_answer_was_lost_are_accepted_again(client: Client, db: None, *, is_checked: bool) -> None:
    """Without the answer the phone has no cookie; the outbox reported the repeated totals as refused."""
    table = a_table(an_evening(a_season(a_club(table_entry=True), "totals")))
    form = TOTALS | {"client_key": str(uuid4())}
    Client().post(address(table), form)
    if is_checked:
        totals.check_off(table.pk, 1)
    answer = client.post(address(table), form)
    assert (answer.status_code, Table.objects.get().version) == (302, 1)


def test_totals_after_those_of_another_phone_are_refused_aloud(client: Client, db: None) -> None:
    """The page of the others' totals was shown as if these had been recorded."""
    table = a_table(an_evening(a_season(a_club(table_entry=True), "totals")))
    Client().post(address(table), TOTALS | {"client_key": str(uuid4())})
    answer = client.post(address(table), TOTALS | {"seat_0": "157", "seat_2": "157", "client_key": str(uuid4())})
    assert answer.status_code == 409
    assert "What you sent is not recorded." in text(answer)
    assert [seat.written for seat in table.seats.all()] == [100, 57, 100, 57]


def test_totals_sent_too_often_are_refused_and_stay_typed(client: Client, db: None, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "at_table_record": "1/m/key"}
    table = a_table(an_evening(a_season(a_club(table_entry=True), "totals")))
    client.post(address(table), {"client_key": str(uuid4())})
    sums = {f"seat_{number}": "12" for number in range(4)}
    answer = client.post(address(table), {**sums, "client_key": str(uuid4())})
    assert answer.status_code == 429
    assert "Wait a minute, then send it again." in text(answer)
    assert 'value="12"' in text(answer)
    assert all(seat.written is None for seat in table.seats.all())
