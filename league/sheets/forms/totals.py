"""Forms for the totals of a score sheet: of a table without deals, or the totals on the paper of recorded deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Seat, Table
from league.models.table_limits import MAX_TABLE_DEALS, MAX_TABLE_POINTS
from league.sheets.forms.sheet_write import SheetWriteForm
from league.sheets.queries.deal_scores import deals_per_table
from league.sheets.queries.table_sums import PointsAndDeals
from league.sheets.queries.totals_check import sums_by_seat, totals_fingerprint, totals_questions
from scoring.game import Game
from scoring.phrases import refusal_text
from scoring.rules.errors import IllegalDeal


class TotalsForm(SheetWriteForm):
    """The totals of a table.

    If the totals are possible but unusual, `questions` has sentences about them, and the form is invalid until the user
    confirms the totals. The button for this sends the form again, with `fingerprint` in the field `confirmed`.
    """

    deals = forms.IntegerField(
        label=_("Number of deals"),
        min_value=1,
        max_value=MAX_TABLE_DEALS,
        widget=forms.NumberInput({"inputmode": "numeric"}),
    )

    def __init__(self, data: Any = None, *, table: Table, seats: Sequence[Seat], game: Game, **kwargs: Any) -> None:
        super().__init__(data, seen_version=table.version, **kwargs)
        self.table, self.seats, self.game = table, seats, game
        self.questions: list[str] = []
        self.initial["deals"] = table.deals or deals_per_table(table, table.round.evening.season)
        for seat in seats:
            self.fields[f"seat_{seat.number}"] = forms.IntegerField(
                label=str(seat.player), min_value=-MAX_TABLE_POINTS, max_value=MAX_TABLE_POINTS
            )
            self.initial[f"seat_{seat.number}"] = seat.written
        self.order_fields([*(f"seat_{seat.number}" for seat in seats), "deals", "reason"])

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return cleaned
        try:
            self.questions = totals_questions(self.table, self._totals, cleaned["deals"])
        except IllegalDeal as illegal:
            seat = illegal.field.partition(".")[2]
            names = [str(seat.player) for seat in self.seats]
            self.add_error(f"seat_{seat}" if seat else None, refusal_text(self.game, illegal, names))
            return cleaned
        if self.data.get("confirmed") == self.fingerprint:
            self.questions = []
        return cleaned

    def is_valid(self) -> bool:
        return super().is_valid() and not self.questions

    @property
    def fingerprint(self) -> str:
        """Return the entered totals and the number of deals as text. Call it only if the form has no errors.

        A confirmation is valid for this text only. For other totals the questions are asked again.
        """
        return totals_fingerprint(self._totals, self.cleaned_data["deals"])

    @property
    def _totals(self) -> list[int]:
        return [self.cleaned_data[f"seat_{seat.number}"] for seat in self.seats]

    def show_stored_totals(self, current: Table) -> None:
        """Show another user's totals, as an error at each seat. If the form is sent again, it overwrites them."""
        self.set_seen_version(current.version)
        for seat in current.seats.all():
            stored = _("Current total: %(points)s") % {"points": seat.written}
            self.add_error(f"seat_{seat.number}", _("No total is stored yet.") if seat.written is None else stored)

    @property
    def totals_by_seat(self) -> dict[int, PointsAndDeals]:
        """Return points and number of deals by seat number. Call it only if the form is valid."""
        return sums_by_seat(self.table, self._totals, self.cleaned_data["deals"])


class PaperTotalsForm(forms.Form):
    """The totals on the paper score sheet, for a comparison with the recorded deals. Empty fields are allowed."""

    def __init__(self, data: Any = None, *, seats: Sequence[Seat]) -> None:
        super().__init__(data)
        self.seats = seats
        for seat in seats:
            self.fields[f"written_{seat.number}"] = forms.IntegerField(
                label=_("%(name)s: total on the paper") % {"name": seat.player},
                required=False,
                min_value=-MAX_TABLE_POINTS,
                max_value=MAX_TABLE_POINTS,
                widget=forms.TextInput(
                    {"class": "form-control cell", "size": 5, "autocomplete": "off", "form": "grid-paper"}
                ),
            )
            self.initial[f"written_{seat.number}"] = seat.sheet_total

    @property
    def totals(self) -> list[int | None]:
        """Return the totals by seat; None for an empty or invalid field. An unbound form has the stored totals."""
        if not self.is_bound:
            return [self.initial[name] for name in self.fields]
        self.full_clean()
        return [self.cleaned_data.get(name) for name in self.fields]

    @property
    def totals_by_seat(self) -> dict[int, int | None]:
        """Return the sent totals by seat number. Call it only if the form is valid."""
        sent = [seat.number for seat in self.seats if f"written_{seat.number}" in self.data]
        return {number: self.cleaned_data[f"written_{number}"] for number in sent}
