"""Fetch the row of a page and check the user's rights: the first lines of every view.

    evening = visible_or_404(Evening.objects.with_season(), request.user, pk=pk)
    evening = recordable_or_403(Evening.objects.with_season(), request.user, pk=pk)
    season = managed_or_403(Season.objects.with_club(), request.user, pk=pk)

A user who may not see the row gets 404, so that a URL reveals nothing. A user who may see the row but lacks the right
gets 403. `login_required` on the view redirects anonymous users to the login first. If the club requires a second
factor that the user lacks, the functions raise SecondFactorMissing: a page with a link to the setup
(league/web/second_factor.py), an error in the API.

These functions also decide, by the user's rights, how much of a name the page shows (players/naming.py). Call them
before the view reads a name; otherwise the tests fail.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404

from league.models import Club, visible
from league.models.club import rights_with_role
from league.models.rights import Right
from league.web.language import use_club_language
from league.web.second_factor import check_second_factor, lacks_second_factor
from players.models import Player
from players.models.person import Viewer
from players.naming import Audience, show_member_names_of, show_names_to

M = TypeVar("M", bound=Model, covariant=True)


class VisibleQuerySet(Protocol[M]):
    def visible_to(self, user: Viewer, /) -> QuerySet[M]: ...


class CollectableQuerySet(VisibleQuerySet[M], Protocol[M]):
    def collectable_by(self, user: Viewer, /) -> QuerySet[M]: ...


class RecordableQuerySet(VisibleQuerySet[M], Protocol[M]):
    def recordable_by(self, user: Viewer, /) -> QuerySet[M]: ...


class ManagedQuerySet(VisibleQuerySet[M], Protocol[M]):
    def managed_by(self, user: Viewer, /) -> QuerySet[M]: ...


def visible_or_404(rows: VisibleQuerySet[M], user: Viewer, **lookup: object) -> M:
    """Return the row if the user may see it. Raise Http404 if not."""
    return get_object_or_404(rows.visible_to(user), **lookup)


class VisiblePlayer(NamedTuple):
    """A player that the user may see. If `known` is False, the user may see only results, no ratings and clubs."""

    player: Player
    known: bool


def visible_players_or_404(user: Viewer, *pks: int) -> list[VisiblePlayer]:
    """Return the players with these ids, in this order. Raise Http404 if the user may not see one of them.

    Former members and guests are visible in results only. One or two queries. The function also sets the names shown on
    the page: players of the user's clubs are named as for members, all others as for the public.
    """
    known_players = visible.with_known_names(visible.players(user), user).in_bulk(pks)
    in_results_only = (
        visible.players_in_results(user).in_bulk(set(pks) - set(known_players))
        if len(known_players) < len(set(pks))
        else {}
    )
    if user.is_superuser:
        show_names_to(Audience.MEMBERS)
    show_member_names_of([known_id for player in list(known_players.values())[:1] for known_id in player.known])  # type: ignore[attr-defined]
    seen_players = {
        pk: VisiblePlayer(player, pk in known_players)
        for pk, player in (*known_players.items(), *in_results_only.items())
    }
    if len(seen_players) < len(set(pks)):
        raise Http404
    return [seen_players[pk] for pk in pks]


def show_known_names(user: Viewer) -> None:
    """On a page that belongs to no club, show names of players of the user's clubs as members may see them."""
    if user.is_superuser:
        show_names_to(Audience.MEMBERS)
    elif user.is_authenticated:
        show_member_names_of(list(visible.players_with_member_names(user).values_list("pk", flat=True)))


def collectable_or_403(rows: CollectableQuerySet[M], user: Viewer, **lookup: object) -> M:
    """Return the row if the user may take fees in its club.

    Raise PermissionDenied if not, Http404 if it is not visible.
    """
    return _get_permitted(rows.collectable_by(user), rows, user, lookup)


def recordable_or_403(rows: RecordableQuerySet[M], user: Viewer, **lookup: object) -> M:
    """Return the row if the user may record results in its club.

    Raise PermissionDenied if not, Http404 if it is not visible.
    """
    return _get_permitted(rows.recordable_by(user), rows, user, lookup)


def managed_or_403(rows: ManagedQuerySet[M], user: Viewer, **lookup: object) -> M:
    """Return the row if the user may manage its club. Raise PermissionDenied if not, Http404 if it is not visible."""
    return _get_permitted(rows.managed_by(user), rows, user, lookup)


def _get_permitted(permitted_rows: QuerySet[M], rows: VisibleQuerySet[M], user: Viewer, lookup: dict[str, object]) -> M:
    """Return the row of `permitted_rows` (the rows for which the user has the right).

    For the rest of the request, show names as the club's committee sees them. If there is no such row, raise
    PermissionDenied if `rows` has it and the user may see it, else Http404.
    """
    row = permitted_rows.filter(**lookup).first()
    if row is not None:
        check_second_factor(user, club_of(row))
        show_names_to(Audience.COMMITTEE)
        return row
    visible_or_404(rows, user, **lookup)
    raise PermissionDenied


# Names of the foreign keys that lead from a row to its club.
CLUB_PATH: Final = (
    "club",
    "season",
    "evening",
    "round",
    "table",
    "deal",
    "tournament",
)


def club_of(row: Model) -> Club:
    """Return the row itself if it is a club, or its club."""
    while not isinstance(row, Club):
        fields = {field.name for field in row._meta.fields}
        row = getattr(row, next(name for name in CLUB_PATH if name in fields))
    return row


def show_names_by_role(user: Viewer, role: str) -> None:
    """Show names as the user's role in the club may see them. For responses without `club_context`, such as a file."""
    if Right.READ in rights_with_role(user, role):
        show_names_to(Audience.MEMBERS)


def club_context(club: Club, user: Viewer, role: str | None = None) -> dict[str, object]:
    """Return the template context of every page of a club: `club` and the user's rights in it.

    The rights are `can_read`, `can_collect`, `can_record` and `can_manage`. `lacks_second_factor` is True if the club
    requires a second factor first. The user's `role` is queried unless it is passed. This function also sets the
    language for visitors, and how much of a name the page shows.
    """
    use_club_language(club)
    rights = club.rights_of(user) if role is None else rights_with_role(user, role)
    if Right.READ in rights:
        show_names_to(Audience.MEMBERS)
    lacks = lacks_second_factor(user, club, rights)
    return {"club": club, "lacks_second_factor": lacks, **{f"can_{right}": right in rights for right in Right}}
