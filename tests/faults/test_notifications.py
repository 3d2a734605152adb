"""A worker killed with -9 over a letter, before it is sent or after: it is not sent a second time, and is named."""

from __future__ import annotations

import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from league.actions import evenings, notifications
from league.models import Notification
from league.models.notification import UNCERTAIN_TIME, NotificationKind, NotificationState
from league.operations.tasks import jobs as messages
from league.operations.work.status_checks import all_checks
from tests.build import a_club, a_member, a_season
from tests.faults import grip, sizes
from tests.faults.machines import Machines, wait_for
from tests.readers import user_of

pytestmark = [pytest.mark.faults, pytest.mark.xdist_group("faults")]

CHOICES = "LOCK TABLE league_letterchoice IN ACCESS EXCLUSIVE MODE"  # read of a letter that is claimed and not yet sent
LETTER = "SELECT FROM league_letter WHERE id = %s FOR UPDATE"


@pytest.fixture
def mail(machines: Machines, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Return the folder into which the workers, new ones, send."""
    monkeypatch.setenv("EMAIL_URL", f"file:///{tmp_path}")
    for name in list(machines.workers):
        machines.kill(name)
    machines.up()
    return tmp_path


def a_letter(days: int = 1) -> Notification:
    """Have one letter wait."""
    club = a_club()
    reader = a_member(club)
    notifications.store_notification_choices(user_of(reader), {NotificationKind.PLANNED}, NotificationKind)
    day: date = timezone.localdate() + timedelta(days=days)
    evenings.plan(a_season(club).pk, date=day)
    letter: Notification = Notification.objects.get(reader=user_of(reader))
    return letter


def sent(mail: Path) -> int:
    return sum(file.read_text().count("Auto-Submitted:") for file in mail.iterdir())


def state(letter: Notification) -> str:
    letter.refresh_from_db()
    return letter.state


def test_a_worker_killed_before_it_sends(machines: Machines, mail: Path) -> None:
    lost = a_letter()
    with grip.holding(machines.database, CHOICES) as lock:
        machines.send(messages.tick.name, "letters")
        name = lock.caught()
        assert state(lost) == NotificationState.CLAIMED
        machines.kill(name)
        lock.cut()
    goes_on(machines, mail, lost)
    assert sent(mail) == 1


def test_a_worker_killed_after_it_has_sent(machines: Machines, mail: Path) -> None:
    lost = a_letter()
    with grip.holding(machines.database, CHOICES) as lock:
        machines.send(messages.tick.name, "letters")
        name = lock.caught()
        with grip.holding(machines.database, LETTER, lost.pk) as settling:
            lock.let_go()
            settling.caught()
            assert sent(mail) == 1
            machines.kill(name)
            settling.cut()
    goes_on(machines, mail, lost)
    assert sent(mail) == 2


def goes_on(machines: Machines, mail: Path, lost: Notification) -> None:
    """Another letter is sent by the next message; the lost one stays claimed, and the installation's page names it."""
    second = a_letter()
    time.sleep(2 * sizes.LOST.total_seconds())
    machines.send(messages.tick.name, "letters")
    wait_for(lambda: state(second) == NotificationState.SENT, "the other letter")
    assert state(lost) == NotificationState.CLAIMED
    [check] = [check for check in all_checks(timezone.now() + 2 * UNCERTAIN_TIME) if check.title == "E-mails"]
    assert [str(lost.club) in detail.text for detail in check.details] == [True]
