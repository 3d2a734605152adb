"""Fields of the desk in addition to a game's facts. The form parses; it saves and scores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Seat


class DeskForm(forms.Form):
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
    def key(self) -> UUID:
        key: UUID = self.cleaned_data["client_key"]
        return key

    @property
    def given_reason(self) -> str:
        """Return the typed reason; "" if the field is hidden, since a hidden field's text is not the user's."""
        reason: str = self.cleaned_data["reason"]
        return reason if self.fields["reason"].required else ""

    def renew_key(self) -> None:
        self.set_hidden(client_key=str(uuid4()))

    def set_seen_version(self, version: int) -> None:
        """Set the stored version as seen by the user, and renew the client key.

        The same form, sent again, then overwrites that version instead of being refused.
        """
        self.set_hidden(client_key=str(uuid4()), seen_version=str(version))

    def set_hidden(self, **hidden: str) -> None:
        self.data = {**dict(self.data.items()), **hidden}


class DealDeskForm(DeskForm):
    def __init__(self, data: Any = None, *, seats: Sequence[Seat], rests: Sequence[int], **kwargs: Any) -> None:
        super().__init__(data, **kwargs)
        self.seat_choices = [(str(seat.number), str(seat.player)) for seat in seats]
        if rests:
            self.fields["rests"] = forms.TypedChoiceField(
                label=_("Sits this deal out"), choices=self.seat_choices, coerce=int, initial=rests[0]
            )

    @property
    def resting(self) -> list[int]:
        if "rests" not in self.fields:
            return []
        seat = str(self["rests"].value())
        return [int(seat) if seat in dict(self.seat_choices) else int(self.fields["rests"].initial)]
