"""Forms for the players of a table, with one select field per seat."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.actions.seating import AlreadySeated
from players.models import Player

SeatChoices = list[tuple[str, str | list[tuple[str, str]]]]  # (player id, label), or (title, choices of a group)


class SeatsForm(forms.Form):
    """Base class: one select field per seat.

    `table_numbers` maps the ids of players who already have a seat in this round to the number of their table.
    """

    def __init__(
        self, *args: Any, choices: SeatChoices, size: int, table_numbers: Mapping[int, int], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.size = size
        self.table_numbers = table_numbers
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
        self.order_fields([f"seat_{seat}" for seat in range(size)])  # the seats come before the fields of subclasses

    @property
    def players(self) -> list[int]:
        """Return the ids of the chosen players, by seat."""
        return [self.cleaned_data[f"seat_{seat}"] for seat in range(self.size)]

    def clean(self) -> None:
        """Add an error to each seat whose player is chosen twice or sits at another table of the round."""
        seat_by_player: dict[int, int] = {}
        for seat in range(self.size):
            player = self.cleaned_data.get(f"seat_{seat}")
            if player is None:
                continue
            if player in self.table_numbers:
                self.add_already_seated_error(AlreadySeated(seat, player, self.table_numbers[player]))
            elif player in seat_by_player:
                self.add_error(
                    f"seat_{seat}", gettext("This player has seat %(seat)s.") % {"seat": seat_by_player[player] + 1}
                )
            else:
                seat_by_player[player] = seat

    def add_already_seated_error(self, already_seated: AlreadySeated) -> None:
        """Add an error to the field of a player who already has a seat at another table."""
        message = gettext("This player sits at table %(table)s of this round.") % {"table": already_seated.table}
        self.add_error(f"seat_{already_seated.seat}", message)


class NewTableForm(SeatsForm):
    one_rests = forms.BooleanField(
        label=_("One rests"), required=False, help_text=_("One player sits each deal out, in turn: usually the dealer.")
    )

    def __init__(self, *args: Any, may_rest: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not may_rest:
            del self.fields["one_rests"]


class ChangedSeatsForm(SeatsForm):
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


def seat_choices(
    present: Iterable[Player], absent_players: Iterable[Player], table_numbers: Mapping[int, int]
) -> SeatChoices:
    """Return the options of a field for a seat, in groups: players without a seat, at another table, and not checked
    in.

    `table_numbers` maps player ids to table numbers of this round.
    """
    free: list[tuple[str, str]] = []
    seated_elsewhere: list[tuple[str, str]] = []
    for player in present:
        if player.pk in table_numbers:
            label = gettext("%(player)s (table %(table)s)") % {"player": player, "table": table_numbers[player.pk]}
            seated_elsewhere.append((str(player.pk), label))
        else:
            free.append((str(player.pk), str(player)))
    not_present = [(str(player.pk), str(player)) for player in absent_players]
    groups: Sequence[tuple[str, list[tuple[str, str]]]] = (
        (gettext("Present"), free),
        (gettext("At another table of this round"), seated_elsewhere),
        (gettext("Not yet checked in"), not_present),
    )
    return [("", "–"), *((name, group) for name, group in groups if group)]
