"""How people are named: what somebody chose, and what his clubs say of who chose nothing."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Membership
from league.models.rights import Role
from players.models import Player
from players.names import plain, tidy
from players.naming import Naming, least_revealing


class Refused(ValueError):
    """The choice can't be taken. `field` names what is wrong, `message` is a sentence for the reader."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)
        self.field, self.message = field, message


@transaction.atomic
def choose(player_id: int, *, public: str, members: str, pseudonym: str) -> Player:
    """Name a player as he chose, "" as his clubs say. Raises Refused.

    A pseudonym that somebody else of his clubs is known by is refused: nobody takes another's name.
    """
    player = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=player_id)
    pseudonym = tidy(pseudonym)
    if Naming.PSEUDONYM in (public, members) and not pseudonym:
        raise Refused("pseudonym", _("Type the pseudonym that you want to be known by."))
    if pseudonym and plain(pseudonym) in _taken(player):
        raise Refused("pseudonym", _("Somebody of your clubs is known by this name already."))
    player.public_choice, player.member_choice, player.pseudonym = public, members, pseudonym
    player.update_names()
    player.save(update_fields=[*Player.NAME_FIELDS, "public_choice", "member_choice"])
    return player


def _taken(player: Player) -> set[str]:
    """Return the names, in plain letters, by which the others of the player's clubs are known to members and all."""
    clubs = Membership.objects.filter(player=player).values("club")
    others = Player.objects.filter(memberships__club__in=clubs).exclude(pk=player.pk)
    return {plain(name) for names in others.values_list("names", flat=True) for name in (names.public, names.members)}


class _Said(NamedTuple):
    """What a player's clubs say: how he is named to everyone, and to members, if he chose nothing."""

    public: str
    members: str


def follow_clubs(players: Iterable[int]) -> None:
    """Name players anew as the clubs say that they are in now; in a transaction. Who is in none keeps his name.

    Of several clubs the one counts that tells least. A guest never agreed to stand in public by his whole name.
    """
    said = _said_of(players)
    ids = [player for player, says in said.items() if says is not None]
    changed = []
    for player in Player.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=ids).order_by("pk"):
        says = said[player.pk]
        assert says is not None
        player.public_default, player.member_default = says
        player.update_names()
        changed.append(player)
    Player.objects.bulk_update(changed, [*Player.NAME_FIELDS, "public_default", "member_default"], batch_size=500)


def _said_of(players: Iterable[int]) -> dict[int, _Said | None]:
    """Return what each player's clubs say, None where it is what they said before."""
    clubs: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    before: dict[int, _Said] = {}
    rows = (
        Membership.objects.filter(player__in=list(players))
        .order_by()
        .values_list(
            "player",
            "player__public_default",
            "player__member_default",
            "role",
            "club__public_names",
            "club__member_names",
        )
    )
    for player, public, members, *club in rows:
        before[player] = _Said(public, members)
        clubs[player].append((club[0], club[1], club[2]))
    said = {player: _said(each) for player, each in clubs.items()}
    return {player: None if says == before[player] else says for player, says in said.items()}


def _said(clubs: list[tuple[str, str, str]]) -> _Said:
    public = [public for _role, public, _members in clubs]
    if all(role == Role.GUEST for role, *_names in clubs):
        public.append(Naming.INITIAL)
    return _Said(least_revealing(public), least_revealing([members for *_others, members in clubs]))
