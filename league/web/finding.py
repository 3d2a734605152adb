"""How every page begins: find what the reader may see, or what he may act on. Knows nothing of answers.

    evening = seen(Evening.objects.with_season(), request.user, pk=pk)
    evening = recordable(Evening.objects.with_season(), request.user, pk=pk)
    season = managed(Season.objects.with_club(), request.user, pk=pk)

Whoever may not even see it gets 404, so an address tells strangers nothing; whoever sees it and may not act gets 403.
Anonymous readers are sent to sign in by `login_required` on the view, before anything is looked up.
Of whom the club asks a second factor that he has not, he is led to one first (league/web/second_factor.py).
Whoever acts on something knows its people by their whole names: from there on they are shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from league.models import Club, visible
from league.models.club import rights_by
from league.models.rights import Right
from league.web.language import speak_of
from league.web.second_factor import check_second_factor, lacks_second_factor
from players.naming import Audience, show_member_names_of, show_names_to

if TYPE_CHECKING:
    from players.models import Player
    from players.models.person import Reader

M = TypeVar("M", bound=Model, covariant=True)


class Visible(Protocol[M]):
    """A queryset, or manager, that knows who may see its rows."""

    def visible_to(self, user: Reader, /) -> QuerySet[M]: ...


class Collectable(Visible[M], Protocol[M]):
    """One that also knows who may take the fees of its rows."""

    def collectable_by(self, user: Reader, /) -> QuerySet[M]: ...


class Recordable(Visible[M], Protocol[M]):
    """One that also knows who may enter results for its rows."""

    def recordable_by(self, user: Reader, /) -> QuerySet[M]: ...


class Managed(Visible[M], Protocol[M]):
    """One that also knows who may set its rows up."""

    def managed_by(self, user: Reader, /) -> QuerySet[M]: ...


def seen(things: Visible[M], user: Reader, **lookup: object) -> M:
    """Return the one that the user may see, else 404."""
    return get_object_or_404(things.visible_to(user), **lookup)


class SeenPlayer(NamedTuple):
    """A player, and whether the reader sees more of him than results that name him: ratings, his clubs."""

    player: Player
    known: bool


def players_seen(user: Reader, *pks: int) -> list[SeenPlayer]:
    """Return the players of these ids in their order, 404 if one of them may not be seen. One query if all are known.

    Of one who left his clubs the results there are left, which boards lead to, and of guests to who is no member. The
    page is no club's own: from here on people of the user's clubs are named as to members, all others as to everyone.
    """
    known = visible.with_known_names(visible.players(user), user).in_bulk(pks)
    left = visible.players_in_results(user).in_bulk(set(pks) - set(known)) if len(known) < len(set(pks)) else {}
    if user.is_superuser:
        show_names_to(Audience.MEMBERS)
    show_member_names_of([each for player in list(known.values())[:1] for each in player.known])  # type: ignore[attr-defined]
    found = {pk: SeenPlayer(player, pk in known) for pk, player in (*known.items(), *left.items())}
    if len(found) < len(set(pks)):
        raise Http404
    return [found[pk] for pk in pks]


def know_people(user: Reader) -> None:
    """Name people of the user's clubs as to members from here on, all others as to everyone; one query at most.

    For a page that is no club's own and shows people of many.
    """
    if user.is_superuser:
        show_names_to(Audience.MEMBERS)
    elif user.is_authenticated:
        show_member_names_of(list(visible.known_names(user).values_list("pk", flat=True)))


def collectable(things: Collectable[M], user: Reader, **lookup: object) -> M:
    """Return the one whose fees the user may take; 403 if he may only see it, else 404."""
    return _allowed(things.collectable_by(user), things, user, lookup)


def recordable(things: Recordable[M], user: Reader, **lookup: object) -> M:
    """Return the one for which the user may enter results; 403 if he may only see it, else 404."""
    return _allowed(things.recordable_by(user), things, user, lookup)


def managed(things: Managed[M], user: Reader, **lookup: object) -> M:
    """Return the one that the user may set up; 403 if he may only see it, else 404."""
    return _allowed(things.managed_by(user), things, user, lookup)


def _allowed(rows: QuerySet[M], things: Visible[M], user: Reader, lookup: dict[str, object]) -> M:
    found = rows.filter(**lookup).first()
    if found is not None:
        check_second_factor(user, club_of(found))
        show_names_to(Audience.WORK)
        return found
    seen(things, user, **lookup)
    raise PermissionDenied


OWNERS: Final = ("club", "season", "evening", "round", "table", "deal")  # fields by which a row leads to its club


def club_of(row: Model) -> Club:
    """Return the club to which a row belongs."""
    while not isinstance(row, Club):
        fields = {field.name for field in row._meta.fields}
        row = getattr(row, next(name for name in OWNERS if name in fields))
    return row


def name_people(user: Reader, role: str) -> None:
    """Show names as a role in the club lets the user read them, for what is no page and has no frame."""
    if Right.READ in rights_by(user, role):
        show_names_to(Audience.MEMBERS)


def frame(club: Club, user: Reader, role: str | None = None) -> dict[str, object]:
    """Return what every page of a club hands its template: `club`, and of each right whether the user has it there.

    The template knows them as `can_read`, `can_collect`, `can_record`, `can_manage`; `lacks_second_factor` says that
    the club asks for one first, which the bar of the club tells. The user's `role` is asked for unless it is known; of
    a committee of which a second factor is asked, so is whether he has one. From here on the page speaks the club's
    language to visitors, and names people as the user may read them; so it comes before whatever finds people by what
    is typed.
    """
    speak_of(club)
    own = club.rights_of(user) if role is None else rights_by(user, role)
    if Right.READ in own:
        show_names_to(Audience.MEMBERS)
    lacks = lacks_second_factor(user, club, own)
    return {"club": club, "lacks_second_factor": lacks, **{f"can_{right}": right in own for right in Right}}
