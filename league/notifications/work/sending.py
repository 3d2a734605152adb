"""Sends what waits in the outbox: each letter at most once, to who may still read it.

A letter is claimed, sent and settled, each by itself. So a worker that dies in between leaves one of which nobody knows
whether it went out: it stays claimed, the installation's admin sees it, and it is not sent again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Final

import structlog
from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from league.actions import outbox
from league.actions.jobs import Now, enqueue
from league.models import Club, Job, Letter
from league.models.letter import LetterKind, LetterState, NoticeKind, wanted_kinds
from league.notifications.work.notices import notice
from league.notifications.work.stop_links import StopLink, address
from league.notifications.work.wording import Wording, wording
from league.operations.work.jobs import Later
from players.mail_limits import may_notify
from players.models import User
from players.naming import Audience, names_shown_to

log = structlog.get_logger(__name__)

NOTIFICATIONS: Final = "notifications"  # the kind of jobs


def schedule(now: datetime) -> None:
    """Add a job if emails wait; delete those of long ago."""
    outbox.clear(now)
    if Letter.objects.to_send(now).exists():
        enqueue(NOTIFICATIONS, now=now)


def send_waiting(_job: Job, now: Now) -> Iterator[None]:
    """Send what waits, one email a step. Nothing is claimed while the mail server is away."""
    try:
        server = get_connection()
        server.open()
    except OSError as error:  # all that smtplib raises are OSErrors
        log.error("mail_server_away", then="letters wait", error=str(error))
        raise Later(now() + outbox.MINUTE, str(error)) from error
    try:
        while letters := outbox.claim(now()):
            mail = mail_of(letters, now())
            wanted = mail is not None and may_notify(mail.to[0])
            outbox.set_state(letters, _sent(server, mail) if mail and wanted else LetterState.DROPPED)
            yield
    except OSError as error:
        log.error("letter_uncertain", then="it is not sent again", error=str(error))
    finally:
        server.close()


def send_again(job: Job, now: Now) -> None:
    """Send an email that could not go out at once. If nobody knows whether it went out, it is sent again."""
    email = job.payload
    try:
        EmailMessage(email["subject"], email["body"], None, [email["address"]]).send()
    except OSError as error:
        age = now() - job.created_at
        if outbox.is_refused(error) or age >= outbox.RETRY_PERIOD:
            raise
        log.error("mail_not_sent", subject=email["subject"], error=str(error), again=True)
        if not isinstance(error, outbox.ANSWERS):
            outbox.postpone_emails(now())
        raise Later(now() + max(outbox.RETRY_DELAY, age), str(error)) from error
    job.payload = {}


def on_given_up(job: Job, error: Exception, now: datetime) -> bool:
    """Have a status check show that an email never went out."""
    log.error("mail_not_sent", subject=job.payload["subject"], error=str(error), again=False)
    outbox.note_not_sent(now)
    return False


def _sent(server: BaseEmailBackend, mail: EmailMessage) -> LetterState:
    """Send, and return what the mail server said; raises OSError where nobody knows whether it took the mail."""
    try:
        server.send_messages([mail])
    except outbox.ANSWERS as error:
        later = outbox.is_for_later(error)
        log.error("mail_not_sent", error=str(error), again=later)
        return LetterState.WAITING if later else LetterState.REFUSED
    return LetterState.SENT


def mail_of(letters: Sequence[Letter], now: datetime) -> EmailMessage | None:
    """Return the mail of letters of one kind to one reader; None where it tells nothing that he may know."""
    reader, club = letters[0].reader, letters[0].club
    if club is None:
        return _notice(letters, reader)
    kind = LetterKind(letters[0].kind)
    if not _may_get(kind, reader, club):
        return None
    names = Audience.WORK if kind is LetterKind.CONTESTED else Audience.MEMBERS
    with translation.override(reader.language or club.language), timezone.override(club.zone), names_shown_to(names):
        said = wording(kind, club, reader, list(dict.fromkeys(letter.subject for letter in letters)), now)
        return said and _mail(said, reader, kind)


def _notice(letters: Sequence[Letter], reader: User) -> EmailMessage | None:
    """Return the mail about the reader's own account, in the language and time of a club of his if he chose none."""
    if not reader.is_active:
        return None
    club = Club.objects.own(reader).first()
    language = reader.language or (club.language if club else settings.LANGUAGE_CODE)
    zone = club.zone if club else timezone.get_default_timezone()
    with translation.override(language), timezone.override(zone):
        return _mail(notice(NoticeKind(letters[0].kind), letters), reader)


def _may_get(kind: LetterKind, reader: User, club: Club) -> bool:
    """Return whether the reader still wants such letters, and still has the right in the club that they are for."""
    clubs = Club.objects.recordable_by(reader) if kind is LetterKind.CONTESTED else Club.objects.read_by(reader)
    return reader.is_active and kind in wanted_kinds(reader) and clubs.filter(pk=club.pk).exists()


def _mail(said: Wording, reader: User, kind: LetterKind | None = None) -> EmailMessage:
    """Return it; letters of a kind can be stopped."""
    foot = _("You get this e-mail because it is about the safety of your account.")
    headers = {"Auto-Submitted": "auto-generated"}
    if kind is not None:
        stop = address(StopLink(reader.pk, kind))
        foot = _("To get no more e-mails of this kind: %(stop)s\nAll your e-mails: %(choices)s") % {
            "stop": stop,
            "choices": f"{settings.SITE_ADDRESS}{reverse('league:letters')}",
        }
        if settings.SITE_ADDRESS:  # RFC 8058: the mail program posts there when its reader asks it to
            headers |= {"List-Unsubscribe": f"<{stop}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    subject = " ".join(said.subject.splitlines())  # a name with a line break in it would end the header
    return EmailMessage(subject, "\n\n".join([*said.told, f"--\n{foot}\n"]), None, [reader.email], headers=headers)
