"""What ended stays ended when an older backup is restored: the list that is kept beside the backups, and its use."""

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

WRITING: Final = 0x6C656167_656E6473  # of the advisory lock of whoever writes the list


class ListedEnding(NamedTuple):
    """An ending as the list has it."""

    id: str
    kind: str
    subject: int
    club: int
    remains: str
    ended_at: str

    @property
    def about(self) -> tuple[str, int, int]:
        """Of what it is the last word."""
        return self.kind, self.subject, self.club


def listed() -> list[ListedEnding]:
    """Return all that ended; one query."""
    rows = Ending.objects.order_by("ended_at", "id")
    return [
        ListedEnding(str(row.id), row.kind, row.subject, row.club, row.remains, row.ended_at.isoformat())
        for row in rows
    ]


def is_unkept() -> bool:
    """Return whether something ended that is not in the list beside the backups yet; one query."""
    return Ending.objects.filter(kept=False).exists()


@transaction.atomic
def keep(write: Callable[[list[ListedEnding]], object]) -> None:
    """Have the whole list written, and remember what it holds; one at a time, so that no older list comes last."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [WRITING])
    found = listed()
    write(found)
    Ending.objects.filter(pk__in=[ended.id for ended in found], kept=False).update(kept=True)


def is_ours(ended: Iterable[ListedEnding]) -> bool:
    """Return whether a list is of the same installation as the database."""
    origin = Ending.objects.filter(kind=EndingKind.ORIGIN).values_list("pk", flat=True).first()
    theirs = {each.id for each in ended if each.kind == EndingKind.ORIGIN}
    return theirs == {str(origin)}


@transaction.atomic
def end_again(ended: Iterable[ListedEnding]) -> list[ListedEnding]:
    """End what ended after the backup to which the database was restored, and return that.

    Those are the endings whose ids the backup doesn't know; the list is this installation's. Invitation links end all.
    Letters that waited then are not sent: they were, or are not wanted any more.
    """
    known = {str(pk) for pk in Ending.objects.values_list("pk", flat=True)}
    new = [each for each in ended if each.id not in known]
    for each in new:
        Ending.objects.filter(kind=each.kind, subject=each.subject, club=each.club).delete()
    Ending.objects.bulk_create(Ending(**each._asdict()) for each in new)
    for each in new:
        if each.kind != EndingKind.ORIGIN:
            _AGAIN[EndingKind(each.kind)](each)
    for club in Club.objects.all():
        Club.objects.filter(pk=club.pk).update(invite_key=new_invite_key())
    Letter.objects.filter(state=LetterState.WAITING).delete()
    Job.objects.filter(kind=EMAIL).delete()
    return new


def _erase(ended: ListedEnding) -> None:
    if Player.objects.filter(pk=ended.subject).exists():
        erase_again(ended.subject)


def _delete_login(ended: ListedEnding) -> None:
    for user in User.objects.filter(pk=ended.subject):
        delete_login(user)


def _take_rights(ended: ListedEnding) -> None:
    left = ended.remains.split()
    taken: dict[str, Any] = {flag: False for flag in FLAGS if flag not in left}
    if taken:
        User.objects.filter(pk=ended.subject).update(**taken)


def _revoke_token(ended: ListedEnding) -> None:
    ApiToken.objects.filter(pk=ended.subject).delete()


def _end_calendar(ended: ListedEnding) -> None:
    User.objects.filter(pk=ended.subject).update(calendar_key=None)


def _lower_role(ended: ListedEnding) -> None:
    own = Membership.objects.filter(club=ended.club, player=ended.subject)
    for membership in own.select_for_update(of=("self",)):
        if not ended.remains:
            membership.delete()
        elif not RIGHTS[membership.role] <= RIGHTS[ended.remains]:
            membership.role = ended.remains
            membership.save(update_fields=["role"])
        follow_clubs([ended.subject])


def _delete_club(ended: ListedEnding) -> None:
    club_deletion.delete(ended.subject, now=timezone.now())


def _end_watching(ended: ListedEnding) -> None:
    version = int(ended.remains)
    Evening.objects.filter(pk=ended.subject, live_version__lt=version).update(live_version=version)


def _refuse_letters(ended: ListedEnding) -> None:
    if User.objects.filter(pk=ended.subject).exists():
        for kind in ended.remains.split():
            LetterChoice.objects.update_or_create(user_id=ended.subject, kind=kind, defaults={"wanted": False})


_AGAIN: Final[dict[EndingKind, Callable[[ListedEnding], None]]] = {
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
