"""Emails through a real mail server, which accepts, refuses or postpones them, or falls silent."""

from __future__ import annotations

from asyncio import Transport
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from pathlib import Path
from socket import socket
from threading import Barrier

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import connection
from django.utils import timezone
from pytest_django import Settings

from league.actions import account_deletion, evenings, notifications, roles
from league.models import Club, Job, Notification
from league.models.notification import UNCERTAIN_TIME, NotificationKind, NotificationState
from league.models.rights import Role
from league.operations.work.status_checks import Colour, all_checks
from players.models import Player
from tests.build import NOW, TODAY, a_club, a_member, a_season
from tests.readers import user_of
from tests.run_jobs import emails, send_letters

SITE = "https://league.example"
AFTER = UNCERTAIN_TIME + timedelta(seconds=1)


class Mailbox:
    """The accepted emails of a mail server; `answers` are its refusals of the next ones."""

    def __init__(self) -> None:
        self.taken: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.answers: list[str] = []

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 (its name there)
        if self.answers:
            answer = self.answers.pop(0)
            if answer == "gone":  # the connection ends without a word
                assert isinstance(server.transport, Transport)
                server.transport.abort()
            return answer
        assert isinstance(envelope.content, bytes)
        self.taken.append(message_from_bytes(envelope.content, policy=policy.default))
        self.recipients += envelope.rcpt_tos
        return "250 OK"


@pytest.fixture
def mailbox(settings: Settings) -> Iterator[Mailbox]:
    box = Mailbox()
    with socket() as probe:
        probe.bind(("127.0.0.1", 0))
        host, port = probe.getsockname()
    server = Controller(box, hostname=host, port=port)
    server.start()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = host, port
    settings.SITE_ADDRESS = SITE
    yield box
    server.stop()


def a_letter(club: Club | None = None) -> Player:
    """Have one letter wait for a member of a club."""
    club = club or a_club()
    reader = a_member(club)
    notifications.store_notification_choices(user_of(reader), {NotificationKind.PLANNED}, NotificationKind)
    evenings.plan(a_season(club).pk, date=TODAY + timedelta(days=1))
    return reader


def send(after: timedelta = timedelta(0)) -> None:
    send_letters(NOW + after)


def states() -> list[str]:
    return list(Notification.objects.order_by("pk").values_list("state", flat=True))


@pytest.mark.django_db
def test_what_arrives_is_what_was_meant(mailbox: Mailbox) -> None:
    reader = a_letter(a_club(name="Été à Évreux\r\nBcc: everyone@club.example", language="fr"))
    send()
    [mail] = mailbox.taken
    assert mailbox.recipients == [user_of(reader).email]
    assert mail["Subject"].strip() == "Été à Évreux Bcc: everyone@club.example\u202f: une soirée est prévue"
    assert mail["Bcc"] is None
    assert mail["To"] == user_of(reader).email
    assert mail["List-Unsubscribe"].strip().startswith(f"<{SITE}/letters/stop/")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert "samedi 3 octobre 2026" in mail.get_content()
    assert states() == [NotificationState.SENT]


@pytest.mark.django_db
def test_what_it_refuses_is_not_sent_again_and_stops_no_other(mailbox: Mailbox) -> None:
    mailbox.answers = ["550 nobody here"]
    a_letter()
    second = a_letter()
    send()
    assert mailbox.recipients == [user_of(second).email]
    assert states() == [NotificationState.REFUSED, NotificationState.SENT]
    send(AFTER)
    assert len(mailbox.taken) == 1


@pytest.mark.django_db
def test_what_it_puts_off_is_sent_later_and_others_meanwhile(mailbox: Mailbox) -> None:
    mailbox.answers = ["451 try again later"]
    late, second = a_letter(), a_letter()
    send()
    assert states() == [NotificationState.WAITING, NotificationState.SENT]
    send(UNCERTAIN_TIME / 2)  # not at once
    assert mailbox.recipients == [user_of(second).email]
    send(AFTER)
    assert mailbox.recipients == [user_of(second).email, user_of(late).email]


@pytest.mark.django_db
def test_where_it_falls_silent_nobody_knows_and_nothing_is_sent_again(mailbox: Mailbox) -> None:
    mailbox.answers = ["gone"]
    a_letter()
    second = a_letter()
    send()
    assert states() == [NotificationState.CLAIMED, NotificationState.WAITING]
    send(AFTER)
    assert mailbox.recipients == [user_of(second).email]
    assert Notification.objects.uncertain(NOW + AFTER).count() == 1


@pytest.mark.django_db
def test_while_it_is_away_nothing_is_claimed(mailbox: Mailbox, settings: Settings) -> None:
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    a_letter()
    send()
    assert states() == [NotificationState.WAITING]
    assert Notification.objects.get().claimed_at is None
    settings.EMAIL_PORT = port
    send(2 * MINUTE)
    assert len(mailbox.taken) == 1


@pytest.mark.django_db
def test_while_the_folder_for_files_can_not_be_written_to_nothing_is_claimed(
    settings: Settings, tmp_path: Path
) -> None:
    settings.EMAIL_BACKEND = "league.mail_folder.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path / "mail")
    (tmp_path / "mail").touch()
    a_letter()
    send()
    assert states() == [NotificationState.WAITING]
    (tmp_path / "mail").unlink()
    send(2 * MINUTE)
    [file] = (tmp_path / "mail").iterdir()
    assert "Auto-Submitted:" in file.read_text()
    assert states() == [NotificationState.SENT]


@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_send_each_letter_once(mailbox: Mailbox) -> None:
    club = a_club()
    readers = [a_letter(club) for _ in range(6)]
    barrier = Barrier(4)

    def work() -> None:
        try:
            barrier.wait()
            send()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(work) for _ in range(4)]:
            future.result()
    count = Notification.objects.count()
    mentions = sum(mail.get_content().count("/evenings/") for mail in mailbox.taken)
    assert mentions == count >= len(readers)
    assert set(states()) == {NotificationState.SENT}


def a_notice() -> list[str]:
    """Change a role in a club with two admins; return the addresses of the notified users, the admins first."""
    club = a_club()
    club.memberships.all().delete()
    admins = [a_member(club, Role.ADMIN) for _admin in range(2)]
    member = a_member(club)
    roles.change_role(club.memberships.get(player=member).pk, Role.SECRETARY)
    return [user_of(addressee).email for addressee in (*admins, member)]


def try_again(after: timedelta) -> None:
    send_letters(timezone.now() + after)


def light_of_letters() -> Colour:
    return next(check.colour for check in all_checks(timezone.now()) if check.title == "E-mails")


MINUTE = timedelta(minutes=1)


@pytest.mark.django_db(transaction=True)
def test_a_notice_goes_at_once_and_nothing_is_kept_of_it(mailbox: Mailbox) -> None:
    assert sorted(a_notice()) == sorted(mailbox.recipients)
    assert not emails()
    assert not Notification.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_notice_that_can_not_go_out_is_sent_when_the_mail_server_is_there_again(
    mailbox: Mailbox, settings: Settings
) -> None:
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    addressed = a_notice()
    assert light_of_letters() == Colour.AMBER
    try_again(notifications.RETRY_DELAY - MINUTE)
    try_again(notifications.RETRY_DELAY + MINUTE)  # the server is still away
    settings.EMAIL_PORT = port
    assert sorted(email["address"] for email in emails()) == sorted(addressed)
    try_again(2 * notifications.RETRY_DELAY + MINUTE)
    try_again(4 * notifications.RETRY_DELAY)
    assert sorted(mailbox.recipients) == sorted(addressed)
    assert not emails()
    assert light_of_letters() == Colour.GREEN


@pytest.mark.django_db(transaction=True)
def test_a_notice_that_is_put_off_holds_up_no_other_and_is_tried_again(mailbox: Mailbox) -> None:
    mailbox.answers = ["451 try again later"]
    late, *later = a_notice()
    assert mailbox.recipients == later
    try_again(notifications.RETRY_DELAY + MINUTE)
    assert mailbox.recipients == [*later, late]


@pytest.mark.django_db(transaction=True)
def test_where_a_notice_falls_silent_it_is_sent_again(mailbox: Mailbox) -> None:
    """Of the others nothing is tried at once: the connection is gone."""
    mailbox.answers = ["gone"]
    addressed = a_notice()
    try_again(notifications.RETRY_DELAY + MINUTE)
    assert sorted(mailbox.recipients) == sorted(addressed)


@pytest.mark.django_db(transaction=True)
def test_a_notice_that_is_refused_is_given_up_and_shown(mailbox: Mailbox) -> None:
    mailbox.answers = ["550 nobody here"]
    _refused, *accepted = a_notice()
    assert mailbox.recipients == accepted
    assert not emails()
    assert light_of_letters() == Colour.AMBER


@pytest.mark.django_db(transaction=True)
def test_a_notice_is_given_up_after_days_and_shown(mailbox: Mailbox, settings: Settings) -> None:
    settings.EMAIL_PORT = 1
    a_notice()
    try_again(notifications.RETRY_PERIOD - MINUTE)
    Job.objects.update(due_at=timezone.now())
    assert emails()
    try_again(notifications.RETRY_PERIOD + MINUTE)
    assert not emails()
    assert light_of_letters() == Colour.AMBER


@pytest.mark.django_db(transaction=True)
def test_user_who_deleted_an_account_is_notified_later(mailbox: Mailbox, settings: Settings) -> None:
    """The login is gone by then."""
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    gone = user_of(a_member(a_club()))
    account_deletion.delete_account(gone.pk)
    settings.EMAIL_PORT = port
    try_again(notifications.RETRY_DELAY + MINUTE)
    assert mailbox.recipients == [gone.email]


@pytest.mark.django_db(transaction=True)
def test_several_workers_at_once_send_each_notice_once(mailbox: Mailbox, settings: Settings) -> None:
    port, settings.EMAIL_PORT = settings.EMAIL_PORT, 1
    addressed = [address for _round in range(3) for address in a_notice()]
    settings.EMAIL_PORT = port
    barrier = Barrier(4)

    def work() -> None:
        try:
            barrier.wait()
            try_again(notifications.RETRY_DELAY + MINUTE)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        for future in [pool.submit(work) for _ in range(4)]:
            future.result()
    assert sorted(mailbox.recipients) == sorted(addressed)
