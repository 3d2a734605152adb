"""How somebody wants to be named, each choice with his own name as its example."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from players.forms.names import NameField
from players.models import Player
from players.naming import Naming


class NamingForm(forms.Form):
    """The name for everyone, the name for members, and a pseudonym for either."""

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
        chosen = {"public": player.public_choice, "members": player.member_choice, "pseudonym": player.pseudonym}
        super().__init__(data, initial=chosen)
        for name, default in (("public", player.public_default), ("members", player.member_default)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            as_clubs = _("As my clubs say: %(name)s") % {"name": player.named(default)}
            field.choices = [("", as_clubs), *((way.value, example(way, player)) for way in Naming)]


def example(way: Naming, player: Player | None) -> str:
    """Return a way to be named with the player's name as its example, or somebody's."""
    name = (player or somebody()).named(way)
    return _("%(way)s: %(name)s") % {"way": way.label, "name": name} if name else str(way.label)


def somebody() -> Player:
    """Return a person for examples, where nobody is known."""
    person = Player(given_name="Anne", family_name="Durand")
    person.name()
    return person
