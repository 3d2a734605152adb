"""Codes on printed score sheets. Players use them to enter the deals of their table on a phone during the evening.

A code is the table's id, signed with the evening's key; it does not contain the key. When the evening is closed, it
gets a new key, and all printed codes become invalid. In any case a code is valid for only one day after the evening was
opened.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.core import signing

from league.models.evening import UNFINISHED_STATES, Evening, EveningState
from league.models.round import RoundState
from league.models.table import Table

SALT = "league.models.table_codes"
CODE_LIFETIME: Final = timedelta(days=1)  # starts when the evening is opened
MAX_ID_DIGITS = 18  # maximum of digits in the database's ids


class InvalidCode(ValueError):
    """The code is forged, or its evening has been closed."""


class InactiveCode(ValueError):
    """The code is genuine, but can't be used now: the club does not allow entry by phone, or the evening or round has
    not begun.
    """


def code_of_table(table: Table) -> str:
    return _signer(table.round.evening).sign(str(table.pk))


def table_of_code(text: str, *, now: datetime) -> Table:
    """Return the table of a code, fetched with its club; one query. Raise InvalidCode or InactiveCode if the code can't
    be used.
    """
    number = text.partition(":")[0]
    if not number.isdecimal() or len(number) > MAX_ID_DIGITS:
        raise InvalidCode
    table: Table | None = Table.objects.with_club().filter(pk=int(number)).first()
    if table is None:
        raise InvalidCode
    try:
        _signer(table.round.evening).unsign(text)
    except signing.BadSignature as wrong:
        raise InvalidCode from wrong
    if not is_code_usable(table, now=now):
        raise InactiveCode
    return table


def is_code_usable(table: Table, *, now: datetime) -> bool:
    """Return whether the table's code can be used now.

    The club must allow entry by phone and not be marked for deletion. The evening must be open and have been opened
    less than a day ago. The round must be accepted.
    """
    evening = table.round.evening
    return (
        evening.season.club.table_entry
        and evening.season.club.delete_at is None
        and evening.state == EveningState.OPEN
        and evening.opened_at is not None
        and now < evening.opened_at + CODE_LIFETIME
        and table.round.state == RoundState.ACCEPTED
    )


def are_codes_printed(evening: Evening) -> bool:
    return evening.season.club.table_entry and evening.state in UNFINISHED_STATES


def _signer(evening: Evening) -> signing.Signer:
    return signing.Signer(salt=f"{SALT}:{evening.entry_key}")
