"""The code for the setup page of an installation without accounts. The log of the web server shows the code."""

from __future__ import annotations

from base64 import b32encode
from secrets import compare_digest
from typing import Final

from django.db import connection
from django.utils.crypto import salted_hmac

from players.models import User

GROUP_COUNT: Final = 4  # groups of five characters: 100 bits
LETTER_COUNT: Final = 5 * GROUP_COUNT


def has_accounts() -> bool:
    return User.objects.exists()


def setup_code() -> str:
    """Return the code, in groups: "ABCDE-…". It depends on SECRET_KEY and on the time when the database was created."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT min(applied)::text FROM django_migrations")
        [created_at] = cursor.fetchone()
    digest = salted_hmac("league.setup", created_at, algorithm="sha256").digest()
    letters = b32encode(digest).decode()[:LETTER_COUNT]
    return "-".join(letters[start : start + 5] for start in range(0, LETTER_COUNT, 5))


def is_setup_code(text: str) -> bool:
    """Return whether the text is the setup code. Case, spaces and hyphens are ignored."""
    return compare_digest(_normalized_code(text), _normalized_code(setup_code()))


def _normalized_code(text: str) -> bytes:
    return "".join(text.upper().replace("-", " ").split()).encode()
