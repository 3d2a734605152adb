"""People's names as they are typed, with a question when the club has somebody of nearly that name."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import Club, visible
from league.models.rights import Role
from players.forms.names import NameField
from players.models import Player


class NewPersonForm(forms.Form):
    """What any form for a new person asks: `another` says that someone of a similar name is somebody else."""

    another = forms.BooleanField(label=_("This is another person"), required=False)

    name_field = ""

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.club = club

    @property
    def asks(self) -> bool:
        """Whether the question has to be shown."""
        return self.has_error(self.name_field, "similar") or bool(self["another"].value())

    def refuse_similar(self, name: str) -> None:
        """Put an error on the name's field if the club has somebody of nearly that name, unless `another` is said."""
        if not name or self.cleaned_data.get("another"):
            return
        if near := visible.players_of(self.club).similar_to(name)[:5]:
            message = _("The club has %(names)s already. Is this another person?")
            names = ", ".join(str(player) for player in near)
            self.add_error(self.name_field, forms.ValidationError(message, code="similar", params={"names": names}))


class MemberForm(NewPersonForm):
    """A new person of the club."""

    given_name = NameField(label=_("Given name"), max_length=60)
    family_name = NameField(label=_("Family name"), max_length=60, required=False)
    role = forms.ChoiceField(label=_("Role"), choices=Role, initial=Role.MEMBER)

    name_field = "given_name"
    field_order = ("given_name", "family_name", "role", "another")

    def clean(self) -> None:
        """Ask when the name is nearly one that the club has."""
        given = self.cleaned_data.get("given_name", "")
        self.refuse_similar(f"{given} {self.cleaned_data.get('family_name', '')}".strip() if given else "")


class GuestForm(NewPersonForm):
    """A guest, typed in two seconds: given name first."""

    name = NameField(label=_("Name of a guest"), max_length=80)

    name_field = "name"
    field_order = ("name", "another")

    def clean(self) -> None:
        """Ask when the name is nearly one that the club has."""
        self.refuse_similar(self.cleaned_data.get("name", ""))


class RoleForm(forms.Form):
    """A member's new role."""

    role = forms.ChoiceField(label=_("Role"), choices=Role)


class ApartForm(forms.Form):
    """Two people of a club whom no draw seats together."""

    first = forms.ModelChoiceField(Player.objects.none(), label=_("This player"))
    second = forms.ModelChoiceField(Player.objects.none(), label=_("never with"))

    def __init__(self, *args: Any, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("first", "second"):
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = visible.players_of(club).order_by("sort_key")

    def clean(self) -> None:
        """Two different ones."""
        first = self.cleaned_data.get("first")
        if first and first == self.cleaned_data.get("second"):
            self.add_error("second", _("Choose another player than the first."))


class SamePersonForm(forms.Form):
    """Another record of the club that is the same person's."""

    def __init__(self, *args: Any, club: Club, player: Player, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        others = visible.players_of(club).exclude(pk=player.pk).order_by("sort_key")
        self.fields["with"] = forms.ModelChoiceField(others, label=_("is the same person as"))
