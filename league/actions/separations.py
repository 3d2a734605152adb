from __future__ import annotations

from league.models import Club, Separation


def add_separation(club: Club, player: int, neighbour: int) -> Separation:
    low, high = sorted((player, neighbour))
    pair: Separation = Separation.objects.get_or_create(club=club, first_id=low, second_id=high)[0]
    return pair


def remove_separation(separation: Separation) -> None:
    separation.delete()
