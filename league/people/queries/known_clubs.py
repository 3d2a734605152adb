"""The clubs of a player that a viewer may see."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Value

from league.models import Club, Membership, visible
from league.models.club import club_ids_hidden_from
from players.models import Player, User
from players.models.person import Viewer


class PlayerClub(NamedTuple):
    """A club of a player. If `linked`, the viewer may see the club's page."""

    name: str
    slug: str
    linked: bool


class KnownClubs(NamedTuple):
    """The clubs that a viewer may see on a player's page."""

    visible_ids: frozenset[int]  # ids of the clubs whose pages the viewer may see, also clubs without the player
    player_clubs: list[PlayerClub]
    withheld_ids: frozenset[int]  # ids of private clubs that have not yet confirmed the viewer's login


def known_clubs(player: Player, is_self: bool, viewer: Viewer) -> KnownClubs:
    """Return the clubs that the viewer may see, and which of them are the player's clubs. One query.

    Players see each club of which they are a guest or a member. Exception: a private club that has not yet confirmed
    the player's login. Other viewers see that the player is a guest of a club only if they are members of the club.
    """
    linked = Exists(Club.objects.visible_to(viewer).filter(pk=OuterRef("pk")))
    as_member = Q() if is_self else visible.visible_memberships_condition(viewer)
    member = Exists(Membership.objects.filter(as_member, club=OuterRef("pk"), player=player))
    withheld: Any = Value(False)
    if is_self and isinstance(viewer, User):
        private = Q(pk__in=club_ids_hidden_from(viewer)) & ~Q(pk__in=Club.objects.visible_to(viewer))
        withheld = ExpressionWrapper(private, BooleanField())
    clubs: QuerySet[Any, Any] = Club.objects.annotate(linked=linked, member=member, withheld=withheld)
    clubs = clubs.filter(Q(linked=True) | Q(member=True) | Q(withheld=True) if is_self else Q(linked=True))
    rows = list(clubs.values_list("pk", "withheld", "member", "name", "slug", "linked"))
    return KnownClubs(
        frozenset(pk for pk, _withheld, _member, _name, _slug, linked in rows if linked),
        [PlayerClub(*club) for _pk, withheld, member, *club in rows if member and not withheld],
        frozenset(pk for pk, withheld, *_club in rows if withheld),
    )
