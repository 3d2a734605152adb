"""Further checks of the values in a club file (a zip of CSV files): values that no page or form could store.

Values that depend on the game of the season are checked after storing (`league/actions/club_import.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from itertools import islice
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db.models import CharField, Field
from django.utils.translation import gettext as _

from league.imports.queries.club_file.cells import is_array_of_numbers
from league.imports.queries.club_file.export import ACTS_NAME, history_fields, history_name
from league.imports.queries.club_file.parts import PARTS, Part
from league.imports.queries.club_file.reading import MAX_FAULTS, ClubFile
from league.models.date_bounds import check_date
from league.models.table_limits import MAX_TABLE_DEALS, MAX_TABLE_POINTS
from league.models.tournament_preset import are_preset_values
from league.standings.extras import EXTRAS
from league.standings.tie_breaks import TIE_BREAKS

MAX_CHANGES: Final = 1_000_000_000  # changes of a row; each change adds one to its version

# By name of the part and of the field: the lowest and the highest allowed value.
VALUE_BOUNDS: Final[Mapping[tuple[str, str], tuple[int, int]]] = {
    ("adjustments", "points"): (-1_000_000, 1_000_000),
    ("deals", "version"): (0, MAX_CHANGES),
    ("rests", "points"): (-MAX_TABLE_POINTS, MAX_TABLE_POINTS),
    ("rests", "written"): (-MAX_TABLE_POINTS, MAX_TABLE_POINTS),
    ("rests", "deals"): (0, MAX_TABLE_DEALS),
    ("seats", "paper"): (-MAX_TABLE_POINTS, MAX_TABLE_POINTS),
    ("seats", "written"): (-MAX_TABLE_POINTS, MAX_TABLE_POINTS),
    ("seats", "written_deals"): (0, MAX_TABLE_DEALS),
    ("seasons", "end_number"): (1, MAX_TABLE_POINTS),
    ("standings", "rank"): (1, 2**31 - 1),
    ("tables", "version"): (0, MAX_CHANGES),
}


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_whole_number(value: object) -> bool:
    return type(value) is int


def _are_worths(value: object) -> bool:
    """Return whether the value is like `Standing.worth`: numbers, or (numerator, denominator), by evening."""
    return isinstance(value, dict) and all(
        _is_whole_number(worth) or (is_array_of_numbers(worth) and len(worth) == 2 and worth[1] > 0)
        for worth in value.values()
    )


def _are_extras(value: object) -> bool:
    """Return whether the value is like `Standing.extras`: points by the name of the rule."""
    return isinstance(value, dict) and all(
        name in EXTRAS and _is_whole_number(points) for name, points in value.items()
    )


def _is_tie_break(value: object) -> bool:
    return value == "" or value in TIE_BREAKS


# By name of the part and of the field: a function that returns whether the JSON or text is like the stored values.
SHAPE_CHECKS: Final[Mapping[tuple[str, str], Callable[[object], bool]]] = {
    ("deals", "facts"): _is_object,
    ("evenings", "kept_house_rules"): _is_object,
    ("house_rules_changes", "after"): _is_object,
    ("house_rules_changes", "before"): _is_object,
    ("rules_drafts", "rules"): _is_object,
    ("seasons", "house_rules"): _is_object,
    ("seasons", "standings_rules"): _is_object,
    ("standings", "counted"): is_array_of_numbers,
    ("standings", "dropped"): is_array_of_numbers,
    ("standings", "extras"): _are_extras,
    ("standings", "tie_break"): _is_tie_break,
    ("standings", "worth"): _are_worths,
    ("tournament_presets", "values"): are_preset_values,
}


def row_faults(file: ClubFile) -> list[str]:
    """Return the first MAX_FAULTS errors, as sentences that name file, row and column."""
    return list(islice(_all_faults(file), MAX_FAULTS))


def _all_faults(file: ClubFile) -> Iterator[str]:
    for part in PARTS:
        if part.is_computed:
            continue
        for line, row in enumerate(file.rows[part.name], 2):
            yield from _row_faults(part, part.name, line, part.fields, row.values)
    for part in PARTS:
        if part.history:
            for line, change in enumerate(file.history[part.name], 2):
                yield from _row_faults(part, history_name(part), line, history_fields(part), change.values)
                if problem := _date_problem(change.time):
                    yield _fault_text(history_name(part), line, "at", problem)
    for line, act in enumerate(file.acts, 2):
        if problem := _date_problem(act.time):
            yield _fault_text(ACTS_NAME, line, "created_at", problem)


def _row_faults(
    part: Part, table: str, line: int, fields: list[Field[Any, Any]], values: Mapping[str, Any]
) -> Iterator[str]:
    for field in fields:
        value = values[field.name]
        if value is not None and (problem := _value_problem(part.name, field, value)):
            yield _fault_text(table, line, field.name, problem)


def _value_problem(part: str, field: Field[Any, Any], value: Any) -> str:
    key = (part, field.name)
    if key in VALUE_BOUNDS:
        minimum, maximum = VALUE_BOUNDS[key]
        if not minimum <= value <= maximum:
            numbers = {"given": value, "least": f"{minimum:,}", "most": f"{maximum:,}"}
            return _("it has to be from %(least)s to %(most)s (%(given)s)") % numbers
    if key in SHAPE_CHECKS and not SHAPE_CHECKS[key](value):
        return _("no season has such a value (%(given)s)") % {"given": str(value)[:40]}
    if isinstance(field, CharField) and not field.blank and not value.strip():
        return _("there has to be a value")
    return ""


def _date_problem(value: datetime) -> str:
    try:
        check_date(value)
    except ValidationError as error:
        return " ".join(error.messages)
    return ""


def _fault_text(table: str, line: int, column: str, problem: str) -> str:
    return f"{table}.csv · {_('row %(number)s') % {'number': line}} · {column}: {problem}"
