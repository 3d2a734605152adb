"""A club leaves as a file, and is taken in elsewhere as it was."""

from __future__ import annotations

import csv
import io
import json
import random
from collections.abc import Callable, Collection, Sequence
from functools import partial
from pathlib import Path
from uuid import uuid4
from zipfile import ZipFile

import pghistory
import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db.models import ForeignKey

from league.actions import adjustments, club_appearance, contests, deals, evenings, season_closing
from league.actions.club_import import import_club
from league.actions.player_names import apply_club_name_defaults
from league.actions.result_import import remember_columns
from league.imports.queries.club_file import cells
from league.imports.queries.club_file.export import (
    DESCRIPTION_FILE_NAME,
    history_name,
    package_description,
    part_columns,
    write_club_file,
)
from league.imports.queries.club_file.parts import PART_BY_MODEL, PARTS
from league.imports.queries.club_file.reading import UnreadableFile, read_club_file
from league.models import Club, Deal, PendingRecompute, Run, Season, Standing
from league.models.rights import Role
from league.operations.work.verification import verify
from league.recompute.tests.test_incremental import Happenings
from league.recompute.work import runs
from league.seasons.queries.season_evenings import UnreadableRules
from league.sheets.queries.deal_changes import DealChange
from league.sheets.queries.deal_history import HistoryEntry, deal_history
from players.models import Player, User
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_picture, a_player, a_season, a_table, an_evening
from tests.hostile_files import parts

pytestmark = pytest.mark.django_db

TOO_MANY = json.dumps({**TAKE, "points": 99})  # of a deal, there are 91
LEFT_OUT = {
    "TournamentRank": "computed again from the results",
    "AuditEntry": "what logins did here; filled again from the history of facts",
    "ApiToken": "a login's",
    "ApiWrite": "of a token",
    "PendingRecompute": "the night's",
    "Job": "background work",
    "Notification": "to logins",
    "NotificationChoice": "a login's",
    "Merge": "names people of other clubs; what was joined stays joined",
    "FirstMeeting": "follows from results",
    "RankChange": "follows from results",
    "PlayerStatistics": "follows from deals",
    "RatingDay": "follows from results",
    "RatingStep": "follows from results",
    "SeasonRecord": "follows from results",
    "Webhook": "has secrets of the club's programs; where the club moves to, its admins make new ones",
    "WebhookDelivery": "of a webhook",
}


def exported(club: Club) -> bytes:
    file = io.BytesIO()
    write_club_file(club, file)
    return file.getvalue()


def tables(data: bytes) -> dict[str, list[str]]:
    """Return the file's lines by name."""
    with ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name).decode().splitlines() for name in archive.namelist()}


def taken_in(data: bytes) -> Club:
    return import_club(read_club_file(io.BytesIO(data)), now=NOW)


def edit_text(data: bytes, name: str, change: Callable[[str], str]) -> bytes:
    """Return the file with another text in one of its tables."""
    file = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as old, ZipFile(file, "w") as new:
        for entry in old.namelist():
            text = old.read(entry).decode()
            new.writestr(entry, change(text) if entry == name else text)
    return file.getvalue()


def without(data: bytes, name: str) -> bytes:
    """Return the file without one of its tables."""
    file = io.BytesIO()
    with ZipFile(io.BytesIO(data)) as old, ZipFile(file, "w") as new:
        for entry in old.namelist():
            if entry != name:
                new.writestr(entry, old.read(entry))
    return file.getvalue()


def with_cell(data: bytes, name: str, row: int, column: str, cell: str) -> bytes:
    def change(text: str) -> str:
        rows = list(csv.reader(io.StringIO(text, newline="")))
        rows[row][rows[0].index(column)] = cell
        with io.StringIO(newline="") as out:
            csv.writer(out).writerows(rows)
            return out.getvalue()

    return edit_text(data, f"{name}.csv", change)


def without_columns(text: str, columns: Collection[str]) -> str:
    rows = list(csv.reader(io.StringIO(text, newline="")))
    kept = [index for index, name in enumerate(rows[0]) if name not in columns]
    with io.StringIO(newline="") as out:
        csv.writer(out).writerows([row[index] for index in kept] for row in rows)
        return out.getvalue()


@pytest.fixture
def club() -> Club:
    """A club with something in nearly every part."""
    admin = a_member(club := a_club(public_names="initial"), Role.ADMIN)
    club_appearance.store_logo(club, a_picture())
    remember_columns(club, "totals", {"Soirée": "day", "Remarque": ""})
    players = [admin, *(a_member(club, login=False) for _ in range(2)), a_player("Guest", "Of One")]
    gone = a_member(club)
    club.memberships.get(player=gone).delete()
    for closed in (True, False):
        season = a_season(club, end_number=4)
        evening = an_evening(season)
        table = a_table(evening, players)
        with pghistory.context(user=admin.user.pk if admin.user else 0, reason="Misread, “twice”\r\n=1+1"):
            dealt = [a_deal(table) for _ in range(5)]
            deals.void(dealt[4].pk, client_key=uuid4(), seen_version=1, now=NOW)
        evening.attendances.filter(player=players[3]).update(standing="guest")
        evenings.close(evening.pk, now=NOW)
        contests.record_contest(dealt[0].pk, player_id=admin.pk, reason="Was 34", now=NOW)
        adjustments.add_adjustment(season.pk, players[1].pk, 7, reason="Swept the hall", now=NOW)
        if closed:
            season_closing.close(season.pk, now=NOW)
        else:
            an_evening(season).delete()
    apply_club_name_defaults(club.memberships.values_list("player", flat=True))
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    return club


def test_a_club_is_taken_in_as_it_was(club: Club) -> None:
    before = exported(club)
    facts = {model: model._default_manager.count() for model in PART_BY_MODEL}
    new = taken_in(before)
    runs.run(Run.Trigger.COMMAND, now=NOW)
    assert list(verify()) == []
    assert tables(exported(new)) == tables(before)
    assert exported(new) == exported(club) == before
    assert len(tables(before)["ratings.csv"]) == 5
    assert new.slug != club.slug
    assert new.invite_key != club.invite_key
    assert {model: model._default_manager.count() for model in PART_BY_MODEL} == {
        model: 2 * number for model, number in facts.items()
    }
    assert not Player.objects.filter(memberships__club=new).exclude(user=None).exists()


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.faults)])
def test_whatever_happened_is_taken_in(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    world = Happenings(seed, monkeypatch)
    for _ in range(45):
        world.happen()
    runs.run(Run.Trigger.COMMAND, now=world.now, everything=True)
    before = exported(world.club)
    new = import_club(read_club_file(io.BytesIO(before)), now=world.now)
    runs.run(Run.Trigger.COMMAND, now=world.now)
    assert tables(exported(new)) == tables(before)
    assert list(verify()) == []


def readable(changes_: Sequence[HistoryEntry]) -> list[tuple[object, ...]]:
    """Return a deal's changes with players' names: the club taken in has records of its own."""
    return [(*each._replace(change=None), *_in_words(each.change)) for each in changes_]


def _in_words(change: DealChange | None) -> tuple[object, ...]:
    if change is None:
        return ()
    return change.before, change.after, [(str(seat.player), seat.before, seat.after) for seat in change.seats]


def test_a_history_tells_who_wrote_without_his_login(club: Club) -> None:
    new = taken_in(exported(club))
    original, imported = (
        Deal.objects.filter(table__round__evening__season__club=each, voided_at=None).earliest("pk")
        for each in (club, new)
    )
    history = deal_history(imported, list(imported.table.seats.all()))
    assert readable(history) == readable(deal_history(original, list(original.table.seats.all())))
    assert history[-1].author == str(Player.objects.exclude(user=None).get(seats__table=original.table))
    assert history[-1].reason == "Misread, “twice”\r\n=1+1"


def test_the_file_says_what_is_in_it(club: Club) -> None:
    with ZipFile(io.BytesIO(exported(club))) as archive:
        told = json.loads(archive.read(DESCRIPTION_FILE_NAME))
        assert {resource["path"] for resource in told["resources"]} == {*archive.namelist()} - {DESCRIPTION_FILE_NAME}
        for resource in told["resources"]:
            with archive.open(resource["path"]) as raw, io.TextIOWrapper(raw, encoding="utf-8", newline="") as text:
                assert next(csv.reader(text)) == [field["name"] for field in resource["schema"]["fields"]]
    assert "@" not in json.dumps(package_description())


def test_what_an_admin_said_of_columns_goes_along(club: Club) -> None:
    [list_columns] = taken_in(exported(club)).list_columns.all()
    assert (list_columns.kind, list_columns.columns) == ("totals", {"Soirée": "day", "Remarque": ""})


def test_a_file_from_before_a_part_was_added_is_taken_in(club: Club) -> None:
    def before(text: str) -> str:
        told = json.loads(text)
        told["resources"] = [each for each in told["resources"] if each["name"] != "list_columns"]
        return json.dumps(told)

    older = without(edit_text(exported(club), DESCRIPTION_FILE_NAME, before), "list_columns.csv")
    new = taken_in(older)
    assert not new.list_columns.exists()
    assert Deal.objects.filter(table__round__evening__season__club=new).exists()


def test_a_file_from_before_clubs_had_own_games_is_taken_in(club: Club) -> None:
    def before(text: str) -> str:
        package = json.loads(text)
        package["resources"] = [part for part in package["resources"] if not part["name"].startswith("club_games")]
        return json.dumps(package)

    older = edit_text(exported(club), DESCRIPTION_FILE_NAME, before)
    for name in ("seasons.csv", "seasons_history.csv"):
        older = edit_text(older, name, partial(without_columns, columns=("club_game", "count_passed")))
    for name in ("club_games.csv", "club_games_history.csv"):
        older = without(older, name)
    new = taken_in(older)
    assert not new.games.exists()
    assert all(new.seasons.values_list("count_passed", flat=True))
    assert Deal.objects.filter(table__round__evening__season__club=new).exists()


def test_every_model_and_field_of_a_club_is_in_its_file_or_has_a_reason() -> None:
    for app in ("league", "players"):
        for model in apps.get_app_config(app).get_models():
            if "pgh_obj" in {field.name for field in model._meta.get_fields()} or model in PART_BY_MODEL:
                continue
            names = {
                field.related_model
                for field in model._meta.concrete_fields
                if isinstance(field, ForeignKey) and field.related_model in PART_BY_MODEL
            }
            assert not names or model.__name__ in LEFT_OUT, model
    for part in PARTS:
        assert {*part.left_out} <= {field.name for field in part.model._meta.concrete_fields}, part.name
        for field in part.fields:
            assert field.related_model is not User, (part.name, field)
            assert not field.null or cells.table_schema_type(field) != "string", (part.name, field)  # "" is a text


def test_nothing_is_taken_in_of_what_cannot_be(club: Club) -> None:
    data = exported(club)
    before = Club.objects.count(), Player.objects.count(), PendingRecompute.objects.count()
    tried: list[tuple[bytes, str]] = [
        (b"", "no zip file"),
        (data[: len(data) // 2], "no zip file"),
        (edit_text(data, DESCRIPTION_FILE_NAME, lambda _text: "[]"), "no description"),
        (edit_text(data, DESCRIPTION_FILE_NAME, lambda text: text.replace('"format": 1', '"format": 2')), "format 2"),
        (
            edit_text(data, "seats.csv", lambda text: text.replace("player", "who", 1)),
            "seats.csv · row 1: the columns",
        ),
        (edit_text(data, "seats.csv", lambda text: text + "1,2\r\n"), "there have to be"),
        (with_cell(data, "seats", 1, "player", "999"), "seats.csv · row 2 · player: people.csv has no row 999"),
        (with_cell(data, "seats", 1, "player", "²"), "seats.csv · row 2 · player: it has to be the number"),
        (with_cell(with_cell(data, "seats", 1, "player", "1"), "seats", 2, "player", "1"), "It can't be stored"),
        (with_cell(data, "seats", 2, "number", "7"), "a table has its seats"),
        (with_cell(data, "evenings", 1, "date", "2026-02-30"), "evenings.csv · row 2 · date"),
        (with_cell(data, "evenings", 1, "state", "over"), "evenings.csv · row 2 · state"),
        (with_cell(data, "seasons", 1, "game", "bridge"), "bridge"),
        (with_cell(data, "seasons", 1, "state", "open"), "closings.csv"),
        (with_cell(data, "seasons", 1, "house_rules", '{"none": 1}'), "none"),
        (with_cell(data, "seasons", 1, "house_rules", '{"a": NaN}'), "seasons.csv · row 2 · house_rules"),
        (with_cell(data, "seasons", 1, "standings_rules", "[]"), "seasons.csv · row 2 · standings_rules"),
        (with_cell(data, "deals", 1, "facts", "{}"), "Season"),
        (with_cell(data, "deals", 1, "facts", TOO_MANY), "1 · 1 · 1: points: "),
        (with_cell(data, "seats_history", 1, "act", "999"), "acts.csv has no row 999"),
        (with_cell(data, "seats_history", 1, "player", "999"), "people.csv has no row 999"),
        (
            edit_text(data, "club.csv", lambda text: text.splitlines()[0] + "\r\n"),
            "club.csv · row 2 · id: there has to",
        ),
        (with_cell(data, "deals", 1, "facts", '"\\u0000"'), "the character 0"),
        (with_cell(data, "deals", 1, "facts", '"\\ud800"'), "deals.csv · row 2 · facts"),
        (with_cell(data, "deals", 1, "facts", "[" * 100_000), "deals.csv · row 2 · facts"),
        (with_cell(data, "deals", 1, "number", "2"), "It can't be stored"),
        (with_cell(data, "deals", 1, "rests", "[0]"), "rests"),
        (with_cell(data, "people", 1, "given_name", "x" * 61), "people.csv · row 2 · given_name"),
        (with_cell(data, "people", 1, "given_name", "a\0b"), "people.csv"),
        (with_cell(data, "mark", 1, "data", "aGVsbG8="), "WebP"),
        (
            edit_text(data, "mark.csv", lambda text: text + "2" + text.splitlines()[1][1:] + "\r\n"),
            "one at most",
        ),
        (with_cell(data, "standings", 1, "counted", "[77]"), "standings.csv names evenings"),
        (with_cell(data, "club", 1, "currency", "euro"), "currency"),
        *((with_cell(data, "list_columns", 1, "columns", each), "list_columns.csv") for each in ("[]", '{"a": 1}')),
        (without(data, "list_columns.csv"), "list_columns.csv is missing"),
    ]
    for file, said in tried:
        with pytest.raises(UnreadableFile) as refused:
            taken_in(file)
        assert said in str(refused.value), (said, str(refused.value))
        assert (Club.objects.count(), Player.objects.count(), PendingRecompute.objects.count()) == before


def test_whatever_is_changed_in_a_file_it_is_taken_in_right_or_refused(club: Club) -> None:
    """Cells of the file are mixed up at random: what gets through is verified."""
    data, chance = exported(club), random.Random(4)
    refused = 0
    for _ in range(40):
        part = chance.choice([part for part in PARTS if not part.is_computed])
        with ZipFile(io.BytesIO(data)) as archive:
            rows = list(csv.reader(io.StringIO(archive.read(f"{part.name}.csv").decode(), newline="")))
        if len(rows) < 2:
            continue
        column = chance.choice(part_columns(part)[1:] or ["id"])
        others = [row[rows[0].index(column)] for row in rows[1:]]
        cell = chance.choice([*others, "", "0", "-1", "1", "true", "[]", "{}", "9999999999", "é", "2026-01-01"])
        try:
            taken_in(with_cell(data, part.name, chance.randrange(1, len(rows)), column, cell))
        except UnreadableFile:
            refused += 1
    runs.run(Run.Trigger.COMMAND, now=NOW)
    assert list(verify()) == []
    assert refused


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "club.zip"


def test_commands_write_a_file_and_take_it_in(club: Club, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    call_command("export_club", club.slug, str(file))
    assert file.stat().st_mode & 0o077 == 0
    call_command("import_club", str(file), once_more=True)
    output = capsys.readouterr().out
    assert "Points, standings and ratings are those of the file." in output
    new = Club.objects.latest("pk")
    assert new.get_absolute_url() in output
    assert Standing.objects.filter(season__club=new).count() == Standing.objects.filter(season__club=club).count()


def test_command_names_the_club_before_it_fails_at_the_standings_of_another(
    club: Club, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Catches an import that seems to have failed, and is done again."""
    call_command("export_club", club.slug, str(file))
    other_season = a_season(a_club())
    evenings.close(an_evening(other_season).pk, now=NOW)
    Season.objects.filter(pk=other_season.pk).update(standings_rules={"worth": {"by": "luck"}})
    with pytest.raises(UnreadableRules):
        call_command("import_club", str(file), once_more=True)
    assert Club.objects.latest("pk").get_absolute_url() in capsys.readouterr().out


def test_a_file_from_before_columns_were_added_has_no_differences(
    club: Club, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    older = exported(club)
    for part in PARTS:
        for name in (part.name, history_name(part)) if part.history else (part.name,):
            if part.later_fields:
                older = edit_text(older, f"{name}.csv", partial(without_columns, columns=part.later_fields))
    assert "totals_checked" not in parts(older)["tables.csv"].decode()
    file.write_bytes(older)
    call_command("import_club", str(file), once_more=True)
    assert "Points, standings and ratings are those of the file." in capsys.readouterr().out


def test_ratings_of_those_who_play_elsewhere_too_are_computed_anew(
    club: Club, file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    players = list(Player.objects.filter(memberships__club=club)[:3])
    other_evening = an_evening(a_season(a_club()))
    table = a_table(other_evening, [*players, a_player()])
    for _ in range(4):
        a_deal(table)
    evenings.close(other_evening.pk, now=NOW)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    call_command("export_club", club.slug, str(file))
    call_command("import_club", str(file), once_more=True)
    said = capsys.readouterr().out
    assert "ratings: " in said
    assert "standings: " not in said


def test_commands_say_what_is_wrong(club: Club, file: Path) -> None:
    with pytest.raises(CommandError, match="No club has the address 'none'"):
        call_command("export_club", "none", str(file))
    with pytest.raises(CommandError, match="No such file"):
        call_command("import_club", str(file))
    file.write_bytes(exported(club))
    clubs = Club.objects.count()
    with pytest.raises(CommandError, match="is here already"):
        call_command("import_club", str(file))
    assert Club.objects.count() == clubs
    file.write_bytes(with_cell(exported(club), "seats", 1, "player", "999"))
    with pytest.raises(CommandError, match=r"Nothing was taken in.\n.*people.csv has no row 999"):
        call_command("import_club", str(file))
