from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Club, visible


class NewPersonForm(forms.Form):
    """`another` confirms that a person with a similar name is a different person."""

    another = forms.BooleanField(label=_("This is another person"), required=False)

    name_field = ""

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    @property
    def asks(self) -> bool:
        return self.has_error(self.name_field, "similar") or bool(self["another"].value())

    def refuse_similar(self, name: str) -> None:
        if not name or self.cleaned_data.get("another"):
            return
        if near := visible.players_of(self.club).similar_to(name)[:5]:
            message = _("The club has %(names)s already. Is this another person?")
            names = ", ".join(str(player) for player in near)
            self.add_error(self.name_field, forms.ValidationError(message, code="similar", params={"names": names}))
