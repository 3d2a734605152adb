"""Hostile queries and forms at every address of the repair pages: no page fails."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import cycle
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from django.contrib import admin
from django.db import transaction
from django.test import Client

from players.models import User
from tests.build import PASSWORD
from tests.readers import give_password
from tests.repair_pages import Address, Rows, a_row_of_each, addresses, filled

pytestmark = [pytest.mark.django_db, pytest.mark.faults]

VALUES: Final[tuple[str | bytes, ...]] = (
    *("\0", "-1", "9" * 30, "99999-01-01", "x" * 3000, "[", b"\xed\xa0\x80", "0", ""),
    *("league.Club:0", "league.Run:0", "players.User:0"),  # names of rows on the history's list
)
OF_ALL: Final = ("_to_field", "_popup", "_changelist_filters", "p")
OF_LISTS: Final = (
    *(
        "q",
        "o",
        "all",
        "e",
        "_facets",
        "pk",
        "id",
        "pk__in",
        "id__gt",
        "id__isnull",
        "id__range",
        "id__regex",
        "no__exact",
    ),
    *("obj", "model", "method", "event_model", "label", "back"),  # of the history's list
)
OF_AUTOCOMPLETE: Final = {"app_label": "league", "model_name": "evening", "field_name": "season", "term": "a"}
OPEN: Final = {"logout", "login"}


@pytest.fixture
def rows() -> Rows:
    return a_row_of_each()


@pytest.fixture
def root(client: Client, rows: Rows) -> Client:
    """The browser of the installation's admin, with the password given; a failing page is an answer of 500."""
    client.force_login(User.objects.create_superuser("root@club.example", PASSWORD))
    give_password(client)
    client.raise_request_exception = False
    return client


def parameters(address: Address) -> dict[str, str]:
    """Return the parameters of an address, each with a value that is possible beside a hostile one, "" for none."""
    if address.name == "autocomplete":
        return {**OF_AUTOCOMPLETE, "page": "1"}
    names = list(OF_ALL)
    if address.name.endswith("_changelist") and address.model:
        page = admin.site._registry[address.model]
        filters = [each for each in page.list_filter or () if isinstance(each, str)]
        names += [
            *OF_LISTS,
            *(f"{each}{part}" for each in filters for part in ("", "__exact", "__isnull", "__id__exact")),
        ]
        if page.date_hierarchy:
            names += [f"{page.date_hierarchy}__{part}" for part in ("year", "month", "day", "gte", "lt")]
    return dict.fromkeys(names, "")


def failures(answers: Iterable[tuple[object, Any]]) -> list[str]:
    """Return what failed, and how."""
    return [f"{request}: {answer.exc_info[1]!r}" for request, answer in answers if answer.status_code >= 500]


def read(root: Client, rows: Rows) -> Iterator[tuple[object, Any]]:
    for address in addresses(rows):
        if address.name in OPEN:
            continue
        possible = parameters(address)
        for name in possible:
            # A NUL, and some of the others by turns; one for the parameters that all addresses have in common.
            for value in [next(TURNS)] if name in OF_ALL else ["\0", *(next(TURNS) for _turn in range(3))]:
                query = {**{key: given for key, given in possible.items() if given}, name: value}
                with transaction.atomic():
                    yield (address.path, query), root.get(f"{address.path}?{urlencode(query)}")
                    transaction.set_rollback(True)


TURNS: Final = cycle(VALUES)


def test_no_query_makes_a_page_fail(root: Client, rows: Rows) -> None:
    assert failures(read(root, rows)) == []


def send(root: Client, rows: Rows) -> Iterator[tuple[object, Any]]:
    for address in addresses(rows):
        if address.name in OPEN:
            continue
        form = filled(root.get(address.path))
        extra = {"_popup": "", "_to_field": "", "_saveasnew": "", "post": "", "action": "", "_selected_action": ""}
        counts = [name for name in form if name.endswith("_FORMS")]
        tried: list[tuple[str, str | bytes]] = [(name, value) for name in counts for value in VALUES]
        tried += [(str(name), next(TURNS)) for name in (*form, *extra)]
        chosen = {"action": "delete_selected", "post": "yes"} if address.name.endswith("_changelist") else {}
        tried += [("_selected_action", value) for value in VALUES if chosen]
        for name, value in tried:
            sent = {**form, **(chosen if name == "_selected_action" else {}), name: value}
            with transaction.atomic():
                yield (address.path, name, value), root.post(address.path, sent)
                transaction.set_rollback(True)


def test_no_form_makes_a_page_fail(root: Client, rows: Rows) -> None:
    """Every field with one hostile value by turns; the number of rows and the rows of an action with each."""
    assert failures(send(root, rows)) == []
