"""Who sits where at a table: one select a seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.actions.seating import AlreadySeated
from players.models import Player

Choices = list[tuple[str, str | list[tuple[str, str]]]]


class SeatsForm(forms.Form):
    """The players of a table, in the order of its seats."""

    def __init__(self, *args: Any, choices: Choices, size: int, seated: Mapping[int, int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.size = size
        self.seated = seated
        for seat in range(size):
            self.fields[f"seat_{seat}"] = forms.TypedChoiceField(
                label=_("Seat %(number)s") % {"number": seat + 1},
                choices=choices,
                coerce=int,
                error_messages={
                    "required": _("Choose who sits here."),
                    "invalid_choice": _("This player does not belong to the club."),
                },
            )
        self.order_fields([f"seat_{seat}" for seat in range(size)])  # before the fields of each kind of form

    @property
    def players(self) -> list[int]:
        """Ids of the chosen players, in order; only of a valid form."""
        return [self.cleaned_data[f"seat_{seat}"] for seat in range(self.size)]

    def clean(self) -> None:
        """Nobody sits in two places of a round: the error stands on the seat that came second."""
        first: dict[int, int] = {}
        for seat in range(self.size):
            player = self.cleaned_data.get(f"seat_{seat}")
            if player is None:
                continue
            if player in self.seated:
                self.refuse(AlreadySeated(seat, player, self.seated[player]))
            elif player in first:
                self.add_error(f"seat_{seat}", gettext("This player has seat %(seat)s.") % {"seat": first[player] + 1})
            else:
                first[player] = seat

    def refuse(self, taken: AlreadySeated) -> None:
        """Show on its select that the player of a seat sits elsewhere in the round."""
        if taken.table is None:
            message = gettext("This player sits at this table already.")
        else:
            message = gettext("This player sits at table %(table)s of this round.") % {"table": taken.table}
        self.add_error(f"seat_{taken.seat}", message)


class NewTableForm(SeatsForm):
    """A new table; whether one rests is asked only where the season knows it."""

    one_rests = forms.BooleanField(
        label=_("One rests"), required=False, help_text=_("One player sits each deal out, in turn: usually the dealer.")
    )

    def __init__(self, *args: Any, may_rest: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_rest:
            del self.fields["one_rests"]


class ChangedSeatsForm(SeatsForm):
    """Other players at a table; a reason once points are recorded there, or the evening is closed."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("Kept in the history, for example: seats mixed up on the sheet."),
        error_messages={"required": _("Say why the players change: points are recorded here.")},
    )

    def __init__(self, *args: Any, needs_reason: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not needs_reason:
            del self.fields["reason"]


def choices(present: Iterable[Player], others: Iterable[Player], seated: Mapping[int, int]) -> Choices:
    """Return the selects' choices.

    Who is present and free, who is present and sits elsewhere, the club's other people.
    """
    free: list[tuple[str, str]] = []
    sitting: list[tuple[str, str]] = []
    for player in present:
        if player.pk in seated:
            sitting.append((str(player.pk), _at_table(player, seated[player.pk])))
        else:
            free.append((str(player.pk), str(player)))
    absent = [(str(player.pk), str(player)) for player in others]
    groups: Sequence[tuple[str, list[tuple[str, str]]]] = (
        (gettext("Present"), free),
        (gettext("At another table of this round"), sitting),
        (gettext("Not yet checked in"), absent),
    )
    return [("", "—"), *((name, group) for name, group in groups if group)]


def _at_table(player: Player, table: int) -> str:
    return gettext("%(player)s (table %(table)s)") % {"player": player, "table": table}
