"""The pages to export a club to a file and to import it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import evenings, imports, registrations
from league.actions.advisory_locks import try_lock
from league.actions.club_import import ClubAlreadyImported, import_club_for_user
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.imports.forms.club_file import LIMITS, MAX_UPLOAD
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.reading import read_club_file
from league.models import AuditEntry, Club, Job, Run, Tournament
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.operations.work import jobs
from league.recompute.work import runs
from players.models import Player, User
from tests.build import NOW, a_club, a_deal, a_member, a_season, a_table, a_tournament, a_unit, an_evening
from tests.hostile_files import numbered_again, packed, parts
from tests.readers import confirmed, signed_in, user_of

pytestmark = pytest.mark.django_db

ADDRESS = reverse("league:club-from-file")


@pytest.fixture
def club() -> Club:
    club = a_club(public=True, name="Le Chien")
    a_deal(a_table(an_evening(a_season(club)), [a_member(club) for _ in range(4)]))
    return club


def downloaded(client: Client, club: Club) -> bytes:
    answer: Any = client.post(reverse("league:club-file", args=[club.slug]))
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-store"
    return b"".join(answer.streaming_content)


def uploaded(client: Client, data: bytes, **more: str) -> Any:
    """Take a club in that is here: once more."""
    return client.post(ADDRESS, {"file": SimpleUploadedFile("club.zip", data), "once_more": "on", **more})


def sent(client: Client, data: Mapping[str, bytes], once_more: str = "on") -> Any:
    return client.post(ADDRESS, {"file": SimpleUploadedFile("club.zip", packed(data)), "once_more": once_more})


@pytest.fixture
def nothing_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave files of any size to the worker."""
    monkeypatch.setattr("league.imports.forms.club_file.MAX_IMMEDIATE_BYTES", 1)


def test_an_admin_takes_the_club_away_and_in_again(client: Client, club: Club) -> None:
    admin = a_member(club, Role.ADMIN)
    file = io.BytesIO()
    write_club_file(club, file)
    data = downloaded(confirmed(client, admin), club)
    assert data == file.getvalue()
    assert AuditEntry.objects.get(event=AuditEvent.EXPORTED).user == admin.user
    answer = uploaded(client, data)
    new = Club.objects.latest("pk")
    assert answer.headers["Location"] == new.get_absolute_url()
    assert (new.name, new.public) == ("Le Chien", False)
    assert new.slug != club.slug
    assert new.memberships.get(player=admin).role == Role.ADMIN
    assert new.memberships.exclude(player=admin).filter(player__user=None).count() == club.memberships.count()


def test_tournaments_come_in_again_with_their_payments_and_tie_breaks(client: Client, club: Club) -> None:
    tournament = a_tournament(club, ties=["wins", "best_round"])
    unit = a_unit(tournament, "Anne Petit", "Bruno Grand")
    registrations.record_payment(unit.pk, cents=2000, kind="cash")
    registrations.record_refund(unit.pk, returned=True, now=timezone.now())
    file = io.BytesIO()
    write_club_file(club, file)
    assert uploaded(confirmed(client, a_member(club, Role.ADMIN)), file.getvalue()).status_code == 302
    copy = Tournament.objects.exclude(pk=tournament.pk).get()
    assert copy.ties == ["wins", "best_round"]
    assert [(row.title, row.paid, row.returned) for row in copy.units.with_players()] == [
        ("Anne Petit – Bruno Grand", 2000, 400)
    ]


def test_a_tournament_with_tie_breaks_that_are_none_is_refused(client: Client, club: Club) -> None:
    a_tournament(club, ties=["wins"])
    file = io.BytesIO()
    write_club_file(club, file)
    files = parts(file.getvalue())
    for ties, status in ('["points"]', 302), ("[1]", 422), ('["age"]', 422), ("{}", 422):
        damaged = files | {"tournaments.csv": files["tournaments.csv"].replace(b'"[""wins""]"', quoted(ties))}
        assert damaged != files
        assert sent(confirmed(client, a_member(club, Role.ADMIN)), damaged).status_code == status


def quoted(cell: str) -> bytes:
    return ('"' + cell.replace('"', '""') + '"').encode()


def test_pages_of_an_imported_club_say_that_standings_are_being_computed(client: Client, club: Club) -> None:
    evening = an_evening(a_season(club))
    table = a_table(evening)
    for _deal in range(4):
        a_deal(table)
    evenings.close(evening.pk, now=NOW)
    data = downloaded(confirmed(client, a_member(club, Role.ADMIN)), club)
    assert uploaded(client, data).status_code == 302
    new = Club.objects.latest("pk")
    Club.objects.filter(pk=new.pk).update(public=True)
    season = new.seasons.latest("pk")
    pages = (new.get_absolute_url(), season.get_absolute_url(), reverse("league:embed-standings", args=[season.pk]))
    for address in pages:
        page = client.get(address).content.decode()
        assert "Standings are being computed." in page, address
        assert "No evening counts yet" not in page, address
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    for address in pages:
        assert "being computed" not in client.get(address).content.decode(), address


def test_a_club_that_is_here_already_is_asked_about(client: Client, club: Club) -> None:
    data = downloaded(confirmed(client, a_member(club, Role.ADMIN)), club)
    clubs, people = Club.objects.count(), Player.objects.count()
    answer = client.post(ADDRESS, {"file": SimpleUploadedFile("club.zip", data)})
    assert answer.status_code == 422
    assert "A club from this file is here already: Le Chien." in answer.content.decode()
    assert (Club.objects.count(), Player.objects.count()) == (clubs, people)
    assert uploaded(client, data).status_code == 302
    assert Club.objects.count() == clubs + 1
    Club.objects.update(founded_at=NOW)  # as if it came from elsewhere
    assert client.post(ADDRESS, {"file": SimpleUploadedFile("club.zip", data)}).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_a_file_that_is_sent_twice_at_once_is_one_club(club: Club) -> None:
    admin = user_of(a_member(club, Role.ADMIN))
    file = io.BytesIO()
    write_club_file(club, file)
    read = read_club_file(file)
    Club.objects.update(founded_at=NOW)
    with transaction.atomic():
        import_club_for_user(admin, {}, read, now=NOW)
        second_import = meanwhile(lambda: import_club_for_user(admin, {}, read, now=NOW))
    with pytest.raises(ClubAlreadyImported):
        second_import.result()
    assert Club.objects.filter(name="Le Chien").count() == 2


def test_who_is_no_player_yet_says_his_name(client: Client, club: Club) -> None:
    data = downloaded(confirmed(client, a_member(club, Role.ADMIN)), club)
    user = User.objects.create(email="new@club.example")
    client.force_login(user)
    clubs = Club.objects.count()
    assert uploaded(client, data).status_code == 422
    assert Club.objects.count() == clubs
    assert uploaded(client, data, given_name="Zoé", family_name="Petit").status_code == 302
    assert Player.objects.get(user=user).memberships.get().club == Club.objects.latest("pk")


def test_what_can_not_be_is_said_on_the_field(client: Client, club: Club) -> None:
    data = downloaded(confirmed(client, a_member(club, Role.ADMIN)), club)
    clubs, players = Club.objects.count(), Player.objects.count()
    tried = {
        b"not a zip": "This is no zip file",
        data[:-200]: "This is no zip file",
        b"x" * (MAX_UPLOAD + 1): "larger than 20 MB",
        b"": "empty",
    }
    for file, message in tried.items():
        answer = uploaded(client, file)
        assert answer.status_code == 422
        assert message in answer.content.decode()
    assert client.post(ADDRESS).status_code == 422
    assert (Club.objects.count(), Player.objects.count()) == (clubs, players)


def test_so_many_clubs_in_a_day_can_not_be_right(client: Client, club: Club) -> None:
    data = downloaded(confirmed(client, a_member(club, Role.ADMIN)), club)
    assert [uploaded(client, data).status_code for _ in range(6)] == [302] * 5 + [429]


def test_the_file_is_not_asked_for_by_a_link(client: Client, club: Club) -> None:
    page = signed_in(client, a_member(club, Role.ADMIN)).get(reverse("league:club-file", args=[club.slug]))
    assert "Download the file" in page.content.decode()


@pytest.mark.django_db(transaction=True)
def test_a_user_imports_one_file_at_a_time(client: Client, club: Club) -> None:
    admin = a_member(club, Role.ADMIN)
    data = downloaded(confirmed(client, admin), club)
    Club.objects.update(founded_at=NOW)
    with try_lock(f"club import {user_of(admin).pk}") as is_free:
        assert is_free
        refused = meanwhile(lambda: uploaded(client, data)).result()
    assert refused.status_code == 409
    assert "Another file of yours is being imported." in refused.context["form"].errors["file"][0]
    assert uploaded(client, data).status_code == 302


@pytest.mark.usefixtures("nothing_at_once")
def test_a_large_file_is_imported_by_a_worker(client: Client, club: Club) -> None:
    data = parts(downloaded(confirmed(client, a_member(club, Role.ADMIN)), club))
    answer = sent(client, data)
    job = Job.objects.get(kind=imports.CLUB_FILE_JOB_KIND)
    page = reverse("league:club-import", args=[job.pk])
    assert answer.headers["Location"] == page
    assert "waits for its turn" in client.get(page).content.decode()
    assert "Another file of yours is being imported." in sent(client, data).content.decode()
    jobs.work_on_job(job.pk, now=NOW)
    new = Club.objects.latest("pk")
    assert (new.name, new.public) == ("Le Chien", False)
    assert client.get(page).headers["Location"] == new.get_absolute_url()
    job.refresh_from_db()
    assert (job.payload, job.result) == ({}, {"club": new.pk})
    assert signed_in(Client(), a_member(club, Role.ADMIN)).get(page).status_code == 404


@pytest.mark.usefixtures("nothing_at_once")
def test_a_large_file_that_is_refused_says_why(client: Client, club: Club) -> None:
    data = parts(downloaded(confirmed(client, a_member(club, Role.ADMIN)), club))
    sent(client, data, once_more="")
    job = Job.objects.get(kind=imports.CLUB_FILE_JOB_KIND)
    jobs.work_on_job(job.pk, now=NOW)
    page = client.get(reverse("league:club-import", args=[job.pk])).content.decode()
    assert "A club from this file is here already: Le Chien." in page
    assert "?again=1" in page
    assert "once_more" in client.get(ADDRESS, {"again": "1"}).content.decode()
    data["seats.csv"] = b"nonsense"
    sent(client, data)
    job = Job.objects.filter(kind=imports.CLUB_FILE_JOB_KIND).latest("pk")
    jobs.work_on_job(job.pk, now=NOW)
    page = client.get(reverse("league:club-import", args=[job.pk])).content.decode()
    assert "seats.csv" in page
    assert "Nothing was imported." in page


def test_a_file_with_more_rows_than_a_request_may_take_is_left_to_a_worker(client: Client, club: Club) -> None:
    data = parts(downloaded(confirmed(client, a_member(club, Role.ADMIN)), club))
    data["tables.csv"] += numbered_again(data["tables.csv"], LIMITS.rows_by_part["tables"])
    assert sent(client, data).status_code == 302
    assert Job.objects.filter(kind=imports.CLUB_FILE_JOB_KIND).exists()


def test_files_of_the_club_are_limited_and_the_page_says_so(client: Client, club: Club, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "club_file": "1/h/user"}
    downloaded(confirmed(client, a_member(club, Role.ADMIN)), club)
    answer = client.post(reverse("league:club-file", args=[club.slug]))
    assert answer.status_code == 429
    assert "several times within the hour" in answer.content.decode()
    assert AuditEntry.objects.filter(event=AuditEvent.EXPORTED).count() == 1
