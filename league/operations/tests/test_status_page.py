"""The status checks of the installation: colour, duration, and access."""

from __future__ import annotations

import os
import re
import shutil
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from league.actions import contests, evenings, notifications, pending_recomputes
from league.actions.jobs import enqueue
from league.models import Check, Club, Evening, Job, Notification, PendingRecompute, Run
from league.models.check import CheckKind
from league.models.notification import UNCERTAIN_TIME
from league.models.rights import Role
from league.operations.work.backups import store
from league.operations.work.check_records import record_check
from league.operations.work.status_checks import Colour, StatusCheck, all_checks
from players.models import User
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, sign_in

pytestmark = pytest.mark.django_db
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def a_run(ago: timedelta, state: Run.State = Run.State.DONE, **fields: Any) -> Run:
    end = None if state == Run.State.RUNNING else NOW - ago
    fields = {"trigger": Run.Trigger.NIGHT, "started_at": NOW - ago, "finished_at": end, **fields}
    run: Run = Run.objects.create(state=state, **fields)
    return run


def status_check(title: str, now: datetime = NOW) -> StatusCheck:
    return {check.title: check for check in all_checks(now)}[title]


def test_a_fresh_installation_has_nothing_to_worry_about() -> None:
    assert [(check.title, check.colour) for check in all_checks(NOW)] == [
        ("Last run", Colour.GREY),
        ("Standings and ratings", Colour.GREEN),
        ("Stored numbers", Colour.GREY),
        ("Backup", Colour.GREY),
        ("Restore drill", Colour.GREY),
        ("Disk", Colour.GREEN),
        ("Workers", Colour.GREY),
        ("Clock", Colour.GREY),
        ("Sheets", Colour.GREEN),
        ("Queue", Colour.GREEN),
        ("Background jobs", Colour.GREEN),
        ("E-mails", Colour.GREEN),
    ]


def test_a_letter_of_which_nobody_knows_is_named_and_one_that_waits_is_counted() -> None:
    club = a_club()
    reader = a_member(club, Role.SECRETARY)
    contest = contests.record_contest(
        a_deal(a_table(an_evening(a_season(club)), [a_member(club), *(a_player() for _ in range(3))])).pk,
        player_id=a_member(club).pk,
        reason="Was 34",
        now=NOW,
    )
    written_at = Notification.objects.get(subject=contest.pk).written_at
    assert status_check("E-mails", written_at + HOUR).colour == Colour.GREEN
    late = status_check("E-mails", written_at + HOUR + timedelta(seconds=1))
    assert (late.colour, late.details) == (Colour.AMBER, ())
    notifications.claim_emails(written_at)
    assert status_check("E-mails", written_at + UNCERTAIN_TIME).colour == Colour.GREEN
    uncertain = status_check("E-mails", written_at + UNCERTAIN_TIME + timedelta(seconds=1))
    assert uncertain.colour == Colour.AMBER
    assert "It is not sent again" in uncertain.message
    [detail] = uncertain.details
    assert str(club) in detail.text
    assert str(reader) in detail.text


def test_a_letter_that_could_not_go_out_at_once_is_shown_for_a_day() -> None:
    notifications.record_send_failure(NOW - HOUR)
    notifications.record_send_failure(NOW)
    assert Check.objects.get().ended_at == NOW
    check = status_check("E-mails", NOW + DAY - timedelta(seconds=1))
    assert check.colour == Colour.AMBER
    assert "Does the mail server answer" in check.message
    assert status_check("E-mails", NOW + DAY).colour == Colour.GREEN


@pytest.mark.parametrize(
    ("ago", "delay", "colour"),
    [
        (timedelta(0), timedelta(0), Colour.GREEN),  # the first email of a registration, a moment ago
        (timedelta(0), timedelta(minutes=5), Colour.AMBER),  # a retry
        (HOUR + timedelta(seconds=1), timedelta(0), Colour.AMBER),
    ],
)
def test_an_email_job_is_shown_once_it_failed_or_is_late(ago: timedelta, delay: timedelta, colour: Colour) -> None:
    enqueue(notifications.EMAIL_JOB_KIND, "key", {}, now=NOW - ago, due_at=NOW - ago + delay)
    assert status_check("E-mails").colour == colour


@pytest.mark.parametrize(
    ("ago", "state", "colour"),
    [
        (25 * HOUR, Run.State.DONE, Colour.GREEN),
        (26 * HOUR, Run.State.DONE, Colour.RED),
        (HOUR, Run.State.FAILED, Colour.RED),
    ],
)
def test_the_last_run(ago: timedelta, state: Run.State, colour: Colour) -> None:
    a_run(40 * HOUR)
    run = a_run(ago, state)
    check = status_check("Last run")
    assert check.colour == colour
    assert [detail.address for detail in check.details] == [run.get_absolute_url()]


def test_a_run_at_work_is_not_the_last_one() -> None:
    a_run(2 * HOUR)
    a_run(HOUR, Run.State.RUNNING)
    assert status_check("Last run").colour == Colour.GREEN


@pytest.mark.parametrize(
    ("title", "kind", "old"),
    [
        ("Stored numbers", CheckKind.VERIFY, Colour.RED),
        ("Backup", CheckKind.BACKUP, Colour.AMBER),  # where none is made by itself
        ("Restore drill", CheckKind.DRILL, Colour.AMBER),
    ],
)
@pytest.mark.parametrize(
    ("ago", "ok", "colour"), [(7 * DAY, True, Colour.GREEN), (8 * DAY, True, None), (8 * DAY, False, Colour.RED)]
)
def test_what_ended_well_is_good_for_a_week(
    title: str, kind: CheckKind, old: Colour, ago: timedelta, ok: bool, colour: Colour | None
) -> None:
    record_check(kind, now=NOW - 20 * DAY, ok=not ok, summary="an older one")
    record_check(kind, now=NOW - ago, ok=ok, problems=0 if ok else 1, summary="the newest")
    check = status_check(title)
    assert check.colour == (colour or old)
    assert "an older one" not in f"{check.message} {check.details}"


def test_the_nights_backup_is_expected_if_backups_are_set_up(settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_FOLDER = str(tmp_path)
    record_check(
        CheckKind.BACKUP, now=NOW - 26 * HOUR, ok=True, summary=store.summarize_backup(a_backup(tmp_path, NOW))
    )
    assert status_check("Backup").colour == Colour.RED
    assert status_check("Backup", NOW - HOUR).colour == Colour.GREEN


def a_backup(folder: Path, moment: datetime) -> Path:
    """Return a file with the name of a backup."""
    path = folder / moment.strftime(store.BACKUP_NAME_FORMAT)
    path.write_bytes(b"12345")
    return path


def colours() -> tuple[Colour, Colour]:
    return status_check("Backup").colour, status_check("Restore drill").colour


def test_a_backup_that_is_gone_turns_the_checks_red(settings: Any, tmp_path: Path) -> None:
    """As after a move to another server, or while its disk is not mounted."""
    settings.BACKUP_FOLDER = str(tmp_path)
    older, newer = a_backup(tmp_path, NOW - DAY), a_backup(tmp_path, NOW)
    record_check(CheckKind.BACKUP, now=NOW, ok=True, summary=store.summarize_backup(newer))
    record_check(CheckKind.DRILL, now=NOW, ok=True, summary=newer.name)
    assert colours() == (Colour.GREEN, Colour.GREEN)
    newer.unlink()
    assert colours() == (Colour.AMBER, Colour.GREEN)
    assert newer.name in status_check("Backup").message
    assert f"The newest there is {older.name}" in status_check("Backup").message
    older.unlink()
    assert colours() == (Colour.RED, Colour.AMBER)
    assert f"{tmp_path} holds no backup" in status_check("Backup").message
    tmp_path.rmdir()
    assert colours() == (Colour.RED, Colour.AMBER)
    assert f"{tmp_path}, can’t be read: No such file or directory" in status_check("Backup").message


def test_the_disk_has_room_for_ten_more_backups(settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_FOLDER = str(tmp_path)
    free = shutil.disk_usage(tmp_path).free
    assert status_check("Disk").colour == (Colour.GREEN if free >= store.MIN_RECOMMENDED_SPACE else Colour.AMBER)
    backup = a_backup(tmp_path, NOW)
    os.truncate(backup, free // 5)  # a file with a hole, which takes no room
    with translation.override("fr"):
        [_run, _recompute, _verified, _backup, _drill, disk, *_rest] = all_checks(NOW)
    assert disk.colour == Colour.AMBER
    assert re.search(r"\d,\d\s[KMGT]io\b", disk.message)
    backup.unlink()
    tmp_path.rmdir()
    assert status_check("Disk").colour == Colour.AMBER


def test_a_backup_by_hand_elsewhere_is_not_expected(settings: Any, tmp_path: Path) -> None:
    settings.BACKUP_FOLDER = str(tmp_path)
    record_check(CheckKind.BACKUP, now=NOW, ok=True, summary="before-v0.2.0.dump (5 bytes)")
    assert status_check("Backup").colour == Colour.RED
    a_backup(tmp_path, NOW - DAY)
    assert status_check("Backup").colour == Colour.GREEN


def test_backups_by_command_are_not_expected_in_the_folder(settings: Any) -> None:
    settings.BACKUP_COMMAND = "cat > /dev/null"
    record_check(CheckKind.BACKUP, now=NOW, ok=True, summary=f"{NOW.strftime(store.BACKUP_NAME_FORMAT)} (5 bytes)")
    record_check(CheckKind.DRILL, now=NOW, ok=True, summary="league.backup")
    assert colours() == (Colour.GREEN, Colour.GREEN)


def test_differences_are_named() -> None:
    record_check(CheckKind.VERIFY, now=NOW, ok=False, problems=9, summary="Seat id 1: …\nSeat id 2: …")
    check = status_check("Stored numbers")
    assert "9 of them did not follow" in check.message
    assert [detail.text for detail in check.details] == ["Seat id 1: …", "Seat id 2: …"]


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi", time_zone="America/Guadeloupe")


def closed(club: Club, days_ago: int) -> Evening:
    """Return an evening with a complete and an incomplete table."""
    evening = an_evening(a_season(club), on=NOW.date() - timedelta(days=days_ago))
    a_table(evening)
    complete = a_table(evening)
    for _ in range(4):
        a_deal(complete, TAKE)
    return evenings.close(evening.pk, now=NOW)


def test_missing_sheets_of_a_month_lead_to_them(club: Club) -> None:
    closed(club, days_ago=31)
    assert status_check("Sheets").colour == Colour.GREEN
    evening = closed(club, days_ago=30)
    check = status_check("Sheets")
    assert check.colour == Colour.AMBER
    [detail] = check.details
    assert detail.text == f"Tarot du mardi, {evening}: 1 sheet is missing"
    assert detail.address == reverse("league:sheets", args=[evening.pk])


def test_a_round_that_was_only_planned_misses_no_sheet(club: Club) -> None:
    evening = an_evening(a_season(club))
    a_table(evening)
    evening.rounds.update(state="planned")
    evenings.close(evening.pk, now=NOW)
    assert status_check("Sheets").colour == Colour.GREEN


def test_an_evening_may_last_past_midnight_of_its_club_and_not_past_noon(club: Club) -> None:
    evening = an_evening(a_season(club))  # on 2 October; in Guadeloupe four hours behind UTC
    assert status_check("Sheets", datetime(2026, 10, 3, 15, 59, tzinfo=UTC)).colour == Colour.GREEN
    [detail] = status_check("Sheets", datetime(2026, 10, 3, 16, 0, tzinfo=UTC)).details
    assert detail.text == f"Tarot du mardi, {evening}: still open"
    assert detail.address == evening.get_absolute_url()


def test_many_evenings_are_not_all_named(club: Club) -> None:
    season = a_season(club)
    for days in range(14):
        an_evening(season, on=NOW.date() - timedelta(days=40 + days))
    assert [detail.text for detail in status_check("Sheets").details][12:] == ["and 2 more"]


def test_what_is_due_waits_no_longer_than_some_ticks(club: Club) -> None:
    season = a_season(club)
    for minutes in (-600, 9):
        pending_recomputes.mark_season(
            season, not_before=NOW - timedelta(minutes=minutes), why=PendingRecompute.Reason.CLOSED
        )
    assert status_check("Queue").colour == Colour.GREEN
    pending_recomputes.mark_season(season, not_before=NOW - timedelta(minutes=11), why=PendingRecompute.Reason.CLOSED)
    check = status_check("Queue")
    assert (check.colour, check.message[:23]) == (Colour.AMBER, "1 thing has been due si")


def test_the_installations_admin_sees_checks_and_every_run(client: Client) -> None:
    rows = [{"season": 1, "club": 1, "name": "", "changed": 3}, {"season": 2, "club": 2, "name": "", "changed": 4}]
    run = a_run(HOUR, seasons=rows)
    record_check(CheckKind.BACKUP, now=NOW, ok=False, summary="pg_dump: <disk full>")
    client.force_login(User.objects.create_superuser("root@club.example"))
    answer = client.get(reverse("league:watch"))
    text = answer.content.decode()
    assert [(row.record, row.get_cell("changed")) for row in answer.context["table"].rows] == [(run, "7")]
    release = tomllib.loads((Path(__file__).resolve().parents[3] / "pyproject.toml").read_text())["project"]["version"]
    assert f"Release {release}" in text
    for part in ("Needs you", "pg_dump: &lt;disk full&gt;", "Nothing yet", run.get_absolute_url()):
        assert part in text


def test_only_superusers_find_the_way(client: Client) -> None:
    address = reverse("league:watch")
    sign_in(client, a_member(a_club(), Role.ADMIN))
    assert address not in client.get(reverse("league:home")).content.decode()
    assert client.get(address).status_code == 404
    client.force_login(User.objects.create_superuser("root@club.example"))
    assert f'href="{address}"' in client.get(reverse("league:home")).content.decode()
    assert f'href="{address}"' in client.get(a_run(HOUR).get_absolute_url()).content.decode()


def test_a_failed_job_and_a_late_one_are_shown_with_the_way_to_them() -> None:
    late = Job.objects.create(kind="verification", created_at=NOW, due_at=NOW)
    assert status_check("Background jobs", NOW + timedelta(minutes=10)).colour == Colour.GREEN
    check = status_check("Background jobs", NOW + timedelta(minutes=10, seconds=1))
    assert (check.colour, check.details[0].address) == (Colour.AMBER, "/jobs")
    assert "1 has waited" in check.message
    Job.objects.filter(pk=late.pk).update(state="failed", error="x", ended_at=NOW)
    assert "1 has failed" in status_check("Background jobs", NOW).message
