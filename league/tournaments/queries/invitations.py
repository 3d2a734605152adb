"""The clubs that take part in a tournament of several clubs, and the invitations that a club has received."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.db.models import Count, Q

from league.models import Club, Tournament, TournamentClub
from league.models.tournament import TournamentState, UnitState
from players.models.person import Viewer

MAX_INVITATIONS = 50  # on a page


def participating_clubs(tournament: Tournament) -> Sequence[TournamentClub]:
    """Return the participating clubs by name, with `unit_count`, the number of their registrations; one query.

    Cancelled registrations do not count.
    """
    is_not_cancelled = ~Q(units__state=UnitState.CANCELLED)
    return list(tournament.clubs.annotate(unit_count=Count("units", filter=is_not_cancelled)).order_by("name", "pk"))


def clubs_to_invite(tournament: Tournament, user: Viewer) -> list[Club]:
    """Return the clubs that the user may see and that do not take part yet, by name."""
    taking_part = TournamentClub.objects.filter(tournament=tournament, club__isnull=False).order_by().values("club")
    visible_clubs = Club.objects.visible_to(user).filter(delete_at=None).exclude(pk=tournament.club_id)
    return list(visible_clubs.exclude(pk__in=taking_part).order_by("name", "pk"))


def invitations(club: Club, user: Viewer, *, since: date | None = None) -> list[TournamentClub]:
    """Return the invitations that a club has received, the latest tournament first; one query.

    A user who may not record results for the club gets []. With `since`, return only tournaments from this day on that
    are not cancelled, the next tournament first.
    """
    rows = TournamentClub.objects.visible_to(user).filter(club=club).with_clubs()
    if since is None:
        return list(rows.order_by("-tournament__date", "-pk")[:MAX_INVITATIONS])
    coming = rows.exclude(tournament__state=TournamentState.CANCELLED).filter(tournament__date__gte=since)
    return list(coming.order_by("tournament__date", "pk")[:MAX_INVITATIONS])
