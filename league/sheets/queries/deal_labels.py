"""A text that locates a deal, such as table and round, for pages and emails about several deals."""

from __future__ import annotations

from django.utils.translation import gettext as _


def deal_label(number: int | None, table: int, round_number: int, day: str) -> str:
    """Return a text such as "Deal 3 of table 2, round 1, 5 May".

    `number` is None for a voided deal; `day` is a text.
    """
    words = {"number": number, "table": table, "round": round_number, "day": day}
    if number is None:
        return _("A deal of table %(table)s, round %(round)s, %(day)s") % words
    return _("Deal %(number)s of table %(table)s, round %(round)s, %(day)s") % words
