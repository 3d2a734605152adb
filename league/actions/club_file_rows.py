"""Storing the rows of a club file, a zip of CSV files with all facts of a club.

The rows of a file refer to each other by numbers; these are replaced by ids of the database.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from uuid import uuid4

from django.db import connection
from django.db.models import Field, Model, Prefetch, QuerySet
from django.utils.translation import gettext as _
from pghistory.models import Context
from psycopg import sql

from league.imports.queries.club_file.export import ACTOR_KEY, IMPORTED_KEY, history_fields, replace_evening_ids
from league.imports.queries.club_file.parts import Part, references
from league.imports.queries.club_file.reading import ClubFile, HistoryRow, UnreadableFile
from league.models import Club, Deal, Evening, Table
from league.sheets.queries.deal_scores import check_rests
from players.models import Player
from scoring import registry
from scoring.game import Game
from scoring.phrases import refusal_text
from scoring.rules.errors import DoubtfulTotals, IllegalDeal

FieldValues = Mapping[str, Any]  # by field name


class RowWriter:
    """Stores rows of a club file (a zip of CSV files).

    `ids` maps a model and the number of a row in the file to the id in the database.
    """

    def __init__(self, file: ClubFile) -> None:
        self.file = file
        self.ids: dict[type[Model], dict[int, int]] = {}

    def column_values(self, part: Part, fields: list[Field[Any, Any]], values: FieldValues) -> dict[str, Any]:
        """Return the row's values by column name. Numbers of other rows are replaced by ids of the database."""
        parents = references(part)
        columns: dict[str, Any] = {}
        for field in fields:
            value = values[field.name]
            if field.name in parents and value is not None:
                value = self.ids[parents[field.name].model][value]
            elif field.name in part.evening_id_fields:
                value = self._replace_evening_numbers(part, value)
            columns[field.attname] = value
        if part.to_club == "club":
            [columns["club_id"]] = self.ids[Club].values()
        return columns

    def _replace_evening_numbers(self, part: Part, value: object) -> Any:
        try:
            return replace_evening_ids(value, self.ids[Evening])
        except (KeyError, TypeError, ValueError):
            raise UnreadableFile([_("%(name)s.csv names evenings that are not there.") % {"name": part.name}]) from None

    def derived_values(self, model: type[Model], values: FieldValues) -> dict[str, Any]:
        """Return values of columns that the imported file does not have, by name, for the row with these `values`."""
        return {"client_key": uuid4()} if model is Deal else {}

    def write_acts(self) -> dict[int, object]:
        """Store the acts (author, time and reason of changes) as history contexts; return their ids by act number."""
        ids = {act.number: uuid4() for act in self.file.acts}
        people = self.ids[Player]
        rows = []
        for act in self.file.acts:
            author = None if act.player is None else people.get(act.player)
            metadata = ({"reason": act.reason} if act.reason else {}) | (
                {ACTOR_KEY: author} if author else {IMPORTED_KEY: True}
            )
            rows.append({"id": ids[act.number], "created_at": act.time, "updated_at": act.time, "metadata": metadata})
        store_rows(Context, rows)
        return dict(ids)

    def assign_ids_to_deleted_rows(self, parts: Iterable[Part]) -> None:
        """Give new ids to rows that occur only in the history, since they were deleted before the export."""
        gone: dict[type[Model], set[int]] = defaultdict(set)
        for part in parts:
            if part.history:
                parents = {name: parent.model for name, parent in references(part).items()}
                for row in self.file.history[part.name]:
                    gone[part.model].add(row.row_number)
                    for name in row.values.keys() & parents.keys():
                        if row.values[name] is not None:
                            gone[parents[name]].add(row.values[name])
        for model, numbers in gone.items():
            unknown = sorted(numbers - self.ids[model].keys())
            self.ids[model].update(zip(unknown, new_ids(model, len(unknown)), strict=True))

    def store_history_rows(self, part: Part, rows: Iterable[HistoryRow], acts: Mapping[int, object]) -> None:
        history = part.history
        assert history is not None
        fields, columns = history_fields(part), {field.attname for field in history._meta.concrete_fields}
        filled = []
        for row in rows:
            pk = self.ids[part.model][row.row_number]
            act = None if row.act is None else acts[row.act]
            event = {
                "pgh_created_at": row.time,
                "pgh_label": row.event,
                "pgh_obj_id": pk,
                "pgh_context_id": act,
                "id": pk,
            }
            values = self.column_values(part, fields, row.values)
            derived = {
                name: value for name, value in self.derived_values(part.model, values).items() if name in columns
            }
            filled.append({**values, **derived, **event})
        store_rows(history, filled)


def new_ids(model: type[Model], count: int) -> list[int]:
    """Reserve `count` ids of the model's sequence, and return them in ascending order."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return sorted(pk for (pk,) in cursor.fetchall())


def store_rows(model: type[Model], rows: list[dict[str, Any]]) -> None:
    """Insert rows (values by column name) with COPY.

    A missing column gets the model's default. `auto_now` fields get the given values.
    """
    if not rows:
        return
    stored = [field for field in model._meta.concrete_fields if not field.generated]
    fields = [field for field in stored if field.attname in rows[0] or not field.primary_key]
    copy_in = _COPY_STATEMENT.format(
        sql.Identifier(model._meta.db_table), sql.SQL(", ").join(sql.Identifier(str(field.column)) for field in fields)
    )
    with connection.wrap_database_errors, connection.cursor() as cursor, cursor.copy(copy_in) as copy:
        for row in rows:
            values = [
                row[column_field.attname] if column_field.attname in row else column_field.get_default()
                for column_field in fields
            ]
            copy.write_row(
                [
                    column_field.get_db_prep_save(value, connection)
                    for column_field, value in zip(fields, values, strict=True)
                ]
            )


_COPY_STATEMENT = sql.SQL("COPY {} ({}) FROM STDIN")


def table_faults(game: Game, tables: QuerySet[Table, Table]) -> Iterator[str]:
    """Yield a sentence for each error in the seats, deals or totals of the tables that no database constraint finds.

    `game` is the game of all these tables.
    """
    rules = game.rules
    defaults = rules.read_options(game.definition)
    deals = Prefetch("dealt", Deal.objects.not_voided().order_by("number"))
    tables = tables.select_related("round__evening__season")
    for table in tables.prefetch_related("seats__player", deals):
        table_label = f"{table.round.evening.date:%Y-%m-%d} · {table.round.number} · {table.number}"
        seats = [(seat.number, seat.round_id) for seat in table.seats.all()]
        if seats != [(number, table.round_id) for number in range(table.size)]:
            yield _("%(table)s: a table has its seats, from 0, in its own round") % {"table": table_label}
            continue
        yield from _size_and_total_faults(game, defaults, table, table_label)
        if [deal.number for deal in table.dealt.all()] != list(range(1, len(table.dealt.all()) + 1)):
            yield _("%(table)s: deals are numbered from 1, without a gap") % {"table": table_label}
        for deal in table.dealt.all():
            deal.table = table
            try:
                check_rests(deal)
                rules.play(table.players_of_deal, deal.facts, _read_options(table.round.evening))
            except IllegalDeal as illegal:
                names = [str(seat.player) for seat in table.seats.all() if seat.number not in deal.rests]
                yield f"{table_label} · {deal.number}: {illegal.field}: {refusal_text(game, illegal, names)}"


def _read_options(evening: Evening) -> Any:
    """Return the options for an evening's house rules, or the defaults if they can't be read."""
    rules = registry.rules(evening.season.game)
    try:
        return rules.read_options(evening.house_rules)
    except IllegalDeal:
        return rules.read_options({})


def _size_and_total_faults(game: Game, options: Any, table: Table, table_label: str) -> Iterator[str]:
    """Yield a sentence for a table size that the game does not have, or for wrong totals."""
    seats = list(table.seats.all())
    if table.size not in game.sizes or (table.one_rests and not game.may_rest):
        words = _("%(table)s: %(given)s players: a table of this game has %(sizes)s.")
        yield words % {"table": table_label, "given": table.size, "sizes": ", ".join(map(str, game.sizes))}
        return
    totals = [seat.written for seat in seats if seat.written is not None]
    if not table.dealt.all() and len(totals) == len(seats):
        try:
            game.rules.check_totals(totals, max(seat.written_deals or 0 for seat in seats), options)
        except DoubtfulTotals:
            return  # a user confirmed these totals when they were entered
        except IllegalDeal as illegal:
            yield f"{table_label}: {illegal.field}: {refusal_text(game, illegal, [str(seat.player) for seat in seats])}"
