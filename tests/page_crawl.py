"""Requests to the application itself, and the forms of all its pages as they are found by opening them."""

from __future__ import annotations

import re
import traceback
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes, urldefrag
from wsgiref.util import setup_testing_defaults

from django.conf import settings
from django.core.signals import got_request_exception, request_finished, request_started
from django.db import close_old_connections, transaction
from django.urls import Resolver404, resolve

from league.wsgi import application
from tests import hostile
from tests.page_forms import PageForm, page_forms
from tests.test_access import ROWS, Row

READERS: Final = ("admin", "anonymous", "root", "stranger")  # who opens each page, until one gets it
SECRET: Final = "a" * 32  # of the token against forged requests: sent back as it is, it is its own token

Place = dict[str, object]


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    text: str
    failures: list[str] = field(default_factory=list)


class CrawledForm(NamedTuple):
    """A form, and who saw it."""

    reader: str
    form: PageForm


@contextmanager
def one_connection() -> Iterator[None]:
    """Keep the connection, and with it a transaction, from request to request; Django's own client does so."""
    ends = (request_started, request_finished)
    for signal in ends:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in ends:
            signal.connect(close_old_connections)


def ask(
    method: str, address: str, session: str | None, headers: Mapping[str, str], body: hostile.Body | None = None
) -> Answer:
    """Return the application's own answer, as a server that hands it the request gets it."""
    path, _mark, query = address.partition("?")
    cookies = f"csrftoken={SECRET}" + (f"; {settings.SESSION_COOKIE_NAME}={session}" if session else "")
    environ: dict[str, Any] = {
        "REQUEST_METHOD": method,
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "REMOTE_ADDR": "127.0.0.1",
        "HTTP_COOKIE": cookies,
        "wsgi.input": BytesIO(body.data if body else b""),
        **{f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()},
    }
    if body:
        environ |= {"CONTENT_TYPE": body.kind, "CONTENT_LENGTH": str(len(body.data) + body.lost)}
    setup_testing_defaults(environ)
    answer = Answer(0, {}, "")

    def start(status: str, header_list: list[tuple[str, str]], _error: object = None, /) -> Callable[[bytes], object]:
        answer.status, answer.headers = int(status.split()[0]), dict(header_list)
        return BytesIO().write

    def failed(**_given: object) -> None:
        answer.failures.append(traceback.format_exc())

    got_request_exception.connect(failed)
    try:
        response_body = application(environ, start)
        answer.text = b"".join(response_body).decode("utf-8", "replace")
        response_body.close()
    finally:
        got_request_exception.disconnect(failed)
    return answer


def crawled(
    worlds: list[Place], sessions: Mapping[str, str], rows: Sequence[Row] = ROWS
) -> dict[str, list[CrawledForm]]:
    """Return the forms of the pages of `rows`, and of the pages to which these lead, by the view that gets them."""
    forms_by_view: dict[str, dict[object, CrawledForm]] = defaultdict(dict)
    for row, address in pages(worlds, rows):
        readers = [reader for reader in READERS if reader == "root" or row.expected[reader] == "200"]
        for opened_form in opened(address, sessions, readers):
            forms_by_view[view(opened_form)].setdefault((opened_form.form.method, opened_form.form.names), opened_form)
    for opened_form in [
        form for forms in forms_by_view.values() for form in forms.values() if form.form.method == "POST"
    ]:
        with transaction.atomic():
            for after in sent(opened_form, sessions):
                forms_by_view[view(after)].setdefault((after.form.method, after.form.names), after)
            transaction.set_rollback(True)
    return {name: list(forms.values()) for name, forms in forms_by_view.items()}


def pages(worlds: list[Place], rows: Sequence[Row] = ROWS) -> Iterator[tuple[Row, str]]:
    """Yield the address of each row, and again with the different values of the further worlds."""
    words = {word for world in worlds[1:] for word in world if world[word] != worlds[0][word]}
    for row in rows:
        other_worlds = worlds if words & set(re.findall(r"{(\w+)}", row.address)) else worlds[:1]
        is_page = not row.address.startswith("/api/") and "." not in row.address.partition("?")[0]
        if row.method == "GET" and is_page and row.club != "public":
            yield from ((row, row.address.format(**world)) for world in other_worlds)


def view(seen: CrawledForm) -> str:
    return resolve(seen.form.path).view_name


def opened(address: str, sessions: Mapping[str, str], readers: Sequence[str]) -> list[CrawledForm]:
    """Return the forms of a page for the first of the readers to whom it is shown."""
    for reader in readers:
        answer = ask("GET", address, sessions.get(reader), {})
        if answer.status == 200:
            return forms_of(reader, answer, address)
    return []


def sent(seen: CrawledForm, sessions: Mapping[str, str]) -> list[CrawledForm]:
    """Return the forms of the page to which a form leads."""
    answer = post(seen.form.action, sessions.get(seen.reader), seen.form.sent())
    if answer.status == 302:
        address = urldefrag(answer.headers["Location"]).url  # as a browser asks for it
        return forms_of(seen.reader, ask("GET", address, sessions.get(seen.reader), {}), address)
    return forms_of(seen.reader, answer, seen.form.action)


def post(address: str, session: str | None, fields: list[tuple[str, str]]) -> Answer:
    """Send a form as a page of the site does."""
    pairs = [(name, value.encode()) for name, value in [("csrfmiddlewaretoken", SECRET), *fields]]
    return ask("POST", address, session, {}, hostile.Body(hostile.urlencoded(pairs), hostile.FORM))


def forms_of(reader: str, answer: Answer, address: str) -> list[CrawledForm]:
    if not answer.headers.get("Content-Type", "").startswith("text/html"):
        return []
    return [CrawledForm(reader, form) for form in page_forms(answer.text, address) if is_ours(form.path)]


def is_ours(path: str) -> bool:
    try:
        return not resolve(path).view_name.startswith("admin:")
    except Resolver404:
        return False
