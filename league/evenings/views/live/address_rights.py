"""Whether a signed address still opens its evening.

An address has the rights of the user whose page had it, and no more.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef

from league.evenings.views.live.fragments import BY_CODE, Watched
from league.models import Evening, Membership
from league.models.rights import Right, roles_with
from players.models import User


def still_opens(watched: Watched) -> bool:
    """Members' names need the right to read the club; an address for the hall needs the right to record."""
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
