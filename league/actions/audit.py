"""Functions that write the audit log: the user, the action, the time and the IP address.

Each action that a page, command or job calls adds one entry. Functions that several actions share add none.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import connection
from django.db.models import Model

from league.models import (
    Adjustment,
    Attendance,
    AuditEntry,
    Club,
    Contest,
    Deal,
    Evening,
    Membership,
    Round,
    Season,
    Tournament,
)
from league.models import Table as CardTable
from league.models.audit_entry import AuditEvent
from league.models.rights import ROLES_ABOVE_MEMBER
from players.models import Player, User

IP_ADDRESS_RETENTION: Final = timedelta(days=365)

# For each model, the field that refers to its parent row. The last parent is the club.
_PARENT_FIELDS: Final[dict[type[Model], str]] = {
    Season: "club",
    Evening: "season",
    Round: "evening",
    CardTable: "round",
    Deal: "table",
    Contest: "deal",
    Attendance: "evening",
    Adjustment: "season",
    Membership: "club",
    Tournament: "club",
}
_MODELS_WITH_PLAYER: Final = (Contest, Attendance, Adjustment, Membership)
# Models that an AuditEntry refers to by a field of their name.
_REFERENCED_MODELS: Final = (Season, Evening, Round, CardTable, Deal, Player, Club)


def log(
    event: AuditEvent,
    subject: Model | None = None,
    *,
    by: User | None = None,
    author: int | None = None,
    player: int | None = None,
    count: int = 1,
    reason: str = "",
    **params: object,
) -> None:
    """Add an audit entry for an action on the row `subject`. Call it in the action's transaction.

    `by` is by default the user of the request. `author` is the id of a player who acts without a login, or whose login
    is being deleted. `player` is the id of the player whom the action concerns. `count` is the number of rows that a
    bulk action wrote. `params` are stored as JSON. They must not have names of people, since names in an entry could
    not be erased.
    """
    references = _references(subject)
    if player is not None:
        references["player_id"] = player
    AuditEntry.objects.create(
        event=event, user=by, author_id=author, count=count, reason=reason.strip(), params=params, **references
    )


def _references(row: Model | None) -> dict[str, Any]:
    """Return the ids of the row, of its parents up to the club, and of its player, by column name of AuditEntry."""
    ids: dict[str, Any] = {}
    while row is not None:
        if isinstance(row, _REFERENCED_MODELS):
            ids[f"{row._meta.model_name}_id"] = row.pk
        if isinstance(row, _MODELS_WITH_PLAYER):
            ids["player_id"] = row.player_id
        parent = _PARENT_FIELDS.get(type(row))
        if parent == "club":
            ids["club_id"] = getattr(row, "club_id", None)
            break
        row = getattr(row, parent) if parent else None
    return ids


def log_tournament(event: AuditEvent, tournament: Tournament, *, count: int = 1, **params: Any) -> None:
    """Add an audit entry for an action on a tournament. Entries refer to its club; `params` get its id and name too."""
    log(event, tournament, count=count, tournament=tournament.pk, name=tournament.name, **params)


def log_in_clubs(
    event: AuditEvent, player: Player, *, by: User | None = None, author: int | None = None, reason: str = ""
) -> None:
    """Add one audit entry in each club of the player, so that the admins of each club can read it."""
    for club in Club.objects.filter(memberships__player=player).order_by("pk"):
        log(event, club, by=by, author=author, player=player.pk, reason=reason)


def log_sign_in(user: User) -> None:
    """Log a sign-in, with the ids of the clubs in which the user has more rights than a member.

    The admins of these clubs may read the entry.
    """
    staff = Membership.objects.filter(player__user=user, role__in=ROLES_ABOVE_MEMBER).order_by("club")
    log(AuditEvent.SIGNED_IN, by=user, clubs=list(staff.values_list("club", flat=True)))


def remove_old_ip_addresses(now: datetime) -> None:
    _execute("SELECT league_audit_remove_addresses(%s)", now - IP_ADDRESS_RETENTION)


def remove_ip_addresses_of(user: User) -> None:
    """Remove the user's IP addresses from the audit log and from the history tables."""
    _execute("SELECT league_audit_erase_user(%s)", user.pk)


def delete_entries_of_club(club: Club) -> None:
    _execute("SELECT league_audit_delete_club(%s)", club.pk)


def log_past_changes(club: Club) -> None:
    """Add audit entries for the past changes of an imported club.

    The imported file has no audit entries; the changes are read from the club's history tables.
    """
    _execute("SELECT league_audit_log_history(%s)", club.pk)


def _execute(sql: str, parameter: int | datetime) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, [parameter])
