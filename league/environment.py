"""Read settings from the environment. A wrong value stops any process at its start, with one line that names the
variable.

league/settings.py reads all values and then calls `exit_if_wrong`. Missing values, and checks that need other systems,
are system checks (league/checks.py). No line shows a value that may contain a password. docs/decisions/0032 explains
why no library is used.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from email.utils import parseaddr
from pathlib import Path
from typing import Any, Final, TypeVar
from urllib.parse import unquote, urlsplit
from zoneinfo import available_timezones

import dj_database_url
import dj_email_url
from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.http.request import validate_host

from league.operations.work.backups.archive import check_key

T = TypeVar("T")

TRUE_WORDS: Final = frozenset(("true", "yes", "on", "1", "t", "y"))
FALSE_WORDS: Final = frozenset(("false", "no", "off", "0", "f", "n"))
EXAMPLE_KEY: Final = "change-me"  # in deploy/league.env
HOST_PATTERN: Final = re.compile(
    r"\.?[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*", re.IGNORECASE
)
IPV6_PATTERN: Final = re.compile(r"\[[0-9a-f:.]+\]", re.IGNORECASE)
MAIL_SCHEMES: Final = frozenset(dj_email_url.SCHEMES)
MAIL_SERVER_SCHEMES: Final = MAIL_SCHEMES - {"console", "file", "memory", "dummy"}
validate_email: Final = EmailValidator(allowlist=["localhost"])

# Variables of other programs, not settings of this one.
OTHER_PROGRAM_VARIABLES: Final = frozenset(("DJANGO_SETTINGS_MODULE", "LEAGUE_VAR", "PG_BIN", "HOSTNAME", "HOSTTYPE"))
LOCAL_VARIABLES: Final = ("PORT", "HOST")  # read by deploy/local.py
# A name with at least this similarity to a setting counts as misspelled: EMAIL_ULR does; REDIS_PORT and HTTP do not.
MIN_SIMILARITY: Final = 0.86
MAX_NAME_LENGTH: Final = 40  # characters of the site's name in the header of each page
# Letters; a name of this length or less counts as misspelled only if its letters are equal.
SHORT_NAME_LENGTH: Final = 5
LOCAL_HOSTS: Final = frozenset(("localhost", "127.0.0.1", "::1"))
FILE_SUFFIX: Final = "_FILE"  # SECRET_KEY_FILE names a file that contains the value of SECRET_KEY
MAX_FILE_SIZE: Final = 10_000  # bytes


class WrongValue(ValueError):
    """A value that cannot be used. The message completes the sentence "NAME …"."""


class Environment:
    """The environment variables. It collects the errors of all values that are read."""

    def __init__(self, variables: Mapping[str, str] = os.environ) -> None:
        self._variables = variables
        self._names = {*LOCAL_VARIABLES}  # names of the variables that have been read, and of local ones
        self._errors: dict[str, str] = {}  # {variable: its first error}

    def text(self, name: str, default: str = "", *, secret: bool = False) -> str:
        """Return one line of text. An error message never shows the value of a `secret`."""
        return self.parsed(name, default, _single_line, secret=secret)

    def flag(self, name: str, default: bool) -> bool:
        return self.parsed(name, default, _flag)

    def number(self, name: str, default: int, *, low: int, high: int) -> int:
        def parse(value: str) -> int:
            if not re.fullmatch(r"\s*-?\d{1,9}\s*", value) or not low <= int(value) <= high:
                raise WrongValue(f"set it to a whole number, {low} to {high}")
            return int(value)

        return self.parsed(name, default, parse)

    def choice(self, name: str, default: str, choices: Iterable[str]) -> str:
        allowed = list(choices)

        def parse(value: str) -> str:
            if value not in allowed:
                raise WrongValue(f"set it to one of {', '.join(allowed)}")
            return value

        return self.parsed(name, default, parse)

    def parsed(self, name: str, default: T, parse: Callable[[str], T], *, secret: bool = False) -> T:
        """Return the parsed value of a variable, or `default` if the variable is missing or wrong.

        `parse` may raise WrongValue.
        """
        self._names |= {name, name + FILE_SUFFIX}
        try:
            value = self._value(name)
        except WrongValue as error:
            self.add_error(name + FILE_SUFFIX, str(error))
            return default
        secret = secret or name + FILE_SUFFIX in self._variables
        if not value:
            if {name, name + FILE_SUFFIX} & self._variables.keys() and default != "" and default != []:
                self.add_error(name, "is empty: give it a value, or take its line away")
            return default
        try:
            return parse(value)
        except WrongValue as error:
            beginning = "has a wrong value" if secret else f"is {value[:80]!r}"
            self.add_error(name, f"{beginning}: {error}")
            return default

    def _value(self, name: str) -> str:
        """Return the value of a variable, or the content of the file that NAME_FILE names; "" if neither is set.

        Raise WrongValue with the rest of a sentence that begins with NAME_FILE.
        """
        path = self._variables.get(name + FILE_SUFFIX)
        if path is None:
            return self._variables.get(name, "")
        if name in self._variables:
            raise WrongValue(f"is set, and {name} too: take one of them away")
        try:
            with Path(path).open("rb") as file:
                content = file.read(MAX_FILE_SIZE + 1)
            text = content.decode()
        except OSError as error:
            raise WrongValue(f"names a file that can not be read: {path!r} ({error.strerror})") from None
        except ValueError:
            raise WrongValue(f"names a file that is no text: {path[:80]!r}") from None
        if len(content) > MAX_FILE_SIZE:
            raise WrongValue(f"names a file of more than {MAX_FILE_SIZE:,} bytes: {path!r}")
        return text.rstrip("\r\n")

    def check_together(self, *names: str) -> None:
        """Add an error if only some of the variables have a value."""
        present = [name for name in names if self._variables.get(name) or self._variables.get(name + FILE_SUFFIX)]
        missing = [name for name in names if name not in present]
        if present and missing:
            self.add_error(present[0], f"needs {', '.join(missing)} too")

    def add_error(self, name: str, problem: str) -> None:
        """Add "NAME PROBLEM." to the errors, unless the variable has an error already."""
        self._errors.setdefault(name, f"{name} {problem}.")

    def refuse_in_demo(self, **is_set: bool) -> None:
        """Add an error for each setting that has a value: `is_set` maps the names of settings to True or False.

        A public demo must not send data to another server.
        """
        for name in [name for name, has_value in is_set.items() if has_value]:
            self.add_error(name, "is set, and DEMO too: a demo sends nothing to others. Take one of them away")

    def exit_if_wrong(self) -> None:
        """Exit with one line per wrong value and per misspelled name, if there are any."""
        settings = {_normal_name(name): name for name in sorted(self._names)}
        for name in sorted(self._variables.keys() - self._names - OTHER_PROGRAM_VARIABLES):
            letters = _normal_name(name)
            cutoff = MIN_SIMILARITY if len(letters) > SHORT_NAME_LENGTH else 1.0
            for similar in get_close_matches(letters, settings, n=1, cutoff=cutoff):
                self.add_error(name, f"is no setting: write {settings[similar]}, or take it away")
        if self._errors:
            raise SystemExit("\n".join(self._errors.values()))


def _normal_name(name: str) -> str:
    return name.upper().replace("_", "").replace("-", "")


# Parsers: each returns the value of a setting, or raises WrongValue.


def _single_line(value: str) -> str:
    if any(ord(letter) < 32 or ord(letter) == 127 for letter in value):
        raise WrongValue("set it to one line, without control characters")
    return value


def short_line(value: str) -> str:
    if len(_single_line(value)) > MAX_NAME_LENGTH:
        raise WrongValue(f"set it to {MAX_NAME_LENGTH} characters at most")
    return value


def _flag(value: str) -> bool:
    if value.strip().lower() in TRUE_WORDS:
        return True
    if value.strip().lower() in FALSE_WORDS:
        return False
    raise WrongValue("set it to true or false")


def secret_key(value: str) -> str:
    """Return the key if it is valid. The example key is accepted here, because a system check reports it."""
    if len(_single_line(value)) < 32 and value != EXAMPLE_KEY:
        raise WrongValue("set it to a long random text, of 32 characters or more")
    return value


def secret_keys(value: str) -> list[str]:
    return [secret_key(key) for key in value.split(",")]


def token(value: str) -> str:
    if len(_single_line(value)) < 20 or " " in value:
        raise WrongValue("set it to a random text without spaces, of 20 characters or more")
    return value


def signing_key(value: str) -> str:
    if not token(value).isascii():
        raise WrongValue("set it to the key that the provider shows, which has no accents")
    return value


def host_names(value: str) -> list[str]:
    names = [name.strip() for name in value.split(",")]
    for name in names:
        if name != "*" and not HOST_PATTERN.fullmatch(name) and not IPV6_PATTERN.fullmatch(name):
            raise WrongValue(
                "set it to names with commas between them, such as league.example, without https:// and port"
            )
    return names


def listed_hosts(value: str) -> list[str]:
    """Return the host names. Raise WrongValue for "*", which stands for all hosts."""
    names = host_names(value)
    if "*" in names:
        raise WrongValue("set it to names with commas between them, or take its line away")
    return names


def web_address(value: str) -> str:
    try:
        parts = urlsplit(_single_line(value))
        is_valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0 and " " not in value
    except ValueError:
        is_valid = False
    if not is_valid:
        raise WrongValue("set it to an address such as https://league.example")
    return value


def provider_address(value: str) -> str:
    """Return the URL of the sign-in provider.

    Raise WrongValue for http, except on this machine: only https proves that a response comes from the provider.
    """
    parts = urlsplit(web_address(value))
    if parts.scheme != "https" and parts.hostname not in LOCAL_HOSTS:
        raise WrongValue("set it to an address with https, such as https://accounts.example")
    if "?" in value or "#" in value:
        raise WrongValue("set it to the address alone, such as https://accounts.example")
    return value.rstrip("/")


def site_address(value: str) -> str:
    if urlsplit(web_address(value)).path.strip("/") or "?" in value or "#" in value:
        raise WrongValue("set it to the address alone, such as https://league.example")
    return value.rstrip("/")


def sentry_dsn(value: str) -> str:
    wrong = WrongValue("set it to the DSN of a project, such as https://key@sentry.example/1")
    try:
        parts = urlsplit(web_address(value))
    except WrongValue:
        raise wrong from None
    if not parts.username or not parts.path.rpartition("/")[2].isdecimal():
        raise wrong
    return value


def origins(value: str) -> list[str]:
    return [site_address(address.strip()) for address in value.split(",")]


def email_address(value: str) -> str:
    try:
        validate_email(value)
    except ValidationError:
        raise WrongValue("set it to an e-mail address, such as cards@club.example") from None
    return value


def sender(value: str) -> str:
    email_address(parseaddr(_single_line(value))[1])
    return value


def time_zone(value: str) -> str:
    if value not in available_timezones():
        raise WrongValue("set it to a name such as Europe/Paris")
    return value


def absolute_path(value: str) -> str:
    if not Path(_single_line(value)).is_absolute():
        raise WrongValue("set it to a whole path, such as /var/backups/league")
    return value


def remote_folder(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_.-]*:[^\s:]+", _single_line(value)):
        raise WrongValue("set it to a name in rclone's configuration and a path, such as offsite:bucket/league")
    return value


def backup_key(value: str) -> str:
    try:
        check_key(value)
    except ValueError:
        raise WrongValue("set it to what `manage.py backup_key` prints, and keep a copy elsewhere") from None
    return value


def database(value: str) -> dict[str, Any]:
    wrong = WrongValue("set it to postgres://user:password@host:5432/name")
    try:
        parts = urlsplit(_single_line(value))
        if parts.scheme not in ("postgres", "postgresql") or not parts.path.strip("/") or parts.port == 0:
            raise wrong
        return dict(dj_database_url.parse(value, conn_max_age=600))
    except (ValueError, dj_database_url.ParseError, dj_database_url.UnknownSchemeError):
        raise wrong from None


def redis(value: str) -> str:
    wrong = WrongValue("set it to redis://host:6379 or redis+socket:///path")
    try:
        parts = urlsplit(_single_line(value))
        path = unquote(parts.path)
        if parts.scheme == "redis+socket":
            is_valid = not parts.hostname and len(path) > 1
        else:
            number = path.strip("/")
            is_valid = parts.scheme in ("redis", "rediss") and bool(parts.hostname) and parts.port != 0
            is_valid = is_valid and (not number or number.isdecimal())
    except ValueError:
        raise wrong from None
    if not is_valid:
        raise wrong
    return value


def mail(value: str) -> dict[str, Any]:
    wrong = WrongValue("set it to submission://user:password@host:587, or to file:///var/lib/league/mail")
    try:
        parts = urlsplit(_single_line(value))
        if parts.scheme not in MAIL_SCHEMES or parts.port == 0:
            raise wrong
    except ValueError:
        raise wrong from None
    if parts.scheme in MAIL_SERVER_SCHEMES and not parts.hostname:
        raise wrong
    if parts.scheme == "file" and (parts.hostname or len(parts.path) < 2):
        raise WrongValue(
            "names no whole path: set it to three slashes and the folder, as in file:///var/lib/league/mail"
        )
    return dict(dj_email_url.parse(value))  # type: ignore[no-untyped-call]


def is_served_by(address: str, hosts: list[str]) -> bool:
    """Return whether the host of the URL `address` is one of `hosts` (in the format of ALLOWED_HOSTS)."""
    host = urlsplit(address).hostname or ""
    return validate_host(f"[{host}]" if ":" in host else host, hosts)
