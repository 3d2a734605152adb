"""Whatever is typed into a form of the repair pages is taken or refused on its field, and never an error of ours."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.models import Adjustment, Attendance, Rest, Round, Separation
from league.models.rights import Role
from league.models.round import RestKind
from players.models import User
from tests.build import PASSWORD, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.repair_pages import filled

pytestmark = [pytest.mark.django_db, pytest.mark.faults]  # half a minute of forms

ODD = ("x" * 5000, "\x00", "9" * 30)


def test_no_form_of_the_repairs_fails_whatever_is_typed() -> None:
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    a_player(user=root)
    client = Client(raise_request_exception=False)
    client.post(reverse("account_login"), {"login": root.email, "password": PASSWORD})  # known by his password
    club = a_club()
    table = a_table(an_evening(a_season(club)))
    a_deal(table)
    one, other = a_member(club, Role.ADMIN), a_member(club)
    first, second = sorted((one, other), key=lambda each: each.pk)
    Separation.objects.create(club=club, first=first, second=second)
    Rest.objects.create(round=Round.objects.get(), player=other, kind=RestKind.EXEMPT)
    Adjustment.objects.create(season=table.round.evening.season, player=one, points=1, reason="a")
    assert Attendance.objects.exists()

    wrong: dict[str, int] = {}
    walked = set()
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        row = model._default_manager.first()
        address = reverse(f"{name}_change", args=[row.pk]) if row else reverse(f"{name}_add")
        answer = client.get(address)
        if answer.status_code != 200 or "adminform" not in (answer.context_data or {}):
            continue
        form = filled(answer)
        walked.add(model._meta.label)
        # How many rows a form has is left alone: it would draw as many as are said.
        for field in (name for name in form if not name.endswith("_FORMS")):
            for typed in ODD:
                with transaction.atomic():
                    status = client.post(address, {**form, field: typed}).status_code
                    transaction.set_rollback(True)
                if status not in (200, 302, 400):
                    wrong[f"{address} {field} {typed[:20]!r}"] = status
    assert wrong == {}
    assert {"league.Club", "league.Season", "league.Evening", "players.Player", "players.User"} <= walked
