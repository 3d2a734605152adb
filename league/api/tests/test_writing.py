"""Deals and totals that a program records: the same rows as by the forms, within the rights of the token's owner."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from league.actions import api_tokens, api_writes, evenings
from league.api.tests.reading import a_token, a_writing_token, read, write
from league.api.writing import MAX_BODY_BYTES
from league.models import ApiToken, ApiWrite, AuditEntry, Club, Deal, PendingRecompute, Table
from league.models.api_token import Scope
from league.models.rights import Role
from league.operations.work.verification import verify
from players.models import Player
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening
from tests.readers import set_up_second_factor, signed_in, user_of

pytestmark = pytest.mark.django_db

GUARD = {"contract": "guard", "taker": 1, "points": 60, "oudlers": 2}


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def table(club: Club) -> Table:
    return a_table(an_evening(a_season(club)))


@pytest.fixture
def secretary(club: Club) -> Player:
    return a_member(club, Role.SECRETARY)


@pytest.fixture
def token(secretary: Player) -> str:
    return a_writing_token(secretary)


def record(client: Client, table: Table, token: str, key: str = "", **body: Any) -> Any:
    return write(client, f"tables/{table.pk}/deals", {"facts": GUARD, **body}, token, key)


# The same rows


def test_a_deal_by_a_program_equals_one_by_the_form(client: Client, secretary: Player, token: str) -> None:
    """Catches a second way of writing: other scores, history, log entries or pending work."""
    club = secretary.memberships.get().club
    by_form, by_program = (a_table(an_evening(a_season(club))) for _ in range(2))
    typed = {"contract": "guard", "taker": "1", "points": "60", "oudlers": "2", "client_key": str(uuid4())}
    PendingRecompute.objects.all().delete()
    signed_in(client, secretary).post(reverse("league:deal-record", args=[by_form.pk]), typed)
    answer = record(Client(), by_program, token)
    assert answer.status_code == 201, answer.content

    def rows(table: Table) -> Any:
        table.refresh_from_db()
        [deal] = table.dealt.all()
        [event] = deal.events.all()
        return {
            "deal": (deal.number, deal.facts, deal.rests, deal.version, deal.source, deal.checked, deal.doubted),
            "scores": list(deal.scores.order_by("seat__number").values_list("seat__number", "role", "points")),
            "seats": list(table.seats.values_list("points", "deals")),
            "table": (table.recorded, table.deals, table.complete),
            "history": (event.pgh_label, event.facts, event.pgh_context.metadata["user"]),
            "log": list(AuditEntry.objects.filter(deal=deal.pk).values_list("event", "user", "reason", "params")),
            "due": list(
                PendingRecompute.objects.filter(season=table.round.evening.season).values_list("why", flat=True)
            ),
        }

    assert rows(by_program) == rows(by_form)
    assert rows(by_program)["history"][2] == secretary.user_id
    [deal] = by_program.dealt.all()
    assert answer.json() == {
        "id": deal.pk,
        "table": by_program.pk,
        "number": 1,
        "version": 1,
        "complete": False,
        "points": [seat.points for seat in by_program.seats.all()],
        "page": deal.get_absolute_url(),
    }
    assert not list(verify())


def test_a_deal_is_corrected_and_cancelled(client: Client, table: Table, token: str) -> None:
    deal = a_deal(table)
    revised = write(client, f"deals/{deal.pk}/revise", {"facts": GUARD, "version": 1}, token)
    assert (revised.status_code, revised.json()["version"]) == (200, 2)
    deal.refresh_from_db()
    assert deal.facts == GUARD
    voided = write(client, f"deals/{deal.pk}/void", {"version": 2}, token)
    assert (voided.status_code, voided.json()["number"]) == (200, None)
    assert [seat.points for seat in table.seats.all()] == [0, 0, 0, 0]
    assert not list(verify())


def test_a_forgotten_deal_is_inserted(client: Client, table: Table, token: str) -> None:
    deal = a_deal(table)
    assert record(client, table, token, number=1).json()["number"] == 1
    deal.refresh_from_db()
    assert deal.number == 2
    too_far = record(client, table, token, number=5)
    assert too_far.status_code == 422
    assert too_far.json()["errors"][0] | {"detail": ""} == {
        "name": "number",
        "detail": "",
        "given": "5",
        "allowed": "1, …, 3",
    }


def test_who_sits_out_is_sent_or_follows_the_deal(client: Client, club: Club, token: str) -> None:
    table = a_table(an_evening(a_season(club, table_sizes=[3, 4, 5])), size=5, one_rests=True)
    assert record(client, table, token).json()["points"][0] is None  # the first dealer
    assert record(client, table, token, rests=[3]).json()["points"][3] is None
    refused = record(client, table, token, rests=[7]).json()
    assert [error["name"] for error in refused["errors"]] == ["rests"]


def test_totals_are_recorded(client: Client, club: Club, token: str) -> None:
    table = a_table(an_evening(a_season(club, "totals")))
    body: dict[str, Any] = {"totals": [100, 57, 100, 57], "deals": 1, "version": 0}
    answer = write(client, f"tables/{table.pk}/totals", body, token)
    assert answer.status_code == 200, answer.content
    assert (answer.json()["version"], answer.json()["complete"]) == (1, True)
    assert [seat.points for seat in table.seats.all()] == [100, 57, 100, 57]
    stale = write(client, f"tables/{table.pk}/totals", {**body, "totals": [57, 100, 57, 100]}, token)
    assert stale.status_code == 409
    assert stale.json()["current"] == {"version": 1, "totals": [100, 57, 100, 57], "deals": 1}
    odd = write(client, f"tables/{table.pk}/totals", {"totals": [100, 50, 100, 50], "deals": 1, "version": 1}, token)
    assert odd.status_code == 422
    confirmed = {"totals": [100, 50, 100, 50], "deals": 1, "version": 1, "confirmed": odd.json()["confirm"]}
    assert write(client, f"tables/{table.pk}/totals", confirmed, token).status_code == 200
    short = write(client, f"tables/{table.pk}/totals", {"totals": [1], "deals": 1, "version": 2}, token)
    assert (short.status_code, short.json()["errors"][0]["allowed"]) == (422, "4")
    assert record(client, table, token).status_code == 409  # this game has no deals


def test_viewers_of_the_evening_see_the_deal(
    client: Client, table: Table, token: str, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    """Catches a write whose announcement is lost with the transaction around the action."""
    cache.clear()
    with django_capture_on_commit_callbacks() as callbacks:
        record(client, table, token)
    assert callbacks


# Refusals


@pytest.mark.parametrize(
    ("facts", "field", "given"),
    [
        ({**GUARD, "points": 95}, "facts.points", "95"),
        ({**GUARD, "taker": 4}, "facts.taker", "4"),
        ({**GUARD, "contract": "gard"}, "facts.contract", "'gard'"),
        ({**GUARD, "colour": 1}, "facts.colour", "'colour'"),
    ],
)
def test_illegal_facts_name_the_fact(
    client: Client, table: Table, token: str, facts: dict[str, Any], field: str, given: str
) -> None:
    answer = record(client, table, token, facts=facts)
    [error] = answer.json()["errors"]
    assert (answer.status_code, error["name"]) == (422, field)
    assert error["given"] == given or given in error["detail"]
    assert error["detail"]
    assert not Deal.objects.exists()
    assert not ApiWrite.objects.exists()


def test_impossible_totals_name_the_seat(client: Client, club: Club, token: str) -> None:
    table = a_table(an_evening(a_season(club, "belote", table_sizes=[4])))
    body = {"totals": [120, 42, 100, 42], "deals": 1, "version": 0, "confirmed": "120,42,100,42/1"}
    answer = write(client, f"tables/{table.pk}/totals", body, token)
    assert answer.status_code == 422
    [error] = answer.json()["errors"]
    assert (error["name"], "100 and 120" in error["detail"]) == ("totals.2", True)
    assert not table.seats.filter(written__isnull=False).exists()


def test_a_suspicious_deal_is_confirmed_first(client: Client, table: Table, token: str) -> None:
    a_deal(table, GUARD)
    key = str(uuid4())
    asked = record(client, table, token, key)
    assert asked.status_code == 422
    assert "Deal 1 is the same" in asked.json()["errors"][0]["detail"]
    assert record(client, table, token, key, confirmed=asked.json()["confirm"]).status_code == 201


def test_a_closed_evening_needs_a_reason(client: Client, table: Table, token: str) -> None:
    evenings.close(table.round.evening_id, now=NOW)
    refused = record(client, table, token)
    assert (refused.status_code, refused.json()["errors"][0]["name"]) == (422, "reason")
    assert record(client, table, token, reason="The sheet was under the table.").status_code == 201
    assert AuditEntry.objects.latest("pk").reason == "The sheet was under the table."


def test_an_evening_that_is_not_open_is_refused(client: Client, table: Table, token: str) -> None:
    evenings.close(table.round.evening_id, now=NOW)
    season = table.round.evening.season
    type(season).objects.filter(pk=season.pk).update(state="closed")
    answer = record(client, table, token, reason="Late")
    assert (answer.status_code, bool(answer.json()["detail"])) == (409, True)


def test_a_lost_update_is_refused_with_the_present_deal(client: Client, table: Table, token: str) -> None:
    deal = a_deal(table)
    write(client, f"deals/{deal.pk}/revise", {"facts": GUARD, "version": 1}, token)
    for action, body in (("revise", {"facts": TAKE}), ("void", {})):
        answer = write(client, f"deals/{deal.pk}/{action}", {**body, "version": 1}, token)
        assert answer.status_code == 409
        assert answer.json()["current"] == {"version": 2, "voided": False, "facts": GUARD, "rests": []}


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{}", 422),
        (b"{", 400),
        (b'{"facts": {}, "facts": {}}', 400),
        (b'{"facts": {"points": NaN}}', 400),
        (b'{"facts": {}, "reason": "\\u0000"}', 400),
        (b'{"facts": {}, "reason": "\\ud800"}', 400),
        (b'{"facts": {"contract": "\\ud800"}}', 400),
        (b"[" * 30_000, 400),
        (b'{"facts": ' + b'{"a": ' * 9_000 + b"1" + b"}" * 9_001, 400),
        (b'{"facts": {"points": 1e999, "contract": "take", "taker": 0, "oudlers": 2}}', 422),
        (b'{"facts": {"points": ' + b"9" * 3_000 + b', "contract": "take", "taker": 0, "oudlers": 2}}', 422),
        (b"[]", 422),
        (b'"facts"', 422),
        (b"x" * (MAX_BODY_BYTES + 1), 413),
    ],
    ids=lambda value: str(value)[:40],
)
def test_a_hostile_body_is_refused_in_json(client: Client, table: Table, token: str, body: bytes, status: int) -> None:
    """Catches a body that the database or the parser cannot take."""
    headers = {"authorization": f"Bearer {token}", "idempotency-key": "1"}
    address = f"/api/v1/tables/{table.pk}/deals"
    answer = client.generic("POST", address, body, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (status, "application/problem+json")
    assert answer.json()["status"] == status


def test_a_form_is_no_json(client: Client, table: Table, token: str) -> None:
    headers = {"authorization": f"Bearer {token}", "idempotency-key": "1"}
    answer = client.post(f"/api/v1/tables/{table.pk}/deals", {"facts": "{}"}, headers=headers)
    assert (answer.status_code, answer.headers["Content-Type"]) == (415, "application/problem+json")


# Rights


def test_only_a_token_of_those_who_record_writes(client: Client, club: Club, table: Table) -> None:
    outsiders: list[tuple[Player, int]] = [
        (a_member(club, Role.MEMBER), 403),
        (a_member(club, Role.TREASURER), 403),
        (a_member(a_club(), Role.ADMIN), 404),
        (a_member(a_club(), Role.SECRETARY), 404),
    ]
    for player, status in outsiders:
        assert record(client, table, a_writing_token(player)).status_code == status
    admin = a_member(club, Role.ADMIN)
    for scopes in ((), (Scope.REGISTER.value,)):
        refused = record(client, table, a_writing_token(admin, scopes=scopes))
        assert (refused.status_code, "“record”" in refused.json()["detail"]) == (403, True)
    assert record(client, table, a_token(admin, "Old")).status_code == 403
    assert not Deal.objects.exists()
    assert record(client, table, a_writing_token(admin)).status_code == 201


def suspended(secretary: Player) -> None:
    user = user_of(secretary)
    user.is_active = False
    user.save()


def revoked(secretary: Player) -> None:
    api_tokens.revoke_token(ApiToken.objects.get(user=secretary.user))


def expired(secretary: Player) -> None:
    ApiToken.objects.update(last_day=timezone.localdate() - timedelta(days=1))


def second_factor_required(secretary: Player) -> None:
    Club.objects.filter(memberships__player=secretary).update(asks_second_factor=True)


@pytest.mark.parametrize(
    ("event", "status"),
    [(suspended, 401), (revoked, 401), (expired, 401), (second_factor_required, 403)],
)
def test_rights_are_those_of_the_moment(
    client: Client, table: Table, secretary: Player, token: str, event: Callable[[Player], None], status: int
) -> None:
    key = str(uuid4())
    assert record(client, table, token, key).status_code == 201
    event(secretary)
    assert record(client, table, token).status_code == status
    assert record(client, table, token, key).status_code == status  # not even the first answer again


def test_a_secretary_who_is_one_no_more_writes_no_more(
    client: Client, table: Table, secretary: Player, token: str
) -> None:
    secretary.memberships.update(role=Role.MEMBER)
    assert record(client, table, token).status_code == 403


def test_a_second_factor_that_the_club_requires_is_enough(
    client: Client, table: Table, secretary: Player, token: str
) -> None:
    second_factor_required(secretary)
    set_up_second_factor(user_of(secretary))
    assert record(client, table, token).status_code == 201


def test_staff_without_a_second_factor_write_nothing(
    client: Client, table: Table, secretary: Player, token: str, settings: Settings
) -> None:
    user = user_of(secretary)
    user.is_superuser = True
    user.save()
    settings.HTTPS = True
    assert record(client, table, token).status_code == 403


def test_a_token_of_one_club_writes_only_there(client: Client, club: Club, table: Table, secretary: Player) -> None:
    second = a_club()
    second.memberships.create(player=secretary, role=Role.SECRETARY)
    token = a_writing_token(secretary, club=second)
    assert record(client, table, token).status_code == 403
    assert read(client, f"tables/{table.pk}", token)["id"] == table.pk
    assert record(client, a_table(an_evening(a_season(second))), token).status_code == 201


def test_a_session_writes_nothing(client: Client, table: Table, secretary: Player) -> None:
    """Also not for a page of another site: its browser sends the cookie, and no token."""
    address, body = f"/api/v1/tables/{table.pk}/deals", {"facts": GUARD}
    headers = {"idempotency-key": "1", "origin": "https://evil.example"}
    for browser in (client, signed_in(client, secretary)):
        answer = browser.post(address, body, content_type="application/json", headers=headers)
        assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (401, "Bearer")
        assert "Access-Control-Allow-Origin" not in answer.headers
    assert client.options(address, headers=headers).status_code == 405
    assert not Deal.objects.exists()


def test_the_tokens_owner_is_logged_not_the_session(client: Client, club: Club, table: Table, token: str) -> None:
    browser = signed_in(client, a_member(club, Role.ADMIN))
    record(browser, table, token)
    owner = ApiToken.objects.get().user_id
    assert AuditEntry.objects.latest("pk").user_id == owner
    assert Deal.objects.get().events.get().pgh_context.metadata["user"] == owner


def test_writes_have_a_limit_of_their_own(client: Client, table: Table, token: str, settings: Settings) -> None:
    settings.API_LIMITS = {**settings.API_LIMITS, "write": "2/m"}
    cache.clear()
    deal = a_deal(table)
    statuses = [write(client, f"deals/{deal.pk}/void", {"version": 9}, token).status_code for _ in range(3)]
    assert statuses == [409, 409, 429]
    assert read(client, f"tables/{table.pk}", token)


# Idempotency


def test_the_same_request_gets_the_first_answer(client: Client, table: Table, token: str) -> None:
    key = "table-1-deal-1"
    first = record(client, table, token, key)
    write(client, f"deals/{first.json()['id']}/revise", {"facts": TAKE, "version": 1}, token)
    again = record(client, table, token, key)
    assert (again.status_code, again.json()) == (201, first.json())
    other = record(client, table, token, key, facts=TAKE)
    assert (other.status_code, "Idempotency-Key" in other.json()["detail"]) == (409, True)
    assert Deal.objects.count() == 1
    elsewhere = write(client, f"deals/{first.json()['id']}/void", {"version": 2}, token, key)
    assert elsewhere.status_code == 409


def test_a_request_repeated_after_the_closing_gets_the_first_answer(
    client: Client, club: Club, table: Table, token: str
) -> None:
    """Catches checks of state before the search for the stored answer: the program would send its deal again."""
    deal, totals = a_deal(table), a_table(an_evening(a_season(club, "totals")))
    sent: list[tuple[str, dict[str, Any]]] = [
        (f"tables/{table.pk}/deals", {"facts": GUARD, "number": 2}),
        (f"deals/{deal.pk}/revise", {"facts": GUARD, "version": 1}),
        (f"deals/{deal.pk}/void", {"version": 2}),
        (f"tables/{totals.pk}/totals", {"totals": [100, 57, 100, 57], "deals": 1, "version": 0}),
    ]
    first = [write(client, address, body, token, address) for address, body in sent]
    assert [answer.status_code for answer in first] == [201, 200, 200, 200]
    [left] = Deal.objects.filter(voided_at=None)
    assert write(client, f"deals/{left.pk}/void", {"version": 1}, token).status_code == 200  # no deal 2 any more
    for evening in (table.round.evening_id, totals.round.evening_id):
        evenings.close(evening, now=NOW)
    again = [write(client, address, body, token, address) for address, body in sent]
    assert [(answer.status_code, answer.json()) for answer in again] == [
        (answer.status_code, answer.json()) for answer in first
    ]


def test_a_write_without_a_key_is_refused(client: Client, table: Table, token: str) -> None:
    headers = {"authorization": f"Bearer {token}"}
    address = f"/api/v1/tables/{table.pk}/deals"
    answer = client.post(address, {"facts": GUARD}, content_type="application/json", headers=headers)
    assert (answer.status_code, answer.json()["errors"][0]["name"]) == (422, "Idempotency-Key")


def test_answers_are_deleted_and_hold_no_name(client: Client, table: Table, token: str) -> None:
    """A late request is still recorded once: the deal has the key, too."""
    record(client, table, token, "old")
    names = {str(seat.player) for seat in table.seats.all()}
    assert not any(name in str(ApiWrite.objects.get().answer) for name in names)
    ApiWrite.objects.update(made_at=timezone.now() - api_writes.ANSWER_RETENTION - timedelta(seconds=1))
    assert record(client, table, token, "old", confirmed="").status_code == 201
    assert (ApiWrite.objects.count(), Deal.objects.count()) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_two_simultaneous_requests_record_one_deal(club: Club, table: Table, token: str) -> None:
    start = Barrier(4)

    def post(_number: int) -> tuple[int, Any]:
        start.wait()
        try:
            answer = record(Client(), table, token, "once")
            return answer.status_code, answer.json()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(post, range(4)))
    assert answers == [answers[0]] * 4
    assert answers[0][0] == 201
    assert Deal.objects.count() == 1
