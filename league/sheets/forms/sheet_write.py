"""Base forms for recording deals and totals on a score sheet: idempotency key, seen version, reason, resting seat.

A game's own form has the facts of the deal. These forms only parse: they store and score nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Seat


class SheetWriteForm(forms.Form):
    """The fields of every write on a score sheet: idempotency key (`client_key`), the version that the user saw, and
    the reason of a correction.
    """

    client_key = forms.UUIDField(widget=forms.HiddenInput)
    seen_version = forms.IntegerField(widget=forms.HiddenInput, required=False)
    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=200,
        help_text=_("The evening is closed: say why this changes. Members can read it."),
    )

    def __init__(self, data: Any = None, *, reason_needed: bool, seen_version: int | None = None) -> None:
        super().__init__(data, initial={"client_key": uuid4(), "seen_version": seen_version})
        if reason_needed:
            self.fields["reason"].required = True
        else:
            self.fields["reason"].widget = forms.HiddenInput()

    @property
    def idempotency_key(self) -> UUID:
        key: UUID = self.cleaned_data["client_key"]
        return key

    @property
    def typed_reason(self) -> str:
        """Return the typed reason; "" if the field is hidden, because the user has not typed its text."""
        reason: str = self.cleaned_data["reason"]
        return reason if self.fields["reason"].required else ""

    def renew_key(self) -> None:
        """Set a new idempotency key, so that sending the form again is a new write."""
        self.set_hidden(client_key=str(uuid4()))

    def set_seen_version(self, version: int) -> None:
        """Set the version that the user has seen to the stored version, and renew the idempotency key.

        If the user sends the same form again, it overwrites the stored version instead of being refused.
        """
        self.set_hidden(client_key=str(uuid4()), seen_version=str(version))

    def set_hidden(self, **hidden: str) -> None:
        """Set the values of hidden fields in the bound data."""
        self.data = {**dict(self.data.items()), **hidden}


class DealWriteForm(SheetWriteForm):
    """The fields of every deal that is recorded or revised. The resting seat is a field if one player of the table
    rests.

    `resting_seats` are the numbers of the seats that rest by default.
    """

    def __init__(self, data: Any = None, *, seats: Sequence[Seat], resting_seats: Sequence[int], **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.seat_choices = [(str(seat.number), str(seat.player)) for seat in seats]
        if resting_seats:
            self.fields["rests"] = forms.TypedChoiceField(
                label=_("Sits this deal out"), choices=self.seat_choices, coerce=int, initial=resting_seats[0]
            )

    @property
    def resting_seats(self) -> list[int]:
        """Return the numbers of the resting seats, as typed so far; the default if the typed seat is invalid."""
        if "rests" not in self.fields:
            return []
        seat = str(self["rests"].value())
        return [int(seat) if seat in dict(self.seat_choices) else int(self.fields["rests"].initial)]
