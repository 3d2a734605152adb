"""Which letters somebody wants."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Club
from league.models.letter import LetterKind, wanted_kinds
from players.models import User


class LettersForm(forms.Form):
    """A tick a kind; the one for who records is there for them alone."""

    kinds = forms.MultipleChoiceField(
        label=_("Write to me when"), required=False, widget=forms.CheckboxSelectMultiple, choices=()
    )

    def __init__(self, data: Any, *, user: User) -> None:
        wanted = wanted_kinds(user)
        super().__init__(data, initial={"kinds": [str(kind) for kind in LetterKind if kind in wanted]})
        records = Club.objects.recordable_by(user).exists()
        self.offered = [kind for kind in LetterKind if records or kind is not LetterKind.CONTESTED]
        field = self.fields["kinds"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(str(kind), kind.label) for kind in self.offered]

    @property
    def wanted(self) -> set[LetterKind]:
        """The kinds that are ticked."""
        return {LetterKind(kind) for kind in self.cleaned_data["kinds"]}
