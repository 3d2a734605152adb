from __future__ import annotations

from league.models import Apart, Club


def add_separation(club: Club, player: int, neighbour: int) -> Apart:
    low, high = sorted((player, neighbour))
    pair: Apart = Apart.objects.get_or_create(club=club, first_id=low, second_id=high)[0]
    return pair


def remove_separation(separation: Apart) -> None:
    separation.delete()
