"""A person who asks to be forgotten: the name and the login go, what was played stays, so that all sums hold."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from league.history import because
from league.models import Apart, Membership
from players.models import Merge, Player

NAME = "N. N."  # nomen nescio: understood in every language, and followed by the player's number


@transaction.atomic
def erase(player_id: int) -> Player:
    """Give a player a name that tells nothing, and take login, memberships and wishes about neighbours away.

    Seats, points, fees and ratings stay as they are, under that name. There is no way back.
    """
    with because("erased"):
        player = _erased(player_id)
        for joined in Merge.objects.filter(kept=player, undone_at=None).values_list("gone", flat=True):
            erase(joined)  # another record of the same person
    return player


def _erased(player_id: int) -> Player:
    player = Player.objects.select_for_update(of=("self",)).get(pk=player_id)
    login, player.user = player.user, None
    player.given_name, player.family_name, player.display_name = NAME, str(player.pk), ""
    player.name()
    player.save()
    if login:
        login.delete()
    Membership.objects.filter(player=player).delete()
    Apart.objects.filter(Q(first=player) | Q(second=player)).delete()
    return player
