"""No form takes an id of another club: what is sent changes nothing there, nor here.

Two clubs are built alike. A form of the first is sent with each id of the second's same form in turn. `make test` does
the same with the forms that tests/test_foreign_ids.py names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker

from league.models import Club
from tests.build import settle
from tests.page_crawl import CrawledForm, ask, crawled, one_connection, post
from tests.page_forms import PageForm
from tests.test_access import World, a_world
from tests.test_foreign_ids import everything
from tests.writers import Writes

pytestmark = [pytest.mark.faults, pytest.mark.django_db, pytest.mark.xdist_group("foreign fields")]  # two worlds

ID: Final = re.compile(r"(?<!\d)1\d{6}(?!\d)")  # those of the tests begin above a million
KEY: Final = re.compile(r"[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}")  # at random: now and then it has such digits, too
# Forms that write nothing as they are found: what they say is so already, or somebody has to say more.
# (A table and its seats with a foreign player, where one's own is taken: tests/test_foreign_ids.py.)
NOT_TAKEN: Final = {
    *("league:attendance-remove", "league:committee", "league:season-rules"),
    *("league:table-add", "league:table-seats", "league:tokens"),
    *("league:tournament-club", "league:tournament-prize-categories", "league:tournament-results"),
}


class Sent(NamedTuple):
    """A form with another club's id in it, and as it was meant."""

    view: str
    field: str
    form: PageForm
    foreign: list[tuple[str, str]]


@dataclass(frozen=True)
class Pair:
    """Two clubs that are alike, with all forms of the first's pages, and those of the other's."""

    own: World
    other: World
    forms: Mapping[str, list[CrawledForm]]
    others: Mapping[str, list[CrawledForm]]


@pytest.fixture(scope="module")
def pair(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Pair]:
    with django_db_blocker.unblock(), one_connection(), transaction.atomic():
        own_world, other_world = a_world(public=False), a_world(public=False)
        settle()
        yield Pair(
            own_world,
            other_world,
            crawled([own_world.places], own_world.sessions),
            crawled([other_world.places], other_world.sessions),
        )
        transaction.set_rollback(True)


def with_foreign_ids(pair: Pair, method: str) -> Iterator[Sent]:
    """Return each form of the own club with one field's value, or one field's name, from the other's same form."""
    for view, forms in pair.forms.items():
        for page_form in forms:
            same = [similar.form for similar in pair.others.get(view, []) if alike(similar.form, page_form.form)]
            if page_form.form.method == method and same:
                for field in page_form.form.names:
                    if foreign := [
                        value for value in ids_in(same[0], field) if value not in ids_in(page_form.form, field)
                    ]:
                        rest = [
                            pair_of_values for pair_of_values in page_form.form.sent() if pair_of_values[0] != field
                        ]
                        yield Sent(view, field, page_form.form, [*rest, (field, foreign[-1])])
                for field in set(same[0].names) - set(page_form.form.names):
                    added = [pair_of_values for pair_of_values in same[0].sent() if pair_of_values[0] == field] or [
                        (field, "on")
                    ]
                    yield Sent(view, field, page_form.form, [*page_form.form.sent(), *added])


def alike(first: PageForm, second: PageForm) -> bool:
    return first.method == second.method and without_ids(first) == without_ids(second)


def without_ids(form: PageForm) -> set[str]:
    return {ID.sub("#", name) for name in form.names}


def ids_in(form: PageForm, field: str) -> list[str]:
    """Return all that the field has or offers and that names a row."""
    values = [
        value for control in form.controls if control.name == field for value in [control.value or "", *control.offered]
    ]
    return [value for value in dict.fromkeys(values) if ID.search(value) and not KEY.fullmatch(value)]


def test_no_form_takes_another_clubs_id(pair: Pair) -> None:
    before, accepted = everything(), set()
    cases = [*with_foreign_ids(pair, "POST")]
    for case in cases:
        for sent, is_own in ((case.form.sent(), True), (case.foreign, False)):
            cache.clear()
            with transaction.atomic():
                with connection.execute_wrapper(writes := Writes()):
                    post(case.form.action, pair.own.sessions["admin"], sent)
                after = everything() if writes.tables else before
                changed_models = [model for model, rows in after.items() if rows != before[model]]
                transaction.set_rollback(True)
            if is_own:
                accepted |= {case.view} if changed_models else set()
            else:
                assert not changed_models, f"{case.view}: {case.field}, {case.foreign}"
    assert {case.view for case in cases} - accepted == NOT_TAKEN


def test_no_query_shows_another_clubs_names(pair: Pair) -> None:
    theirs = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names(pair.other) - names(pair.own)))
    cases = [*with_foreign_ids(pair, "GET")]
    for case in cases:
        answer = ask("GET", f"{case.form.path}?{urlencode(case.foreign)}", pair.own.sessions["admin"], {})
        assert not theirs.search(answer.text), f"{case.view}: {case.field}, {case.foreign}"
    assert {"league:merge", "league:player"} <= {case.view for case in cases}


def names(world: World) -> set[str]:
    """Return how the club, its seasons and its people are called."""
    club = Club.objects.get(slug=world.places["club"])
    people = club.memberships.values_list("player__given_name", flat=True)
    return {club.name, *club.seasons.values_list("name", flat=True), *people}
