"""Every address of the repair pages: a session alone writes nothing, and owners are notified about their accounts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, cast

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.contrib import admin
from django.core import mail
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.models import ApiToken, Membership, Season
from league.models.rights import ROLES_ABOVE_MEMBER
from players.models import User
from tests.build import PASSWORD
from tests.readers import give_password
from tests.repair_pages import Address, Rows, a_row_of_each, addresses, all_forms, filled
from tests.writers import WRITE_ANYWHERE

pytestmark = pytest.mark.django_db

ASKED = reverse("account_reauthenticate")
OPEN = {"logout", "login"}  # neither writes anything but the session


@pytest.fixture
def rows() -> Rows:
    return a_row_of_each()


@pytest.fixture
def root(client: Client, rows: Rows) -> Client:
    """The browser of the installation's admin, whose password was given long ago and whose login is the newest."""
    client.force_login(User.objects.create_superuser("root@club.example", PASSWORD))
    return client


def confirmations(address: Address, rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield what confirms a deletion, or an action of a list."""
    yield {"post": "yes"}
    if address.model and address.name.endswith("_changelist"):
        page = admin.site._registry[address.model]
        chosen = {"_selected_action": rows[address.model].pk, "post": "yes"}
        for action in ("delete_selected", *(getattr(each, "__name__", each) for each in page.actions or ())):
            yield {"action": action, **chosen}


def writes(queries: CaptureQueriesContext) -> list[str]:
    return [
        each["sql"] for each in queries if WRITE_ANYWHERE.match(each["sql"]) and "django_session" not in each["sql"]
    ]


@pytest.mark.faults
def test_session_alone_writes_nothing_at_any_address(root: Client, rows: Rows) -> None:
    walked = addresses(rows)
    assert len(walked) > 6 * len(rows)
    for address in walked:
        if address.name in OPEN:
            continue
        for body in ({}, filled(root.get(address.path)), *confirmations(address, rows)):
            with CaptureQueriesContext(connection) as queries:
                answer = root.post(address.path, body)
            assert answer.status_code in (302, 403, 404), (address, body)
            if answer.status_code == 302:
                assert answer.headers["Location"].startswith(ASKED), (address, body)
            assert writes(queries) == [], (address, body)


@pytest.mark.faults
def test_reading_writes_nothing_at_any_address(root: Client, rows: Rows) -> None:
    for address in addresses(rows):
        if address.name not in OPEN:
            with CaptureQueriesContext(connection) as queries:
                assert root.get(address.path).status_code in (200, 302, 403, 404), address
            assert writes(queries) == [], address


def test_write_is_done_after_the_password_with_its_query(root: Client, rows: Rows) -> None:
    """Also from a filtered list, whose address has a query."""
    [address] = [each for each in addresses(rows) if each.name == "league_season_change"]
    sent = filled(root.get(address.path)) | {"name": "Renamed"}
    asked = root.post(f"{address.path}?_changelist_filters=q%3Da", sent)
    root.post(asked.headers["Location"], {"password": PASSWORD})
    rows[Season].refresh_from_db()
    assert str(rows[Season]) == "Renamed"


# Accounts


def accounts() -> dict[str, tuple[object, ...]]:
    """Return by address who signs in by what, and what each account may do."""

    def of(model: Any, *fields: str, **only: Any) -> dict[int, list[object]]:
        found: dict[int, list[object]] = {}
        for owner, *values in model.objects.filter(**only).order_by("pk").values_list(*fields):
            found.setdefault(owner, []).append(values)
        return found

    parts = [
        of(EmailAddress, "user", "email", "verified", "primary"),
        of(Authenticator, "user", "pk", "type"),
        of(UserSession, "user", "pk"),
        of(ApiToken, "user", "pk"),
        of(Membership, "player__user", "club", "role", role__in=ROLES_ABOVE_MEMBER, player__user__isnull=False),
    ]
    fields = ("password", "is_active", "is_staff", "is_superuser", "calendar_key", "player")
    return {
        email: (*values, *(part.get(pk) for part in parts))
        for pk, email, *values in User.objects.values_list("pk", "email", *fields)
    }


def other_values(field: forms.Field, value: str) -> list[str]:
    """Return what else a field may hold; of rows the last, which is the installation's admin where they are logins."""
    if isinstance(field, forms.BooleanField):
        return ["" if value else "on"]
    if isinstance(field, forms.ModelChoiceField):
        assert field.queryset is not None
        return ["", *(str(row.pk) for row in field.queryset.exclude(pk=value or None).order_by("-pk")[:1])]
    if isinstance(field, forms.ChoiceField):
        return [str(key) for key, _label in list(cast("Any", field.choices)) if str(key) != value]
    if isinstance(field, forms.EmailField):
        return ["other@club.example"]
    return ["another-long-password" if "assword" in str(field.label) else "Other"]


def changes(root: Client, address: Address, rows: Rows) -> Iterator[dict[str, Any]]:
    """Yield the writes of an address: each field of its form by itself, all of them, a deletion, an action.

    Of inlines the first row's fields.
    """
    yield from confirmations(address, rows)
    answer = root.get(address.path)
    form = filled(answer)
    fields = {bound.html_name: bound.field for all_form in all_forms(answer) for bound in all_form}
    fields = {name: field for name, field in fields.items() if not re.search(r"_FORMS$|-[1-9]\d*-|__prefix__", name)}
    others = {name: other_values(field, form.get(name, "")) for name, field in fields.items()}
    for name, values in others.items():
        yield from ({**form, name: value} for value in values)
    if others:
        written = {name: values[-1] for name, values in others.items() if values}
        texts = {name: value for name, value in written.items() if not isinstance(fields[name], forms.ChoiceField)}
        for together in (written, texts):
            yield {**form, **together, "set-password": ""}


@pytest.mark.faults
def test_every_change_of_an_account_is_notified(
    root: Client, rows: Rows, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    give_password(root)
    touched = set()
    before = accounts()
    for address in addresses(rows):
        if address.name in OPEN:
            continue
        for body in changes(root, address, rows):
            mail.outbox.clear()
            with transaction.atomic():
                with django_capture_on_commit_callbacks(execute=True):
                    answer = root.post(address.path, body)
                assert answer.status_code < 500, (address, body)
                after = accounts()
                transaction.set_rollback(True)
            recipients = {email for letter in mail.outbox for email in letter.to}
            gone, came = before.keys() - after.keys(), after.keys() - before.keys()
            changed = {email for email in before.keys() & after.keys() if before[email] != after[email]}
            if gone and came:  # another address: the one before is notified
                came = set()
            assert gone | came | changed <= recipients, (address, body)
            touched |= {address.name} if gone | came | changed else set()
    assert touched == {
        *("players_user_add", "players_user_change", "players_user_delete", "players_user_changelist"),
        *("auth_user_password_change", "players_player_add", "players_player_change"),
        *("league_club_change", "mfa_authenticator_delete"),
    }
