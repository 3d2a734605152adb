"""Hostile requests as each role, through every form, parameter and header: no 5xx, and `verify` finds nothing wrong.

The forms are read from the rendered pages. A new form is found by the row of its page in `access.txt`. `make test`
sends few requests to the forms of a few pages, `make test-faults` many to all.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import cycle
from typing import Any, Final
from urllib.parse import quote, urlsplit

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from pytest_django import DjangoDbBlocker

from league.models import Club
from league.operations.work.verification import verify
from players.models import User
from scoring.game import all_games
from tests import hostile
from tests.build import a_club, a_player, a_season, a_table, a_user, an_evening, settle
from tests.page_crawl import SECRET, CrawledForm, ask, crawled, one_connection
from tests.page_forms import Control, PageForm
from tests.test_access import ROLES, ROWS, Row, a_world, places, view_name
from tests.writers import Writes

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("hostile")]  # one world for all

READERS: Final = (*ROLES, "root")
NAMES: Final = sorted({view_name(row.address) for row in ROWS} - {"admin:index"})
FEW: Final = 1  # requests for each field in `make test`
MANY: Final = 6  # in `make test-faults`
TABLE: Final = re.compile(r"\b(?:league|players)_\w+")
SAMPLE: Final = 20  # one page in so many, in `make test`
MINIMUM_OF_SAMPLE: Final = 20  # views
# Forms that no page of this world shows, with their fields.
NOT_SHOWN: Final[Mapping[str, tuple[str, ...]]] = {
    # Programs send JSON to these: tests/test_api_schema.py and league/api/tests. A form is refused.
    **dict.fromkeys(("api:deals", "api:deal-revise", "api:deal-void", "api:totals"), ()),
    **dict.fromkeys(("api:units", "api:unit-cancel", "api:unit-check-in"), ()),
    "league:account-delete": (),
    "league:attendance-paid": ("paid",),
    "league:catch-up": ("rest-1",),
    "league:club-keep": (),
    "league:deal-check": ("seen",),
    "league:demo": ("role", "next"),
    "league:evening-hall-file": (),
    "league:evening-hall-withdraw": (),
    "league:finals-decide": ("game", "seed"),
    "league:finals-seats": (),
    "league:grid-row": ("client_key", "seen_version", "number", "deal", "before", "record", "reason", "confirmed"),
    "league:job-retry": (),
    "league:letters-stop": (),
    "league:member-agree": (),
    "league:member-send": (),
    "league:members-invite": ("people",),
    "league:merge": ("keep",),
    "league:round-swap": ("first", "second", "reason"),
    "league:season-discard": (),
    "league:setup": ("code", "email", "password", "repeated"),
    "league:table-check": ("seen", "seen_totals"),
    "league:table-paper-accept": ("seen", "reason"),
    "league:table-remove": (),
    "league:test-backup": (),
    "league:tournament-finish": (),
    "league:tournament-prize-lot": ("competitors",),
    "league:tournament-prize-print": (),
    "league:tournament-resume": (),
    "league:tournament-start": (),
    "league:unit-approve": (),
    "league:unit-check-out": (),
    "league:unit-pair": ("partner",),
    "league:unit-prize": ("position", "handed"),
    "league:unit-promote": (),
    "league:unit-returned": ("returned",),
}


@dataclass(frozen=True)
class Attacked:
    """A world, its forms by the name of the view that receives them, and ids of another club.

    `differences` are those that `verify` finds before the attack; `verified_tables` are the tables that it reads.
    """

    sessions: dict[str, str]
    forms: Mapping[str, list[CrawledForm]]
    views_with_form: set[str]
    foreign: list[str]
    differences: set[str]
    verified_tables: set[str]


@contextmanager
def attacked_club(rows: Sequence[Row]) -> Iterator[Attacked]:
    """A private club with one of everything, a table of each game, and a session of each reader; forms of `rows`."""
    with one_connection(), transaction.atomic():
        world = a_world(public=False)
        club = Club.objects.get(slug=world.places["club"])
        root = Client()
        root.force_login(User.objects.create_superuser("root@club.example"))
        sessions = {**world.sessions, "root": root.cookies[django_settings.SESSION_COOKIE_NAME].value}
        foreign_ids = places(a_club(founder=a_user().player), a_player())
        worlds = [world.places, *(world.places | season_of_game(club, game.slug) for game in all_games())]
        settle()
        forms = crawled(worlds, sessions, rows)
        views_with_form = {
            name for name, seen_forms in forms.items() if any(seen.form.method == "POST" for seen in seen_forms)
        }
        for name, alone in addresses_alone(world.places, rows):
            if name not in views_with_form or alone.form.method == "GET":
                forms[name] = [*forms.get(name, []), alone]
        foreign = sorted({str(value) for value in foreign_ids.values()})
        yield Attacked(sessions, forms, views_with_form, foreign, *differences_and_tables())
        transaction.set_rollback(True)


def differences_and_tables() -> tuple[set[str], set[str]]:
    """Return the differences that `verify` finds, and the tables that it reads."""
    tables: set[str] = set()

    def add_tables(execute: Any, sql: str, *rest: Any) -> Any:
        tables.update(TABLE.findall(sql))
        return execute(sql, *rest)

    with connection.execute_wrapper(add_tables):
        return {str(difference) for difference in verify()}, tables


@pytest.fixture(scope="module")
def attacked(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Attacked]:
    with django_db_blocker.unblock(), attacked_club(ROWS) as club:
        yield club


def season_of_game(club: Club, game: str) -> dict[str, object]:
    """Return a season of the game with a table."""
    season = a_season(club, game)
    table = a_table(an_evening(season))
    return {"game": game, "season": season.pk, "table": table.pk}


def addresses_alone(world: dict[str, object], rows: Sequence[Row]) -> Iterator[tuple[str, CrawledForm]]:
    """Yield the address and the name of the view of each row, as a form of the fields that no page shows."""
    for row in rows:
        if row.club != "public":
            name = view_name(row.address)
            fields = NOT_SHOWN.get(name, ()) if row.method == "POST" else ()
            controls = [Control(field, "text", required=True) for field in fields]
            yield name, CrawledForm("admin", PageForm(row.method, row.address.format(**world), controls))


def test_few_requests_make_no_page_of_a_sample_fail(pytestconfig: pytest.Config) -> None:
    """The forms of one page in twenty, and of the pages to which they lead; `make test-faults` has all of them."""
    with attacked_club(ROWS[::SAMPLE]) as club:
        names = sorted(club.forms.keys() & set(NAMES))
        assert len(names) > MINIMUM_OF_SAMPLE
        for name in names:
            attack(club, name, FEW, pytestconfig)


@pytest.mark.faults
def test_every_form_is_known(attacked: Attacked) -> None:
    """A form that no page of this world shows has its fields in NOT_SHOWN."""
    posts = {view_name(row.address) for row in ROWS if row.method == "POST"}
    assert posts - attacked.views_with_form == NOT_SHOWN.keys()


@pytest.mark.faults
@pytest.mark.parametrize("name", NAMES)
def test_no_request_makes_a_page_fail(attacked: Attacked, name: str, pytestconfig: pytest.Config) -> None:
    attack(attacked, name, MANY, pytestconfig)


@pytest.mark.faults
def test_each_field_by_itself_may_hold_anything(attacked: Attacked) -> None:
    """The values of hostile.WORDS are dealt out to the fields in turn, so that no field of a large form is left out.

    A view has forms for each game and each state of a row. A field that several of them have is sent with the first.
    """
    texts = cycle(hostile.WORDS)
    for name in NAMES:
        tried: set[tuple[str, str]] = set()
        for reader, form in attacked.forms[name]:
            fields = [field for field in form.names if (form.method, field) not in tried]
            tried |= {(form.method, field) for field in fields}
            for field in fields:
                unchanged = [(sent, value.encode()) for sent, value in form.sent() if sent != field]
                pairs = [*unchanged, (field, next(texts).encode())]
                if form.method == "POST":
                    body = hostile.Body(
                        hostile.urlencoded([("csrfmiddlewaretoken", SECRET.encode()), *pairs]), hostile.FORM
                    )
                    check(attacked, reader, "POST", form.action, {}, body)
                else:
                    check(attacked, reader, "GET", f"{form.path}?{hostile.urlencoded(pairs).decode()}", {}, None)


def attack(attacked: Attacked, name: str, requests: int, config: pytest.Config) -> None:
    """Send requests to a view, more to forms with more fields; without a seed they are the same each time."""
    same = config.getoption("--hypothesis-seed") is None
    forms = attacked.forms[name]
    examples = requests * (1 + min(4, sum(len(seen.form.names) for seen in forms)))

    # No shrinking: the first failing request is clear enough, and finding the smallest takes minutes.
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=same,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        reader, form = data.draw(st.sampled_from(forms))
        role = data.draw(st.sampled_from([reader, reader, *READERS]))
        headers = data.draw(hostile.headers) if data.draw(st.integers(0, 4)) == 0 else {}
        address = data.draw(addresses(form, attacked.foreign))
        body = None
        if form.method == "POST":
            always = [("csrfmiddlewaretoken", SECRET.encode())]
            body = data.draw(hostile.bodies(form, attacked.foreign, always))
        elif pairs := data.draw(hostile.spoiled(form, attacked.foreign)):
            address = f"{address.partition('?')[0]}?{hostile.urlencoded(pairs).decode()}"
        method = data.draw(hostile.methods) if data.draw(st.integers(0, 24)) == 0 else form.method
        check(attacked, role, method, address, headers, body)

    send()


def check(
    attacked: Attacked, role: str, method: str, address: str, headers: Mapping[str, str], body: hostile.Body | None
) -> None:
    """Send a request; assert no 5xx, no redirect to another site and correct rows; then roll it back."""
    cache.clear()  # rate limits
    with transaction.atomic():
        with connection.execute_wrapper(writes := Writes()):
            answer = ask(method, address, attacked.sessions.get(role), headers, body)
        assert answer.status < 500, f"{role} {method} {address} {headers} {body}: {answer.failures}"
        assert urlsplit(answer.headers.get("Location", "")).netloc in ("", headers.get("Host", "127.0.0.1"))
        if writes.tables:
            check_deferred_constraints()
        if writes.tables & attacked.verified_tables:
            assert {str(difference) for difference in verify()} <= attacked.differences
        transaction.set_rollback(True)


def check_deferred_constraints() -> None:
    """Check the constraints that PostgreSQL defers to the commit."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


@st.composite
def addresses(draw: st.DrawFn, form: PageForm, foreign: list[str]) -> str:
    """Return the address of the form; in one of eight cases with a hostile value instead of an id."""
    if draw(st.integers(0, 7)):
        return form.action
    parts = form.path.split("/")
    places = [number for number, part in enumerate(parts) if re.search(r"\d|[-:]", part)]
    if not places:
        return form.action
    value = draw(st.one_of(hostile.values, st.sampled_from(foreign).map(str.encode)))
    parts[draw(st.sampled_from(places))] = quote(value[:2_000], safe="")
    return "/".join(parts)
