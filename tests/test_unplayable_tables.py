"""A table that its game cannot have fails nobody: it is refused in a club's file; a stored one counts nowhere and is
listed by verification, and a recompute that fails turns a status check red.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import evenings
from league.actions.club_import import import_club
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.reading import UnreadableFile, read_club_file
from league.models import Club, Evening, Run, Table
from league.operations.work.status_checks import Colour, all_checks
from league.operations.work.verification import verify
from league.recompute.work import runs
from players.models import RatingDay, RatingStep, User
from tests.build import NOW, a_club, a_deal, a_season, a_table, an_evening
from tests.club_file_damage import Edit, edited, read_tables, with_tables

pytestmark = pytest.mark.django_db

BELOTE = {"taker": 0, "points": 75, "last_trick": "attack"}
BY_TABLES = {"worth": {"by": "opponents"}, "counts": {"which": "all"}, "partners": 1}


def a_night(club: Club | None = None, **fields: object) -> Evening:
    """Return a closed evening of belote with a table that counts."""
    evening = an_evening(a_season(club or a_club(), "belote", table_sizes=[4], end_number=2, **fields))
    table = a_table(evening)
    for _ in range(4):
        a_deal(table, BELOTE)
    return evenings.close(evening.pk, now=NOW)


def change(statement: str, *params: Any) -> None:
    """Write what neither a page nor an action writes."""
    with connection.cursor() as cursor:
        cursor.execute(statement, params)


def without_seat(table: Table) -> None:
    change("DELETE FROM league_score WHERE deal_id IN (SELECT id FROM league_deal WHERE table_id = %s)", table.pk)
    change("DELETE FROM league_deal WHERE table_id = %s", table.pk)
    change("DELETE FROM league_seat WHERE table_id = %s AND number = 3", table.pk)
    change("UPDATE league_seat SET written = points, written_deals = deals WHERE table_id = %s", table.pk)
    change("UPDATE league_table SET recorded = 0, complete = true WHERE id = %s", table.pk)


def resize_to_three(table: Table) -> None:
    without_seat(table)
    change("UPDATE league_table SET size = 3 WHERE id = %s", table.pk)


def with_far_seat(table: Table) -> None:
    without_seat(table)
    change("UPDATE league_seat SET number = 40 WHERE table_id = %s AND number = 2", table.pk)


UNPLAYABLE = (without_seat, resize_to_three, with_far_seat)


@pytest.mark.parametrize("damage", UNPLAYABLE)
@pytest.mark.parametrize("rules", [{}, BY_TABLES])
def test_stored_table_that_a_game_cannot_have_fails_nobodys_night(
    damage: Callable[[Table], None], rules: dict[str, object], client: Client
) -> None:
    a_night()
    broken = a_night(standings_rules=rules)
    table = Table.objects.get(round__evening=broken)
    damage(table)
    client.force_login(User.objects.create_superuser("root@club.example"))
    run = runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    assert (run.state, run.failed) == (Run.State.DONE, [])
    assert {difference.row for difference in verify()} == {f"id {table.pk}"}
    rated = RatingStep.objects.filter(game="belote").values("player")
    assert rated.count() == 4
    assert not rated.filter(player__in=table.seats.values("player")).exists()
    day = RatingDay.objects.get(game="belote").date
    for address in (
        broken.get_absolute_url(),
        broken.season.get_absolute_url(),
        table.get_absolute_url(),
        reverse("league:rating-rules", args=["belote"]),
        reverse("league:player", args=[table.seats.earliest("number").player_id]),
        reverse("league:player-statistics", args=[table.seats.earliest("number").player_id, "belote"]),
        reverse("league:rating-day", args=[rated.values_list("player", flat=True)[0], "belote", day]),
    ):
        assert client.get(address).status_code == 200, address


def test_verification_lists_totals_that_a_game_cannot_have() -> None:
    evening = a_night()
    table = a_table(evening, round_number=2)
    change("UPDATE league_seat SET written = number, written_deals = 4, points = number, deals = 4 WHERE table_id = %s",
           table.pk)  # fmt: skip
    change("UPDATE league_table SET deals = 4, complete = true WHERE id = %s", table.pk)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    [difference] = verify()
    assert (difference.row, difference.field) == (f"id {table.pk}", "written totals (totals.2)")


@pytest.mark.parametrize(
    ("totals", "size", "reason"),
    [
        ((90, 72, 90), 3, "a table of this game has 4"),
        ((90, 72, 90, 71), 4, "Partners score the same"),
        ((90, 72, 90, 10**6), 4, "from -99,999 to 99,999"),
    ],
)
def test_club_file_with_a_table_that_a_game_cannot_have_is_refused(
    totals: tuple[int, ...], size: int, reason: str
) -> None:
    evening = a_night()
    table = a_table(evening, round_number=2)
    change("UPDATE league_seat SET written = 81, written_deals = 4, points = 81, deals = 4 WHERE table_id = %s",
           table.pk)  # fmt: skip
    write_club_file(evening.season.club, file := io.BytesIO())
    tables = read_tables(file.getvalue())
    seats = tables["seats"]
    of_table = [row for row in range(1, len(seats)) if seats[row][seats[0].index("written")] == "81"]
    total_edits = [Edit("seats", row, "written", str(total)) for row, total in zip(of_table, totals, strict=False)]
    damaged_tables = edited(tables, (*total_edits, Edit("tables", 2, "size", str(size))))
    damaged_tables["seats"] = [row for index, row in enumerate(damaged_tables["seats"]) if index not in of_table[size:]]
    clubs = Club.objects.count()
    with pytest.raises(UnreadableFile) as refused:
        import_club(read_club_file(io.BytesIO(with_tables(file.getvalue(), damaged_tables))), now=NOW)
    assert reason in str(refused.value)
    assert Club.objects.count() == clubs


def test_recompute_that_fails_is_red_until_it_succeeds(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = a_night()
    runs.run(Run.Trigger.NIGHT, now=NOW)
    assert colour() == Colour.GREEN
    with monkeypatch.context() as patch:
        patch.setattr("league.recompute.work.steps._compute_ratings", broken)
        with pytest.raises(ZeroDivisionError):
            runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    second_season = a_season(a_club())
    evenings.close(an_evening(second_season).pk, now=NOW)
    assert runs.run(Run.Trigger.CLOSING, now=NOW).state == Run.State.DONE  # of another game
    assert colour() == Colour.RED
    assert evening.season.game in next(
        check.message for check in all_checks(timezone.now()) if check.title == CHECK_NAME
    )
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    assert colour() == Colour.GREEN


CHECK_NAME = "Standings and ratings"


def colour() -> Colour:
    return next(check.colour for check in all_checks(timezone.now()) if check.title == CHECK_NAME)


def broken(*_given: object) -> None:
    raise ZeroDivisionError
