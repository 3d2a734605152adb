"""Demo mode: sign-in by a click, what a demo refuses, and that nothing leaves it. Its reset has tests of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.db import connection
from django.forms import BaseForm, FileField
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from league.actions import club_emails
from league.actions.jobs import job_kinds
from league.actions.pending_recomputes import next_nightly_run
from league.demo.people import LOGINS, PEOPLE
from league.models import AuditEntry, Club, DemoInstallation, Season
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.web.demo_mode import DEMO_ROLES, OPEN_ACCOUNT_PAGES, REFUSED_URL_NAMES, is_refused_in_demo
from league.web.fields import UploadField
from league.web.first_start import first_start
from players.models import User
from tests.build import (
    a_club,
    a_member,
    a_season,
    a_tournament,
    a_user,
    an_evening,
    confirm_address,
    sign_in,
)
from tests.run_jobs import send_letters
from tests.test_mail_limits import SENDERS
from tests.test_wrong_settings import Starts, starts  # noqa: F401  a fixture

pytestmark = pytest.mark.django_db

ROOT: Final = Path(__file__).resolve().parent.parent
DUMMY: Final = "django.core.mail.backends.dummy.EmailBackend"
BAR: Final = "Demo: everything is reset each night"


@pytest.fixture(autouse=True)
def _demo(settings: Settings) -> None:
    job_kinds()  # they are loaded once: load them without the demo's kind
    settings.DEMO = True


@pytest.fixture
def club() -> Club:
    """The demo's users, as the first fill creates them, in a small club."""
    club = a_club(public=True)
    for name, role in DEMO_ROLES.items():
        user = a_member(club, Role(name)).user
        assert user is not None
        user.email = role.email
        user.set_unusable_password()
        user.save()
    return club


def addresses(
    patterns: list[URLPattern | URLResolver] | None = None, prefix: str = "", route: str = ""
) -> Iterator[tuple[str, str, URLPattern]]:
    """Yield the full name, the route and the pattern of each address."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        if isinstance(pattern, URLResolver):
            name = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from addresses(pattern.url_patterns, name, f"{route}{pattern.pattern}")
        else:
            yield f"{prefix}{pattern.name}", f"{route}{pattern.pattern}", pattern


NAMES: Final = {name: pattern for name, _route, pattern in addresses()}


@pytest.mark.parametrize("role", DEMO_ROLES)
def test_a_click_signs_in(club: Club, client: Client, role: str) -> None:
    """Without a password; the audit log, which each visitor may read, has no address of a visitor."""
    page = f"/clubs/{club.slug}/"
    answer = client.post("/demo", {"role": role, "next": page})
    assert (answer.status_code, answer["Location"]) == (HTTPStatus.FOUND, page)
    assert client.get(page).wsgi_request.user.get_username() == DEMO_ROLES[role].email
    assert list(AuditEntry.objects.filter(event=AuditEvent.SIGNED_IN).values_list("address", flat=True)) == [""]


def test_the_roles_are_those_of_the_demo_club() -> None:
    for name, role in DEMO_ROLES.items():
        assert PEOPLE[LOGINS[role.email]].role == name


def test_another_click_changes_the_role(club: Club, client: Client) -> None:
    client.post("/demo", {"role": "admin"})
    page = client.get(f"/clubs/{club.slug}/").content.decode()
    assert re.findall(r'value="(\w+)"\s+class="[^"]*"\s+aria-pressed="true"', page) == ["admin"]
    client.post("/demo", {"role": "member"})
    assert client.get("/").wsgi_request.user.get_username() == DEMO_ROLES["member"].email


@pytest.mark.parametrize("target", ["https://elsewhere.example/", "//elsewhere.example", "", "data:,a", "nowhere"])
def test_a_click_leads_to_no_other_site(club: Club, client: Client, target: str) -> None:
    assert client.post("/demo", {"role": "member", "next": target})["Location"] == "/"


def test_a_click_of_another_site_signs_nobody_in(club: Club) -> None:
    careful = Client(enforce_csrf_checks=True)
    assert careful.post("/demo", {"role": "admin"}).status_code == HTTPStatus.FORBIDDEN
    assert careful.get("/").wsgi_request.user.is_anonymous


def test_an_unknown_role_signs_nobody_in(club: Club, client: Client) -> None:
    for role in ("", "treasurer", "root"):
        assert client.post("/demo", {"role": role}).status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_clicks_are_limited_by_address(club: Club, client: Client) -> None:
    statuses = [client.post("/demo", {"role": "member"}).status_code for _ in range(31)]
    assert statuses == [HTTPStatus.FOUND] * 30 + [HTTPStatus.TOO_MANY_REQUESTS]


def test_pages_that_ask_for_an_account_lead_to_the_roles(club: Club, client: Client) -> None:
    answer = client.get(f"/clubs/{club.slug}/members/add", follow=True)
    assert answer.request["PATH_INFO"] == "/demo"
    assert f'value="/clubs/{club.slug}/members/add"' in answer.content.decode()


def test_the_first_page_has_the_three_buttons(club: Club, client: Client) -> None:
    page = client.get("/").content.decode()
    assert [str(role.label) in page for role in DEMO_ROLES.values()] == [True] * 3
    assert "/account/signup/" not in page


def test_each_page_says_when_the_next_reset_is(club: Club, client: Client) -> None:
    night = next_nightly_run(timezone.now())
    for address in ("/", "/demo", "/games/", f"/clubs/{club.slug}/", "/nowhere"):
        page = client.get(address).content.decode()
        assert BAR in page, address
        assert f"at {night:%H:%M} (Europe/Paris)" in page, address


def test_pages_without_header_have_a_line(club: Club, client: Client) -> None:
    for page in ("/offline", "/at/nothing"):
        assert f"{BAR}. No emails are sent." in client.get(page).content.decode()


def test_without_the_setting_no_page_has_a_bar(club: Club, client: Client, settings: Settings) -> None:
    settings.DEMO = False
    for page in ("/", "/offline", "/games/", f"/clubs/{club.slug}/"):
        assert "Demo" not in client.get(page).content.decode(), page


def test_the_bar_costs_no_query(club: Club, settings: Settings) -> None:
    counts = []
    for settings.DEMO in (False, True):
        visitor = sign_in(Client(), User.objects.get(email=DEMO_ROLES["member"].email).player)
        visitor.get("/")
        with CaptureQueriesContext(connection) as queries:
            for page in ("/", f"/clubs/{club.slug}/", "/games/"):
                visitor.get(page)
        counts.append(len(queries))
    assert counts[0] == counts[1]


# Refusals


def test_each_refused_name_is_an_address() -> None:
    assert NAMES.keys() >= REFUSED_URL_NAMES
    assert NAMES.keys() >= OPEN_ACCOUNT_PAGES


def test_all_pages_of_accounts_and_repairs_are_refused() -> None:
    """Also pages that a later release of allauth or Django adds."""
    pages = {name for name, route, _pattern in addresses() if route.startswith(("account/", "repairs/"))}
    assert {name for name in pages if not is_refused_in_demo(name)} == OPEN_ACCOUNT_PAGES


@pytest.mark.parametrize("role", ["member", "admin"])
@pytest.mark.parametrize(
    "name",
    sorted(
        {*REFUSED_URL_NAMES, "account_email", "account_signup", "account_change_password", "mfa_index", "admin:index"}
    ),
)
def test_it_is_refused_with_words(club: Club, client: Client, name: str, role: str) -> None:
    client.post("/demo", {"role": role})
    users, emails = list(User.objects.values()), len(mail.outbox)
    samples = {"slug": club.slug, "pk": club.memberships.all()[0].pk, "token": "x", "extension": "csv"}
    kwargs = {key: samples[key] for key in NAMES[name].pattern.converters}
    address = reverse(name, kwargs=kwargs)
    for answer in (client.get(address), client.post(address, {"role": "guest", "confirm": "on"})):
        assert answer.status_code == HTTPStatus.FORBIDDEN
        assert "<h1>Not in the demo</h1>" in answer.content.decode()
    assert (list(User.objects.values()), len(mail.outbox)) == (users, emails)


def test_no_form_takes_a_file(club: Club, client: Client) -> None:
    """The forms of all addresses that accept files, as the admin, who may use each of them."""
    client.post("/demo", {"role": "admin"})
    season = a_season(club).pk
    evening = an_evening(Season.objects.get(pk=season)).pk
    samples = {"league:units-bring-in": a_tournament(club).pk, "league:evening-hall": evening}
    uploads = {name: pattern for name, pattern in NAMES.items() if hasattr(pattern.callback, "max_upload_size")}
    assert len(uploads) >= 6
    for name, pattern in uploads.items():
        kwargs = {key: club.slug if key == "slug" else samples.get(name, season) for key in pattern.pattern.converters}
        address = reverse(name, kwargs=kwargs)
        fields = set(re.findall(r'type="file" name="(\w+)"', client.get(address).content.decode()))
        assert fields, address
        answer = client.post(address, {field: SimpleUploadedFile("a.csv", b"Name\nAnn\n") for field in fields})
        assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, address
        assert "The demo takes no files" in answer.content.decode(), address
    club.refresh_from_db()
    assert club.mark == ""


def test_each_field_for_a_file_is_one_that_refuses() -> None:
    get_resolver().url_patterns  # noqa: B018  imports all pages with their forms
    forms = [form for form in subclasses(BaseForm) if form.__module__.startswith(("league.", "players."))]
    files = [field for form in forms for field in getattr(form, "base_fields", {}).values()]
    fields = [field for field in files if isinstance(field, FileField)]
    assert len(fields) >= 3
    assert all(isinstance(field, UploadField) for field in fields)


def subclasses(kind: type[Any]) -> Iterator[type[Any]]:
    for child in kind.__subclasses__():
        yield child
        yield from subclasses(child)


# Nothing leaves


def test_the_settings_of_a_demo_send_no_email(starts: Starts) -> None:  # noqa: F811
    status, text = starts.start("settings", DEMO="true")
    assert (status, text.split()[:2]) == (0, ["EMAIL_BACKEND", DUMMY]), text


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("EMAIL_URL", "submission://user:hush@mail.localhost:587"),
        ("HEARTBEAT_URL", "https://monitor.localhost/hush"),
        ("BACKUP_FOLDER", "/tmp"),
        ("BACKUP_COMMAND", "cat > /dev/null # hush"),
    ],
)
def test_a_setting_that_sends_data_away_stops_the_start(starts: Starts, name: str, value: str) -> None:  # noqa: F811
    status, text = starts.start(DEMO="true", **{name: value})
    assert (status, len(text.splitlines())) == (1, 1), text
    assert text.startswith(f"{name} is set, and DEMO too")
    assert "hush" not in text


@pytest.mark.parametrize("sender", [*SENDERS, "players/account_adapter.py"])
def test_each_sender_uses_the_backend_of_the_settings(sender: str) -> None:
    """A connection of its own would pass the dummy backend by."""
    assert not re.search(r"get_connection\((?!\))|\bSMTP(_SSL)?\(|\bbackend=", (ROOT / sender).read_text())


def test_emails_end_in_the_dummy_backend(
    club: Club, settings: Settings, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """Emails about a role go to a confirmed address; in a demo they count as sent, and are not tried again."""
    admin, member = (User.objects.get(email=DEMO_ROLES[name].email) for name in ("admin", "member"))
    for settings.EMAIL_BACKEND, sent in (("django.core.mail.backends.locmem.EmailBackend", 1), (DUMMY, 0)):
        mail.outbox = []
        with django_capture_on_commit_callbacks(execute=True):
            club_emails.notify_role_change(club, confirmed(member), Role.MEMBER, Role.SECRETARY, by=admin)
        send_letters(timezone.now())
        assert len(mail.outbox) == sent


def confirmed(user: User) -> Any:
    user.emailaddress_set.all().delete()
    return confirm_address(user.player)


# The database


def test_a_database_of_others_stops_the_start(club: Club) -> None:
    with pytest.raises(CommandError, match="E008"):
        call_command("check")
    DemoInstallation.objects.create(filled_at=timezone.now())
    call_command("check")


def test_a_database_of_a_demo_serves_nothing_else(settings: Settings) -> None:
    """Else a club could begin in it, and a later reset would delete it."""
    call_command("check")
    DemoInstallation.objects.create(filled_at=timezone.now())
    settings.DEMO = False
    with pytest.raises(CommandError, match="E009"):
        call_command("check")


def test_before_the_first_fill_each_page_asks_to_wait(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for the first admin: the installation of a demo has none."""
    monkeypatch.setattr(first_start, "has_seen_account", False)
    answer = client.get("/")
    assert (answer.status_code, answer["Retry-After"]) == (HTTPStatus.SERVICE_UNAVAILABLE, "60")
    a_user()
    assert client.get("/").status_code == HTTPStatus.OK
