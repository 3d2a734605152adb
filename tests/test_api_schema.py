"""The API keeps its word: no answer off its schema and none that failed, whatever is asked, of a world that is full."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import Any, Final

import pytest
import schemathesis
import time_machine
from django.core.exceptions import ValidationError
from django.db import transaction
from django.test import override_settings
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import ignored_auth, positive_data_acceptance, unsupported_method

from league.actions import api_tokens
from league.api.schema import api
from league.models import Club
from league.models.api_token import Scope
from league.models.date_bounds import check_date
from league.models.rights import Role
from league.wsgi import application
from players.models import User
from tests.build import NOW, TAKE, a_season, a_table, an_evening, settle
from tests.page_crawl import one_connection
from tests.test_budgets import SIZES, a_grown_club

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("schema")]

SCHEMA: Final = schemathesis.openapi.from_dict(dict(api.get_openapi_schema()))
OPERATIONS: Final = [found.ok() for found in SCHEMA.get_all_operations() if isinstance(found, Ok)]
NOT_ASKED: Final = [
    ignored_auth,  # without a token there is an answer, too
    unsupported_method,  # HEAD is answered, as everywhere; the others: league/api/tests
]
MINIMUM_OF_READING: Final = 20  # addresses
# What a path names that there is, so that not every question is about nothing.
EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "/clubs/": {"slug": "club"},
    "/seasons/": {"season_id": "season", "player_id": "player"},
    "/evenings/": {"evening_id": "closed", "number": 1},
    "/tables/": {"table_id": "table"},
    "/deals/": {"deal_id": "deal"},
    "/players/": {"player_id": "player", "game": "tarot"},
    "/games/": {"game": "tarot"},
    "/tournaments/": {"tournament_id": "tournament"},
    "/units/": {"unit_id": "unit"},
}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[tuple[dict[str, object], str]]:
    """What stands for each {word} in an address, and the token of the club's admin."""
    high_limits = {"visitor": "1000000/m", "token": "1000000/m", "write": "1000000/m"}
    with (
        django_db_blocker.unblock(),
        one_connection(),
        transaction.atomic(),
        time_machine.travel(NOW),
        override_settings(API_LIMITS=high_limits),
    ):
        places, _session = a_grown_club(SIZES["small"])
        settle()
        admin = User.objects.get(player__memberships__club__slug=places["club"], player__memberships__role=Role.ADMIN)
        yield places, api_tokens.create_token(admin, "A program", None, now=NOW, scopes=Scope.values)
        transaction.set_rollback(True)


@pytest.mark.faults
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: f"{found.method} {found.path}")
@pytest.mark.parametrize("reader", ["visitor", "admin"])
def test_every_answer_is_as_the_schema_says(world: tuple[dict[str, Any], str], operation: Any, reader: str) -> None:
    places, token = world
    headers = {"Accept-Encoding": "identity"} | ({"Authorization": f"Bearer {token}"} if reader == "admin" else {})
    found: set[int] = set()

    @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
    @given(case=operation.as_strategy(), is_there=st.booleans())
    def ask(case: Any, is_there: bool) -> None:
        if is_there:
            _name_what_is_there(case, places)
        answer = case.call(app=application, headers=headers)
        found.add(answer.status_code)
        is_write = case.method == "POST"  # the rules refuse most deals, and a version is rarely the present one
        refused = [positive_data_acceptance] if is_write or _is_out_of_bounds((case.query or {}).get("on")) else []
        case.validate_response(answer, excluded_checks=[*NOT_ASKED, *refused])

    ask()
    assert found & ({401} if operation.method == "post" and reader == "visitor" else {200, 201, 409, 422})
    assert operation.method == "post" or 200 in found


def test_each_answer_about_what_is_there_is_as_the_schema_says(world: tuple[dict[str, Any], str]) -> None:
    """One request to each address; `make test-faults` sends random ones."""
    places, token = world
    reading = [operation for operation in OPERATIONS if operation.method == "get"]
    assert len(reading) > MINIMUM_OF_READING
    for operation in reading:
        case: Any = operation.Case(path_parameters={each.name: "0" for each in operation.path_parameters})
        _name_what_is_there(case, places)
        headers = {"Authorization": f"Bearer {token}", "Accept-Encoding": "identity"}
        answer = case.call(app=application, headers=headers)
        assert answer.status_code == 200, (operation.path, answer.text)
        case.validate_response(answer, excluded_checks=NOT_ASKED)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda found: f"{found.method} {found.path}")
def test_no_parameter_carries_a_nul_to_the_database(world: tuple[dict[str, Any], str], operation: Any) -> None:
    """The random requests above try a NUL too, but not with each parameter in each run."""
    places, token = world
    assert operation.method == "get" or not list(operation.query)
    for parameter in operation.query:
        case = operation.Case(
            query={parameter.name: "a\0b"}, path_parameters={each.name: "0" for each in operation.path_parameters}
        )
        _name_what_is_there(case, places)
        answer = case.call(app=application, headers={"Authorization": f"Bearer {token}"})
        assert answer.status_code in (200, 422), (parameter.name, answer.status_code)


def test_a_write_that_is_done_is_answered_as_the_schema_says(world: tuple[dict[str, Any], str]) -> None:
    """Random facts are rarely legal: these are."""
    places, token = world
    club = Club.objects.get(slug=places["club"])
    table = a_table(an_evening(a_season(club)))
    by_path = {operation.path.removeprefix("/api/v1"): operation for operation in OPERATIONS}

    def ask(path: str, row: int, body: dict[str, Any]) -> Any:
        operation: Any = by_path[path]
        [parameter] = operation.path_parameters
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": path, "Accept-Encoding": "identity"}
        case = operation.Case(
            path_parameters={parameter.name: row}, body=body, media_type="application/json", headers=headers
        )
        answer = case.call(app=application)
        assert answer.status_code in (200, 201), answer.text
        case.validate_response(answer, excluded_checks=NOT_ASKED)
        return answer.json()

    deal = ask("/tables/{table_id}/deals", table.pk, {"facts": TAKE})["id"]
    ask("/deals/{deal_id}/revise", deal, {"facts": {**TAKE, "taker": 2}, "version": 1})
    ask("/deals/{deal_id}/void", deal, {"version": 2})
    ask("/tables/{table_id}/totals", table.pk, {"totals": [9, -3, -3, -3], "deals": 1, "version": 0})


def _is_out_of_bounds(day: object) -> bool:
    """Return whether a date is refused although the schema has it: the last one moves, which no schema can say."""
    try:
        check_date(date.fromisoformat(str(day)))
    except ValidationError:
        return True
    except ValueError:
        return False
    return False


def _name_what_is_there(case: Any, places: dict[str, Any]) -> None:
    for prefix, names in EXAMPLES.items():
        if case.path.startswith(f"/api/v1{prefix}"):
            for name in case.path_parameters:
                case.path_parameters[name] = places.get(names[name], names[name])
    if case.path.endswith("/honours"):
        case.path_parameters["season_id"] = places["finished"]
