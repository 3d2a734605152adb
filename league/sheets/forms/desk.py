"""What the desk asks for beside a game's own facts. Turns strings into values; saves and scores nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Seat


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
        """The reason, where one was asked for; a hidden field counts for nothing: nobody typed it."""
        reason: str = self.cleaned_data["reason"]
        return reason if self.fields["reason"].required else ""

    def renew(self) -> None:
        """Give the form a new key: sent again it is another write."""
        self.fill(client_key=str(uuid4()))

    def saw(self, version: int) -> None:
        """Note that the reader was shown this version: sent again, the form replaces it."""
        self.fill(client_key=str(uuid4()), seen_version=str(version))

    def fill(self, **hidden: str) -> None:
        """Change hidden fields for when the form is sent again; what was typed stays."""
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
