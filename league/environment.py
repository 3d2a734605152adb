"""Reading settings from the environment: a wrong value stops the start of any process with one line that names it.

league/settings.py reads every value first and then calls `stop_if_wrong`. What has to be asked of other systems, or is
only missing, is a system check (league/checks.py). A line shows a value only where it holds no password.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final, NoReturn, TypeVar
from urllib.parse import unquote, urlsplit
from zoneinfo import available_timezones

import dj_database_url
import dj_email_url
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.http.request import validate_host

from league.operations.work.backups.archive import check_key

T = TypeVar("T")

TRUE: Final = frozenset(("true", "yes", "on", "1", "t", "y"))
FALSE: Final = frozenset(("false", "no", "off", "0", "f", "n"))
EXAMPLE_KEY: Final = "change-me"  # of deploy/league.env
HOST: Final = re.compile(r"\.?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*", re.IGNORECASE)
ADDRESS_V6: Final = re.compile(r"\[[0-9a-f:.]+\]", re.IGNORECASE)
MAIL_SCHEMES: Final = frozenset(dj_email_url.SCHEMES)
MAIL_SERVERS: Final = MAIL_SCHEMES - {"console", "file", "memory", "dummy"}
is_email: Final = EmailValidator(allowlist=["localhost"])

# Read by programs around this one, and no settings of it.
OTHERS: Final = frozenset(("DJANGO_SETTINGS_MODULE", "LEAGUE_VAR", "PG_BIN", "HOSTNAME", "HOSTTYPE"))
MADE_ELSEWHERE: Final = ("PORT", "HOST")  # deploy/local.py reads them


class Wrong(ValueError):
    """Why a value can't be used; ends the sentence "NAME …"."""


class Environment:
    """The variables of a process, each read once by its name, and what is wrong with them."""

    def __init__(self, variables: Mapping[str, str] = os.environ) -> None:
        self._variables = variables
        self._known = {*MADE_ELSEWHERE}
        self._wrong: dict[str, str] = {}  # the first that is wrong with each

    def text(self, name: str, default: str = "", *, secret: bool = False) -> str:
        """Return a text of one line."""
        return self._read(name, default, _line, secret=secret)

    def flag(self, name: str, default: bool) -> bool:
        """Return true or false."""
        return self._read(name, default, _flag)

    def number(self, name: str, default: int, *, low: int, high: int) -> int:
        """Return a whole number, `low` to `high`."""

        def read(value: str) -> int:
            if not re.fullmatch(r"\s*-?\d{1,9}\s*", value) or not low <= int(value) <= high:
                raise Wrong(f"set it to a whole number, {low} to {high}")
            return int(value)

        return self._read(name, default, read)

    def choice(self, name: str, default: str, choices: Iterable[str]) -> str:
        """Return one of the choices."""
        allowed = list(choices)

        def read(value: str) -> str:
            if value not in allowed:
                raise Wrong(f"set it to one of {', '.join(allowed)}")
            return value

        return self._read(name, default, read)

    def parsed(self, name: str, default: T, parse: Callable[[str], T], *, secret: bool = False) -> T:
        """Return what `parse` makes of the value; it raises Wrong."""
        return self._read(name, default, parse, secret=secret)

    def wrong(self, name: str, why: str) -> None:
        """Note what is wrong with a value beside others."""
        self._wrong.setdefault(name, f"{name} {why}.")

    def stop_if_wrong(self) -> None:
        """End the process with a line for each wrong value, and each name that resembles one of a setting."""
        for name in sorted(self._variables.keys() - self._known - OTHERS):
            if meant := next((known for known in sorted(self._known) if resembles(name, known)), None):
                self.wrong(name, f"is no setting: write {meant}, or take it away")
        if self._wrong:
            _stop("\n".join(self._wrong.values()))

    def _read(self, name: str, default: T, parse: Callable[[str], T], *, secret: bool = False) -> T:
        self._known.add(name)
        value = self._variables.get(name, "")
        if not value:
            if name in self._variables and default != "" and default != []:
                self.wrong(name, "is empty: give it a value, or take its line away")
            return default
        try:
            return parse(value)
        except Wrong as problem:
            shown = "has a wrong value" if secret else f"is {value[:80]!r}"
            self.wrong(name, f"{shown}: {problem}")
            return default


def _stop(lines: str) -> NoReturn:
    raise SystemExit(lines)


def resembles(name: str, known: str) -> bool:
    """Return whether a name is a setting's but for its case, its underscores, or one or two slips."""
    mine, other = (each.upper().replace("_", "").replace("-", "") for each in (name, known))
    if mine == other:
        return True
    allowed = 0 if len(other) < 6 else 1 if len(other) < 10 else 2
    return abs(len(mine) - len(other)) <= allowed and slips(mine, other) <= allowed


def slips(one: str, other: str) -> int:
    """Return how many letters were left out, added, changed or swapped (optimal string alignment)."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        older, before, row = before, row, [i]
        for j, wanted in enumerate(other, 1):
            best = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == wanted:
                best = min(best, older[j - 2] + 1)
            row.append(best)
    return row[-1]


# Parsers


def _line(value: str) -> str:
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in value):
        raise Wrong("set it to one line, without control characters")
    return value


def _flag(value: str) -> bool:
    if value.strip().lower() in TRUE:
        return True
    if value.strip().lower() in FALSE:
        return False
    raise Wrong("set it to true or false")


def secret_key(value: str) -> str:
    """Return a key of 32 characters or more; of an example more is said by a system check."""
    if len(_line(value)) < 32 and value != EXAMPLE_KEY:
        raise Wrong("set it to a long random text, of 32 characters or more")
    return value


def secret_keys(value: str) -> list[str]:
    """Return keys, with commas between them."""
    return [secret_key(key) for key in value.split(",")]


def host_names(value: str) -> list[str]:
    """Return names of hosts, with commas between them."""
    names = [name.strip() for name in value.split(",")]
    for name in names:
        if name != "*" and not HOST.fullmatch(name) and not ADDRESS_V6.fullmatch(name):
            raise Wrong("set it to names with commas between them, such as league.example, without https:// and port")
    return names


def web_address(value: str) -> str:
    """Return an address that begins with http:// or https://."""
    try:
        parts = urlsplit(_line(value))
        whole = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and " " not in value
    except ValueError:
        whole = False
    if not whole:
        raise Wrong("set it to an address such as https://league.example")
    return value


def site_address(value: str) -> str:
    """Return the site's address, without a slash at its end."""
    if urlsplit(web_address(value)).path.strip("/") or "?" in value or "#" in value:
        raise Wrong("set it to the address alone, such as https://league.example")
    return value.rstrip("/")


def origins(value: str) -> list[str]:
    """Return addresses of sites, with commas between them."""
    return [site_address(each.strip()) for each in value.split(",")]


def email_address(value: str) -> str:
    """Return an e-mail address."""
    try:
        is_email(value)
    except ValidationError:
        raise Wrong("set it to an e-mail address, such as cards@club.example") from None
    return value


def sender(value: str) -> str:
    """Return an e-mail address, with a name before it or without."""
    email_address(parseaddr(_line(value))[1])
    return value


def time_zone(value: str) -> str:
    """Return the name of a time zone."""
    if value not in available_timezones():
        raise Wrong("set it to a name such as Europe/Paris")
    return value


def whole_path(value: str) -> str:
    """Return a whole path."""
    if not Path(_line(value)).is_absolute():
        raise Wrong("set it to a whole path, such as /var/backups/league")
    return value


def backup_key(value: str) -> str:
    """Return a key that encrypts and opens backups."""
    try:
        check_key(value)
    except ValueError:
        raise Wrong("set it to what `manage.py backup_key` prints, and keep a copy elsewhere") from None
    return value


def database(value: str) -> dict[str, Any]:
    """Return a PostgreSQL database, as Django has it."""
    wrong = Wrong("set it to postgres://user:password@host:5432/name")
    try:
        parts = urlsplit(_line(value))
        if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/") or parts.port == 0:
            raise wrong
        return dict(dj_database_url.parse(value, conn_max_age=600))
    except (ValueError, dj_database_url.ParseError, dj_database_url.UnknownSchemeError):
        raise wrong from None


def redis(value: str) -> str:
    """Return the address of a Redis or Valkey server."""
    wrong = Wrong("set it to redis://host:6379 or redis+socket:///path")
    try:
        parts = urlsplit(_line(value))
        path = unquote(parts.path)
        if parts.scheme == "redis+socket":
            whole = not parts.hostname and len(path) > 1
        else:
            number = path.strip("/")
            whole = parts.scheme in ("redis", "rediss") and bool(parts.hostname) and parts.port != 0
            whole = whole and (not number or number.isdecimal())
    except ValueError:
        raise wrong from None
    if not whole:
        raise wrong
    return value


def mail(value: str) -> dict[str, Any]:
    """Return where mail goes, as Django has it."""
    wrong = Wrong("set it to submission://user:password@host:587, or to file:///var/lib/league/mail")
    try:
        parts = urlsplit(_line(value))
        if parts.scheme not in MAIL_SCHEMES or parts.port == 0:
            raise wrong
    except ValueError:
        raise wrong from None
    if parts.scheme in MAIL_SERVERS and not parts.hostname:
        raise wrong
    if parts.scheme == "file" and (parts.hostname or len(parts.path) < 2):
        raise Wrong("names no whole path: set it to three slashes and the folder, as in file:///var/lib/league/mail")
    return dict(dj_email_url.parse(value))  # type: ignore[no-untyped-call]


def serves(address: str, hosts: list[str]) -> bool:
    """Return whether the site of an address is reached by one of the hosts' names."""
    host = urlsplit(address).hostname or ""
    return validate_host(f"[{host}]" if ":" in host else host, hosts)
