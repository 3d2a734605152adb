from __future__ import annotations

from datetime import date
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from league.imports.queries.member_list import check_phone
from league.models import Club
from league.models.api_token import Scope
from league.web.fields import BoundedDateField
from players.forms.names import NameField
from players.models import User


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("Name"),
        max_length=60,
        help_text=_("The program that uses it, for example “Our club’s site”."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("The program may also"),
        choices=Scope,
        required=False,
        widget=forms.CheckboxSelectMultiple(),
        help_text=_("Tick nothing for a program that only reads. It never may more than you may yourself."),
    )
    club = forms.ModelChoiceField(
        Club.objects.none(),
        label=_("It writes in"),
        required=False,
        empty_label=_("all clubs whose results I enter"),
    )
    last_day = BoundedDateField(
        label=_("Last day"),
        required=False,
        help_text=_("Without one it holds until you revoke it."),
    )

    def __init__(self, *args: Any, user: User, today: date, **kwargs: Any) -> None:
        """Remove the fields for writing if the user may not record results in any club."""
        super().__init__(*args, **kwargs)
        self.today = today
        clubs = Club.objects.recordable_by(user).order_by("name", "pk")
        self.fields["club"].queryset = clubs  # type: ignore[attr-defined]
        if not clubs.exists():
            del self.fields["scopes"], self.fields["club"]
        self.fields["last_day"].widget.attrs["min"] = today.isoformat()

    def clean(self) -> dict[str, Any]:
        values = super().clean() or self.cleaned_data
        if values.get("club") and not values.get("scopes"):
            self.add_error("scopes", _("Tick what the program may do in this club, or choose no club."))
        return values

    def clean_last_day(self) -> date | None:
        last: date | None = self.cleaned_data["last_day"]
        if last and last < self.today:
            raise ValidationError(_("This day is over."))
        return last


class UnitPlayerForm(forms.Form):
    """A player of a tournament unit (player, pair or team) that a program registers, with the same checks as at the
    desk.
    """

    name = NameField(max_length=80)
    email = forms.EmailField(max_length=254, required=False)
    phone = NameField(max_length=30, required=False, validators=[check_phone])


class TeamNameForm(forms.Form):
    team_name = NameField(max_length=60, required=False)
