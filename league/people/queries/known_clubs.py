"""A player's clubs, as far as a viewer may see them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import BooleanField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet, Value

from league.models import Club, Membership, visible
from league.models.club import withheld_from
from players.models import Player, User

if TYPE_CHECKING:
    from players.models.person import Reader


class Belongs(NamedTuple):
    """A club of the player; `linked` if the reader may see its page."""

    name: str
    slug: str
    linked: bool


class KnownClubs(NamedTuple):
    """The ids of all clubs whose pages the reader may see, and the clubs of the player that he may know of.

    `withheld` are the ids of private clubs that have not agreed to the reader's login for the player's record.
    """

    seen: frozenset[int]
    of_player: list[Belongs]
    withheld: frozenset[int]


def clubs_of(person: Player, own: bool, reader: Reader) -> KnownClubs:
    """Return the clubs that the reader may see, and of them the player's; all of one's own, also as a guest.

    A person is shown as a guest of a club to its own readers alone.
    """
    linked = Exists(Club.objects.visible_to(reader).filter(pk=OuterRef("pk")))
    shown = Q() if own else visible.shown_to(reader)
    member = Exists(Membership.objects.filter(shown, club=OuterRef("pk"), player=person))
    withheld: Any = Value(False)
    if own and isinstance(reader, User):
        private = Q(pk__in=withheld_from(reader)) & ~Q(pk__in=Club.objects.visible_to(reader))
        withheld = ExpressionWrapper(private, BooleanField())
    clubs: QuerySet[Any, Any] = Club.objects.annotate(linked=linked, member=member, withheld=withheld)
    known = clubs.filter(Q(linked=True) | Q(member=True) | Q(withheld=True) if own else Q(linked=True))
    rows = list(known.values_list("pk", "withheld", "member", "name", "slug", "linked"))
    return KnownClubs(
        frozenset(pk for pk, _withheld, _member, _name, _slug, linked in rows if linked),
        [Belongs(*club) for _pk, withheld, member, *club in rows if member and not withheld],
        frozenset(pk for pk, withheld, *_club in rows if withheld),
    )
