"""The revocation list, stored beside the backups: what a restore of an older backup must end again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from django.db import connection, transaction
from django.utils import timezone

from league.actions import club_deletion
from league.actions.account_deletion import delete_login
from league.actions.erasing import erase_again
from league.actions.outbox import EMAIL
from league.actions.player_names import follow_clubs
from league.models import ApiToken, Club, Ending, Evening, Job, LetterChoice, Membership
from league.models.club import new_invite_key
from league.models.ending import FLAGS, EndingKind
from league.models.letter import Letter, LetterState
from league.models.rights import RIGHTS
from players.models import Player, User

WRITE_LOCK: Final = 0x6C656167_656E6473  # id of an advisory lock


class ListedEnding(NamedTuple):
    """A row of the list."""

    id: str
    kind: str
    subject: int
    club: int
    remains: str
    ended_at: str

    @property
    def key(self) -> tuple[str, int, int]:
        """The subject: the list has one row of each."""
        return self.kind, self.subject, self.club


def all_endings() -> list[ListedEnding]:
    rows = Ending.objects.order_by("ended_at", "id")
    return [
        ListedEnding(str(row.id), row.kind, row.subject, row.club, row.remains, row.ended_at.isoformat())
        for row in rows
    ]


def is_unkept() -> bool:
    """Return whether an ending is not in the stored list yet; one query."""
    return Ending.objects.filter(kept=False).exists()


@transaction.atomic
def keep(write: Callable[[list[ListedEnding]], object]) -> None:
    """Write the whole list, and mark its rows as stored; one writer at a time, so that no older list comes last."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITE_LOCK])
    endings = all_endings()
    write(endings)
    Ending.objects.filter(pk__in=[ending.id for ending in endings], kept=False).update(kept=True)


def is_ours(revocations: Iterable[ListedEnding]) -> bool:
    """Return whether the list comes from the installation of this database."""
    origin = Ending.objects.filter(kind=EndingKind.ORIGIN).values_list("pk", flat=True).first()
    origins = {ending.id for ending in revocations if ending.kind == EndingKind.ORIGIN}
    return origins == {str(origin)}


@transaction.atomic
def end_again(revocations: Iterable[ListedEnding]) -> list[ListedEnding]:
    """Repeat the endings that are missing in the restored database; return them.

    The list is from this installation. All invitation links end. Pending emails are deleted: they were sent, or are not
    wanted any more.
    """
    known_ids = {str(pk) for pk in Ending.objects.values_list("pk", flat=True)}
    new = [ending for ending in revocations if ending.id not in known_ids]
    for ending in new:
        Ending.objects.filter(kind=ending.kind, subject=ending.subject, club=ending.club).delete()
    Ending.objects.bulk_create(Ending(**ending._asdict()) for ending in new)
    for ending in new:
        if ending.kind != EndingKind.ORIGIN:
            _REPEAT[EndingKind(ending.kind)](ending)
    for club in Club.objects.all():
        Club.objects.filter(pk=club.pk).update(invite_key=new_invite_key())
    Letter.objects.filter(state=LetterState.WAITING).delete()
    Job.objects.filter(kind=EMAIL).delete()
    return new


def _erase(ending: ListedEnding) -> None:
    if Player.objects.filter(pk=ending.subject).exists():
        erase_again(ending.subject)


def _delete_login(ending: ListedEnding) -> None:
    for user in User.objects.filter(pk=ending.subject):
        delete_login(user)


def _take_rights(ending: ListedEnding) -> None:
    remaining = ending.remains.split()
    lost: dict[str, Any] = {flag: False for flag in FLAGS if flag not in remaining}
    if lost:
        User.objects.filter(pk=ending.subject).update(**lost)


def _revoke_token(ending: ListedEnding) -> None:
    ApiToken.objects.filter(pk=ending.subject).delete()


def _end_calendar(ending: ListedEnding) -> None:
    User.objects.filter(pk=ending.subject).update(calendar_key=None)


def _lower_role(ending: ListedEnding) -> None:
    memberships = Membership.objects.filter(club=ending.club, player=ending.subject)
    for membership in memberships.select_for_update(of=("self",)):
        if not ending.remains:
            membership.delete()
        elif not RIGHTS[membership.role] <= RIGHTS[ending.remains]:
            membership.role = ending.remains
            membership.save(update_fields=["role"])
        follow_clubs([ending.subject])


def _delete_club(ending: ListedEnding) -> None:
    club_deletion.delete(ending.subject, now=timezone.now())


def _end_watching(ending: ListedEnding) -> None:
    version = int(ending.remains)
    Evening.objects.filter(pk=ending.subject, live_version__lt=version).update(live_version=version)


def _refuse_letters(ending: ListedEnding) -> None:
    if User.objects.filter(pk=ending.subject).exists():
        for kind in ending.remains.split():
            LetterChoice.objects.update_or_create(user_id=ending.subject, kind=kind, defaults={"wanted": False})


_REPEAT: Final[dict[EndingKind, Callable[[ListedEnding], None]]] = {
    EndingKind.PLAYER: _erase,
    EndingKind.LOGIN: _delete_login,
    EndingKind.RIGHTS: _take_rights,
    EndingKind.TOKEN: _revoke_token,
    EndingKind.CALENDAR: _end_calendar,
    EndingKind.ROLE: _lower_role,
    EndingKind.CLUB: _delete_club,
    EndingKind.WATCHED: _end_watching,
    EndingKind.LETTERS: _refuse_letters,
}
