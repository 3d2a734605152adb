"""The form for a player's choice of how their name is shown. Each choice has the player's own name as an example."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.forms.names import NameField
from players.models import Player
from players.naming import NameParts, NameStyle


class NamingForm(forms.Form):
    public = forms.ChoiceField(
        label=gettext_lazy("To everyone"),
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy(
            "Whoever is no member of the club whose page it is, signed in or not; also the screen and the sheets in "
            "the hall. It never tells more than the name for members."
        ),
    )
    members = forms.ChoiceField(
        label=gettext_lazy("To members of your clubs"),
        required=False,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("Who runs the evenings of a club knows you by your whole name in any case."),
    )
    pseudonym = NameField(
        label=gettext_lazy("Pseudonym"),
        max_length=40,
        required=False,
        help_text=gettext_lazy("Needed where you chose it above. Nobody else of your clubs may be known by it."),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )

    def __init__(self, data: Any, *, player: Player) -> None:
        initial = {"public": player.public_choice, "members": player.member_choice, "pseudonym": player.pseudonym}
        super().__init__(data, initial=initial)
        for name, default in (("public", player.public_default), ("members", player.member_default)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            as_clubs = _("As my clubs say: %(name)s") % {"name": player.name_parts.name_as(default)}
            field.choices = [("", as_clubs), *((style.value, naming_example(style, player)) for style in NameStyle)]


def naming_example(style: NameStyle, player: Player | None) -> str:
    """Return the label of a choice, with the player's name in this style; without a player, with an invented name."""
    facts = player.name_parts if player else NameParts("Anne", "Durand", "Anne Durand", pseudonym="")
    name = facts.name_as(style)
    return _("%(way)s: %(name)s") % {"way": style.label, "name": name} if name else str(style.label)
