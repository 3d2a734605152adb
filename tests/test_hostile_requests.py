"""No page fails, whatever is sent to it: every form, parameter and header, as each role. What was written is right.

The forms are those of the rendered pages, so that a new one is found by its page's row in `access.txt`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
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
from tests.build import a_club, a_player, a_season, a_table, an_evening
from tests.page_crawl import SECRET, Seen, ask, crawled, one_connection
from tests.page_forms import Control, PageForm
from tests.test_access import ROLES, ROWS, a_world, named, places
from tests.writers import WRITE

pytestmark = [pytest.mark.django_db]

EVERYBODY: Final = (*ROLES, "root")
NAMES: Final = sorted({named(row.address) for row in ROWS} - {"admin:index"})
PARTS: Final = 2  # of the addresses, so that all processors have their share
MANY: Final = 5  # times as many requests, where there is time
# Forms that no page of this world shows, with their fields.
NOT_SHOWN: Final[Mapping[str, tuple[str, ...]]] = {
    "league:account-delete": (),
    "league:attendance-paid": ("paid",),
    "league:club-keep": (),
    "league:deal-check": ("seen",),
    "league:grid-row": ("client_key", "seen_version", "number", "deal", "before", "record", "reason", "confirmed"),
    "league:job-retry": (),
    "league:letters-stop": (),
    "league:member-agree": (),
    "league:member-send": (),
    "league:members-invite": ("people",),
    "league:merge": ("keep",),
    "league:season-discard": (),
    "league:table-check": ("seen",),
    "league:table-paper-accept": ("seen", "reason"),
    "league:table-remove": (),
}


@dataclass(frozen=True)
class Attacked:
    """A world with its forms, by the name of the view to which they go; ids of another club."""

    sessions: dict[str, str]
    forms: Mapping[str, list[Seen]]
    shown: set[str]  # views to which a form leads
    foreign: list[str]
    differences: set[str]


@pytest.fixture(scope="module")
def attacked(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Attacked]:
    """A private club with one of everything, a table of each game, and who could be there."""
    with django_db_blocker.unblock(), one_connection(), transaction.atomic():
        world = a_world(public=False)
        club = Club.objects.get(slug=world.places["club"])
        root = Client()
        root.force_login(User.objects.create_superuser("root@club.example"))
        sessions = {**world.sessions, "root": root.cookies[django_settings.SESSION_COOKIE_NAME].value}
        other = places(a_club(), a_player())
        found = crawled([world.places, *(world.places | of_game(club, game.slug) for game in all_games())], sessions)
        shown = {name for name, forms in found.items() if any(seen.form.method == "POST" for seen in forms)}
        for name, alone in addresses_alone(world.places):
            if name not in shown or alone.form.method == "GET":
                found[name] = [*found.get(name, []), alone]
        yield Attacked(
            sessions, found, shown, sorted({str(value) for value in other.values()}), {str(each) for each in verify()}
        )
        transaction.set_rollback(True)


def of_game(club: Club, game: str) -> dict[str, object]:
    """Return a season of the game, and a table of it."""
    season = a_season(club, game)
    table = a_table(an_evening(season))
    return {"game": game, "season": season.pk, "table": table.pk}


def addresses_alone(world: dict[str, object]) -> Iterator[tuple[str, Seen]]:
    """Each address with its view's name, as a form of those fields that no page shows."""
    for row in ROWS:
        if row.club != "public":
            name = named(row.address)
            fields = NOT_SHOWN.get(name, ()) if row.method == "POST" else ()
            controls = [Control(each, "text", required=True) for each in fields]
            yield name, Seen("admin", PageForm(row.method, row.address.format(**world), controls))


@pytest.mark.xdist_group("hostile 0")  # one world for all
def test_every_form_is_known(attacked: Attacked) -> None:
    """One that no page of this world shows needs its fields by hand."""
    posts = {named(row.address) for row in ROWS if row.method == "POST"}
    assert posts - attacked.shown == NOT_SHOWN.keys()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.xdist_group(f"hostile {number % PARTS}"))
        for number, name in enumerate(NAMES)
    ],
)
def test_no_request_makes_a_page_fail(attacked: Attacked, name: str, pytestconfig: pytest.Config) -> None:
    attack(attacked, name, 1, pytestconfig)


@pytest.mark.faults
@pytest.mark.parametrize("name", NAMES)
def test_no_request_of_many_makes_a_page_fail(attacked: Attacked, name: str, pytestconfig: pytest.Config) -> None:
    attack(attacked, name, MANY, pytestconfig)


@pytest.mark.parametrize("part", [pytest.param(n, marks=pytest.mark.xdist_group(f"hostile {n}")) for n in range(PARTS)])
def test_each_field_by_itself_may_hold_anything(attacked: Attacked, part: int) -> None:
    """One value a field, the next one for the next: a large form's fields are not left to chance."""
    texts = cycle(hostile.WORDS)
    for name in NAMES[part::PARTS]:
        for reader, form in attacked.forms[name]:
            for field in form.names:
                others = [(each, value.encode()) for each, value in form.sent() if each != field]
                pairs = [*others, (field, next(texts).encode())]
                if form.method == "POST":
                    body = hostile.Body(
                        hostile.urlencoded([("csrfmiddlewaretoken", SECRET.encode()), *pairs]), hostile.FORM
                    )
                    check(attacked, reader, "POST", form.action, {}, body)
                else:
                    check(attacked, reader, "GET", f"{form.path}?{hostile.urlencoded(pairs).decode()}", {}, None)


def attack(attacked: Attacked, name: str, times: int, config: pytest.Config) -> None:
    """Send requests to a view, the more the more fields its forms have; the same each time, unless a seed is given."""
    same = config.getoption("--hypothesis-seed") is None
    forms = attacked.forms[name]
    examples = times * (4 + min(14, sum(len(seen.form.names) for seen in forms)))

    # A request that fails says enough as it is: to look for the smallest takes minutes.
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
        role = data.draw(st.sampled_from([reader, reader, *EVERYBODY]))
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
    """Send a request: no 5xx, nobody is sent elsewhere, and what was written is right. Then it is taken back."""
    cache.clear()  # limits of how often one may ask
    with transaction.atomic():
        with connection.execute_wrapper(writes := Writes()):
            answer = ask(method, address, attacked.sessions.get(role), headers, body)
        assert answer.status < 500, f"{role} {method} {address} {headers} {body}: {answer.failures}"
        assert urlsplit(answer.headers.get("Location", "")).netloc in ("", headers.get("Host", "127.0.0.1"))
        if writes.seen:
            keep_what_was_written()
            assert {str(each) for each in verify()} <= attacked.differences
        transaction.set_rollback(True)


class Writes:
    """Notes that a row of ours was written."""

    seen = False

    def __call__(self, execute: Any, sql: str, *rest: Any) -> Any:
        """Look at a statement on its way."""
        self.seen = self.seen or WRITE.match(str(sql)) is not None
        return execute(sql, *rest)


def keep_what_was_written() -> None:
    """Check what the database looks at when it commits."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


@st.composite
def addresses(draw: st.DrawFn, form: PageForm, foreign: list[str]) -> str:
    """Return the form's address, now and then with something else in the place of an id."""
    if draw(st.integers(0, 7)):
        return form.action
    parts = form.path.split("/")
    places = [number for number, part in enumerate(parts) if re.search(r"\d|[-:]", part)]
    if not places:
        return form.action
    value = draw(st.one_of(hostile.values, st.sampled_from(foreign).map(str.encode)))
    parts[draw(st.sampled_from(places))] = quote(value[:2_000], safe="")
    return "/".join(parts)
