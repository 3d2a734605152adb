"""Recognising club members by the names that are typed in a registration."""

from __future__ import annotations

from collections.abc import Mapping

from league.imports.queries.listed_people import name_key
from league.models import Membership, Tournament
from players.models import Player


def players_by_name(tournament: Tournament, names: list[str]) -> Mapping[str, int]:
    """Return the ids of the club's players with these names, by `name_key` of the name. One query.

    Names that several members have are left out.
    """
    wanted_keys = {name_key(name) for name in names}
    by_name: dict[str, list[int]] = {}
    for membership in Membership.objects.filter(club=tournament.club_id).select_related("player"):
        spellings = {name_key(full_name(membership.player)), name_key(str(membership.player))}
        for key in spellings & wanted_keys:
            by_name.setdefault(key, []).append(membership.player_id)
    return {key: players[0] for key, players in by_name.items() if len(players) == 1}


def full_name(player: Player) -> str:
    return f"{player.given_name} {player.family_name}".strip()
