"""Attacks on the real server: its answers, its limits and its log."""

from __future__ import annotations

import json
import re
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from threading import Thread
from urllib.parse import urlencode

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher

from deploy import web_worker
from players.models import User
from tests.build import PASSWORD
from tests.readers import second_factor_code, set_up_second_factor
from tests.visitor import Visitor
from tests.webserver import WebServer

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.faults,
    pytest.mark.xdist_group("gate"),  # one server for all
]


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[WebServer]:
    """The application behind a proxy that speaks https."""
    folder = tmp_path_factory.mktemp("proxied")
    server = WebServer(folder, HTTPS="true", LOG_LEVEL="INFO", EMAIL_URL=f"file:///{folder}/mail")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def visitor(proxied: WebServer) -> Visitor:
    return Visitor(proxied, {"X-Forwarded-Proto": "https"})


@pytest.fixture
def root() -> User:
    user = User.objects.create_superuser("root@club.example")
    User.objects.update(password=PBKDF2PasswordHasher().encode(PASSWORD, "salt"))  # as the server reads it
    return user


def test_wrong_passwords_for_the_repair_pages_are_counted(visitor: Visitor, root: User) -> None:
    assert visitor.get("/repairs/login/").sent_to == "/account/login/?next=%2Frepairs%2Flogin%2F"
    for number in range(6):
        visitor.get("/account/login/")
        answer = visitor.post("/repairs/login/", {"username": root.email, "password": f"wrong {number}"})
        assert answer.sent_to.startswith("/account/login/"), "it asks for no password of its own"
        refused = visitor.sign_in(root.email, f"wrong {number}")
    assert "Too many failed attempts to sign in" in refused.text
    assert visitor.sign_in(root.email, PASSWORD).status == 200, "the right one is no longer looked at"


def test_a_superuser_without_a_second_factor_reaches_the_account_only(visitor: Visitor, root: User) -> None:
    assert visitor.sign_in(root.email, PASSWORD).status == 302
    for address in ("/", "/repairs/", "/watch", "/repairs/players/user/"):
        assert (visitor.get(address).status, visitor.get(address).sent_to) == (302, "/account/2fa/")
    assert "Set one up" in visitor.get("/account/2fa/").text
    assert visitor.get("/account/2fa/totp/activate/").sent_to.startswith("/account/reauthenticate/")


def test_a_superuser_with_a_second_factor_is_asked_for_it_and_enters(visitor: Visitor, root: User) -> None:
    secret = set_up_second_factor(root)
    assert visitor.sign_in(root.email, PASSWORD).sent_to.startswith("/account/2fa/authenticate/")
    assert visitor.get("/repairs/").sent_to.startswith("/repairs/login/")
    answers = (visitor.post("/account/2fa/authenticate/", {"code": second_factor_code(secret)}) for _try in range(2))
    assert any(answer.status == 302 for answer in answers), "two, as a code's half minute may end on its way"
    assert visitor.get("/repairs/").status == 200
    assert visitor.get("/repairs/password_change/").sent_to == "/account/password/change/"


@pytest.mark.parametrize("charset", ["zlib", "hex", "latin-1", "utf-16", "idna", "unicode_escape"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_another_charset_is_answered_clearly_in_one_line_of_log(visitor: Visitor, method: str, charset: str) -> None:
    before = log_size(visitor)
    kind = {"Content-Type": f"application/x-www-form-urlencoded; charset={charset}"}
    answer = visitor.send(method, "/account/login/?next=/", b"login=a%40b.example", kind)
    assert answer.status == 400
    assert "That request made no sense" in answer.text
    [line] = log_lines(visitor, before)
    assert len(line) < 1000


def log_size(visitor: Visitor) -> int:
    return visitor.server.log.stat().st_size


def log_lines(visitor: Visitor, after: int) -> list[str]:
    with visitor.server.log.open() as log:
        log.seek(after)
        return log.readlines()


def test_a_reset_link_stands_in_the_letter_and_not_in_the_log(visitor: Visitor, root: User) -> None:
    before = log_size(visitor)
    visitor.get("/account/password/reset/")
    assert visitor.post("/account/password/reset/", {"email": root.email}).status == 302
    [letter] = (visitor.server.log.parent / "mail").iterdir()
    [key] = re.findall(r"/account/password/reset/key/([^/]+)/", letter.read_text())
    for address in (f"/account/password/reset/key/{key}/", f"/account/confirm-email/{key}/", f"/join/{key}?a=1"):
        visitor.get(address)
    log_text = "".join(log_lines(visitor, before))
    assert "/account/password/reset/key/***/" in log_text
    assert "/join/***?a=1" in log_text
    assert key not in log_text


def test_a_made_up_forwarded_address_reaches_neither_the_log_nor_the_limits(visitor: Visitor, root: User) -> None:
    before = log_size(visitor)
    for number in range(12):
        refused = Visitor(visitor.server, {**visitor.headers, "X-Forwarded-For": f"10.9.9.{number}, 203.0.113.7"})
        answer = refused.sign_in(f"nobody{number}@club.example", "wrong")
    assert "Too many failed attempts to sign in" in answer.text
    second_visitor = Visitor(visitor.server, {**visitor.headers, "X-Forwarded-For": "203.0.113.7, 203.0.113.8"})
    assert second_visitor.sign_in(root.email, PASSWORD).status == 302, "another visitor of the same proxy"
    log_text = [json.loads(line)["ip"] for line in log_lines(visitor, before) if "request_finished" in line]
    assert set(log_text) == {"203.0.113.7", "203.0.113.8"}


def a_form(visitor: Visitor, size: int) -> tuple[bytes, dict[str, str]]:
    """Return a sign-in with a file of that size."""
    parts = [b'--x\r\nContent-Disposition: form-data; name="login"\r\n\r\na@club.example\r\n']
    parts += [b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\n', b"a" * size, b"\r\n--x--\r\n"]
    return b"".join(parts), {"Content-Type": "multipart/form-data; boundary=x"}


def test_a_file_is_refused_before_any_of_it_is_kept(visitor: Visitor) -> None:
    visitor.get("/account/login/")
    assert visitor.send("POST", "/account/login/", *a_form(visitor, 1_000_000)).status == 400


def test_too_large_a_form_is_refused(visitor: Visitor) -> None:
    visitor.get("/account/login/")
    assert visitor.post("/account/login/", {"login": "a" * 3_000_000}).status == 400


def test_dripping_connections_dont_stop_the_site(visitor: Visitor) -> None:
    with ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(("127.0.0.1", visitor.server.port))) for _ in range(40)]
        for connection in slow:
            connection.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Drip: ")
        dripping = Thread(target=drip, args=(slow, time.monotonic() + 6 * web_worker.REQUEST_TIME_LIMIT), daemon=True)
        dripping.start()
        begin = time.monotonic()
        assert visitor.get("/account/login/").status == 200
        assert time.monotonic() - begin < 1.5 * web_worker.REQUEST_TIME_LIMIT


def drip(connections: list[socket.socket], end: float) -> None:
    while time.monotonic() < end:
        for connection in connections:
            with suppress(OSError):
                connection.sendall(b"a")
        time.sleep(0.5)


def test_a_form_that_was_cut_off_is_not_read_as_a_whole_one(visitor: Visitor, root: User) -> None:
    visitor.get("/account/login/")
    fields = {"login": root.email, "csrfmiddlewaretoken": visitor.cookies["csrftoken"].value, "password": PASSWORD}
    body = urlencode(fields).encode()
    head = "\r\n".join(
        [
            "POST /account/login/ HTTP/1.1",
            "Host: localhost",
            "X-Forwarded-Proto: https",
            f"Referer: {visitor.referer}",
            f"Cookie: csrftoken={visitor.cookies['csrftoken'].value}",
            "Content-Type: application/x-www-form-urlencoded",
            f"Content-Length: {len(body) + 4}",
        ]
    )
    with socket.create_connection(("127.0.0.1", visitor.server.port)) as connection:
        connection.sendall(f"{head}\r\n\r\n".encode() + body)
        connection.shutdown(socket.SHUT_WR)
        answer = connection.makefile("rb").read().decode()
    assert answer.startswith("HTTP/1.1 4")
    assert "sessionid" not in answer
