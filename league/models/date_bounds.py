"""Limits of dates that users type. A mistyped year would break calendars, pages of years and time zones."""

from __future__ import annotations

from datetime import date, datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

FIRST_DATE: Final = date(1900, 1, 1)
YEARS_AHEAD: Final = 10


def last_date() -> date:
    """Return the last date that users may type: today's date YEARS_AHEAD years later."""
    today = timezone.localdate()
    return today.replace(year=today.year + YEARS_AHEAD, day=min(today.day, 28 if today.month == 2 else 31))


def check_date(value: date | datetime) -> None:
    """Raise ValidationError if the date is not from FIRST_DATE to `last_date()`."""
    day = value.date() if isinstance(value, datetime) else value
    last = last_date()
    if not FIRST_DATE <= day <= last:
        message = _("%(given)s is not a date from %(first)s to %(last)s.")
        names = {"given": day.isoformat(), "first": FIRST_DATE.isoformat(), "last": last.isoformat()}
        raise ValidationError(message, code="date_out_of_bounds", params=names)
