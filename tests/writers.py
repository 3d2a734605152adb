"""pytest plugin: a test fails if a row is written by a module of the project that is not in WRITERS.

The writer of each INSERT, UPDATE and DELETE is the innermost module of the project on the stack: an action or the
nightly recompute may write; a view, a form or a model may not.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest
from django.conf import settings
from django.db.backends.signals import connection_created

ROOT = Path(__file__).resolve().parent.parent
OURS = tuple(f"{ROOT / app}/" for app in ("league", "players", "scoring"))
WRITERS = (
    "league/actions/",
    "league/recompute/work/",
    "league/operations/work/",
    "league/demo/",
    "league/admin.py",
    "league/repairs.py",  # a frame around each of the admin's pages
    "league/migrations/",
    "league/people/views/provider_sign_in.py",  # Django's time of the last sign-in, written inside allauth's view
    "players/accounts.py",
    "players/admin.py",
    "players/derived_rows.py",
    "players/rating_writer.py",
    "players/migrations/",
    "players/models/person.py",  # Django's UserManager
    "league/web/password_form.py",  # allauth's form for a new password
    "players/forms/signup.py",  # allauth's form, in a transaction of ours
)
WRITE = re.compile(r"\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+\"?((?:league|players)_\w+)", re.IGNORECASE)
WRITE_ANYWHERE = re.compile(r"\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s", re.IGNORECASE)

# Actions that write several entries into the audit log, with the reason.
SEVERAL_ENTRIES: Final = {
    "account_deletion.delete_account": "one for each club, and for each role that ends",
    "clubs.publish_waiting_clubs": "one for each club",
    "revocations.reapply_revocations": "one for each club that is deleted again",
    "erasure.erase": "one for each club and each record of the person",
    "invitations._send_with_lock": "as in `send_invitations`, after the commit",
    "invitations.send_invitations": "one for each email: they are counted against the sender's limit",
    "merging.merge": "one for each club of the person",
    "merging.undo": "one for each club of the person",
    "people.check_in_guest": "the guest is a new person of the club, too",
    "people.check_out_guest": "the guest may leave the club, too",
    "people.give_login": "one for each club where the record loses a role",
    "roles.change_roles": "one for each person: who got which role",
    "roles.log_role_changes": "one for each person: who got which role",
    "roles.suspend_login_in_other_clubs": "one for each club where the record loses a role",
}
ENTRY = re.compile(r"\s*INSERT\s+INTO\s+\"league_auditentry\"")

Execute = Callable[[Any, Any, bool, dict[str, Any]], Any]


@cache
def _middleware() -> frozenset[str]:
    """The modules of our middleware: frames of every request, also where Django and allauth write by themselves.

    league/wsgi.py wraps the whole application in one more.
    """
    names = [*settings.MIDDLEWARE, "league.web.request_body.require_complete_body"]
    return frozenset(f"{name.rpartition('.')[0].replace('.', '/')}.py" for name in names)


class WrongWriter(AssertionError):
    """Rows were written by a module that only reads."""


def writer(frame: FrameType | None) -> str | None:
    """Return the innermost module of the project on the stack, as a path from the root.

    Return None if this is a test, or if the stack has no module of the project.
    """
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(f"{ROOT}/"):
            path = name.removeprefix(f"{ROOT}/")
            if path.startswith((".venv/", "tests/", "bench/")) or "/tests/" in path:
                return None if not path.startswith(".venv/") and path != "tests/writers.py" else writer(frame.f_back)
            if path not in _middleware():
                return path
        frame = frame.f_back
    return None


class TwoEntries(AssertionError):
    """An action wrote a second entry into the audit log."""


def _action(frame: FrameType | None) -> FrameType | None:
    """Return the frame of the action that a page, command or job called: the outermost one of an action."""
    outermost = None
    while frame is not None:
        if frame.f_code.co_filename.startswith(f"{ROOT}/league/actions/") and "/tests/" not in frame.f_code.co_filename:
            outermost = frame
        frame = frame.f_back
    return outermost


_entries: dict[FrameType, int] = {}  # of the test that runs, by action; a frame that is referenced keeps its identity


def _count_entry() -> None:
    action = _action(sys._getframe(2))
    if action is None:
        return
    _entries[action] = _entries.get(action, 0) + 1
    name = f"{Path(action.f_code.co_filename).stem}.{action.f_code.co_name}"
    if _entries[action] > 1 and name not in SEVERAL_ENTRIES:
        raise TwoEntries(name)


@pytest.fixture(autouse=True)
def _entries_are_counted_anew() -> Iterator[None]:
    yield
    _entries.clear()


def check(execute: Execute, sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Let the statement through if it writes nothing of ours, or whoever writes may."""
    if WRITE.match(str(sql)):
        path = writer(sys._getframe(1))
        if path is not None and not path.startswith(WRITERS):
            raise WrongWriter(f"{path} writes by itself: {str(sql)[:200]}")
        if ENTRY.match(str(sql)):
            _count_entry()
    return execute(sql, params, many, context)


class Writes:
    """Records the tables of league and players that statements write, as an execute wrapper."""

    def __init__(self) -> None:
        self.tables: set[str] = set()

    def __call__(self, execute: Any, sql: str, *rest: Any) -> Any:
        if match := WRITE.match(str(sql)):
            self.tables.add(match[1])
        return execute(sql, *rest)


@pytest.fixture(scope="session", autouse=True)
def writers_are_checked() -> Iterator[None]:
    """Look at each statement of every connection that is made from now on."""

    def watch(connection: Any, **_kwargs: object) -> None:
        if check not in connection.execute_wrappers:
            connection.execute_wrappers.insert(0, check)  # first: who adds one for a while takes the last away

    connection_created.connect(watch, weak=False, dispatch_uid="tests.writers")
    yield
    connection_created.disconnect(dispatch_uid="tests.writers")
