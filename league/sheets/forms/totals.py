"""Forms for the totals of a sheet: of a table without deals, or the paper's totals of recorded deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Seat, Table
from league.models.table import MAX_POINTS
from league.sheets.forms.desk import DeskForm
from league.sheets.queries.deal_scores import deals_per_table
from league.sheets.queries.table_sums import PointsAndDeals
from league.sheets.queries.totals_check import sums_by_seat, totals_fingerprint, totals_questions
from scoring.game import Game
from scoring.phrases import refusal
from scoring.rules.errors import IllegalDeal


class TotalsForm(DeskForm):
    """Totals that are possible but unusual raise `questions`; the form is valid once it is sent with its `fingerprint`.

    The button that answers the questions sends the fingerprint as `confirmed`.
    """

    deals = forms.IntegerField(
        label=_("Number of deals"), min_value=1, max_value=200, widget=forms.NumberInput({"inputmode": "numeric"})
    )

    def __init__(self, data: Any = None, *, table: Table, seats: Sequence[Seat], game: Game, **kwargs: Any) -> None:
        super().__init__(data, seen_version=table.version, **kwargs)
        self.table, self.seats, self.game = table, seats, game
        self.questions: list[str] = []
        self.initial["deals"] = table.deals or deals_per_table(table, table.round.evening.season)
        for seat in seats:
            self.fields[f"seat_{seat.number}"] = forms.IntegerField(
                label=str(seat.player), min_value=-MAX_POINTS, max_value=MAX_POINTS
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
            self.add_error(f"seat_{seat}" if seat else None, refusal(self.game, illegal, names))
            return cleaned
        if self.data.get("confirmed") == self.fingerprint:
            self.questions = []
        return cleaned

    def is_valid(self) -> bool:
        return super().is_valid() and not self.questions

    @property
    def fingerprint(self) -> str:
        """Return the entered totals and the number of deals as text. Call it only if the form has no errors.

        The user confirms the form's questions for this text only: for other totals they are asked again.
        """
        return totals_fingerprint(self._totals, self.cleaned_data["deals"])

    @property
    def _totals(self) -> list[int]:
        return [self.cleaned_data[f"seat_{seat.number}"] for seat in self.seats]

    def show_current(self, current: Table) -> None:
        self.set_seen_version(current.version)
        for seat in current.seats.all():
            self.add_error(f"seat_{seat.number}", _("Current total: %(points)s") % {"points": seat.written})

    @property
    def totals_by_seat(self) -> dict[int, PointsAndDeals]:
        """Return points and deals by seat number. Call it only if the form is valid."""
        return sums_by_seat(self.table, self._totals, self.cleaned_data["deals"])


class PaperTotalsForm(forms.Form):
    def __init__(self, data: Any = None, *, seats: Sequence[Seat]) -> None:
        super().__init__(data)
        self.seats = seats
        for seat in seats:
            self.fields[f"written_{seat.number}"] = forms.IntegerField(
                label=_("%(name)s: total on the paper") % {"name": seat.player},
                required=False,
                min_value=-MAX_POINTS,
                max_value=MAX_POINTS,
                widget=forms.TextInput(
                    {"class": "form-control cell", "size": 5, "autocomplete": "off", "form": "grid-paper"}
                ),
            )
            self.initial[f"written_{seat.number}"] = seat.on_paper

    @property
    def totals(self) -> list[int | None]:
        if not self.is_bound:
            return [self.initial[name] for name in self.fields]
        self.full_clean()
        return [self.cleaned_data.get(name) for name in self.fields]

    @property
    def totals_by_seat(self) -> dict[int, int | None]:
        sent = [seat.number for seat in self.seats if f"written_{seat.number}" in self.data]
        return {number: self.cleaned_data[f"written_{number}"] for number in sent}
