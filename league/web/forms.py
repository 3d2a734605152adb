"""Forms that several parts of the site use."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Club, visible
from players.forms.names import NameField


class ReasonForm(forms.Form):
    reason = forms.CharField(label=_("Reason"), max_length=200, help_text=_("Kept in the history, with your name."))


class CloseConfirmationForm(forms.Form):
    """The form that closes an evening or a season.

    With `has_open_tasks`, an item of the checklist is not done: the user must tick a box to close it all the same.
    """

    accepted = forms.BooleanField(
        label=_("Close it although something is open"),
        error_messages={
            "required": _("Something is still open: settle it, or tick this to close the evening as it is.")
        },
    )

    def __init__(self, data: Any = None, *, has_open_tasks: bool) -> None:
        super().__init__(data)
        if not has_open_tasks:
            del self.fields["accepted"]


class NewPersonForm(forms.Form):
    """Base form for a new person. With the checkbox `another` the user confirms that a similar name belongs to another
    person.

    `name_field` is the name of the form field with the name; subclasses set it.
    """

    another = forms.BooleanField(label=_("This is another person"), required=False)

    name_field = ""

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    @property
    def asks_if_another(self) -> bool:
        """Whether the page shows the checkbox `another`."""
        return self.has_error(self.name_field, "similar") or bool(self["another"].value())

    def refuse_similar(self, name: str) -> None:
        """Add an error if the club has people with a similar name and `another` is not ticked."""
        if not name or self.cleaned_data.get("another"):
            return
        if near := visible.players_of(self.club).similar_to(name)[:5]:
            message = _("The club has %(names)s already. Is this another person?")
            names = ", ".join(str(player) for player in near)
            self.add_error(self.name_field, forms.ValidationError(message, code="similar", params={"names": names}))


class FounderForm(forms.Form):
    """The name of a user who has no player yet and founds a club."""

    given_name = NameField(label=_("Your given name"), max_length=60)
    family_name = NameField(label=_("Your family name"), max_length=60, required=False)
