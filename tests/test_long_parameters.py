"""A long value of a parameter costs no more than a short one.

The parameters are those that each page reads while it answers, so that a new one is included by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from time import process_time
from typing import Any, Final
from urllib.parse import urlencode

import pytest
from django.conf import settings
from django.contrib import admin
from django.core.cache import cache
from django.db import connection, transaction
from django.http import QueryDict
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoDbBlocker

from players.models import User
from players.names import MAX_SEARCH_LENGTH, MAX_SEARCH_WORDS
from tests.build import settle
from tests.page_crawl import ask, one_connection
from tests.test_access import ROWS, World, a_world

pytestmark = [pytest.mark.faults, pytest.mark.django_db, pytest.mark.xdist_group("long parameters")]

MANY_WORDS: Final = "a b " * 950
LONG: Final = (MANY_WORDS, "1" * 3_800)
# Of one request more than of the same one without the parameter. Far from what a bounded search needs (under 0.1 s and
# 3,000 characters), and from what an unbounded one did (7 s and 60,000 characters).
MORE_QUERIES: Final = 8
MORE_SQL: Final = 12_000  # characters of all statements with their parameters
CPU: Final = 2.0  # seconds of this process, whatever else the machine does
READ: Final = ("get", "getlist", "__getitem__", "__contains__")
# In a name that is searched for and is too long, each page says what is allowed.
SEARCHES: Final = ("q", "term")
REPAIRS: Final = "/repairs/"


@dataclass
class Cost:
    """What a request needs of the database and of this process."""

    queries: int = 0
    sql: int = 0
    cpu: float = 0.0
    status: int = 0
    text: str = ""
    read: set[str] = field(default_factory=set)

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        """Count a statement on its way."""
        self.queries += 1
        self.sql += len(str(sql)) + len(str(params))
        return execute(sql, params, many, context)


@contextmanager
def recorded(names: set[str]) -> Iterator[None]:
    """Note the names of parameters that are read from a query."""

    def noting(method: Callable[..., Any]) -> Callable[..., Any]:
        def read(query: QueryDict, name: Any, *others: Any, **kwargs: Any) -> Any:
            if isinstance(name, str):
                names.add(name)
            return method(query, name, *others, **kwargs)

        return read

    with pytest.MonkeyPatch.context() as patch:
        for name in READ:
            patch.setattr(QueryDict, name, noting(getattr(QueryDict, name)))
        yield


def cost(address: str, session: str | None) -> Cost:
    cache.clear()
    spent = Cost()
    begin = process_time()
    with transaction.atomic():
        with connection.execute_wrapper(spent), recorded(spent.read):
            answer = ask("GET", address, session, {})
        transaction.set_rollback(True)
    spent.cpu = process_time() - begin
    spent.status, spent.text = answer.status, answer.text
    return spent


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with django_db_blocker.unblock(), one_connection(), transaction.atomic():
        new_world = a_world(public=True)
        settle()
        root = Client()
        root.force_login(User.objects.create_superuser("root@club.example"))
        new_world.sessions["root"] = root.cookies[settings.SESSION_COOKIE_NAME].value
        yield new_world
        transaction.set_rollback(True)


def pages(world: World) -> Iterator[tuple[str, str]]:
    """Each address that is read, with the reader who may do most there."""
    for address in dict.fromkeys(row.address for row in ROWS if row.method == "GET"):
        yield address.format(**world.places), "root" if address.startswith(("/audit", REPAIRS)) else "admin"
    for model, repaired in admin.site._registry.items():
        yield reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist"), "root"
        for name in repaired.autocomplete_fields:
            response_cost = {
                "app_label": model._meta.app_label,
                "model_name": model._meta.model_name,
                "field_name": name,
            }
            yield f"{reverse('admin:autocomplete')}?{urlencode(response_cost)}", "root"


@pytest.fixture(scope="module")
def plain_costs(world: World) -> dict[tuple[str, str], Cost]:
    """Return the cost of each page without a parameter, by its address and reader."""
    return {(address, reader): cost(address, world.sessions[reader]) for address, reader in pages(world)}


def test_no_parameter_of_an_address_costs_more_when_it_is_long(
    world: World, plain_costs: dict[tuple[str, str], Cost]
) -> None:
    walked, dear = set(), {}
    for (address, reader), plain in plain_costs.items():
        session = world.sessions[reader]
        names = plain.read & {*SEARCHES} if address.startswith(REPAIRS) else plain.read  # others: Django's own
        mark = "&" if "?" in address else "?"
        for name in sorted(names):
            for value in LONG:
                response_cost = cost(f"{address}{mark}{urlencode({name: value})}", session)
                walked.add((address.partition("?")[0], name))
                extra_cost = (
                    response_cost.queries - plain.queries,
                    response_cost.sql - plain.sql,
                    round(response_cost.cpu, 2),
                )
                if response_cost.status >= 500 or any(
                    extra > limit for extra, limit in zip(extra_cost, (MORE_QUERIES, MORE_SQL, CPU), strict=True)
                ):
                    dear[address, name, value[:4]] = (response_cost.status, *extra_cost)
    assert dear == {}
    assert len([name for _address, name in walked if name in SEARCHES]) > 20
    assert {"on", "page", "q", "term", "since", "with", "game"} <= {name for _address, name in walked}


def test_every_search_of_people_refuses_more_words_and_letters_on_its_field(
    world: World, plain_costs: dict[tuple[str, str], Cost]
) -> None:
    """Those that the walk finds: a page says what is allowed and keeps what was typed, a file is refused."""
    searched = 0
    for (address, reader), plain in plain_costs.items():
        session = world.sessions[reader]
        for name in plain.read & {*SEARCHES} if plain.status == 200 else ():
            searched += 1
            mark = "&" if "?" in address else "?"
            for value in ("x" * (MAX_SEARCH_LENGTH + 1), "a " * (MAX_SEARCH_WORDS + 1)):
                response_cost = cost(f"{address}{mark}{urlencode({name: value})}", session)
                if address.startswith(REPAIRS):
                    assert response_cost.status in (200, 302, 400), address
                else:
                    assert response_cost.status in (400, 422), address
                if "<html" in response_cost.text and response_cost.status in (200, 422):
                    assert "at most" in response_cost.text or "should" in response_cost.text, address
            bounded = cost(f"{address}{mark}{urlencode({name: 'x' * MAX_SEARCH_LENGTH})}", session)
            assert bounded.status == 200 or address.startswith(REPAIRS), address  # a list without a search: 302
    assert searched > 20
