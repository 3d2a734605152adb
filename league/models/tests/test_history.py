"""History rows: the database refuses every change and deletion."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pghistory
import pgtrigger
import pytest
from django.apps import apps
from django.db import DatabaseError, connection, transaction
from django.utils import timezone
from pghistory.models import Context, Event

from league.actions import api_tokens, attendance
from league.actions.adjustments import add_adjustment
from league.models import Club
from league.models.evening import EveningState
from tests.build import NOW, a_club, a_club_game, a_deal, a_member, a_season, a_table, a_tournament, an_evening
from tests.readers import user_of

pytestmark = pytest.mark.django_db

EVENTS: list[Any] = [model for model in apps.get_models() if issubclass(model, Event) and model._meta.managed]


@pytest.fixture
def rows_of_each() -> None:
    """Two clubs with an event in every history table."""
    for _club in range(2):
        _everything_in(a_club())


def _everything_in(club: Club) -> None:
    member = a_member(club)
    season = a_season(club)
    a_deal(a_table(an_evening(season)))
    attendance.record_intention(an_evening(season, EveningState.PLANNED).pk, member.pk, comes=True)
    add_adjustment(season.pk, member.pk, -1, reason="Came late", now=NOW)
    a_club_game(club)
    a_tournament(club)
    api_tokens.create_token(user_of(member), "Program", None, now=NOW)


@pytest.mark.usefixtures("rows_of_each")
def test_history_row_is_neither_changed_nor_deleted() -> None:
    for event in EVENTS:
        row = event.objects.first()
        assert row is not None, event
        before = event.objects.count()
        rows = event.objects.filter(pk=row.pk)
        for change in (
            partial(rows.update, pgh_label="told otherwise"),
            partial(rows.update, pgh_created_at=timezone.now() - timedelta(days=1)),
            rows.delete,
            row.delete,
        ):
            with pytest.raises(DatabaseError, match="Cannot update or delete"), transaction.atomic():
                change()
        assert event.objects.count() == before, event


@pytest.mark.usefixtures("rows_of_each")
def test_who_may_forget_history_says_so_for_a_while() -> None:
    for event in EVENTS:
        with pgtrigger.ignore(f"{event._meta.label}:append_only"):
            event.objects.filter(pk=event.objects.first().pk).delete()
        with pytest.raises(DatabaseError, match="Cannot update or delete"), transaction.atomic():
            event.objects.all().delete()


def an_act(**metadata: object) -> Context:
    with pghistory.context(**metadata) as act:
        a_club()
    with connection.cursor() as cursor:  # a test is one transaction: end the act as the end of its own would
        cursor.execute("SET LOCAL pghistory.context_id = ''")
    return Context.objects.get(pk=act.id)


def test_act_is_neither_changed_nor_deleted() -> None:
    act = an_act(user=1, reason="Forgotten")
    for change in (
        lambda: Context.objects.filter(pk=act.pk).update(metadata={"user": 2}),
        lambda: Context.objects.filter(pk=act.pk).update(metadata={}),
        lambda: Context.objects.filter(pk=act.pk).update(created_at=NOW),
        lambda: Context.objects.filter(pk=act.pk).update(id=uuid4()),
        lambda: Context.objects.filter(pk=act.pk).delete(),
    ):
        with pytest.raises(DatabaseError, match="What was done stays"), transaction.atomic():
            change()
    act.refresh_from_db()
    assert act.metadata == {"user": 1, "reason": "Forgotten"}


def test_act_that_goes_on_may_add_its_reason() -> None:
    with pghistory.context(user=1) as act:
        a_club()
        with pghistory.context(reason="Told late"):
            a_club()
    assert Context.objects.get(pk=act.id).metadata == {"user": 1, "reason": "Told late"}


def test_address_of_an_act_is_forgotten_alone() -> None:
    act = an_act(user=1, address="192.0.2.1")
    with connection.cursor() as cursor:
        cursor.execute("UPDATE pghistory_context SET metadata = metadata - 'address' WHERE id = %s", [act.pk])
    act.refresh_from_db()
    assert act.metadata == {"user": 1}
