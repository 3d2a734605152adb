"""How players' names are shown to the public and to members: as a player chose, or by the defaults of the clubs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Club, Membership
from league.models.rights import Role
from players.models import Player
from players.names import normalize_spaces, without_accents
from players.naming import NameStyle, least_revealing_style


class InvalidNameChoice(ValueError):
    """A player's choice of names is refused. `field` is the wrong form field, `message` a sentence for the user."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(field, message)
        self.field, self.message = field, message


@transaction.atomic
def choose_naming(player_id: int, *, public: str, members: str, pseudonym: str) -> Player:
    """Store how the player's name is shown to the public and to members.

    `public` and `members` are values of NameStyle; "" means the defaults of the player's clubs. Raise
    InvalidNameChoice, for example if the pseudonym is the name of another member.
    """
    pseudonym = normalize_spaces(pseudonym)
    if pseudonym:  # of two members who choose the same name at once, the second reads the name of the first
        clubs = Club.objects.filter(memberships__player=player_id).order_by("pk")
        list(clubs.select_for_update(of=("self",), no_key=True).values_list("pk"))
    player = Player.objects.select_for_update(of=("self",), no_key=True).get(pk=player_id)
    if NameStyle.PSEUDONYM in (public, members) and not pseudonym:
        raise InvalidNameChoice("pseudonym", _("Type the pseudonym that you want to be known by."))
    if pseudonym and without_accents(pseudonym) in _taken_names(player):
        raise InvalidNameChoice("pseudonym", _("Somebody of your clubs is known by this name already."))
    player.public_choice, player.member_choice, player.pseudonym = public, members, pseudonym
    player.update_names()
    player.save(update_fields=[*Player.NAME_FIELDS, "public_choice", "member_choice"])
    return player


def _taken_names(player: Player) -> set[str]:
    """Return the names of other players of the player's clubs, as the public and members see them, without accents."""
    clubs = Membership.objects.filter(player=player).values("club")
    fellow_members = Player.objects.filter(memberships__club__in=clubs).exclude(pk=player.pk)
    return {
        without_accents(name)
        for names in fellow_members.values_list("names", flat=True)
        for name in (names.public, names.members)
    }


# NameStyle values for the public and for members. They apply to a player without an own choice.
_NamingDefaults = tuple[str, str]


def apply_club_name_defaults(players: Iterable[int], *, only_narrower: bool = False) -> None:
    """Update the names of players (ids) by the defaults of their clubs. Call it in a transaction.

    If a player's clubs have different defaults, the default that reveals least applies. A player who is only a guest in
    every club is shown to the public with the initial of the family name at most. The names of players without a club
    are unchanged. With `only_narrower`, no name reveals more than before: a club that a player left still shows the
    player's results.
    """
    defaults = _changed_defaults(players)
    renamed = []
    for player in Player.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=defaults).order_by("pk"):
        public, members = defaults[player.pk]
        if only_narrower:
            public = least_revealing_style([player.public_default, public])
            members = least_revealing_style([player.member_default, members])
        player.public_default, player.member_default = public, members
        player.update_names()
        renamed.append(player)
    Player.objects.bulk_update(renamed, [*Player.NAME_FIELDS, "public_default", "member_default"], batch_size=500)


def _changed_defaults(players: Iterable[int]) -> dict[int, _NamingDefaults]:
    """Return the new defaults, by player id, of players whose stored defaults differ from those of their clubs."""
    clubs: dict[int, list[tuple[str, str, str]]] = defaultdict(list)
    before: dict[int, _NamingDefaults] = {}
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
        before[player] = (public, members)
        clubs[player].append((club[0], club[1], club[2]))
    defaults = {player: _strictest_defaults(rules) for player, rules in clubs.items()}
    return {player: default for player, default in defaults.items() if default != before[player]}


def _strictest_defaults(clubs: list[tuple[str, str, str]]) -> _NamingDefaults:
    """Return the least revealing defaults. `clubs` has the player's role, and the club's public and member defaults."""
    public = [public for _role, public, _members in clubs]
    if all(role == Role.GUEST for role, *_names in clubs):
        public.append(NameStyle.INITIAL)
    return least_revealing_style(public), least_revealing_style([members for _role, _public, members in clubs])
