"""The revocation list: erased players, deleted logins and clubs, and rights that users have lost.

The list is stored beside the backups. After the restore of an older backup it is applied, so that deleted data and
lost rights do not come back.

Database triggers write most rows of the list (`models/revocation.py`); `erasure.py` writes those of erased players.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from league.actions import club_deletion, webhooks
from league.actions.account_deletion import delete_login
from league.actions.erasure import reapply_erasure
from league.actions.notifications import EMAIL_JOB_KIND
from league.actions.player_names import apply_club_name_defaults
from league.models import ApiToken, Club, Evening, Job, Membership, NotificationChoice, Revocation
from league.models.club import new_invite_key
from league.models.notification import Notification, NotificationState
from league.models.revocation import USER_FLAGS, RevocationKind
from league.models.rights import RIGHTS
from players.models import Player, User

WRITE_LOCK_ID: Final = 0x6C656167_656E6473  # id of an advisory lock


class RevocationRow(NamedTuple):
    """A row of the revocation list (deletions and lost rights) as it is stored in a file.

    The field names are the format of the file. `remains` has the rights that are left (`RevocationKind`).
    """

    id: str
    kind: str
    subject: int
    club: int
    remains: str
    ended_at: str

    @property
    def key(self) -> tuple[str, int, int]:
        return self.kind, self.subject, self.club


def all_revocations() -> list[RevocationRow]:
    rows = Revocation.objects.order_by("ended_at", "id")
    return [
        RevocationRow(str(row.id), row.kind, row.subject, row.club, row.remains, row.ended_at.isoformat())
        for row in rows
    ]


def has_unstored_revocations() -> bool:
    """Return whether the revocation list has rows that are not in the file beside the backups."""
    return Revocation.objects.filter(kept=False).exists()


@transaction.atomic
def store_revocations(write: Callable[[list[RevocationRow]], object]) -> None:
    """Call `write` with the whole revocation list (deletions and lost rights), and mark its rows as stored.

    Of two simultaneous calls, the second waits for the first, so that an older list never replaces a newer one.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITE_LOCK_ID])
    revocations = all_revocations()
    write(revocations)
    Revocation.objects.filter(pk__in=[revocation.id for revocation in revocations], kept=False).update(kept=True)


def is_from_this_installation(revocations: Iterable[RevocationRow]) -> bool:
    """Return whether the list has the id of this installation, and of no other."""
    origin = Revocation.objects.filter(kind=RevocationKind.ORIGIN).values_list("pk", flat=True).first()
    origins = {revocation.id for revocation in revocations if revocation.kind == RevocationKind.ORIGIN}
    return origins == {str(origin)}


@transaction.atomic
def reapply_revocations(revocations: Iterable[RevocationRow]) -> list[RevocationRow]:
    """After a restore, apply and store the deletions and lost rights that the database does not have, and return them.

    The list must be from this installation. All invitation links end. Pending emails and messages to webhooks are
    deleted, since most were sent after the backup.
    """
    known_ids = {str(pk) for pk in Revocation.objects.values_list("pk", flat=True)}
    new = [revocation for revocation in revocations if revocation.id not in known_ids]
    for revocation in new:
        Revocation.objects.filter(kind=revocation.kind, subject=revocation.subject, club=revocation.club).delete()
    Revocation.objects.bulk_create(Revocation(**revocation._asdict()) for revocation in new)
    for revocation in new:
        _reapply_revocation(revocation)
    for club in Club.objects.all():
        Club.objects.filter(pk=club.pk).update(invite_key=new_invite_key())
    Notification.objects.filter(state=NotificationState.WAITING).delete()
    Job.objects.filter(kind=EMAIL_JOB_KIND).delete()
    webhooks.drop_waiting_messages()
    return new


def _reapply_revocation(revocation: RevocationRow) -> None:
    subject = revocation.subject
    match revocation.kind:
        case RevocationKind.PLAYER if Player.objects.filter(pk=subject).exists():
            reapply_erasure(subject)
        case RevocationKind.LOGIN:
            for user in User.objects.filter(pk=subject):
                delete_login(user)
        case RevocationKind.RIGHTS:
            _remove_rights(revocation)
        case RevocationKind.TOKEN:
            ApiToken.objects.filter(pk=subject).delete()
        case RevocationKind.CALENDAR:
            User.objects.filter(pk=subject).update(calendar_key=None)
        case RevocationKind.ROLE:
            _lower_role(revocation)
        case RevocationKind.CLUB:
            club_deletion.delete_club(subject, now=timezone.now())
        case RevocationKind.WATCHED:
            version = int(revocation.remains)
            Evening.objects.filter(pk=subject, live_version__lt=version).update(live_version=version)
        case RevocationKind.LETTERS if User.objects.filter(pk=subject).exists():
            for kind in revocation.remains.split():
                NotificationChoice.objects.update_or_create(user_id=subject, kind=kind, defaults={"wanted": False})


def _remove_rights(revocation: RevocationRow) -> None:
    remaining = revocation.remains.split()
    lost: dict[str, Any] = {flag: False for flag in USER_FLAGS if flag not in remaining}
    if lost:
        User.objects.filter(pk=revocation.subject).update(**lost)


def _lower_role(revocation: RevocationRow) -> None:
    """Delete the membership if no role remained. Else lower a role that has more rights to the remaining role."""
    memberships = Membership.objects.filter(club=revocation.club, player=revocation.subject)
    for membership in memberships.select_for_update(of=("self",)):
        if not revocation.remains:
            membership.delete()
        elif not RIGHTS[membership.role] <= RIGHTS[revocation.remains]:
            membership.role = revocation.remains
            membership.save(update_fields=["role"])
        apply_club_name_defaults([revocation.subject], only_narrower=not revocation.remains)
