"""A worker killed with -9 over a letter, before it is sent or after: it is not sent a second time, and is named."""

from __future__ import annotations

import time
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from league.actions import evenings, outbox
from league.models import Letter
from league.models.letter import LOST, LetterKind, LetterState
from league.operations.tasks import jobs as messages
from league.operations.work.lights import lights
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


def a_letter(days: int = 1) -> Letter:
    """Have one letter wait."""
    club = a_club()
    reader = a_member(club)
    outbox.choose(user_of(reader), {LetterKind.PLANNED}, LetterKind)
    ahead: date = timezone.localdate() + timedelta(days=days)
    evenings.plan(a_season(club).pk, date=ahead)
    letter: Letter = Letter.objects.get(reader=user_of(reader))
    return letter


def sent(mail: Path) -> int:
    return sum(file.read_text().count("Auto-Submitted:") for file in mail.iterdir())


def state(letter: Letter) -> str:
    letter.refresh_from_db()
    return letter.state


def test_a_worker_killed_before_it_sends(machines: Machines, mail: Path) -> None:
    lost = a_letter()
    with grip.holding(machines.database, CHOICES) as held:
        machines.send(messages.tick.name, "letters")
        name = held.caught()
        assert state(lost) == LetterState.CLAIMED
        machines.kill(name)
        held.cut()
    goes_on(machines, mail, lost)
    assert sent(mail) == 1


def test_a_worker_killed_after_it_has_sent(machines: Machines, mail: Path) -> None:
    lost = a_letter()
    with grip.holding(machines.database, CHOICES) as held:
        machines.send(messages.tick.name, "letters")
        name = held.caught()
        with grip.holding(machines.database, LETTER, lost.pk) as settling:
            held.let_go()
            settling.caught()
            assert sent(mail) == 1
            machines.kill(name)
            settling.cut()
    goes_on(machines, mail, lost)
    assert sent(mail) == 2


def goes_on(machines: Machines, mail: Path, lost: Letter) -> None:
    """Another letter is sent by the next message; the lost one stays claimed, and the installation's page names it."""
    other = a_letter()
    time.sleep(2 * sizes.LOST.total_seconds())
    machines.send(messages.tick.name, "letters")
    wait_for(lambda: state(other) == LetterState.SENT, "the other letter")
    assert state(lost) == LetterState.CLAIMED
    [light] = [light for light in lights(timezone.now() + 2 * LOST) if light.about == "E-mails"]
    assert [str(lost.club) in lead.words for lead in light.leads] == [True]
