"""Whether a signed address still opens its evening: it has the right of whoever gave it, and no other."""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from league.evenings.views.live.fragments import BY_CODE, Watched
from league.models import Evening, Membership
from league.models.rights import Right, roles_with
from players.models import User


def still_opens(watched: Watched) -> bool:
    """Return whether its giver may still see the evening so, and nobody ended the evening's addresses; one query.

    An address with members' names has the right to read the club; one for the hall, to record for it. Where the club is
    to be deleted none opens.
    """
    staying = Evening.objects.filter(season__club__delete_at=None)
    evenings = staying.filter(pk=watched.evening, live_version=watched.version)
    if watched.reader is None:
        evenings = evenings.filter(season__club__public=True)
    elif watched.reader != BY_CODE:
        givers = User.objects.filter(pk=watched.reader, is_active=True)
        roles = roles_with(Right.READ if watched.members else Right.RECORD)
        belongs = Membership.objects.filter(
            club=OuterRef("season__club"), player__user__in=givers, role__in=roles, login_unconfirmed=False
        )
        evenings = evenings.filter(Exists(belongs) | Exists(givers.filter(is_superuser=True)))
    return evenings.exists()
