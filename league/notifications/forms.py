from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Club
from league.models.notification import NotificationKind, email_choices
from players.models import User


class NotificationsForm(forms.Form):
    """A checkbox per kind of email. Only users who may record results get the kind about contested deals."""

    kinds = forms.MultipleChoiceField(
        label=_("Write to me when"), required=False, widget=forms.CheckboxSelectMultiple, choices=()
    )

    def __init__(self, data: Any, *, user: User) -> None:
        wanted, self.stop_reason = email_choices(user)
        super().__init__(data, initial={"kinds": [str(kind) for kind in NotificationKind if kind in wanted]})
        may_record = Club.objects.recordable_by(user).exists()
        self.offered_kinds = [kind for kind in NotificationKind if may_record or kind is not NotificationKind.CONTESTED]
        field = self.fields["kinds"]
        assert isinstance(field, forms.MultipleChoiceField)
        field.choices = [(str(kind), kind.label) for kind in self.offered_kinds]

    @property
    def wanted_kinds(self) -> set[NotificationKind]:
        return {NotificationKind(kind) for kind in self.cleaned_data["kinds"]}
