"""Forms for tournaments of several clubs: the invitation of a club, and the registration of its members."""

from __future__ import annotations

from typing import Any, Final
from uuid import uuid4

from django import forms
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from league.actions.registrations import PlayerEntry, Registration
from league.models import Club, Membership, TournamentClub, TournamentUnit
from league.models.rights import Right, roles_with_right
from players.forms.names import NameField
from players.models import Player

NO_PLAYER: Final = ("", "–")


class InvitationForm(forms.Form):
    club = forms.ModelChoiceField(Club.objects.none(), label=_("Club"), empty_label="–")

    def __init__(self, data: Any = None, *, clubs: list[Club]) -> None:
        super().__init__(data)
        field = self.fields["club"]
        assert isinstance(field, forms.ModelChoiceField)
        field.queryset = Club.objects.filter(pk__in=[club.pk for club in clubs])
        field.choices = [
            NO_PLAYER,
            *((club.pk, f"{club.name}, {club.place}" if club.place else club.name) for club in clubs),
        ]


class ClubUnitForm(forms.Form):
    """Registration of a player, pair or team by an invited club. Each player is chosen from the club's members.

    `player_fields` are the names of the fields for the players.
    """

    key = forms.UUIDField(widget=forms.HiddenInput, initial=uuid4)

    def __init__(self, data: Any = None, *, invitation: TournamentClub, unit: TournamentUnit | None = None) -> None:
        tournament = invitation.tournament
        self.player_fields = [f"player_{number}" for number in range(1, tournament.unit_size + 1)]
        initial: dict[str, Any] = {}
        if unit is not None:
            initial = {"name": unit.name, "names_public": unit.names_public, "email": unit.members[0].email}
            initial |= {name: member.player_id for name, member in zip(self.player_fields, unit.members, strict=False)}
        super().__init__(data, initial=initial)
        memberships = Membership.objects.filter(club=invitation.club_id, role__in=roles_with_right(Right.READ))
        self.members = {row.player_id: row.player for row in memberships.select_related("player")}
        ordered = sorted(self.members.values(), key=lambda player: (player.committee_key, player.pk))
        choices = [NO_PLAYER, *((player.pk, str(player)) for player in ordered)]
        for number, name in enumerate(self.player_fields, 1):
            label = _("Player") if tournament.unit_size == 1 else _("Player %(number)s") % {"number": number}
            self.fields[name] = forms.TypedChoiceField(label=label, coerce=int, choices=choices)
        if tournament.plays_apart or tournament.unit_size > 2:
            self.fields["name"] = NameField(label=_("Name of the team"), max_length=60, required=False)
        self.fields["email"] = forms.EmailField(
            label=_("E-mail"),
            max_length=254,
            required=False,
            help_text=_("For the confirmation and news of the waiting list. The organisers see it."),
        )
        self.fields["names_public"] = forms.BooleanField(
            label=_("Their names may stand on the public list of those registered"), required=False
        )
        if unit is None:
            self.fields["consent"] = forms.BooleanField(
                label=_("The players agree that the organising club stores their names for the tournament"),
                error_messages={"required": _("Without their agreement the club may not store the registration.")},
            )

    def clean(self) -> None:
        selected_players: set[int] = set()
        for name in self.player_fields:
            player = self.cleaned_data.get(name)
            if player in selected_players:
                self.add_error(name, _("This player is in the unit already."))
            elif player:
                selected_players.add(player)

    def registration(self) -> Registration:
        """Return the content of the registration; the first player gets the email address. The form must be valid."""
        players: list[Player] = [self.members[self.cleaned_data[name]] for name in self.player_fields]
        entries = [PlayerEntry(str(player), player_id=player.pk) for player in players]
        entries[0] = entries[0]._replace(email=self.cleaned_data["email"])
        return Registration(
            entries=entries,
            name=self.cleaned_data.get("name", ""),
            names_public=self.cleaned_data["names_public"],
            language=get_language() or "",
        )
