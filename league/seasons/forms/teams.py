from __future__ import annotations

from typing import Any, Final

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from league.models import Season, Team, visible
from league.models.team import TEAM_SIZES
from players.models import Player

PLAYER_FIELD_NAMES: Final = [f"player_{number}" for number in range(1, max(TEAM_SIZES) + 1)]


class TeamForm(forms.Form):
    name = forms.CharField(label=_("Name of the team"), max_length=60)
    player_1 = forms.ModelChoiceField(Player.objects.none(), label=_("First player"))
    player_2 = forms.ModelChoiceField(Player.objects.none(), label=_("Second player"))
    player_3 = forms.ModelChoiceField(Player.objects.none(), label=_("Third player"), required=False)
    player_4 = forms.ModelChoiceField(Player.objects.none(), label=_("Fourth player"), required=False)

    def __init__(self, data: Any = None, *, season: Season, team: Team | None = None) -> None:
        members = [member.player_id for member in team.members.all()] if team else []
        initial = {"name": team.name if team else "", **dict(zip(PLAYER_FIELD_NAMES, members, strict=False))}
        super().__init__(data, initial=initial)
        # A member of the team who has left the club stays in the team.
        selectable = Q(pk__in=visible.players_of(season.club).values("pk")) | Q(pk__in=members)
        players = list(Player.objects.filter(selectable).order_by("committee_key", "pk"))
        for name in PLAYER_FIELD_NAMES:
            field = self.fields[name]
            assert isinstance(field, forms.ModelChoiceField)
            field.queryset = Player.objects.filter(pk__in=[player.pk for player in players])
            field.choices = [("", "–"), *((player.pk, str(player)) for player in players)]

    @property
    def players(self) -> list[Player]:
        return [self.cleaned_data[name] for name in PLAYER_FIELD_NAMES if self.cleaned_data.get(name)]

    def clean(self) -> None:
        selected_players: set[Player] = set()
        for name in PLAYER_FIELD_NAMES:
            player = self.cleaned_data.get(name)
            if player in selected_players:
                self.add_error(name, _("This player is in the team already."))
            elif player:
                selected_players.add(player)
        if not self.errors and len(selected_players) not in TEAM_SIZES:
            self.add_error("player_4", _("A team has two or four players."))
