"""The form for a club's own game by totals (only the totals of a table are entered), with presets of known games."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django import forms
from django.utils.translation import gettext_lazy as _

from league.models import ClubGame
from league.models.club_game import DEFINITION_FIELDS
from league.web.lost_updates import FormAgainstLostUpdates

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

    ClubGameFields = forms.ModelForm[ClubGame]
else:
    ClubGameFields = forms.ModelForm

NO_CHECK, CHECK_TABLE, CHECK_DEAL = "none", "table", "deal"


class Preset(NamedTuple):
    """Settings of a known game, for the form of a new game. `words` describes the game."""

    name: StrPromise
    words: StrPromise
    fields: dict[str, Any]


PRESETS = {
    "jass": Preset(
        _("Jass"),
        _("Two sides of two. The totals add up to 157 for each deal; a match is asked about."),
        {"min_seats": 4, "max_seats": 4, "two_sides": True, "check_sum": 157, "check_per_deal": True},
    ),
    "cribbage": Preset(
        _("Cribbage"),
        _("Two players. A win gives 2 points, a skunk 3."),
        {"min_seats": 2, "max_seats": 2},
    ),
    "euchre": Preset(_("Euchre"), _("Two sides of two."), {"min_seats": 4, "max_seats": 4, "two_sides": True}),
    "whist": Preset(_("Whist"), _("Two sides of two."), {"min_seats": 4, "max_seats": 4, "two_sides": True}),
}


class ClubGameForm(FormAgainstLostUpdates, ClubGameFields):
    """The settings of a club's own game. With `is_frozen` (results exist) only the name can be changed."""

    two_sides = forms.TypedChoiceField(
        label=_("Who plays together"),
        choices=[("False", _("Each for themselves")), ("True", _("Two sides: even seats against odd seats"))],
        coerce=lambda value: value == "True",
        widget=forms.RadioSelect,
    )
    low_wins = forms.TypedChoiceField(
        label=_("Who wins"),
        choices=[("False", _("The highest total")), ("True", _("The lowest total"))],
        coerce=lambda value: value == "True",
        widget=forms.RadioSelect,
    )
    check_kind = forms.ChoiceField(
        label=_("Check sum of a table"),
        choices=[
            (NO_CHECK, _("None")),
            (CHECK_TABLE, _("All totals add up to a number (0 if one wins what the others lose)")),
            (CHECK_DEAL, _("All totals add up to a number for each deal")),
        ],
        widget=forms.RadioSelect,
        help_text=_("Each side counts once. A sheet with another sum is asked about."),
    )

    class Meta:
        model = ClubGame
        fields = ["name", "min_seats", "max_seats", "two_sides", "low_wins", "check_sum"]
        labels = {
            "name": _("Name of the game"),
            "min_seats": _("Fewest players at a table"),
            "max_seats": _("Most players at a table"),
            "check_sum": _("The number"),
        }

    field_order = ("name", "min_seats", "max_seats", "two_sides", "low_wins", "check_kind", "check_sum")

    def __init__(self, *args: Any, is_frozen: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        game = self.instance
        kind = NO_CHECK if game.check_sum is None else CHECK_DEAL if game.check_per_deal else CHECK_TABLE
        self.initial["check_kind"] = kind
        if is_frozen:
            for name in self.fields.keys() - {"name"}:
                self.fields[name].disabled = True
                self.fields[name].help_text = _("Fixed: results of this game are recorded.")

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        minimum, maximum = cleaned.get("min_seats"), cleaned.get("max_seats")
        if minimum and maximum and minimum > maximum:
            self.add_error("max_seats", _("Fewer than the fewest players."))
        elif minimum and maximum and cleaned.get("two_sides") and (minimum % 2 or maximum % 2):
            self.add_error("max_seats", _("Two sides need an even number of players."))
        kind = cleaned.get("check_kind")
        if kind == NO_CHECK:
            cleaned["check_sum"] = None
        elif kind and cleaned.get("check_sum") is None and "check_sum" not in self.errors:
            self.add_error("check_sum", _("Write the number."))
        self.instance.check_per_deal = kind == CHECK_DEAL
        return cleaned

    @property
    def stored_fields(self) -> list[str]:
        return ["name", *DEFINITION_FIELDS]
