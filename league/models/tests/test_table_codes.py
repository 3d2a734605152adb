"""Codes on sheets: forged and ended codes are refused."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
import time_machine
from django.core import signing
from django.test import Client
from django.urls import reverse

from league.actions import evenings
from league.actions.refusals import WrongState
from league.models import Club, Deal, Round, Season, Table, table_codes
from league.models.deal import DealSource
from league.models.round import RoundState
from tests.build import NOW, a_club, a_deal, a_season, a_table, an_evening

TYPED = {"contract": "take", "taker": "0", "points": "43", "oudlers": "2"}


@pytest.fixture
def table(db: None) -> Table:
    return a_table(an_evening(a_season(a_club(table_entry=True))))


def address(table: Table) -> str:
    return reverse("league:at-table", args=[table_codes.code_of_table(table)])


def works(client: Client, path: str) -> int:
    """Return what page and form answer; both the same, and nothing is written."""
    before = Deal.objects.count()
    page, post = client.get(path), client.post(path, {**TYPED, "client_key": str(uuid4())})
    assert page.status_code == post.status_code
    assert Deal.objects.count() == before
    if page.status_code != 200:
        assert "This code no longer works" in page.content.decode()
    return page.status_code


def test_tampered_and_made_up_codes_are_unknown(client: Client, table: Table) -> None:
    second_table = a_table(table.round.evening)
    number, _colon, signature = table_codes.code_of_table(table).partition(":")
    made_up = [
        f"{second_table.pk}:{signature}",  # another table's id
        f"{number}:{signature[:-1]}",
        f"{number}:{signature[::-1]}",
        number,
        f"{number}:",
        f"{number.replace('1', '١')}:{signature}x",
        "999999:" + signature,
        "9" * 30 + ":" + signature,
        signing.Signer(salt=table_codes.SALT).sign(number),  # signed by us, without the evening's key
        signing.dumps([table.pk]),
        "x",
    ]
    for code in made_up:
        assert works(client, reverse("league:at-table", args=[code])) == 404, code


def test_closing_the_evening_ends_its_codes_for_ever(client: Client, table: Table) -> None:
    code = address(table)
    evening = table.round.evening
    evenings.close(evening.pk, now=NOW)
    assert works(client, code) == 404
    evenings.reopen(evening.pk, now=NOW)
    assert works(client, code) == 404
    assert address(Table.objects.with_club().get(pk=table.pk)) != code


def test_a_code_needs_an_open_evening_an_accepted_round_and_the_clubs_leave(client: Client, table: Table) -> None:
    code = address(table)
    Round.objects.filter(pk=table.round_id).update(state=RoundState.PLANNED)
    assert works(client, code) == 410
    Round.objects.filter(pk=table.round_id).update(state=RoundState.ACCEPTED)
    Club.objects.filter(pk=table.round.evening.season.club_id).update(table_entry=False)
    assert works(client, code) == 410
    Club.objects.filter(pk=table.round.evening.season.club_id).update(table_entry=True)
    evenings.cancel(table.round.evening_id)
    assert works(client, code) == 410


def test_a_deal_on_its_way_while_the_evening_is_closed_is_refused(table: Table) -> None:
    evenings.close(table.round.evening_id, now=NOW)
    with pytest.raises(WrongState):
        a_deal(table, source=DealSource.TABLE, reason="even with a reason")


def test_a_removed_table_has_no_code(client: Client, table: Table) -> None:
    code = address(table)
    Season.objects.filter(pk=table.round.evening.season_id).delete()
    assert works(client, code) == 404


def test_the_codes_of_an_evening_that_nobody_closed_end_after_a_day(client: Client, table: Table) -> None:
    code = address(table)
    opened = table.round.evening.opened_at
    assert opened is not None
    with time_machine.travel(opened + timedelta(hours=23, minutes=59)):
        assert client.get(code).status_code == 200
    with time_machine.travel(opened + timedelta(days=1)):
        assert works(client, code) == 410
