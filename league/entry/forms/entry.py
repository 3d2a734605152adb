"""What the desk asks for beside a game's own facts. Turns strings into values; saves and scores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Seat, Table
from league.results.missing_deals import deals_that_end
from league.results.table_sums import Sums
from scoring.game import Game
from scoring.phrases import refusal
from scoring.rules.errors import IllegalDeal


class DeskForm(forms.Form):
    """The hidden facts of a write: its key, the version that was seen; and the reason where one is needed."""

    client_key = forms.UUIDField(widget=forms.HiddenInput)
    seen_version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=200,
        help_text=_("The evening is closed: say why this changes. Members can read it."),
    )

    def __init__(self, data: Any = None, *, reason_needed: bool, seen_version: int | None = None) -> None:
        """Show the reason only where the evening is closed."""
        super().__init__(data, initial={"client_key": uuid4(), "seen_version": seen_version})
        if reason_needed:
            self.fields["reason"].required = True
        else:
            self.fields["reason"].widget = forms.HiddenInput()

    @property
    def key(self) -> UUID:
        """The key of this write."""
        key: UUID = self.cleaned_data["client_key"]
        return key

    @property
    def why(self) -> str:
        """The reason, where one was asked for; what a hidden field says is nobody's word."""
        reason: str = self.cleaned_data["reason"]
        return reason if self.fields["reason"].required else ""

    def renew(self) -> None:
        """Sent again, the form means another write than before."""
        self.fill(client_key=str(uuid4()))

    def saw(self, version: int) -> None:
        """After a conflict was shown: sent again, the form means to replace that version."""
        self.fill(client_key=str(uuid4()), seen_version=str(version))

    def fill(self, **hidden: str) -> None:
        """Have hidden fields say something else when the form is sent again; what was typed stays."""
        self.data = {**dict(self.data.items()), **hidden}


class DealDeskForm(DeskForm):
    """For a deal also: who sat it out."""

    def __init__(self, data: Any = None, *, seats: Sequence[Seat], rests: Sequence[int], **more: Any) -> None:
        """`seats` are the table's; `rests` who sits out unless another is chosen, none where all play."""
        super().__init__(data, **more)
        self.sitting = [(str(seat.number), str(seat.player)) for seat in seats]
        if rests:
            self.fields["rests"] = forms.TypedChoiceField(
                label=_("Sits this deal out"), choices=self.sitting, coerce=int, initial=rests[0]
            )

    @property
    def resting(self) -> list[int]:
        """Who sits out, as chosen so far: the names on the rest of the form depend on it."""
        if "rests" not in self.fields:
            return []
        chosen = str(self["rests"].value())
        return [int(chosen) if chosen in dict(self.sitting) else int(self.fields["rests"].initial)]


class TotalsForm(DeskForm):
    """A sheet handed in by its totals: one number a seat, and how many deals were played."""

    deals = forms.IntegerField(
        label=_("Number of deals"), min_value=1, max_value=200, widget=forms.NumberInput({"inputmode": "numeric"})
    )
    confirmed = forms.IntegerField(widget=forms.HiddenInput, required=False)  # that many deals were asked about

    def __init__(self, data: Any = None, *, table: Table, seats: Sequence[Seat], game: Game, **more: Any) -> None:
        """One field a seat, filled with what was written before."""
        super().__init__(data, seen_version=table.version, **more)
        self.table, self.seats, self.game = table, seats, game
        self.initial["deals"] = table.deals or None
        for seat in seats:
            self.fields[f"seat_{seat.number}"] = forms.IntegerField(
                label=str(seat.player), min_value=-99_999, max_value=99_999
            )
            self.initial[f"seat_{seat.number}"] = seat.written
        self.order_fields([*(f"seat_{seat.number}" for seat in seats), "deals", "reason"])

    def clean(self) -> dict[str, Any]:
        """What the game says of such totals stands on the seat's field, or above the form."""
        cleaned: dict[str, Any] = super().clean() or self.cleaned_data
        totals = [cleaned[field] for seat in self.seats if (field := f"seat_{seat.number}") in cleaned]
        if "deals" in cleaned:
            self._check_end(cleaned["deals"], cleaned.get("confirmed"))
        if "deals" in cleaned and len(totals) == len(self.seats):
            try:
                self.game.rules.check_totals(totals, cleaned["deals"])
            except IllegalDeal as illegal:
                seat = illegal.field.partition(".")[2]
                names = [str(seat.player) for seat in self.seats]
                self.add_error(f"seat_{seat}" if seat else None, refusal(self.game, illegal, names))
        return cleaned

    def _check_end(self, deals: int, confirmed: int | None) -> None:
        """More deals than end the table may be a slip of the pen: asked about once."""
        usual = deals_that_end(self.table, self.table.round.evening.season)
        if usual is not None and deals > usual and deals != confirmed:
            self.fill(confirmed=str(deals))
            text = _("A table ends after %(usual)s deals here. Send it again if there were %(deals)s.")
            self.add_error("deals", forms.ValidationError(text, params={"usual": usual, "deals": deals}))

    def show_current(self, current: Table) -> None:
        """After a conflict: say beside each seat what stands now."""
        self.saw(current.version)
        for seat in current.seats.all():
            self.add_error(f"seat_{seat.number}", _("Now stands: %(points)s") % {"points": seat.written})

    @property
    def written(self) -> dict[int, Sums]:
        """What a valid form says, by seat number. Where one rests in turn, each played its share, at least one."""
        deals = self.cleaned_data["deals"]
        played = max(1, deals * self.table.playing // self.table.size)
        return {seat.number: Sums(self.cleaned_data[f"seat_{seat.number}"], played) for seat in self.seats}
