"""The demo club has the promised content, and is deterministic."""

from __future__ import annotations

import datetime
from collections import Counter
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import call_command
from django.db import transaction
from pytest_django import Settings

from league.actions import deals
from league.demo import club, played_tables
from league.demo.own_game import JASS_EVENING_COUNT
from league.demo.people import PASSWORD, PEOPLE
from league.demo.played_tournaments import RUNNING_TOURNAMENT_NAME
from league.demo.seasons import (
    EVENING_COUNT,
    LAST_YEAR_EVENING_COUNT,
    PLANNED_EVENING_COUNT,
    PRESETS_IN_TURN,
    season_plans,
)
from league.models import (
    Attendance,
    ClubGame,
    Contest,
    Deal,
    Evening,
    Intention,
    Notification,
    PrizeReceipt,
    Run,
    Season,
    Table,
    Tournament,
)
from league.models.evening import AttendanceRole, EveningState
from league.models.season import SeasonState
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.sheets.queries.table_end import is_complete
from players.models import Player, Rating, User
from scoring import registry
from tests.build import NOW, analyze
from tests.rating_changes import all_changes, sums

TODAY = datetime.date(2026, 11, 21)
GAMES = registry.slugs()


def leave_out_tournaments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a demo without tournaments and without the club's own game."""
    for part in ("play_jass", "make_open_tournament", "play_tournaments"):
        monkeypatch.setattr(club, part, lambda *_args: None)


def facts() -> list[tuple[object, ...]]:
    return list(Deal.objects.order_by("pk").values_list("client_key", "facts", "number"))


@pytest.mark.faults
def test_it_has_the_promised_content(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "EVENING_COUNT", 4)  # each kind of evening, and tonight
    club.make_demo_club(TODAY)
    analyze()
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)

    assert EVENING_COUNT == 12
    assert Deal.objects.count() <= 1000 * len(GAMES) * 4 / 12
    assert Evening.objects.planned().count() == len(GAMES) * PLANNED_EVENING_COUNT
    tournament_days = 2
    assert (
        Evening.objects.count()
        == len(GAMES) * (4 + PLANNED_EVENING_COUNT) + LAST_YEAR_EVENING_COUNT + JASS_EVENING_COUNT + tournament_days
    )
    contracts = set(Deal.objects.values_list("facts__contract", flat=True))
    assert {"take", "guard", "one_for_one"} <= contracts
    assert Table.objects.filter(one_rests=True, complete=True).exists()
    assert {2, 8} <= set(Table.objects.values_list("size", flat=True))
    assert Attendance.objects.filter(standing=AttendanceRole.GUEST).exists()
    assert Rating.objects.filter(game__in=GAMES).count() == len(GAMES) * len(PEOPLE)
    jass = ClubGame.objects.get()
    assert Rating.objects.filter(game=jass.key).exists()
    assert list(Season.objects.get(club_game=jass).standings.filter(rank=1))
    assert list(verify()) == []
    changes = dict(sorted(all_changes().items())[::4])  # each takes what its page takes
    assert {game for _, game, _ in changes} == {*GAMES, jass.key}
    assert sums(changes) == changes


@pytest.mark.faults
def test_members_do_more_than_play(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Chosen names, a corrected contest, a waiting contest, and intentions."""
    leave_out_tournaments(monkeypatch)
    monkeypatch.setattr(club, "season_plans", lambda: season_plans()[:1])
    monkeypatch.setattr(club, "EVENING_COUNT", 3)
    monkeypatch.setattr(club, "LAST_YEAR_EVENING_COUNT", 1)
    club.make_demo_club(TODAY)
    names = [player.names for player in Player.objects.all()]
    assert "L’Excuse" in {name.public for name in names} - {name.members for name in names}
    assert "Ulysse É." in {name.public for name in names} & {name.members for name in names}
    answered, waiting = Contest.objects.order_by("answered_at")
    assert (answered.answered_at is None, waiting.answered_at) == (False, None)
    assert {answered.player, waiting.player} == {Player.objects.get(user__email="member@demo.example")}
    assert answered.deal.version == 2
    assert waiting.deal.table.round.evening.state == EveningState.OPEN
    assert {letter.kind for letter in Notification.objects.all()} == {"corrected", "answered", "contested"}
    intentions = set(Intention.objects.values_list("evening__date", "comes"))
    assert intentions == {(TODAY + datetime.timedelta(days=7), comes) for comes in (True, False)}
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    assert list(verify()) == []


def test_last_year_has_a_champion_drops_and_ties(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    leave_out_tournaments(monkeypatch)
    monkeypatch.setattr(club, "season_plans", lambda: season_plans()[:1])
    monkeypatch.setattr(club, "EVENING_COUNT", 0)
    club.make_demo_club(TODAY)
    season = Season.objects.get(state=SeasonState.CLOSED)
    rows = list(season.standings.all())
    assert [row.rank for row in rows].count(1) >= 1
    assert all(len(row.counted) <= 4 for row in rows)
    assert any(row.dropped for row in rows)
    ranks = Counter(row.rank for row in rows if row.rank)
    assert max(ranks.values()) > 1  # level to the end
    assert any(row.tie_break for row in rows)
    assert Deal.objects.exists()
    assert Table.objects.filter(complete=True, recorded=0).exists()  # by its totals
    assert list(verify()) == []


def test_a_table_that_never_ends_is_named_and_short_tables_are_accepted(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Either would play for ever: totals that never reach the target, or sheets that never have four deals."""
    leave_out_tournaments(monkeypatch)
    monkeypatch.setattr(club, "season_plans", lambda: season_plans()[:1])
    monkeypatch.setattr(club, "EVENING_COUNT", 1)
    monkeypatch.setattr(club, "LAST_YEAR_EVENING_COUNT", 1)
    monkeypatch.setattr(club, "MAX_SIMULATIONS", 1)
    monkeypatch.setattr(club, "MIN_DEALS_OF_SHEET", 1000)
    with transaction.atomic():
        club.make_demo_club(TODAY)
        transaction.set_rollback(True)
    monkeypatch.setattr(played_tables, "MAX_SIMULATED_DEALS", 1)
    with pytest.raises(played_tables.TableNeverEnds, match="after 1 deals a table of"):
        club.make_demo_club(TODAY)


def test_open_seasons_have_rules_of_their_own(db: None) -> None:
    demo_plans = season_plans()
    assert [plan.preset for plan in demo_plans[: len(PRESETS_IN_TURN)]] == list(PRESETS_IN_TURN[: len(demo_plans)])
    assert any(plan.house_rules for plan in demo_plans)


@pytest.mark.faults
def test_tournaments_are_announced_running_and_finished(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "season_plans", lambda: season_plans()[:1])
    monkeypatch.setattr(club, "EVENING_COUNT", 0)
    monkeypatch.setattr(club, "LAST_YEAR_EVENING_COUNT", 1)
    club.make_demo_club(TODAY)
    announced, running, finished = Tournament.objects.order_by("-date")
    assert [row.state for row in (announced, running, finished)] == ["open", "running", "finished"]
    assert announced.units.waiting().exists()
    assert (running.units.exclude(number=None).count(), running.rounds) == (12, 4)
    played = Table.objects.filter(round__evening__season__tournament=running)
    assert Counter(played.values_list("round__number", "complete")) == {(1, True): 6, (2, True): 6}
    ranks = list(finished.ranks.order_by("rank").values_list("rank", flat=True))
    assert (len(ranks), ranks[:4]) == (12, [1, 2, 3, 4])  # by the finals
    receipts = PrizeReceipt.objects.in_tournament(finished)
    assert receipts.exists()
    assert not receipts.filter(handed_at=None).exists()
    assert not Notification.objects.exists()
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    assert list(verify()) == []


@pytest.mark.faults
def test_it_is_the_same_for_the_same_date(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """In every game; test_reset.py compares one."""
    monkeypatch.setattr(club, "EVENING_COUNT", 1)
    monkeypatch.setattr(club, "LAST_YEAR_EVENING_COUNT", 1)
    with transaction.atomic():
        club.make_demo_club(TODAY)
        first_facts = facts()
        transaction.set_rollback(True)
    club.make_demo_club(TODAY)
    assert facts() == first_facts != []


@pytest.mark.faults
def test_it_lacks_exactly_one_deal_a_table_tonight(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(club, "EVENING_COUNT", 1)
    monkeypatch.setattr(club, "LAST_YEAR_EVENING_COUNT", 1)
    club.make_demo_club(TODAY)
    in_progress = Evening.objects.in_progress()
    assert in_progress.filter(season__tournament=None).count() == len(GAMES)
    assert [evening.season.name for evening in in_progress.exclude(season__tournament=None)] == [
        RUNNING_TOURNAMENT_NAME
    ]
    missing = list(Table.objects.filter(complete=False).with_club())
    assert sorted(table.round.evening.season.game for table in missing) == sorted([GAMES[0], *GAMES])
    for table in missing:
        deals.record(table.pk, last_deal(table), client_key=uuid4(), now=NOW)
    assert not Table.objects.filter(complete=False).exists()


def last_deal(table: Table) -> dict[str, Any]:
    """Play random deals until a deal ends the table, and return that deal."""
    season = table.round.evening.season
    rules, play, rng = registry.rules(season.game), registry.play(season.game), Random(1)
    totals = [seat.points for seat in table.seats.all()]
    for _ in range(1000):
        facts: dict[str, Any] = play(rng, table.size, [0.5] * table.size).facts
        points = rules.play(table.size, facts, rules.read_options({})).points
        after = [total + won for total, won in zip(totals, points, strict=True)]
        if ends(season, table.recorded + 1, after):
            return facts
    raise AssertionError(f"no deal ends {table}: {season.game}, {season.end} {season.end_number}, {totals}")


def ends(season: Season, deals: int, totals: list[int]) -> bool:
    rules = registry.rules(season.game)
    return is_complete(
        season.end,
        season.end_number,
        one_player_rests=False,
        deals=deals,
        points=totals,
        sides=rules.sides(len(totals), rules.read_options(season.house_rules)),
        by_totals=False,
        finished=False,
    )


def test_on_a_server_nobody_knows_its_password(
    db: None, monkeypatch: pytest.MonkeyPatch, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    settings.HTTPS = True
    leave_out_tournaments(monkeypatch)
    monkeypatch.setattr(club, "season_plans", lambda: season_plans()[:1])
    monkeypatch.setattr(club, "EVENING_COUNT", 0)
    monkeypatch.setattr(club, "LAST_YEAR_EVENING_COUNT", 1)
    call_command("demo")
    password = capsys.readouterr().out.rpartition("password: ")[2].strip()
    admin = User.objects.get(email="admin@demo.example")
    assert admin.check_password(password)
    assert not admin.check_password(PASSWORD)
