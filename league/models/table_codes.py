"""The codes on printed sheets: whoever scans one enters that table's deals, for tonight.

A code is the table's id, signed together with its evening's key: closing the evening renews the key, and so ends every
code printed for it. One that was never closed ends them a day after it was opened. The key itself does not stand in
the code. Knows no pages.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from django.core import signing

from league.models.evening import NOT_OVER, Evening, EveningState
from league.models.round import RoundState
from league.models.table import Table

SALT = "league.models.table_codes"
LIFETIME: Final = timedelta(days=1)  # from the opening of the evening
LONGEST_ID = 18  # digits: what a database id can hold


class Unknown(ValueError):
    """No code of ours, or one of an evening that was closed since."""


class Ended(ValueError):
    """A true code that can't be used now: entry is switched off, or the evening or the round is not there yet."""


def token(table: Table) -> str:
    """Return the last part of the code's address. The table comes with round and evening."""
    return _signer(table.round.evening).sign(str(table.pk))


def read(text: str, *, now: datetime) -> Table:
    """Return the table, with its club, that may be written with this code now; one query. Raises Unknown or Ended."""
    number = text.partition(":")[0]
    if not number.isdecimal() or len(number) > LONGEST_ID:
        raise Unknown
    table: Table | None = Table.objects.with_club().filter(pk=int(number)).first()
    if table is None:
        raise Unknown
    try:
        _signer(table.round.evening).unsign(text)
    except signing.BadSignature as wrong:
        raise Unknown from wrong
    if not holds(table, now=now):
        raise Ended
    return table


def holds(table: Table, *, now: datetime) -> bool:
    """Return whether the table's code may be used now.

    The club allows it and stays, the evening was opened less than a day ago and is open still, the round is accepted.
    """
    evening = table.round.evening
    return (
        evening.season.club.table_entry
        and evening.season.club.delete_at is None
        and evening.state == EveningState.OPEN
        and evening.opened_at is not None
        and now < evening.opened_at + LIFETIME
        and table.round.state == RoundState.ACCEPTED
    )


def is_printed(evening: Evening) -> bool:
    """Return whether sheets printed now carry codes: the club allows them, and the evening is not over."""
    return evening.season.club.table_entry and evening.state in NOT_OVER


def _signer(evening: Evening) -> signing.Signer:
    return signing.Signer(salt=f"{SALT}:{evening.entry_key}")
