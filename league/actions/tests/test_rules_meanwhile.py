"""House rules changed while deals are being recorded: every deal is scored by the rules that stand."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from time import sleep
from typing import Any

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings
from league.models import Season, Table
from league.models.rights import Role
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in

HALF_SHORT = {**TAKE, "points": 40.5}  # lost by 1 under the printed rules, void under the club's

pytestmark = pytest.mark.django_db(transaction=True)


def meanwhile(act: Any) -> Future[Any]:
    """Start the call of another user, until it waits for a lock of this transaction or ends."""

    def and_leave() -> Any:
        try:
            return act()
        finally:
            connection.close()

    future = ThreadPoolExecutor(1).submit(and_leave)
    while not future.done() and not _somebody_waits():
        sleep(0.01)
    return future


def _somebody_waits() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # or a transaction always sees the connections it saw first
        cursor.execute(
            "SELECT EXISTS (SELECT FROM pg_locks JOIN pg_stat_activity USING (pid)"
            " WHERE NOT granted AND datname = current_database())"
        )
        return bool(cursor.fetchone()[0])


def test_a_deal_that_waited_for_new_rules_is_scored_by_them() -> None:
    table = a_table(an_evening(a_season(a_club())))
    with transaction.atomic():
        season = Season.objects.get()
        season.house_rules = {"half_point_short": "void"}
        season.save()
        deals.rescore_season(season, now=NOW)
        recorded = meanwhile(lambda: a_deal(table, HALF_SHORT))
        assert not recorded.done()

    recorded.result()
    assert [seat.points for seat in Table.objects.get().seats.all()] == [0, 0, 0, 0]


def test_a_late_sheet_and_new_rules_take_turns() -> None:
    evening = an_evening(a_season(a_club()))
    table = a_table(evening)
    evening = evenings.close(evening.pk, now=NOW)
    with transaction.atomic():
        a_deal(table, HALF_SHORT, reason="a late sheet")  # marks the season due, which the rescoring holds
        rescored = meanwhile(lambda: deals.rescore_season(Season.objects.get(), now=NOW))
        assert not rescored.done()

    assert rescored.result() == 1


def test_rules_changed_beside_the_first_deal_want_a_reason_after_all(client: Client) -> None:
    club = a_club()
    season = a_season(club)
    table = a_table(an_evening(season))
    admin = sign_in(client, a_member(club, Role.ADMIN))
    typed = {
        "name": season.name,
        "table_sizes": ["4"],
        "end": "deals",
        "end_number": "4",
        "contest_hours": "48",
        "rounds": "4",
        "draw": "meet",
        "leavers": "ranked",
        "rest_score": "none",
        "house-half_point_short": "void",
    }
    with transaction.atomic():
        a_deal(table, HALF_SHORT)
        future = meanwhile(lambda: admin.post(reverse("league:season-rules", args=[season.pk]), typed))
        assert not future.done()

    answer = future.result()
    assert answer.status_code == 422
    assert "reason" in answer.context["change"].errors
    assert Season.objects.get().house_rules == {}
