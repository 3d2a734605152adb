from __future__ import annotations

from datetime import date
from typing import Annotated

from django.core.exceptions import ValidationError
from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from league.models.date_bounds import check_date


def _bounded(value: date) -> date:
    try:
        check_date(value)
    except ValidationError as refused:
        raise PydanticCustomError("date_out_of_bounds", "{problem}", {"problem": refused.messages[0]}) from None
    return value


AskedDate = Annotated[date, AfterValidator(_bounded)]
