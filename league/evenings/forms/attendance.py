from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, cast

from django import forms
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from league.models import Attendance, Evening, visible
from league.web.fields import MoneyField
from league.web.forms import NewPersonForm
from league.web.lost_updates import FormAgainstLostUpdates
from players.forms.names import NameField
from players.forms.search import SearchForm
from players.models import Player


class CheckInSearchForm(SearchForm):
    """The search field of the check-in page.

    `may_change`: the Enter key checks in the first player of the list. Otherwise it marks the first fee as paid.
    """

    def __init__(self, query: Mapping[str, Any], *, may_change: bool) -> None:
        super().__init__(query)
        field = self.fields["q"]
        field.widget.attrs["data-enter"] = "mark" if may_change else "pay"
        keys = (
            _("Enter marks the first who is not there yet, + takes the fee, Shift+Enter adds a guest of that name.")
            if may_change
            else _("Enter takes the fee of the first who owes it.")
        )
        letters = _("Two letters of any part of the name are enough.")
        field.help_text = format_html('{} <span class="by-keys">{}</span>', letters, keys)


class CheckInForm(forms.Form):
    players = forms.ModelMultipleChoiceField(
        queryset=Player.objects.none(),
        label=_("Players"),
        error_messages={
            "required": _("Tick who is there."),
            "invalid_choice": _("One of them does not belong to this club."),
            "invalid_pk_value": _("One of them does not belong to this club."),
        },
    )

    def __init__(self, *args: Any, evening: Evening, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = cast("forms.ModelMultipleChoiceField[Player]", self.fields["players"])
        field.queryset = visible.players_of(evening.season.club)


class IntentionForm(forms.Form):
    comes = forms.TypedChoiceField(choices=[("yes", ""), ("no", "")], coerce=lambda text: text == "yes")


class GuestNameForm(forms.Form):
    given_name = NameField(label=_("Given name"), max_length=60)
    family_name = NameField(label=_("Family name"), max_length=60, required=False)


class AttendanceForm(FormAgainstLostUpdates, forms.Form):
    """The form for an attendance. Another user may mark the fee as paid, or the player as leaving, meanwhile."""

    attendance_fields: ClassVar = ("from_round", "to_round", "fee", "paid", "fixed_table", "partner")

    from_round = forms.IntegerField(label=_("Plays from round"), min_value=1, max_value=99)
    to_round = forms.IntegerField(
        label=_("Plays to round"), min_value=1, max_value=99, required=False, help_text=_("Empty: to the end.")
    )
    fee = MoneyField(label=_("Entry fee"), required=False)
    paid = MoneyField(label=_("Paid"), required=False)
    fixed_table = forms.IntegerField(
        label=_("Always at table"),
        min_value=1,
        max_value=99,
        required=False,
        help_text=_("For a player who can't move around. Empty: the draw decides."),
    )
    partner = forms.ModelChoiceField(
        queryset=Player.objects.none(),
        label=_("Came as a pair with"),
        required=False,
        empty_label=_("Nobody: the draw finds a partner"),
    )

    def __init__(self, *args: Any, attendance: Attendance, has_pairs: bool, **kwargs: Any) -> None:
        kwargs["initial"] = {name: getattr(attendance, name) for name in self.attendance_fields}
        super().__init__(*args, **kwargs)
        if not has_pairs:
            del self.fields["partner"]
            return
        field = cast("forms.ModelChoiceField[Player]", self.fields["partner"])
        candidates = Player.objects.filter(attendances__evening=attendance.evening_id).exclude(pk=attendance.player_id)
        field.queryset = candidates.order_by("committee_key", "pk")

    def clean(self) -> dict[str, Any]:
        cleaned_data = super().clean()
        begin, end = cleaned_data.get("from_round"), cleaned_data.get("to_round")
        if begin and end and end < begin:
            message = _("Round %(end)s is before round %(begin)s, from which the player is there.")
            self.add_error("to_round", forms.ValidationError(message, params={"begin": begin, "end": end}))
        return cleaned_data


class GuestForm(NewPersonForm):
    name = NameField(
        label=_("Name of a guest"), max_length=80, help_text=_("Given name first: others read that one and an initial.")
    )

    name_field = "name"
    field_order = ("name", "another")

    def clean(self) -> None:
        self.refuse_similar(self.cleaned_data.get("name", ""))
