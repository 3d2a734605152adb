"""The nightly reset of a demo: everything that visitors left is gone, and the same demo club is there again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from http import HTTPStatus
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.contrib.auth.models import Permission
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from pytest_django import Settings

from league.actions import jobs as job_actions
from league.actions.jobs import job_kinds
from league.actions.pending_recomputes import previous_nightly_run
from league.demo import club, reset
from league.demo.seasons import season_plans
from league.demo.tests.test_demo import leave_out_tournaments
from league.models import AuditEntry, Club, Deal, DemoInstallation, Job, Run
from league.models.job import JobState
from league.operations.work import jobs
from league.operations.work.clock import database_now
from league.operations.work.jobs import MESSAGE_LOST_AFTER, JobPostponed, Outcome
from league.operations.work.verification import verify
from players.models import Player, User
from tests.build import NOW, a_club, a_member, a_user

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def _demo(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A demo with one season of one evening, whose kind of job no other test finds."""
    job_kinds()  # they are loaded once: load them without the demo's kind
    settings.DEMO = True
    monkeypatch.setattr(club, "season_plans", lambda: season_plans()[:1])
    monkeypatch.setattr(club, "EVENING_COUNT", 1)
    monkeypatch.setattr(club, "LAST_YEAR_EVENING_COUNT", 1)
    job_actions.register_job_kind(reset.JOB_DEFINITION)
    yield
    del job_actions._kinds[reset.JOB_KIND]


@pytest.fixture
def without_tournaments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the tournaments, which take most of the time; the first test has them."""
    leave_out_tournaments(monkeypatch)


def facts() -> list[tuple[object, ...]]:
    return list(Deal.objects.order_by("pk").values_list("client_key", "facts"))


def only_job() -> Job:
    return Job.objects.get(kind=reset.JOB_KIND)


@pytest.mark.faults
def test_what_visitors_changed_is_gone_and_the_club_is_the_same(db: None, client: Client) -> None:
    """Nothing survives, also no session and no row that triggers protect; the address of the club stays."""
    reset.reset_demo(NOW)
    first_facts, permissions = facts(), Permission.objects.count()
    stranger = a_member(a_club())
    client.force_login(User.objects.get(email="admin@demo.example"))
    Deal.objects.all()[:1].get().delete()
    Club.objects.filter(slug=reset.DEMO_CLUB_SLUG).update(slug="renamed", public=False)
    old_users = set(User.objects.values_list("pk", flat=True))

    reset.reset_demo(NOW + timedelta(days=1))

    assert list(Club.objects.values_list("slug", flat=True)) == [reset.DEMO_CLUB_SLUG]
    assert facts() == first_facts
    assert not old_users & set(User.objects.values_list("pk", flat=True))
    assert not Player.objects.filter(pk=stranger.pk).exists()
    assert not AuditEntry.objects.filter(user__in=old_users).exists()
    assert Permission.objects.count() == permissions
    assert DemoInstallation.objects.get().filled_at == NOW + timedelta(days=1)
    assert "_auth_user_id" in client.session  # the cache still has the session
    assert client.get("/").wsgi_request.user.is_anonymous
    assert list(verify()) == []


@pytest.mark.usefixtures("without_tournaments")
def test_the_demos_users_have_no_password(db: None) -> None:
    reset.reset_demo(NOW)
    assert User.objects.count() == 4
    assert not any(user.has_usable_password() for user in User.objects.all())


@pytest.mark.usefixtures("without_tournaments")
def test_triggers_are_back_after_a_reset(db: None) -> None:
    """Without them nothing would have a history."""
    reset.reset_demo(NOW)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'O'")
        assert cursor.fetchone() == (0,)


@pytest.mark.parametrize("has_club", [True, False])
def test_a_database_that_no_demo_filled_is_not_touched(db: None, has_club: bool) -> None:
    if has_club:
        a_club()
    else:
        a_user()
    clubs, users = Club.objects.count(), User.objects.count()
    with pytest.raises(reset.NotADemo):
        reset.reset_demo(NOW)
    assert (Club.objects.count(), User.objects.count()) == (clubs, users)
    assert not DemoInstallation.objects.exists()


@pytest.mark.usefixtures("without_tournaments")
def test_without_the_setting_a_demo_is_not_reset(db: None, settings: Settings) -> None:
    reset.reset_demo(NOW)
    settings.DEMO = False
    with pytest.raises(reset.NotADemo):
        reset.reset_demo(NOW)
    DemoInstallation.objects.update(filled_at=NOW - timedelta(days=9))
    reset.schedule_reset(NOW)
    assert not Job.objects.exists()


def test_it_comes_once_a_night_and_at_once_in_an_empty_database(db: None) -> None:
    now = database_now()
    reset.schedule_reset(now)
    assert only_job().is_open
    Job.objects.all().delete()
    night = previous_nightly_run(now)
    for filled_at, is_due in ((night, False), (night - timedelta(seconds=1), True), (now + timedelta(days=2), True)):
        DemoInstallation.objects.update_or_create(defaults={"filled_at": filled_at})
        reset.schedule_reset(now)
        assert Job.objects.exists() is is_due, filled_at
        Job.objects.all().delete()


def test_a_failed_reset_waits_for_the_next_night(db: None) -> None:
    """Else each minute would begin another one."""
    a_club()
    now = database_now()
    reset.schedule_reset(now)
    with pytest.raises(reset.NotADemo):
        jobs.work_on_job(only_job().pk, now=now)
    reset.schedule_reset(now + timedelta(minutes=1))
    assert only_job().state == JobState.FAILED
    reset.schedule_reset(now + timedelta(days=1))
    assert Job.objects.open().filter(kind=reset.JOB_KIND).exists()


@pytest.mark.usefixtures("without_tournaments")
def test_a_reset_waits_for_a_run_in_progress(db: None) -> None:
    """The run would not find its rows any more."""
    reset.reset_demo(NOW)
    run = Run.objects.create(trigger=Run.Trigger.NIGHT, started_at=NOW)
    with pytest.raises(JobPostponed):
        reset.reset_demo(NOW + timedelta(days=1))
    assert Run.objects.filter(pk=run.pk).exists()


@pytest.mark.usefixtures("without_tournaments")
def test_the_command_fills_an_empty_database_as_a_demo(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    """`make run` and the first start of a server call it: without the mark each reset would be refused."""
    call_command("demo")
    assert DemoInstallation.objects.exists()
    assert "password" not in capsys.readouterr().out
    call_command("demo", "--if-empty")
    with pytest.raises(CommandError, match="already"):
        call_command("demo")


@pytest.mark.faults
@pytest.mark.usefixtures("without_tournaments")
def test_the_command_resets_a_demo_at_once_and_nothing_else(db: None, settings: Settings) -> None:
    """An operator deletes what a visitor typed, without waiting for the night."""
    call_command("demo")
    a_club()
    call_command("demo", "--reset")
    assert [club.slug for club in Club.objects.all()] == [reset.DEMO_CLUB_SLUG]
    run = Run.objects.create(trigger=Run.Trigger.NIGHT, started_at=NOW)
    with pytest.raises(CommandError, match="Try again in a minute"):
        call_command("demo", "--reset")
    run.delete()
    settings.DEMO = False
    with pytest.raises(CommandError, match="nothing was deleted"):
        call_command("demo", "--reset", skip_checks=True)
    assert Club.objects.exists()


# Deletes everything, prints a line, and then waits instead of filling the database.
SLOW_RESET = """
import sys, time
import django
django.setup()
from league.actions.jobs import register_job_kind
from league.demo import club, reset
from league.operations.work.clock import database_now
from league.operations.work.jobs import work_on_job
register_job_kind(reset.JOB_DEFINITION)
club.make_demo_club = lambda *_args, **_options: print("deleted", flush=True) or time.sleep(600)
work_on_job(int(sys.argv[1]), now=database_now())
"""


@pytest.mark.faults
@pytest.mark.usefixtures("without_tournaments")
def test_a_reset_that_is_killed_shows_old_rows_refuses_writes_and_is_done_again(transactional_db: None) -> None:
    reset.reset_demo(NOW)
    old_clubs = list(Club.objects.values_list("pk", flat=True))
    now = database_now()
    reset.schedule_reset(now)
    job = only_job()
    database = urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{connection.settings_dict['NAME']}"))
    environment = {**os.environ, "DEMO": "true", "DATABASE_URL": database, "DJANGO_SETTINGS_MODULE": "league.settings"}
    command = [sys.executable, "-c", SLOW_RESET, str(job.pk)]
    visitor = Client()
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "deleted\n"
        assert visitor.get(f"/clubs/{reset.DEMO_CLUB_SLUG}/").status_code == HTTPStatus.OK
        refused = visitor.post("/demo", {"role": "member"})
        assert (refused.status_code, "Retry-After" in refused) == (HTTPStatus.SERVICE_UNAVAILABLE, True)
        worker.send_signal(signal.SIGKILL)
    assert list(Club.objects.values_list("pk", flat=True)) == old_clubs

    assert jobs.work_on_job(job.pk, now=now + MESSAGE_LOST_AFTER) is Outcome.DONE

    assert not Club.objects.filter(pk__in=old_clubs).exists()
    assert Club.objects.get().slug == reset.DEMO_CLUB_SLUG
    assert visitor.post("/demo", {"role": "member"}).status_code == HTTPStatus.FOUND
    assert list(verify()) == []
