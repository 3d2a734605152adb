"""The demo club: what it promises to whoever tries it out, and that it is the same each time."""

from __future__ import annotations

import datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction

from league.actions import deals
from league.demo import club
from league.demo.people import PEOPLE
from league.demo.seasons import EVENINGS
from league.models import Attendance, Deal, Evening, Run, Seat, Table
from league.models.evening import Presence
from league.night import runs
from league.night.verification import verify
from players.models import Rating
from tests.build import NOW, TAKE
from tests.rating_changes import all_changes, sums

TODAY = datetime.date(2026, 11, 21)
MISSING: dict[str, dict[str, Any]] = {
    "tarot": TAKE,
    "belote": {"taker": 0, "points": 75, "last_trick": "attack"},
    "two-way-street": {},  # whoever leads takes every trick
}


def facts() -> list[tuple[object, ...]]:
    return list(Deal.objects.order_by("pk").values_list("client_key", "facts", "number"))


def test_it_holds_what_is_promised(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "EVENINGS", 4)  # each kind of evening, and tonight
    club.make(TODAY)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")  # as a database does by itself some time after so much was written
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)

    assert EVENINGS == 12
    assert Deal.objects.count() <= 3000 * 4 / 12
    assert Evening.objects.count() == 3 * 4
    contracts = set(Deal.objects.values_list("facts__contract", flat=True))
    assert {"take", "guard", "one_for_one"} <= contracts
    assert Table.objects.filter(one_rests=True, complete=True).exists()
    assert {2, 8} <= set(Table.objects.values_list("size", flat=True))
    assert Attendance.objects.filter(standing=Presence.GUEST).exists()
    assert Rating.objects.count() == 3 * len(PEOPLE)
    assert list(verify()) == []
    changes = dict(sorted(all_changes().items())[::4])  # each takes what its page takes
    assert {game for _, game, _ in changes} == set(MISSING)
    assert sums(changes) == changes


def test_it_is_the_same_for_the_same_date_and_lacks_exactly_one_deal_a_table_tonight(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(club, "EVENINGS", 1)
    with transaction.atomic():
        club.make(TODAY)
        made = facts()
        transaction.set_rollback(True)
    club.make(TODAY)

    assert facts() == made != []
    assert Evening.objects.tonight().count() == 3
    missing = list(Table.objects.filter(complete=False).with_club())
    assert sorted(table.round.evening.season.game for table in missing) == [
        "belote",
        "tarot",
        "tarot",
        "two-way-street",
    ]
    for table in missing:
        game = table.round.evening.season.game
        if game == "two-way-street":
            seats = list(Seat.objects.filter(table=table))
            ahead = max(seats, key=lambda seat: seat.points)
            MISSING[game] = {"hands": [{"call": "high", "tricks": 10 if seat == ahead else 0} for seat in seats]}
        deals.record(table.pk, MISSING[game], client_key=uuid4(), now=NOW)
    assert not Table.objects.filter(complete=False).exists()
