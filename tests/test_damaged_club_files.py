"""A damaged club file is refused with a reason, or its club breaks neither the recompute nor a page."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import transaction
from django.db.models import QuerySet
from django.test import Client
from pytest_django import DjangoDbBlocker

from league.actions import (
    adjustments,
    attendance,
    club_appearance,
    contests,
    deals,
    evenings,
    hall,
    rules_drafts,
    season_closing,
    seasons,
    separations,
    teams,
    tournaments,
)
from league.actions import totals as totals_actions
from league.actions.club_import import import_club_for_user
from league.actions.result_import import remember_columns
from league.imports.queries.club_file.export import write_club_file
from league.imports.queries.club_file.parts import PARTS, Part
from league.imports.queries.club_file.reading import UnreadableFile, read_club_file
from league.imports.queries.club_file.scope import WholeClubScope
from league.models import (
    Adjustment,
    Attendance,
    Club,
    Contest,
    Deal,
    Evening,
    Rest,
    Round,
    Run,
    Season,
    Separation,
    Table,
    TournamentUnit,
)
from league.models.evening import EveningState
from league.models.rights import Role
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from league.standings.rules import StandingsRules
from players.accounts import renew_calendar_key
from players.models import User
from tests.build import (
    NOW,
    a_club,
    a_club_game,
    a_deal,
    a_member,
    a_picture,
    a_season,
    a_table,
    a_tournament,
    a_tournament_in_finals,
    a_tournament_preset,
    a_unit,
    a_user,
    an_evening,
    settle,
    some_prizes,
)
from tests.club_file_damage import (
    Edits,
    Tables,
    cells_by_themselves,
    edited,
    read_tables,
    rows_by_themselves,
    several_cells,
    with_tables,
)
from tests.test_access import ROWS

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("damaged club files")]  # one export

BELOTE = {"taker": 0, "points": 75, "last_trick": "attack"}
FEW = 72  # one damage in so many, in `make test`
STRIDES = 24  # items over which `make test-faults` spreads all damages


@dataclass(frozen=True)
class Exported:
    data: bytes
    tables: Tables


class EveryPart(WholeClubScope):
    """The whole club, and the rows that only the file for a hall server has."""

    def rows(self, part: Part, club: Club, people: Collection[int]) -> QuerySet[Any, Any]:
        return part.rows(club, people)


def a_full_club() -> Club:
    """A club with rows in every part: seasons of two games, one closed, and evenings in every state."""
    admin = a_member(club := a_club(public=True, place="The hall"), Role.ADMIN)
    club_appearance.store_logo(club, a_picture())
    remember_columns(club, "totals", {"Soirée": "day", "Remarque": ""})
    a_club_game(club)
    unit = a_unit(tournament := a_tournament(club, ties=["against"]))
    a_tournament_preset(club)
    tournaments.invite_club(tournament.pk, a_club())
    TournamentUnit.objects.filter(pk=unit.pk).update(plays_for=tournament.clubs.get(club=club))
    some_prizes(tournament)
    tournament.prize_lots.create(competitors=["1", "2"], seed=7, drawn_at=NOW)
    unit.prize_receipts.create(amount=5_000, things=["Wine"], printed_at=NOW, handed_at=NOW)
    a_tournament_in_finals(club)
    people = [admin, *(a_member(club) for _ in range(4))]
    separations.add_separation(club, people[0].pk, people[1].pk)
    for game, closed in (("tarot", True), ("tarot", False), ("belote", False)):
        season = a_season(club, game, end_number=2, table_sizes=[4] if game == "belote" else [3, 4, 5])
        evening = an_evening(season)
        dealt = a_table(evening, people[:4])
        first, *_rest = [a_deal(dealt, BELOTE if game == "belote" else None) for _ in range(3)]
        deals.void(first.pk, client_key=uuid4(), seen_version=first.version, now=NOW, reason="Not played")
        handed_in = a_table(evening, people[:4], round_number=2)
        handed_in.forfeits.create(unit=unit)
        totals = [90, 72, 90, 72] if game == "belote" else [30, -10, -10, -10]
        written = {seat: PointsAndDeals(points, 4) for seat, points in enumerate(totals)}
        totals_actions.record(handed_in.pk, written, client_key=uuid4(), seen_version=0, now=NOW)
        Rest.objects.create(round=handed_in.round, player=people[4], kind="exempt", points=5)
        attendance.check_in(evening.pk, [people[4].pk])
        teams.store_team(season.pk, "Aces", [people[0].pk, people[1].pk])
        evening.attendances.filter(player=people[3]).update(standing="guest")
        contests.record_contest(
            dealt.dealt.not_voided().latest("pk").pk, player_id=people[0].pk, reason="Was 34", now=NOW
        )
        adjustments.add_adjustment(season.pk, people[1].pk, 7, reason="Swept the hall", now=NOW)
        evenings.close(evening.pk, now=NOW)
        if closed:
            season_closing.close(season.pk, now=NOW)
            continue
        if game == "tarot":
            a_deal(a_table(an_evening(season), people, one_rests=True), rests=[0])
            planned_evening = an_evening(season, EveningState.PLANNED, on=NOW.date())
            attendance.record_intention(planned_evening.pk, people[0].pk, comes=True)
            hall.mark_taken_to_hall(planned_evening.pk, now=NOW)
            rules_drafts.save_draft(season.pk, "Sum", StandingsRules())
        else:
            rules: dict[str, Any] = {"slam": 90}
            seasons.change_rules(season, [], rules, reason="We voted", now=NOW, later_only=True)
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    return club


@pytest.fixture(scope="module")
def exported(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Exported]:
    with django_db_blocker.unblock(), transaction.atomic():
        write_club_file(a_full_club(), file := io.BytesIO(), EveryPart())
        settle()
        yield Exported(file.getvalue(), read_tables(file.getvalue()))
        transaction.set_rollback(True)


def places(club: Club) -> dict[str, list[Any]]:
    """Return what may stand for each {word} of an address, of a club."""
    of_table = {"round__evening__season__club": club}
    people = [pk for (pk,) in club_people(club)]
    return {
        "club": [club.slug],
        "mark": [club.mark] if club.mark else [],
        "club_game": ids(club.games.all()),
        "tournament": ids(club.tournaments.all()),
        "tournament_preset": ids(club.tournament_presets.all()),
        "unit": ids(TournamentUnit.objects.filter(tournament__club=club)),
        "in_finals": ids(club.tournaments.exclude(finals=None)),
        "game": sorted({season.game for season in club.seasons.all()}),
        "season": ids(Season.objects.filter(club=club)),
        "evening": ids(Evening.objects.filter(season__club=club)),
        "round": ids(Round.objects.filter(evening__season__club=club)),
        "table": ids(Table.objects.filter(**of_table)),
        "deal": ids(Deal.objects.filter(**{f"table__{path}": value for path, value in of_table.items()})),
        "contest": ids(Contest.objects.filter(deal__table__round__evening__season__club=club)),
        "attendance": ids(Attendance.objects.filter(evening__season__club=club)),
        "adjustment": ids(Adjustment.objects.filter(season__club=club)),
        "apart": ids(Separation.objects.filter(club=club)),
        "membership": ids(club.memberships.all()),
        "player": people,
        "standing": people,
    }


def ids(rows: Any) -> list[object]:
    return list(rows.order_by("pk").values_list("pk", flat=True))


def club_people(club: Club) -> Any:
    return club.memberships.order_by("pk").values_list("player")


def addresses(club: Club) -> Iterator[str]:
    """Yield each page about the club, with the first and the last of its rows as the last word of the address."""
    words = places(club)
    for template in dict.fromkeys(row.address for row in ROWS if row.method == "GET"):
        placeholders = re.findall(r"{(\w+)}", template)
        if not placeholders or not all(words.get(word) for word in placeholders):
            continue
        first = {word: words[word][0] for word in placeholders}
        for value in dict.fromkeys((words[placeholders[-1]][0], words[placeholders[-1]][-1])):
            yield template.format(**(first | {placeholders[-1]: value}))


def taken_in(exported: Exported, damaged_tables: Tables, user: User) -> Club:
    file = read_club_file(io.BytesIO(with_tables(exported.data, damaged_tables)))
    return import_club_for_user(user, {}, file, now=NOW, allow_copy=True)


def is_refused(exported: Exported, damaged_tables: Tables) -> bool:
    """Return whether the file with these tables is refused, with a reason."""
    refused = False
    with transaction.atomic():
        try:
            taken_in(exported, damaged_tables, a_user())
        except UnreadableFile as unreadable:
            check_reasons(unreadable)
            refused = True
        transaction.set_rollback(True)
    return refused


def check_reasons(unreadable: UnreadableFile) -> None:
    assert unreadable.faults
    assert all(unreadable.faults)


def check(exported: Exported, damaged_tables: Tables, *, pages: bool = True) -> None:
    """Check that night, verification and every page work once the file with these tables is taken in."""
    cache.clear()
    with transaction.atomic():
        user = a_user(is_superuser=True)
        club = taken_in(exported, damaged_tables, user)
        run = runs.run(Run.Trigger.COMMAND, now=NOW)
        assert (run.state, run.failed) == (Run.State.DONE, [])
        assert [str(difference) for difference in verify()] == []
        client = Client()
        client.force_login(user)
        paths = ["/", "/clubs/", "/calendar", f"/calendar/{renew_calendar_key(user)}.ics"]
        for address in [*addresses(club), *paths] if pages else paths:
            with transaction.atomic():
                assert client.get(address).status_code < 500, address
        transaction.set_rollback(True)


def in_groups(damages: Iterable[Edits]) -> Iterator[list[Edits]]:
    """Yield damages in groups, none of which has two for one field: one file shows the pages all of them."""
    remaining = list(damages)
    while remaining:
        group: dict[tuple[str, str], Edits] = {}
        after = []
        for edits in remaining:
            fields = {(edit.table, edit.column) for edit in edits}
            if fields & group.keys():
                after.append(edits)
            else:
                group |= dict.fromkeys(fields, edits)
        yield list(dict.fromkeys(group.values()))
        remaining = after


def attack(exported: Exported, damages: Iterable[Edits]) -> None:
    """Check each damage by itself for its refusal; of those that are taken in, night and pages in groups."""
    accepted = [edits for edits in damages if not is_refused(exported, edited(exported.tables, edits))]
    for group in in_groups(accepted):
        damaged_tables = edited(exported.tables, tuple(chain.from_iterable(group)))
        try:
            check(exported, damaged_tables)
        except UnreadableFile as unreadable:  # together they contradict each other
            check_reasons(unreadable)
            for edits in group:
                check(exported, edited(exported.tables, edits), pages=False)


@pytest.mark.faults
def test_file_as_it_was_exported_is_taken_in(exported: Exported) -> None:
    assert all(len(exported.tables[part.name]) > 1 for part in PARTS)
    check(exported, {})


def test_few_damaged_fields_are_refused_or_harmless(exported: Exported) -> None:
    for edits in islice(cells_by_themselves(exported.tables), 0, None, FEW):
        is_refused(exported, edited(exported.tables, edits))


@pytest.mark.faults
@pytest.mark.parametrize("start", range(STRIDES))
def test_each_field_damaged_by_itself_is_refused_or_harmless(exported: Exported, start: int) -> None:
    attack(exported, islice(cells_by_themselves(exported.tables), start, None, STRIDES))


@pytest.mark.faults
@pytest.mark.parametrize("seed", range(2))
def test_several_cells_damaged_together_are_refused_or_harmless(exported: Exported, seed: int) -> None:
    attack(exported, islice(several_cells(exported.tables, random.Random(seed)), 60))


@pytest.mark.faults
def test_missing_or_repeated_rows_are_refused_or_harmless(exported: Exported) -> None:
    for damaged_tables in rows_by_themselves(exported.tables):
        try:
            check(exported, damaged_tables, pages=False)
        except UnreadableFile as unreadable:
            check_reasons(unreadable)
