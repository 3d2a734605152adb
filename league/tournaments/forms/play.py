"""Forms for the day of a tournament: the countdown, a round drawn by hand, and the results of a round."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4, uuid5

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from league.models import Table, Tournament, TournamentUnit
from league.models.table_limits import MAX_TABLE_DEALS, MAX_TABLE_POINTS
from league.sheets.queries.table_sums import PointsAndDeals
from league.tournaments.queries.playing_units import units_at
from league.web.numbers import parse_number
from scoring.game import Game
from scoring.phrases import message_text, refusal_text
from scoring.rules.errors import DoubtfulTotals, IllegalDeal

MAX_HAND_DRAW_LENGTH: Final = 4_000  # characters of a round drawn by hand
STALE_RESULT: Final = _("Someone else changed this table meanwhile. Open the page again to see it.")


class CountdownForm(forms.Form):
    """The buttons of the countdown of a round. `do` is the pressed button. The button "start" needs `minutes`."""

    MAX_MINUTES = 600
    EXTENSION_SECONDS = 300  # that the button "extend" adds

    minutes = forms.IntegerField(
        label=_("Minutes"),
        min_value=1,
        max_value=MAX_MINUTES,
        required=False,
        widget=forms.NumberInput(attrs={"class": "form-control clock-minutes"}),
    )
    do = forms.ChoiceField(choices=[(name, name) for name in ("start", "pause", "continue", "extend", "stop")])

    def __init__(self, data: Any = None, *, initial_minutes: int | None) -> None:
        super().__init__(data, initial={"minutes": initial_minutes or 40})

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        if values.get("do") == "start" and not values.get("minutes") and "minutes" not in self.errors:
            self.add_error("minutes", _("Say how many minutes the round has."))
        return values

    def next_clock_state(self, tournament: Tournament, now: datetime) -> tuple[int | None, bool]:
        """Return the new state of the countdown: the remaining seconds, and whether it is running.

        The seconds are None if there is no countdown. Call it only if the form is valid.
        """
        ends_at, paused = tournament.clock_ends_at, tournament.clock_left
        seconds_left = paused if ends_at is None else max(0, round((ends_at - now).total_seconds()))
        match self.cleaned_data["do"]:
            case "start":
                return 60 * self.cleaned_data["minutes"], True
            case "pause":
                return seconds_left, False
            case "continue":
                return seconds_left, seconds_left is not None
            case "extend":
                return min((seconds_left or 0) + self.EXTENSION_SECONDS, 60 * self.MAX_MINUTES), paused is None
        return None, False


class HandDrawForm(forms.Form):
    """A round drawn by hand: one table per line, as the numbers of its two units (players, pairs or teams): "3 7".

    A line with one number is a unit that sits the round out.
    """

    tables = forms.CharField(
        label=_("A table on each line, by the numbers of its units"),
        max_length=MAX_HAND_DRAW_LENGTH,
        widget=forms.Textarea(attrs={"rows": 12, "class": "numbers", "autocomplete": "off"}),
        help_text=_("For example “3 7” for the table of numbers 3 and 7. A number alone on its line rests."),
    )

    def __init__(self, data: Any = None, *, present: Mapping[int, TournamentUnit], **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.present = present
        self.pairs: list[tuple[TournamentUnit, TournamentUnit]] = []
        self.resting: list[TournamentUnit] = []

    def clean_tables(self) -> str:
        text: str = self.cleaned_data["tables"]
        seated_numbers: set[int] = set()
        for number, line in enumerate(text.splitlines(), 1):
            units = [
                self._find_unit(word, number, seated_numbers)
                for word in line.replace("-", " ").replace(",", " ").split()
            ]
            if len(units) == 2:
                self.pairs.append((units[0], units[1]))
            elif len(units) == 1:
                self.resting.append(units[0])
            elif units:
                raise forms.ValidationError(
                    _("Line %(line)s has %(count)s numbers. A table has two units."),
                    params={"line": number, "count": len(units)},
                )
        if missing := sorted(set(self.present) - seated_numbers):
            raise forms.ValidationError(
                _("These numbers are missing: %(numbers)s"), params={"numbers": ", ".join(map(str, missing))}
            )
        return text

    def _find_unit(self, word: str, line: int, seated_numbers: set[int]) -> TournamentUnit:
        number = parse_number(word, max_digits=5)
        unit = None if number is None else self.present.get(number)
        if unit is None or unit.number is None:
            raise forms.ValidationError(
                _("Line %(line)s: “%(word)s” is not the number of a unit that is here."),
                params={"line": line, "word": word[:20]},
            )
        if unit.number in seated_numbers:
            raise forms.ValidationError(
                _("Line %(line)s: number %(number)s has a table already."),
                params={"line": line, "number": unit.number},
            )
        seated_numbers.add(unit.number)
        return unit


class SheetSide(NamedTuple):
    """The seats of partners, or the seat of a single player, with one total. `title` is the label of the total's form
    field, and `field` the name of this field.
    """

    seats: Sequence[int]
    title: str
    field: str


class Sheet:
    """The score sheet of a table in RoundResultsForm: names of its fields, and its bound fields for the template.

    `has_deals`: deals are recorded at the table, so the row has no fields.
    """

    def __init__(
        self, form: RoundResultsForm, table: Table, sides: Sequence[SheetSide], units: Sequence[TournamentUnit]
    ) -> None:
        self.form, self.table, self.sides, self.units = form, table, sides, units
        self.field_deals = f"deals_{table.pk}"
        self.field_absent = f"absent_{table.pk}"
        self.field_seen_absent = f"seen_absent_{table.pk}"
        self.field_confirmed_totals = f"sure_{table.pk}"
        self.field_version = f"version_{table.pk}"
        self.has_deals = table.recorded > 0

    @property
    def absent_unit_ids(self) -> list[int]:
        return [forfeit.unit_id for forfeit in self.table.forfeits.all()]

    @property
    def absent_numbers(self) -> list[int | None]:
        absent_unit_ids = self.absent_unit_ids
        return [unit.number for unit in self.units if unit.pk in absent_unit_ids]

    @property
    def lacks_result(self) -> bool:
        return not self.table.complete and not self.absent_unit_ids

    @property
    def number_fields(self) -> list[forms.BoundField]:
        """The fields for the totals, and for the number of deals unless the tournament has a fixed number."""
        names = [*(side.field for side in self.sides), self.field_deals]
        return [self.form[name] for name in names if name in self.form.fields]

    @property
    def absent_units(self) -> forms.BoundField:
        return self.form[self.field_absent]

    @property
    def hidden_fields(self) -> list[forms.BoundField]:
        return [self.form[name] for name in (self.field_confirmed_totals, self.field_version, self.field_seen_absent)]


class ResultEntry(NamedTuple):
    """A changed result of a table: the totals by seat number (None if the totals are not filled in), and the ids
    of absent units.

    A unit is a player, pair or team. `seen_version` is the version of the table that the user saw.
    """

    sheet: Sheet
    totals: Mapping[int, PointsAndDeals] | None
    absent_unit_ids: Sequence[int]
    seen_version: int


class RoundResultsForm(forms.Form):
    """The results of all tables of a round. Rows that the user did not change are not stored.

    `by_player` maps player ids to units (players, pairs or teams). `entries` are the changed results, after validation.
    """

    client_key = forms.UUIDField(widget=forms.HiddenInput)
    confirmed = forms.CharField(widget=forms.HiddenInput, required=False)

    def __init__(
        self,
        data: Any = None,
        *,
        tables: Sequence[Table],
        by_player: Mapping[int, TournamentUnit],
        game: Game,
        tournament: Tournament,
        house_rules: Mapping[str, Any],
    ) -> None:
        super().__init__(data, initial={"client_key": uuid4()})
        self.game, self.tournament = game, tournament
        self.options = game.rules.read_options(house_rules)
        self.sheets = [self._build_sheet(table, by_player) for table in tables]
        first_open = next((sheet for sheet in self.sheets if sheet.lacks_result and not sheet.has_deals), None)
        if first_open is not None and not self.is_bound:
            self.fields[first_open.sides[0].field].widget.attrs["autofocus"] = True
        self.entries: list[ResultEntry] = []

    def _build_sheet(self, table: Table, by_player: Mapping[int, TournamentUnit]) -> Sheet:
        seats = list(table.seats.all())
        units = units_at(table, by_player)
        sides = []
        for number, side in enumerate(self.game.rules.sides(table.size, self.options)):
            title = " – ".join(str(seat.player) for seat in seats if seat.number in side)
            unit = by_player.get(next(seat.player_id for seat in seats if seat.number == side[0]))
            sides.append(
                SheetSide(tuple(side), f"{unit.number}. {title}" if unit else title, f"total_{table.pk}_{number}")
            )
        sheet = Sheet(self, table, sides, units)
        if not sheet.has_deals:
            self._add_fields(sheet)
        return sheet

    def _add_fields(self, sheet: Sheet) -> None:
        seats_by_number = {seat.number: seat for seat in sheet.table.seats.all()}
        numeric = {"inputmode": "numeric", "autocomplete": "off", "class": "form-control total"}
        for side in sheet.sides:
            self.fields[side.field] = forms.IntegerField(
                label=side.title,
                required=False,
                min_value=-MAX_TABLE_POINTS,
                max_value=MAX_TABLE_POINTS,
                widget=forms.TextInput(attrs=numeric),
            )
            self.initial[side.field] = seats_by_number[side.seats[0]].written
        if not self.tournament.deals:
            self.fields[sheet.field_deals] = forms.IntegerField(
                label=_("Deals"),
                required=False,
                min_value=1,
                max_value=MAX_TABLE_DEALS,
                widget=forms.TextInput(attrs={**numeric, "class": "form-control deals"}),
            )
            self.initial[sheet.field_deals] = sheet.table.deals or None
        self.fields[sheet.field_absent] = forms.TypedMultipleChoiceField(
            label=_("Absent"),
            required=False,
            coerce=int,
            choices=[(unit.pk, unit.number) for unit in sheet.units],
            widget=forms.CheckboxSelectMultiple,
        )
        self.initial[sheet.field_absent] = sheet.absent_unit_ids
        self.fields[sheet.field_seen_absent] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.initial[sheet.field_seen_absent] = _join_ids(sheet.absent_unit_ids)
        self.fields[sheet.field_confirmed_totals] = forms.CharField(required=False, widget=forms.HiddenInput)
        self.fields[sheet.field_version] = forms.IntegerField(required=False, widget=forms.HiddenInput)
        self.initial[sheet.field_version] = sheet.table.version

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or self.cleaned_data
        for sheet in self.sheets:
            if sheet.has_deals:
                self._refuse_totals(sheet)
            elif self._is_changed(sheet):
                self._clean_sheet(sheet, values)
        return values

    def _refuse_totals(self, sheet: Sheet) -> None:
        """Add an error if totals were typed for a table whose deals another user has recorded meanwhile."""
        if totals := [text for side in sheet.sides if (text := self.data.get(side.field))]:
            error = _(
                "Table %(table)s has deals now, so its totals are not stored: %(totals)s. Store the others again."
            )
            self.add_error(None, error % {"table": sheet.table.number, "totals": ", ".join(totals)[:100]})

    def _is_changed(self, sheet: Sheet) -> bool:
        names = [*(side.field for side in sheet.sides), sheet.field_deals, sheet.field_absent]
        return bool(set(names) & set(self.changed_data))

    def _clean_sheet(self, sheet: Sheet, values: Mapping[str, Any]) -> None:
        absent = values.get(sheet.field_absent) or []
        seen_absent = values.get(sheet.field_seen_absent, "")
        if _join_ids(absent) == seen_absent:
            absent = sheet.absent_unit_ids  # unchanged by this user; another user may have changed it
        elif seen_absent != _join_ids(sheet.absent_unit_ids):
            self.add_error(sheet.sides[0].field, STALE_RESULT)
            return
        seen_version = values.get(sheet.field_version) or 0
        typed_totals = {side: values.get(side.field) for side in sheet.sides}
        if any(side.field in self.errors for side in sheet.sides):
            return
        if not any(total is not None for total in typed_totals.values()):
            if set(absent) != set(sheet.absent_unit_ids):
                self.entries.append(ResultEntry(sheet, None, absent, seen_version))
            elif seen_version != sheet.table.version:
                if seen_version:  # else the user saw a table without totals, and typed none
                    self.add_error(sheet.sides[0].field, STALE_RESULT)
            elif any(seat.written is not None for seat in sheet.table.seats.all()):
                self.add_error(sheet.sides[0].field, _("A stored total can be changed, not deleted."))
            return
        for side, total in typed_totals.items():
            if total is None:
                self.add_error(side.field, _("The total of this side is missing."))
                return
        totals = {seat: total for side, total in typed_totals.items() if total is not None for seat in side.seats}
        deals = self.tournament.deals or values.get(sheet.field_deals)
        if self._check_totals(sheet, [totals[seat] for seat in sorted(totals)], deals or 0, values):
            sums = {seat: PointsAndDeals(total, deals or 1) for seat, total in totals.items()}
            self.entries.append(ResultEntry(sheet, sums, absent, seen_version))

    def _sum_warning(self, sheet: Sheet, totals: Sequence[int], deals: int) -> str:
        """Return a warning, in words, if the sum of all totals of a table is unlikely in this game; else ""."""
        if not deals:
            return ""
        total = sum(totals[side.seats[0]] for side in sheet.sides)
        error = self.game.paper_errors.sum_error(total, deals, self.options)
        return message_text(self.game, *error, ()) if error else ""

    def _check_totals(self, sheet: Sheet, totals: Sequence[int], deals: int, values: Mapping[str, Any]) -> bool:
        """Return whether the totals of a table can be stored; add an error if not. `values` are the form's data.

        Unlikely totals are refused the first time. The page then has them in a hidden field. If the user sends the same
        totals again, they are accepted.
        """
        try:
            self.game.rules.check_totals(totals, deals, self.options)
            words = self._sum_warning(sheet, totals, deals)
        except DoubtfulTotals as doubtful:
            words = refusal_text(self.game, doubtful, ())
        except IllegalDeal as illegal:
            self.add_error(sheet.sides[0].field, refusal_text(self.game, illegal, [""] * len(totals)))
            return False
        typed = f"{','.join(map(str, totals))}/{deals}"
        if not words or values.get(sheet.field_confirmed_totals) == typed:
            return True
        self.set_hidden_values(**{sheet.field_confirmed_totals: typed})
        self.add_error(sheet.sides[0].field, words)
        self.add_error(sheet.sides[0].field, _("Store it again if the sheet says so."))
        return False

    @property
    def has_absences(self) -> bool:
        """Whether the field for absent units (players, pairs or teams) of any table has a value."""
        return any(sheet.absent_units.value() for sheet in self.sheets if not sheet.has_deals)

    def set_hidden_values(self, **hidden: str) -> None:
        """Set values of hidden fields, by field name, for the page that shows the sent form again."""
        data = QueryDict(mutable=True)
        data.update(self.data)
        for name, value in hidden.items():
            data[name] = value
        self.data = data

    def table_client_key(self, sheet: Sheet) -> UUID:
        """Return the idempotency key of the write to one table. The form must be valid."""
        return uuid5(self.cleaned_data["client_key"], str(sheet.table.pk))

    @property
    def corrections(self) -> list[ResultEntry]:
        """The changed results of tables that already had a result. Read it only if the form is valid."""
        return [entry for entry in self.entries if entry.sheet.table.complete or entry.sheet.absent_unit_ids]

    @property
    def digest(self) -> str:
        """A digest of `corrections`. The user confirms the corrections by sending it back."""
        numbers = [
            (entry.sheet.table.pk, sorted((entry.totals or {}).items()), entry.absent_unit_ids)
            for entry in self.corrections
        ]
        return sha256(repr(numbers).encode()).hexdigest()[:16]


def _join_ids(ids: Iterable[int]) -> str:
    return ",".join(map(str, sorted(ids)))
