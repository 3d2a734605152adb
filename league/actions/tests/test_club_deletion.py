"""A club that is deleted: hidden, taken back, and gone whole, with all that was only its own."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.mail import EmailMessage
from django.db import DatabaseError, connection
from pghistory.models import Context
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from league.actions import adjustments, attendance, club_deletion, contests, evenings, season_closing, separations
from league.actions.club_appearance import store_logo
from league.actions.merging import merge, undo
from league.actions.tests.test_erasure import mentions
from league.clubs.work.kinds import CLUB_DELETION, RETRY_DELAY, schedule
from league.imports.queries.club_file.parts import PARTS, PEOPLE_LOOKUP
from league.models import Attendance, AuditEntry, Club, Evening, Job, Membership, PendingRecompute, Revocation, Run
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState
from league.models.revocation import RevocationKind
from league.models.rights import Role
from league.operations.work.jobs import Outcome, work_on_job
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.tournaments.tests.test_prizes import a_finished_tournament
from players.models import Player, Rating, User
from tests.build import (
    NOW,
    a_club,
    a_deal,
    a_member,
    a_picture,
    a_player,
    a_season,
    a_table,
    an_evening,
)
from tests.readers import user_of

pytestmark = pytest.mark.django_db

LATER = NOW + club_deletion.DELETION_DELAY
NAME = "Les Ombres"


def night() -> None:
    runs.run(Run.Trigger.NIGHT, now=NOW)


def played(club: Club, people: list[Player]) -> Evening:
    """Return a closed evening with one whole table."""
    table = a_table(an_evening(a_season(club)), people)
    for _deal in range(4):
        a_deal(table)
    return evenings.close(table.round.evening_id, now=NOW)


def due_deletions(now: datetime) -> list[int]:
    """Schedule the deletions that are due, and return their jobs."""
    schedule(now)
    return list(Job.objects.due(now).filter(kind=CLUB_DELETION).values_list("pk", flat=True))


@pytest.fixture
def club() -> Club:
    return a_club(name=NAME)


def a_whole_club() -> Club:
    """Return a club with one of everything, whose people are all its own."""
    club = a_club(name=NAME, public=True)
    store_logo(club, a_picture())
    people = [a_member(club, login=False) for _ in range(4)]
    season = played(club, people).season
    season_closing.close(season.pk, now=NOW)
    season = played(club, people).season
    adjustments.add_adjustment(season.pk, people[0].pk, -5, reason="Les Ombres are late", now=NOW)
    open_evening = an_evening(season)
    deal = a_deal(a_table(open_evening, people))
    contests.record_contest(deal.pk, player_id=people[1].pk, reason="Was 34", now=NOW)
    planned_evening = an_evening(season, EveningState.PLANNED)
    attendance.record_intention(planned_evening.pk, people[0].pk, comes=True)
    cancelled_evening = an_evening(season, EveningState.PLANNED)
    attendance.record_intention(cancelled_evening.pk, people[0].pk, comes=True)
    cancelled_evening.delete()
    separations.add_separation(club, people[0].pk, people[1].pk)
    merge(people[2].pk, a_member(club, login=False).pk, by=None, now=NOW)
    return club


def rows() -> dict[str, set[Any]]:
    """Return the ids of every row, history included, except derived rows and logs."""
    left_out = {
        "ClubChange",
        "PendingRecompute",
        "Revocation",
        "Job",
        "Run",
        "RankChange",
        "Rating",
        "RatingStep",
        "RatingDay",
        "FirstMeeting",
    }
    models = [model for app in ("league", "players") for model in apps.get_app_config(app).get_models()]
    ours = [model for model in models if model.__name__ not in left_out and model._meta.managed]
    kept: tuple[type[Any], ...] = (*ours, Context)
    return {model.__name__: set(model._default_manager.values_list("pk", flat=True)) for model in kept}


def added(before: dict[str, set[Any]]) -> dict[str, set[Any]]:
    return {name: ids - before[name] for name, ids in rows().items() if ids != before[name]}


def test_nothing_is_left_of_a_club_but_that_it_was_deleted() -> None:
    other_club = a_club()
    played(other_club, [a_member(other_club, login=False) for _ in range(4)])
    night()
    before, ratings = rows(), dict(Rating.objects.values_list("player", "micro"))
    club = a_whole_club()
    night()
    full = {name for name, found in added(before).items() if found}
    assert {"Deal", "DealEvent", "Contest", "ClubMark", "SeasonClosing", "SeasonRecord", "AuditEntry", "Merge"} <= full
    assert club_deletion.delete_club(club.pk, now=NOW)

    remaining = added(before)
    act = AuditEntry.objects.get(event=AuditEvent.CLUB_DELETED)
    assert (act.params, act.user) == ({"name": NAME}, None)
    assert {name for name in remaining if name != "Context"} == {"AuditEntry"}
    assert remaining["AuditEntry"] == {act.pk}
    assert remaining.get("Context", set()) <= {act.context_id}
    assert mentions(NAME) == ["AuditEntry.params"]
    assert Revocation.objects.get(kind=RevocationKind.CLUB).subject == club.pk
    night()
    assert list(verify()) == []
    assert dict(Rating.objects.values_list("player", "micro")) == ratings


def test_no_row_that_refers_to_a_clubs_rows_is_forgotten() -> None:
    """A row that is left, such as a rank of a finished tournament, would make the deletion fail at its end."""
    deleted = {part.model for part in PARTS if part.to_club != PEOPLE_LOOKUP}
    deleted |= {model for model, _to_club in club_deletion.MODELS_NOT_IN_CLUB_FILE}
    others = [model for model in apps.get_app_config("league").get_models() if model not in deleted]
    fields = [field for model in others if model._meta.managed for field in model._meta.concrete_fields]
    forgotten = [field for field in fields if not field.null and field.related_model in deleted]
    assert [str(field) for field in forgotten if getattr(field, "db_constraint", True)] == []


def test_a_club_with_a_finished_tournament_is_deleted() -> None:
    tournament, _units = a_finished_tournament((1200, 744), (1000, 944))
    assert tournament.ranks.exists()
    assert club_deletion.delete_club(tournament.club_id, now=NOW)
    connection.check_constraints()


def test_who_belongs_elsewhere_or_has_a_login_stays(club: Club) -> None:
    other = a_club()
    here_too, was_here, with_login = (a_member(club, login=login) for login in (False, False, True))
    other.memberships.create(player=here_too)
    guest = a_player()
    table = a_table(an_evening(a_season(other)), [was_here, guest, *(a_player() for _ in range(2))])
    for _deal in range(4):
        a_deal(table)
    evenings.close(table.round.evening_id, now=NOW)
    other.memberships.filter(player=was_here).delete()
    played(club, [here_too, was_here, with_login, a_member(club, login=False)])
    night()
    before = set(Rating.objects.values_list("player", "micro"))
    club_deletion.delete_club(club.pk, now=NOW)
    stayed = {here_too, was_here, with_login}
    assert set(Player.objects.filter(pk__in=[each.pk for each in stayed])) == stayed
    assert User.objects.filter(pk=user_of(with_login).pk).exists()
    assert [(due.game, due.date, due.why) for due in PendingRecompute.objects.all()] == [
        ("tarot", NOW.date(), PendingRecompute.Reason.DELETED)
    ]
    night()
    assert list(verify()) == []
    rated = dict(Rating.objects.values_list("player", "micro"))
    assert set(rated) == set(table.seats.values_list("player", flat=True))
    assert not {(player, micro) for player, micro in rated.items() if player == was_here.pk} & before


def test_a_merge_with_a_record_of_another_club_is_undone_without_the_club(club: Club) -> None:
    other = a_club()
    kept, gone = a_member(other), a_member(other, login=False)
    evening = an_evening(a_season(club))
    for player in (kept, gone):
        club.memberships.create(player=player, email=f"{player.pk}@shadows.example")
        attendance.check_in(evening.pk, [player.pk])
    merged = merge(kept.pk, gone.pk, by=None, now=NOW)
    club_deletion.delete_club(club.pk, now=NOW)
    assert mentions("shadows.example") == []
    undo(merged.pk, now=NOW)
    assert set(Membership.objects.filter(player__in=[kept, gone]).values_list("player", "club")) == {
        (kept.pk, other.pk),
        (gone.pk, other.pk),
    }
    assert not Attendance.objects.filter(player=gone).exists()


def test_it_is_deleted_whole_or_not_at_all(club: Club) -> None:
    night()
    before = rows()
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$;"
            "CREATE TRIGGER no BEFORE DELETE ON league_club FOR EACH ROW EXECUTE FUNCTION no()"
        )
    with pytest.raises(DatabaseError, match="not now"):
        club_deletion.delete_club(club.pk, now=NOW)
    assert rows() == before


def test_it_is_gone_after_thirty_days_and_not_before(
    club: Club, mailoutbox: list[EmailMessage], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    first, second = (a_member(club, Role.ADMIN) for _ in range(2))
    other = a_club()
    with django_capture_on_commit_callbacks(execute=True):
        pending_club = club_deletion.request_deletion(club, by=user_of(first), now=NOW)
        assert (
            club_deletion.request_deletion(club, by=user_of(second), now=LATER).delete_at
            == pending_club.delete_at
            == LATER
        )
    assert {address for letter in mailoutbox for address in letter.to} == {user_of(first).email, user_of(second).email}
    assert "1 Nov 2026" in mailoutbox[0].subject
    assert len(mailoutbox) == 2
    assert due_deletions(LATER - timedelta(seconds=1)) == []
    Run.objects.create(trigger=Run.Trigger.NIGHT, started_at=NOW)
    [job] = due_deletions(LATER)
    assert work_on_job(job, now=LATER) is Outcome.LATER  # the run may have its people in memory
    Run.objects.all().delete()
    with django_capture_on_commit_callbacks(execute=True):
        assert due_deletions(LATER + 2 * RETRY_DELAY) == [job]
        assert work_on_job(job, now=LATER + 2 * RETRY_DELAY) is Outcome.DONE
    assert due_deletions(LATER + 2 * RETRY_DELAY) == []
    assert list(Club.objects.all()) == [other]
    assert [letter.subject for letter in mailoutbox[2:]] == [f"{NAME} is deleted"] * 2


def test_letter_that_cannot_be_written_stops_nothing(
    club: Club,
    settings: Settings,
    tmp_path: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    """A restore deletes such a club again: it must come to its end."""
    (tmp_path / "file").touch()
    settings.EMAIL_BACKEND = "league.mail_folder.EmailBackend"
    settings.EMAIL_FILE_PATH = str(tmp_path / "file" / "mail")
    a_member(club, Role.ADMIN)
    with django_capture_on_commit_callbacks(execute=True):
        assert club_deletion.delete_club(club.pk, now=NOW)


def test_what_was_taken_back_stays(
    club: Club, mailoutbox: list[EmailMessage], django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    admin = user_of(a_member(club, Role.ADMIN))
    club_deletion.request_deletion(club, by=admin, now=NOW)
    with django_capture_on_commit_callbacks(execute=True):
        assert club_deletion.cancel_deletion(club, by=admin).delete_at is None
        club_deletion.cancel_deletion(club, by=admin)
    assert [letter.subject for letter in mailoutbox] == [f"{NAME} stays"]
    assert due_deletions(LATER) == []
    assert Club.objects.filter(pk=club.pk).exists()
    entries = AuditEntry.objects.filter(club=club, user=admin).order_by("pk")
    assert [entry.event for entry in entries] == [AuditEvent.DELETION_ASKED, AuditEvent.DELETION_CANCELLED]
