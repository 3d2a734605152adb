"""Export of a club as a zip: a CSV file for each model, and `datapackage.json`, which describes each column.

The description follows the Tabular Data Package (Frictionless Standards, version 1). Rows are numbered from 1 in each
CSV file, and foreign keys are these numbers. The export of equal rows has equal bytes.
"""

from __future__ import annotations

import csv
import io
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import IO, Any, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.db.models import CharField, Field
from django.utils import translation
from pghistory.models import Context

from league.imports.queries.club_file.cells import format_cell, format_json, table_schema_type
from league.imports.queries.club_file.parts import FORMAT_NUMBER, PARTS, Part, club_player_ids, references
from league.imports.queries.club_file.scope import WHOLE_CLUB, FileScope
from league.models import Club, Evening
from league.operations.queries.snapshot import consistent_snapshot
from players.models import Player

DESCRIPTION_FILE_NAME: Final = "datapackage.json"
ACTS_NAME: Final = "acts"  # name of the CSV file with authors, times and reasons of changes
ACT_COLUMNS: Final = ("id", "created_at", "by", "reason")
HISTORY_COLUMNS: Final = ("of", "at", "what", "act")  # first columns of a history file
HISTORY_FIELDS: Final = ("pgh_obj", "pgh_created_at", "pgh_label", "pgh_context")  # fields for these columns
ACTOR_KEY: Final = "player"  # key in a Context's metadata: the player who made the change, if no login is known
IMPORTED_KEY: Final = "elsewhere"  # key in a Context's metadata: the change was imported, and its author is not known
CHUNK_ROWS: Final = 2000  # rows in memory at a time
ENTRY_TIMESTAMP: Final = (1980, 1, 1, 0, 0, 0)  # timestamp of all zip entries, so that equal rows give equal bytes

ID_COLUMN: Final = ({"name": "id", "type": "integer", "description": "the row's number in this file"},)
HISTORY_COLUMN_SCHEMAS: Final = (
    {"name": "of", "type": "integer", "description": "the row that changed; it may be gone"},
    {"name": "at", "type": "datetime", "description": "when"},
    {"name": "what", "type": "string", "description": "insert, update or delete"},
    {"name": "act", "type": "integer", "description": "by which act"},
)
ACTS_SCHEMA: Final = {
    "fields": [
        ID_COLUMN[0],
        {"name": "created_at", "type": "datetime", "description": "when"},
        {"name": "by", "type": "integer", "description": "who, of the people"},
        {"name": "reason", "type": "string", "description": "why"},
    ],
    "primaryKey": "id",
}

RowNumbers = dict[type, dict[int, int]]  # row numbers in the file, by model and id


def write_club_file(club: Club, file: IO[bytes], scope: FileScope = WHOLE_CLUB) -> None:
    with consistent_snapshot(), ZipFile(file, "w", ZIP_DEFLATED) as archive:
        _ClubFileWriter(club, archive, scope).write()


class _ClubFileWriter:
    def __init__(self, club: Club, archive: ZipFile, scope: FileScope) -> None:
        self.club = club
        self.scope = scope
        self.archive = archive
        self.player_ids = club_player_ids(club)
        self.numbers: RowNumbers = {}
        self.acts: dict[Any, int] = {}

    def write(self) -> None:
        self.archive.writestr(
            _zip_entry(DESCRIPTION_FILE_NAME), json.dumps(package_description(), indent=1, ensure_ascii=False)
        )
        for part in PARTS:
            self._write_table(part.name, part_columns(part), self._part_rows(part))
        self._number_deleted_rows()
        for part in PARTS:
            if part.history:
                self._write_table(history_name(part), history_columns(part), self._history_rows(part))
        self._write_table(ACTS_NAME, ACT_COLUMNS, self._act_rows())

    def _part_rows(self, part: Part) -> Iterator[list[str]]:
        numbers = self.numbers[part.model] = {}
        rows = self.scope.rows(part, self.club, self.player_ids).values_list(
            "pk", *(field.name for field in part.fields)
        )
        for pk, *values in rows.iterator(chunk_size=CHUNK_ROWS):
            numbers[pk] = len(numbers) + 1
            yield [str(numbers[pk]), *self._cells(part, part.fields, values)]

    def _cells(self, part: Part, fields: Iterable[Field[Any, Any]], values: Iterable[Any]) -> Iterator[str]:
        parents = references(part)
        for field, value in zip(fields, values, strict=True):
            if field.name in parents and value is not None:
                yield str(self.numbers[parents[field.name].model][value])
            elif field.name in self.scope.empty_fields and isinstance(field, CharField):
                yield ""
            elif field.name in part.evening_id_fields:
                yield format_json(replace_evening_ids(value, self.numbers[Evening]))
            else:
                yield format_cell(value)

    def _number_deleted_rows(self) -> None:
        """Give numbers to deleted rows, which occur only in the history. They follow the numbers of existing rows."""
        deleted_ids: dict[type, set[int]] = defaultdict(set)
        for part in PARTS:
            if part.history:
                referenced_models = {"pgh_obj": part.model} | {
                    name: parent.model for name, parent in references(part).items()
                }
                for ids in (
                    self.scope.history_rows(part, self.club).order_by().values_list(*referenced_models).distinct()
                ):
                    for model, pk in zip(referenced_models.values(), ids, strict=True):
                        if pk is not None and pk not in self.numbers[model]:
                            deleted_ids[model].add(pk)
        for model, ids in deleted_ids.items():
            numbers = self.numbers[model]
            numbers |= {pk: number for number, pk in enumerate(sorted(ids), len(numbers) + 1)}

    def _history_rows(self, part: Part) -> Iterator[list[str]]:
        fields = history_fields(part)
        events = self.scope.history_rows(part, self.club).values_list(
            *HISTORY_FIELDS, *(field.name for field in fields)
        )
        for row_id, time, event_name, act, *values in events.iterator(chunk_size=CHUNK_ROWS):
            number = None if act is None else self.acts.setdefault(act, len(self.acts) + 1)
            cells = self._cells(part, fields, values)
            yield [
                format_cell(self.numbers[part.model][row_id]),
                format_cell(time),
                event_name,
                format_cell(number),
                *cells,
            ]

    def _act_rows(self) -> Iterator[list[str]]:
        """Yield the rows of acts.csv: number, time, author (a player, not a login) and reason of each change."""
        users = dict(Player.objects.filter(pk__in=self.player_ids).exclude(user=None).values_list("user", "pk"))
        contexts = Context.objects.in_bulk(list(self.acts))
        for pk, number in self.acts.items():
            metadata = contexts[pk].metadata
            actor = self.numbers[Player].get(users.get(metadata.get("user"), metadata.get(ACTOR_KEY)))
            yield [
                format_cell(number),
                format_cell(contexts[pk].created_at),
                format_cell(actor),
                metadata.get("reason") or "",
            ]

    def _write_table(self, name: str, header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
        with (
            self.archive.open(_zip_entry(f"{name}.csv"), "w") as raw,
            io.TextIOWrapper(raw, encoding="utf-8", newline="") as text,
        ):
            table = csv.writer(text)  # with the line ends of RFC 4180
            table.writerow(header)
            table.writerows(rows)


def replace_evening_ids(value: Any, numbers: Mapping[int, int]) -> Any:
    """Return the JSON value (a dict by evening id, or a list of evening ids) with `numbers` instead of the ids."""
    if isinstance(value, dict):
        return {str(numbers[int(pk)]): entry for pk, entry in value.items()}
    return [numbers[pk] for pk in value]


def history_fields(part: Part) -> list[Field[Any, Any]]:
    """Return the fields of the part that the history rows of its model also have."""
    assert part.history is not None
    tracked = {field.name for field in part.history._meta.concrete_fields}
    return [field for field in part.fields if field.name in tracked]


def history_name(part: Part) -> str:
    return f"{part.name}_history"


def part_columns(part: Part) -> list[str]:
    return ["id", *(field.name for field in part.fields)]


def history_columns(part: Part) -> list[str]:
    return [*HISTORY_COLUMNS, *(field.name for field in history_fields(part))]


def package_description() -> dict[str, Any]:
    with translation.override("en"):
        resources = [_resource(part.name, part.description, _schema(part, part.fields, ID_COLUMN)) for part in PARTS]
        for part in PARTS:
            if part.history:
                text = f"How {part.name} changed: a row each time one was made, changed or taken away."
                resources.append(
                    _resource(history_name(part), text, _schema(part, history_fields(part), HISTORY_COLUMN_SCHEMAS))
                )
        resources.append(_resource(ACTS_NAME, "Who changed something, when and why.", ACTS_SCHEMA))
        return {"profile": "tabular-data-package", "name": "club", "format": FORMAT_NUMBER, "resources": resources}


def _resource(name: str, text: str, schema: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": name,
        "path": f"{name}.csv",
        "profile": "tabular-data-resource",
        "encoding": "utf-8",
        "description": text,
        "schema": schema,
    }


def _schema(part: Part, fields: Iterable[Field[Any, Any]], before: Sequence[Mapping[str, str]]) -> dict[str, Any]:
    parents = references(part)
    columns = [*before]
    keys = []
    for field in fields:
        column = {"name": field.name, "type": table_schema_type(field), "description": _field_description(part, field)}
        if field.name in parents:
            keys.append({"fields": field.name, "reference": {"resource": parents[field.name].name, "fields": "id"}})
        columns.append(column)
    schema: dict[str, Any] = {"fields": columns}
    if before is ID_COLUMN:
        schema |= {"primaryKey": "id", "foreignKeys": keys}
    return schema


def _field_description(part: Part, field: Field[Any, Any]) -> str:
    label = f"{field.verbose_name}"
    return f"{label} (computed)" if part.is_computed or field.name in part.computed_fields else label


def _zip_entry(name: str) -> ZipInfo:
    entry = ZipInfo(name, ENTRY_TIMESTAMP)
    entry.compress_type = ZIP_DEFLATED
    return entry
