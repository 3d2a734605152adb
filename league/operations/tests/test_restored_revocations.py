"""Revocations after a backup are applied again when the backup is restored."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.core.signing import Signer
from django.db import connection

from league.actions import api_tokens, club_deletion, evenings, people, roles
from league.actions.account_deletion import delete_account
from league.actions.erasure import erase
from league.models import ApiToken, Club, Evening, Job, Membership, Notification, NotificationChoice, Revocation
from league.models.notification import NotificationKind
from league.models.revocation import RevocationKind
from league.models.rights import Role
from league.operations.work.backups import archive, revocation_list
from players.accounts import delete_calendar_key, renew_calendar_key
from players.models import Player, User
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, a_user, an_evening
from tests.readers import user_of
from tests.run_jobs import run_tick

pytestmark = [pytest.mark.faults, pytest.mark.django_db(transaction=True)]  # each makes and restores a backup


@pytest.fixture(autouse=True)
def origin() -> str:
    """Return the id of this installation, as a migration writes it."""
    Revocation.objects.filter(kind=RevocationKind.ORIGIN).delete()  # by a migration, in a fresh database
    revocation = Revocation.objects.create(kind=RevocationKind.ORIGIN, subject=0, ended_at=NOW)
    return str(revocation.pk)


@pytest.fixture
def club() -> Club:
    club = a_club()
    a_member(club, Role.ADMIN)
    return club


@pytest.fixture
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.BACKUP_FOLDER = str(tmp_path)
    return tmp_path


def after_backup(folder: Path, change: Callable[[], object], *, lost: bool = False) -> None:
    """Make a backup, change something, and restore; `lost` with the database, but for the list of what ended."""
    call_command("backup", folder / "league.backup", verbosity=0)
    change()
    if lost:
        run_tick("backup", "drill")
        for name in ("league_ending", "league_membership"):
            _forget(name)
    call_command("restore", folder / "league.backup", "--replace", verbosity=0)


def _forget(table: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"TRUNCATE {table} CASCADE")


@pytest.mark.parametrize("lost", [False, True], ids=["the database is there", "the list alone is left"])
def test_who_was_erased_is_erased_again_with_the_login(folder: Path, club: Club, lost: bool) -> None:
    person = a_member(club, Role.SECRETARY)
    login = user_of(person).pk
    after_backup(folder, lambda: erase(person.pk), lost=lost)
    person.refresh_from_db()
    assert str(person) == f"N. N. {person.pk}"
    assert person.user_id is None
    assert not User.objects.filter(pk=login).exists()
    assert not Membership.objects.filter(player=person).exists()


def test_a_login_that_its_owner_deleted_is_gone_again_and_his_results_stay(folder: Path, club: Club) -> None:
    secretary, unknown = a_member(club, Role.SECRETARY), a_user().player
    logins = [user_of(player).pk for player in (secretary, unknown)]
    a_deal(a_table(an_evening(a_season(club)), [secretary, *(a_player() for _ in range(3))]))

    def change() -> None:
        for login in logins:
            delete_account(login)

    after_backup(folder, change, lost=True)
    assert not User.objects.filter(pk__in=logins).exists()
    secretary.refresh_from_db()
    assert (secretary.user, secretary.memberships.get().role) == (None, Role.MEMBER)
    assert secretary.seats.exists()
    assert not Player.objects.filter(pk=unknown.pk).exists()


def test_a_token_that_was_revoked_stays_revoked_and_others_hold(folder: Path, club: Club) -> None:
    user = user_of(a_member(club))
    for name in ("gone", "held"):
        api_tokens.create_token(user, name, None, now=NOW)
    after_backup(folder, lambda: api_tokens.revoke_token(ApiToken.objects.get(name="gone")), lost=True)
    assert [token.name for token in ApiToken.objects.all()] == ["held"]


@pytest.mark.parametrize("change", [delete_calendar_key, renew_calendar_key])
def test_a_calendars_old_address_stays_ended(folder: Path, club: Club, change: Callable[[User], object]) -> None:
    user, second = user_of(a_member(club)), user_of(a_member(club))
    renew_calendar_key(user)
    new_key = renew_calendar_key(second)
    after_backup(folder, lambda: change(user))
    assert User.objects.get(pk=user.pk).calendar_key is None
    assert User.objects.get(pk=second.pk).calendar_key == new_key


def test_addresses_to_watch_an_evening_stay_ended(folder: Path, club: Club) -> None:
    season = a_season(club)
    watched, second = an_evening(season), an_evening(season)
    after_backup(folder, lambda: evenings.renew_live_links(watched.pk), lost=True)
    assert [Evening.objects.get(pk=evening.pk).live_version for evening in (watched, second)] == [1, 0]


@pytest.mark.parametrize("lost", [False, True], ids=["the database is there", "the list alone is left"])
def test_a_club_that_was_deleted_is_deleted_again(folder: Path, club: Club, lost: bool) -> None:
    remaining = a_club()
    table = a_table(an_evening(a_season(club)))
    a_deal(table)
    person = table.seats.get(number=0).player
    after_backup(folder, lambda: club_deletion.delete_club(club.pk, now=NOW), lost=lost)
    assert list(Club.objects.all()) == [remaining]
    assert not Player.objects.filter(pk=person.pk).exists()
    assert Revocation.objects.get(kind=RevocationKind.CLUB).subject == club.pk


def role(club: Club, player: Player) -> str | None:
    return Membership.objects.filter(club=club, player=player).values_list("role", flat=True).first()


def role_in(club: Club, player: Player) -> int:
    return Membership.objects.get(club=club, player=player).pk


def test_a_role_that_was_lowered_stays_low(folder: Path, club: Club) -> None:
    person = a_member(club, Role.SECRETARY)
    after_backup(folder, lambda: roles.change_role(role_in(club, person), Role.MEMBER), lost=True)
    assert role(club, person) == Role.MEMBER


def test_who_was_put_out_stays_out(folder: Path, club: Club) -> None:
    person = a_member(club)
    after_backup(folder, lambda: roles.end_membership(role_in(club, person)), lost=True)
    assert role(club, person) is None


def test_a_role_that_was_given_again_is_as_the_backup_has_it(folder: Path, club: Club) -> None:
    person, second = a_member(club, Role.SECRETARY), a_member(club, Role.MEMBER)

    def there_and_back() -> None:
        roles.change_role(role_in(club, person), Role.MEMBER)
        roles.change_role(role_in(club, person), Role.SECRETARY)
        roles.end_membership(role_in(club, second))
        people.join_club(club, user_of(second))

    after_backup(folder, there_and_back, lost=True)
    assert (role(club, person), role(club, second)) == (Role.SECRETARY, Role.MEMBER)


def test_a_role_that_was_raised_after_the_backup_is_as_the_backup_has_it(folder: Path, club: Club) -> None:
    person = a_member(club, Role.MEMBER)
    after_backup(folder, lambda: roles.change_role(role_in(club, person), Role.SECRETARY))
    assert role(club, person) == Role.MEMBER


def test_what_ended_before_the_backup_and_began_again_stays(folder: Path, club: Club) -> None:
    person = a_member(club, Role.SECRETARY)
    roles.change_role(role_in(club, person), Role.MEMBER)
    run_tick("backup", "drill")  # the list says member
    roles.change_role(role_in(club, person), Role.SECRETARY)
    after_backup(folder, lambda: None)
    assert role(club, person) == Role.SECRETARY


def test_a_second_restore_of_the_same_backup_ends_it_too(folder: Path, club: Club) -> None:
    person = a_member(club, Role.SECRETARY)
    after_backup(folder, lambda: roles.change_role(role_in(club, person), Role.MEMBER))
    call_command("restore", folder / "league.backup", "--replace", verbosity=0)
    assert role(club, person) == Role.MEMBER
    roles.change_role(role_in(club, person), Role.SECRETARY)  # an admin decides anew
    call_command("backup", folder / "later.backup", verbosity=0)
    call_command("restore", folder / "later.backup", "--replace", verbosity=0)
    assert role(club, person) == Role.SECRETARY


def test_a_login_that_was_shut_stays_shut(folder: Path, club: Club) -> None:
    user = user_of(a_member(club))
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    after_backup(folder, lambda: User.objects.filter(pk=user.pk).update(is_active=False, is_superuser=False))
    user.refresh_from_db()
    assert (user.is_active, user.is_staff, user.is_superuser) == (False, True, False)


def test_letters_that_were_stopped_stay_stopped_and_none_is_sent_twice(folder: Path, club: Club) -> None:
    user = user_of(a_member(club))
    choice = NotificationChoice.objects.create(user=user, kind=NotificationKind.PLANNED, wanted=True)
    Notification.objects.create(kind=NotificationKind.PLANNED, reader=user, club=club, subject=1)
    Job.objects.create(kind="email", payload={"address": user.email}, created_at=NOW, due_at=NOW)
    after_backup(folder, lambda: NotificationChoice.objects.filter(pk=choice.pk).update(wanted=False))
    choice.refresh_from_db()
    assert not choice.wanted
    assert not Notification.objects.exists()
    assert not Job.objects.exists()


def test_invitations_all_end(folder: Path, club: Club) -> None:
    before = club.invite_key
    after_backup(folder, lambda: None)
    club.refresh_from_db()
    assert club.invite_key != before


def test_a_list_that_can_not_be_read_stops_the_restore(folder: Path, club: Club) -> None:
    call_command("backup", folder / "league.backup", verbosity=0)
    (folder / revocation_list.REVOCATION_FILE_NAME).write_bytes(b"no list")
    with pytest.raises(CommandError, match=revocation_list.REVOCATION_FILE_NAME):
        call_command("restore", folder / "league.backup", "--replace", verbosity=0)


def test_without_any_list_that_is_said(tmp_path: Path, club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    Revocation.objects.all().delete()
    call_command("backup", tmp_path / "league.backup", verbosity=0)
    call_command("restore", tmp_path / "league.backup", "--replace", verbosity=0)
    assert revocation_list.REVOCATION_FILE_NAME in capsys.readouterr().err


def test_another_installations_list_is_left_aside(folder: Path, club: Club, capsys: pytest.CaptureFixture[str]) -> None:
    person = a_member(club)
    call_command("backup", folder / "theirs.backup", verbosity=0)
    Revocation.objects.all().delete()
    Revocation.objects.create(kind=RevocationKind.ORIGIN, subject=0, ended_at=NOW)
    roles.end_membership(role_in(club, person))
    call_command("restore", folder / "theirs.backup", "--replace", verbosity=0)
    assert role(club, person) == Role.MEMBER
    assert "another installation" in capsys.readouterr().err


@pytest.mark.parametrize("ticks", [0, 1], ids=["at once", "after a minute of the new server"])
def test_a_new_server_ends_by_the_list_that_was_carried_to_it(
    folder: Path, club: Club, ticks: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """The new installation has a list of its own by then, in the database and beside the backups."""
    person = a_member(club)
    login = user_of(person).pk
    call_command("backup", folder / "league.backup", verbosity=0)
    erase(person.pk)
    run_tick("backup", "drill")
    _forget("league_ending")
    Revocation.objects.create(kind=RevocationKind.ORIGIN, subject=0, ended_at=NOW)
    for _tick in range(ticks):
        run_tick("backup", "drill")
    call_command("restore", folder / "league.backup", "--replace", verbosity=0)
    assert not User.objects.filter(pk=login).exists()
    output = capsys.readouterr()
    assert f"ended again: player {person.pk}" in output.out
    assert "Left aside, as another installation's lists of what ended: " in output.err


def forged(origin: str, club: Club, person: Player) -> str:
    """Return a list that revokes a person's role, a club and a superuser's rights."""
    root = User.objects.create_superuser("root@club.example")
    return a_list(
        (RevocationKind.ORIGIN, 0, 0, "", origin),
        (RevocationKind.ROLE, person.pk, club.pk, "", str(uuid4())),
        (RevocationKind.RIGHTS, root.pk, 0, "", str(uuid4())),
        (RevocationKind.CLUB, club.pk, 0, "", str(uuid4())),
    )


def a_list(*rows: tuple[str, int, int, str, str]) -> str:
    return "\n".join(
        json.dumps(
            {
                "id": id_,
                "kind": str(kind),
                "subject": subject,
                "club": club,
                "remains": remains,
                "ended_at": NOW.isoformat(),
            }
        )
        for kind, subject, club, remains, id_ in rows
    )


def put(path: Path, text: str, key: str = "") -> None:
    with path.open("wb") as out:
        archive.write_archive([text.encode()], out, key=key)


@pytest.mark.parametrize("signed_by", ["", "another key than ours, of 32 letters"], ids=["nobody", "somebody else"])
@pytest.mark.parametrize(
    "name", [revocation_list.REVOCATION_FILE_NAME, revocation_list.FOREIGN_REVOCATION_FILE_NAME.format("x")]
)
def test_a_list_that_nobody_here_wrote_ends_nothing(
    folder: Path, club: Club, origin: str, name: str, signed_by: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also with this installation's own id, which stands in each list that is not encrypted."""
    person = a_member(club, Role.SECRETARY)
    text = forged(origin, club, person)
    call_command("backup", folder / "league.backup", verbosity=0)
    put(
        folder / name,
        Signer(key=signed_by, salt=revocation_list.SIGNING_SALT).sign(text) if signed_by else f"{text}:",
    )
    call_command("restore", folder / "league.backup", "--replace", verbosity=0)
    assert role(club, person) == Role.SECRETARY
    assert User.objects.get(email="root@club.example").is_superuser
    assert f"nothing proves that this installation wrote them: {folder / name}" in capsys.readouterr().err


def test_a_list_that_an_earlier_key_signed_still_counts(folder: Path, club: Club, settings: Any) -> None:
    person = a_member(club, Role.SECRETARY)

    def change() -> None:
        roles.change_role(role_in(club, person), Role.MEMBER)
        run_tick("backup", "drill")
        settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
        settings.SECRET_KEY = "another key of 32 characters or more"
        _forget("league_ending")

    after_backup(folder, change)
    assert role(club, person) == Role.MEMBER


def test_a_list_that_our_backup_key_encrypted_counts_whoever_signed_it(folder: Path, club: Club, settings: Any) -> None:
    """As after a fire: the secret key was lost, the other one lay elsewhere."""
    settings.BACKUP_KEY = archive.generate_key()
    person = a_member(club, Role.SECRETARY)

    def change() -> None:
        roles.change_role(role_in(club, person), Role.MEMBER)
        run_tick("backup", "drill")
        settings.SECRET_KEY = "another key of 32 characters or more"
        _forget("league_ending")

    after_backup(folder, change)
    assert role(club, person) == Role.MEMBER


STRANGE_ROWS = {
    "a path for an id": (RevocationKind.ORIGIN, 0, 0, "", "../../etc/cron.d/x"),
    "a kind that nobody knows": ("everything", 0, 0, "", str(uuid4())),
    "no number": (RevocationKind.CLUB, "1; DROP TABLE", 0, "", str(uuid4())),
    "two origins": (RevocationKind.ORIGIN, 0, 0, "", str(uuid4())),
}


@pytest.mark.parametrize("row", STRANGE_ROWS.values(), ids=STRANGE_ROWS)
def test_a_list_with_strange_values_is_refused_and_written_anew(
    folder: Path, club: Club, origin: str, row: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("backup", folder / "league.backup", verbosity=0)
    put(folder / revocation_list.REVOCATION_FILE_NAME, Signer(salt=revocation_list.SIGNING_SALT).sign(
        a_list((RevocationKind.ORIGIN, 0, 0, "", origin), row)
    ))  # fmt: skip
    with pytest.raises(CommandError, match="is not a revocation list"):
        call_command("restore", folder / "league.backup", "--replace", verbosity=0)
    run_tick("backup", "drill")
    assert revocation_list.read_revocation_lists(folder / "any")[1] == []
    assert [path.name for path in folder.glob("league-ended*")] == [revocation_list.REVOCATION_FILE_NAME]


def test_with_a_key_nothing_is_restored_that_is_not_encrypted(folder: Path, club: Club, settings: Any) -> None:
    """An archive and a bare dump of somebody who could write into the folder; and a list."""
    call_command("backup", folder / "open.backup", verbosity=0)
    (folder / "bare.dump").write_bytes(b"PGDMP" + bytes(100))
    revocation_list.store_revocation_list()
    settings.BACKUP_KEY = archive.generate_key()
    for name in ("open.backup", "bare.dump"):
        with pytest.raises(CommandError, match=f"{name} is not encrypted, and BACKUP_KEY is set"):
            call_command("restore", folder / name, "--replace", verbosity=0)
        with pytest.raises(CommandError, match=f"{name} is not encrypted, and BACKUP_KEY is set"):
            call_command("restore_drill", folder / name, verbosity=0)
    call_command("backup", folder / "ours.backup", verbosity=0)
    with pytest.raises(CommandError, match=f"{revocation_list.REVOCATION_FILE_NAME} is not encrypted"):
        call_command("restore", folder / "ours.backup", "--replace", verbosity=0)
    revocation_list.store_revocation_list()
    call_command("restore", folder / "ours.backup", "--replace", verbosity=0)
