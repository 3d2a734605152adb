"""Emails to the admins about failing runs and wrong numbers."""

from __future__ import annotations

import logging
from smtplib import SMTPServerDisconnected

import pytest
from django.core import mail
from django.utils import timezone
from pytest_django import Settings

from league.actions import evenings
from league.models import Check, Run, Season, Standing
from league.models.check import CheckKind
from league.operations.work.check_records import MAX_STORED_CHECKS, record_check
from league.recompute.work import runs
from players.models import User
from tests.build import NOW, TAKE, a_club, a_deal, a_season, a_table, a_user, an_evening
from tests.run_jobs import weekly_verify

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    """Return a season with a closed evening, in an installation with two admins who have an email address."""
    User.objects.create_superuser("root@club.example")
    User.objects.create_superuser("second@club.example")
    User.objects.create_superuser("gone@club.example")
    User.objects.filter(email="gone@club.example").update(is_active=False)
    a_user("member@club.example")
    season = a_season(a_club())
    evening = an_evening(season)
    table = a_table(evening)
    for _ in range(4):
        a_deal(table, TAKE)
    evenings.close(evening.pk, now=NOW)
    return season


def night(season: Season, *, fails: bool) -> None:
    """A real run, that fails as if the folder of the season's game were taken away."""
    Season.objects.filter(pk=season.pk).update(game="bridge" if fails else "tarot")
    try:
        runs.run(Run.Trigger.NIGHT, now=timezone.now(), everything=True)
    except LookupError:
        assert fails


def test_admins_are_written_to_at_the_second_failure_and_not_again(season: Season) -> None:
    letters = []
    for fails in (True, True, True, True, False, True, True, True):
        night(season, fails=fails)
        letters.append(len(mail.outbox))
    assert letters == [0, 1, 1, 1, 1, 1, 2, 2]
    first = mail.outbox[0]
    failed = Run.objects.order_by("pk")[1]
    assert first.to == ["root@club.example", "second@club.example"]
    assert "bridge failed in the last 2 runs that were to compute it." in first.body
    assert failed.get_absolute_url() in first.body
    assert "bridge" in first.body


def test_letters_lead_to_the_site_where_its_address_is_known(season: Season, settings: Settings) -> None:
    settings.SITE_ADDRESS = "https://league.example"
    night(season, fails=True)
    night(season, fails=True)
    assert f"https://league.example{Run.objects.latest('pk').get_absolute_url()}" in mail.outbox[0].body
    assert "https://league.example/watch" in mail.outbox[0].body


def test_failures_with_a_good_run_between_them_alarm_nobody(season: Season) -> None:
    for fails in (True, False, True, False, True):
        night(season, fails=fails)
    assert mail.outbox == []


def test_a_letter_that_could_not_be_sent_is_sent_at_the_next_failure(
    season: Season, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    night(season, fails=True)
    with caplog.at_level(logging.ERROR):
        night(season, fails=True)
    assert "mail_not_sent" in caplog.text
    assert Run.objects.filter(state=Run.State.FAILED).count() == 2
    assert issubclass(SMTPServerDisconnected, OSError)  # and so is all else that smtplib raises

    settings.EMAIL_BACKEND = working
    for _ in range(2):
        night(season, fails=True)
    assert len(mail.outbox) == 1


def test_with_nobody_to_write_to_the_log_says_so(season: Season, caplog: pytest.LogCaptureFixture) -> None:
    User.objects.update(is_superuser=False)
    for _ in range(2):
        night(season, fails=True)
    assert "nobody_to_tell" in caplog.text
    assert mail.outbox == []


def test_the_weekly_verification_without_differences_sends_nothing(season: Season) -> None:
    night(season, fails=False)
    assert weekly_verify() == 0
    assert mail.outbox == []
    noted = Check.objects.get()
    assert (noted.kind, noted.ok, noted.found, noted.summary) == (CheckKind.VERIFY, True, 0, "")


def test_the_weekly_verification_logs_and_sends_each_difference(
    season: Season, caplog: pytest.LogCaptureFixture
) -> None:
    night(season, fails=False)
    Standing.objects.filter(season=season, rank=1).update(numerator=1)
    assert weekly_verify() == 1

    (logged,) = [record.msg for record in caplog.records if record.name == "league.operations.work.weekly_verification"]
    assert isinstance(logged, dict)
    assert (logged["event"], logged["model"], logged["stored"]) == ("difference", "Standing", "1")
    noted = Check.objects.get(kind=CheckKind.VERIFY)
    assert (noted.ok, noted.found) == (False, 1)
    (letter,) = mail.outbox
    assert letter.to == ["root@club.example", "second@club.example"]
    assert noted.summary.startswith("Standing season_id ")
    assert noted.summary in letter.body


def test_of_each_kind_the_newest_notes_are_kept() -> None:
    record_check(CheckKind.BACKUP, now=NOW, ok=True)
    for minute in range(MAX_STORED_CHECKS + 3):
        record_check(CheckKind.VERIFY, now=NOW.replace(minute=minute), ok=True)
    times = Check.objects.filter(kind=CheckKind.VERIFY).values_list("ended_at__minute", flat=True)
    assert list(times) == list(range(3, MAX_STORED_CHECKS + 3))[::-1]
    assert Check.objects.filter(kind=CheckKind.BACKUP).count() == 1
