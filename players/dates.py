"""Formatting of dates. French writes the first day of a month as "1er", which Django's date formats do not support."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Final

from django.utils import formats
from django.utils.translation import get_language

_FIRST_DAY: Final = re.compile(r"(?<!\d)1(?= [^\W\d_])")  # the day before its month: "1 décembre", never "1 h 30"


def date_format(value: Any, format: str | None = None, use_l10n: bool | None = None) -> str:  # noqa: A002
    return with_french_first_day(value, formats.date_format(value, format, use_l10n))


def with_french_first_day(value: object, text: str) -> str:
    """Return `text`, the formatted date `value`. In French, the first day of a month is replaced by "1er"."""
    if isinstance(value, date) and value.day == 1 and (get_language() or "").startswith("fr"):
        return _FIRST_DAY.sub("1er", text, count=1)
    return text
