"""Where a deal was played, in words, for pages and letters that are not the deal's own."""

from __future__ import annotations

from django.utils.translation import gettext as _


def deal_place(number: int | None, table: int, round_number: int, day: str) -> str:
    """Return it with its number; a voided deal has none."""
    said = {"number": number, "table": table, "round": round_number, "day": day}
    if number is None:
        return _("A deal of table %(table)s, round %(round)s, %(day)s") % said
    return _("Deal %(number)s of table %(table)s, round %(round)s, %(day)s") % said
