"""Dates before 1900 or more than ten years ahead are refused in every field; where stored they break no page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from importlib import import_module
from inspect import isclass
from io import BytesIO
from pkgutil import walk_packages
from typing import Final

import pytest
from django import forms
from django.contrib import admin
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import Client, RequestFactory
from django.urls import reverse
from pytest_django import DjangoDbBlocker

import league
import players
from league.actions.tests.test_club_import import exported, with_cell
from league.imports.forms.results import ColumnsForm
from league.imports.queries.club_file.reading import UnreadableFile, read_club_file
from league.models import Evening
from league.models.date_bounds import FIRST_DATE, last_date
from league.operations.work.verification import verify
from players.models import User
from tests.build import a_club, a_season, an_evening, settle
from tests.page_crawl import ask, one_connection
from tests.page_forms import page_forms
from tests.test_access import ROWS, World, a_world

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("dates")]

A_DAY: Final = timedelta(days=1)
DATE_FIELDS: Final = (forms.DateField, forms.DateTimeField, forms.SplitDateTimeField)
STORED: Final = (date.min, date.max)  # arithmetic that fails at any other date fails at these


def refused() -> tuple[str, ...]:
    late = last_date() + A_DAY
    return ("0001-01-01", (FIRST_DATE - A_DAY).isoformat(), late.isoformat(), "9999-12-31")


def allowed() -> tuple[str, ...]:
    return FIRST_DATE.isoformat(), last_date().isoformat()


def form_classes() -> set[type[forms.BaseForm]]:
    """Return the forms of all modules, and those of the repair pages as the superuser gets them."""
    classes: set[type[forms.BaseForm]] = set()
    for package in (league, players):
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            if ".tests" not in module.name and ".migrations" not in module.name and "__main__" not in module.name:
                members = vars(import_module(module.name)).values()
                classes |= {member for member in members if isclass(member) and issubclass(member, forms.BaseForm)}
    request = RequestFactory().get("/")
    request.user = User.objects.create_superuser("root@club.example")
    for repaired in admin.site._registry.values():
        if repaired.has_add_permission(request) or repaired.has_change_permission(request):
            classes.add(repaired.get_form(request))
            classes |= {formset.form for formset, _inline in repaired.get_formsets_with_inlines(request)}
    return classes


def date_fields() -> Iterator[tuple[str, forms.Field]]:
    for form in form_classes():
        for name, field in getattr(form, "base_fields", {}).items():
            if isinstance(field, DATE_FIELDS):
                yield f"{form.__module__}.{form.__name__}.{name}", field
    yield "columns of a list", ColumnsForm({}, head=["Date"], meanings={}, required=()).fields["on"]


def refuses(field: forms.Field, value: str) -> bool:
    typed = [value, "12:00"] if isinstance(field, forms.SplitDateTimeField) else value
    try:
        field.clean(typed)
    except ValidationError as wrong:
        return any(value in message for message in wrong.messages)
    return False


def test_every_date_field_of_every_form_refuses_dates_out_of_bounds_and_names_them() -> None:
    fields = dict(date_fields())
    assert len(fields) > 8
    assert {name: [value for value in refused() if not refuses(field, value)] for name, field in fields.items()} == {
        name: [] for name in fields
    }
    assert not [name for name, field in fields.items() for value in allowed() if refuses(field, value)]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with django_db_blocker.unblock(), one_connection(), transaction.atomic():
        built = a_world(public=True)
        settle()
        yield built
        transaction.set_rollback(True)


@pytest.mark.faults
def test_every_date_in_an_address_is_bounded_and_kept(world: World) -> None:
    """The fields are those of the pages' own forms; the API's are those of its schema."""
    count, session = 0, world.sessions["admin"]
    addresses = {row.address for row in ROWS if row.method == "GET" and not row.address.startswith("/api/")}
    for address in sorted(addresses):
        page = ask("GET", address.format(**world.places), session, {})
        if not page.headers.get("Content-Type", "").startswith("text/html"):
            continue
        for form in page_forms(page.text, address.format(**world.places)):
            for name in {control.name for control in form.controls if control.kind == "date"}:
                if form.method == "GET":
                    count += 1
                    for value in refused():
                        answer = ask("GET", f"{form.path}?{name}={value}", session, {})
                        assert answer.status == 422, (form.path, name, value)
                        assert f'value="{value}"' in answer.text, (form.path, name, value)
    assert count


def test_every_date_of_the_api_is_bounded(world: World) -> None:
    schema = json.loads(ask("GET", reverse("api:openapi-json"), None, {}).text)
    count = 0
    for path, operations in schema["paths"].items():
        for parameter in operations.get("get", {}).get("parameters", ()):
            if parameter["in"] == "query" and '"format": "date"' in json.dumps(parameter):
                count += 1
                ids = {"slug": world.places["game"], "season_id": world.places["season"]}
                address = path.format(**world.places | ids)
                for value in (*refused(), *allowed()):
                    cache.clear()
                    answer = ask("GET", f"{address}?{parameter['name']}={value}", None, {})
                    assert answer.status == (200 if value in allowed() else 422), (address, value, answer.text)
    assert count > 1


def test_every_date_of_a_clubs_file_is_bounded() -> None:
    club = a_club()
    an_evening(a_season(club))
    file = exported(club)
    for moment in refused():
        with pytest.raises(UnreadableFile, match=moment):
            read_club_file(BytesIO(with_cell(file, "evenings", 1, "date", moment)))
        with pytest.raises(UnreadableFile, match=moment):
            read_club_file(BytesIO(with_cell(file, "evenings", 1, "opened_at", f"{moment}T12:00:00+00:00")))


@pytest.mark.faults
@pytest.mark.parametrize("stored", STORED, ids=str)
@pytest.mark.parametrize("role", ["admin", "anonymous"])
def test_stored_date_out_of_bounds_breaks_no_page(world: World, stored: date, role: str) -> None:
    with transaction.atomic():
        club_evenings = Evening.objects.filter(season__club__slug=world.places["club"])
        club_evenings.update(date=stored, begins_at="20:30")
        failures = {}
        visible_rows = (
            row for row in ROWS if row.method == "GET" and row.club != "private" and row.expected[role] == "200"
        )
        for address in dict.fromkeys(row.address.format(**world.places) for row in visible_rows):
            cache.clear()
            answer = ask("GET", address, world.sessions.get(role), {})
            if answer.status >= 500:
                failures[address] = answer.failures[-1:]
        transaction.set_rollback(True)
    assert failures == {}


def test_stored_date_out_of_bounds_is_listed_by_verification(world: World) -> None:
    with transaction.atomic():
        evening = Evening.objects.get(pk=str(world.places["evening"]))
        Evening.objects.filter(pk=evening.pk).update(date=date.max, opened_at=datetime(1800, 1, 1, tzinfo=UTC))
        differences = [str(difference) for difference in verify() if difference.row == f"id {evening.pk}"]
        transaction.set_rollback(True)
    assert any("date is" in difference and "9999" in difference for difference in differences), differences
    assert any("opened_at is" in difference and "1800" in difference for difference in differences), differences


def test_calendar_leaves_out_an_evening_out_of_bounds(client: Client) -> None:
    club = a_club(public=True)
    season = a_season(club)
    inside_evening, out = an_evening(season, on=last_date()), an_evening(season)
    Evening.objects.filter(pk=out.pk).update(date=date.max, begins_at="23:30")
    Evening.objects.filter(pk=inside_evening.pk).update(begins_at="23:30")
    text = client.get(reverse("league:club-calendar", args=[club.slug])).content.decode()
    assert f"evening-{inside_evening.pk}@" in text
    assert f"evening-{out.pk}@" not in text
