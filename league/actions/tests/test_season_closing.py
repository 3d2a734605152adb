"""A closed season's standings are frozen until it is reopened."""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction

from league.actions import adjustments, deals, evenings, season_closing, seating
from league.actions.merging import CannotMerge, merge, undo
from league.actions.refusals import StaleVersion, WrongState
from league.actions.tests.test_evenings import at_once
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.models import Deal, PendingRecompute, Run, Season, SeasonClosing, Standing, Table, versions
from league.models.season import SeasonState
from league.models.standing import rows_digest
from league.operations.work.verification import verify
from league.recompute.work import runs, steps
from league.seasons.queries import season_rankings
from league.seasons.queries.season_history import SeasonHistory, history_of, with_history
from league.standings.ranking import RankingRow
from players.models import Player
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db


def a_played_season() -> Season:
    """Return an open season with a closed evening of one table; nothing of it is computed yet."""
    evening = an_evening(a_season(a_club(), end_number=1))
    a_deal(a_table(evening))
    evenings.close(evening.pk, now=NOW)
    return evening.season


def night() -> None:
    runs.run(Run.Trigger.COMMAND, now=NOW + timedelta(days=1), everything=True)


def rows(season: Season) -> list[dict[str, Any]]:
    return [dict(row) for row in Standing.objects.filter(season=season).order_by("pk").values()]


def test_closing_computes_what_is_due_and_keeps_it(monkeypatch: pytest.MonkeyPatch) -> None:
    season = a_played_season()
    assert not season.standings.exists()
    season_closing.close(season.pk, now=NOW)
    frozen_rows = rows(season)
    assert [row["rank"] for row in frozen_rows] == [1, 2, 2, 2]
    assert list(verify()) == []

    # Facts repaired behind the product's back, and another arithmetic: a run leaves the rows as they are.
    season.adjustments.create(player=Player.objects.get(pk=frozen_rows[1]["player_id"]), points=500, reason="By hand")
    PendingRecompute.objects.create(season=season, not_before=NOW, why=PendingRecompute.Reason.REPAIRED)
    night()
    assert rows(season) == frozen_rows
    assert {difference.model for difference in verify()} == {"Standing"}
    season.adjustments.all().delete()
    monkeypatch.setattr(versions, "STANDINGS", versions.STANDINGS + 1)
    runs.run(Run.Trigger.COMMAND, now=NOW + timedelta(days=2))
    assert rows(season) == frozen_rows
    assert not PendingRecompute.objects.exists()


def test_verify_names_rows_that_are_no_longer_those_kept() -> None:
    season = a_played_season()
    season_closing.close(season.pk, now=NOW)
    season.standings.update(arithmetic=1)
    closing = season.closing
    assert [str(difference) for difference in verify()] == [
        f"SeasonClosing season {season.pk}: digest is {closing.digest!r}, "
        f"the facts give {rows_digest(season.standings.all())!r}"
    ]
    SeasonClosing.objects.update(digest=rows_digest(season.standings.all()))
    assert list(verify()) == []  # by an arithmetic that is no longer here: they are as they were kept


def test_closing_is_refused_when_others_are_kept_than_were_seen() -> None:
    season = a_played_season()
    digest = rows_digest(season_closing.final_standings(season))
    deal = Deal.objects.get()
    deals.revise(deal.pk, {**TAKE, "points": 44}, client_key=uuid4(), seen_version=1, now=NOW, reason="misread")
    with pytest.raises(StaleVersion):
        season_closing.close(season.pk, now=NOW, seen_digest=digest)
    season.refresh_from_db()
    assert season.state == SeasonState.OPEN
    digest = rows_digest(season_closing.final_standings(season))
    for _twice in range(2):
        assert season_closing.close(season.pk, now=NOW, seen_digest=digest).state == SeasonState.CLOSED
    with pytest.raises(WrongState):
        season_closing.close(season.pk, now=NOW, seen_digest="others")


def test_unreadable_rules_are_not_frozen() -> None:
    season = a_played_season()
    Season.objects.update(standings_rules={"counts": 1})
    with pytest.raises(WrongState, match="can't be read"):
        season_closing.close(season.pk, now=NOW)
    assert not SeasonClosing.objects.exists()


def test_opening_again_needs_a_reason_which_is_kept_and_undoes_it() -> None:
    season = a_played_season()
    season_closing.close(season.pk, now=NOW)
    first = season.closing.pk
    with pytest.raises(WrongState, match="why"):
        season_closing.reopen(season.pk, reason="  ", now=NOW)
    season_closing.reopen(season.pk, reason="A sheet was found", now=NOW)
    assert not SeasonClosing.objects.exists()
    assert [reopening.reason for reopening in stored_history(season).reopenings] == ["A sheet was found"]
    adjustments.add_adjustment(season.pk, season.standings.all()[3].player_id, 500, reason="Found", now=NOW)
    night()
    season_closing.close(season.pk, now=NOW)
    assert season.standings.all()[0].adjustment == 500
    with pytest.raises(StaleVersion):
        season_closing.reopen(season.pk, reason="An old tab", now=NOW, seen_closing_id=first)
    assert SeasonClosing.objects.exists()


def stored_history(season: Season) -> SeasonHistory:
    return history_of(with_history(Season.objects.filter(pk=season.pk)).get())


def a_closed_season_with_duplicate() -> tuple[Season, Player, Player]:
    """Return a closed season, a player of its standings, and a second record of the player without results."""
    season = a_played_season()
    season_closing.close(season.pk, now=NOW)
    return season, season.standings.all()[0].player, a_member(season.club, login=False)


def test_one_person_in_two_records_is_joined_also_in_a_closed_season() -> None:
    season, champion, duplicate = a_closed_season_with_duplicate()
    merged = merge(duplicate.pk, champion.pk, by=None, now=NOW)
    assert season.standings.get(rank=1).player == duplicate
    night()
    assert list(verify()) == []
    undo(merged.pk, now=NOW)
    assert season.standings.get(rank=1).player == champion
    night()
    assert list(verify()) == []


def test_two_places_of_a_closed_season_are_not_made_one_nor_one_two() -> None:
    season = a_played_season()
    later = an_evening(season, on=NOW.date() + timedelta(days=7))
    a_deal(a_table(later))
    evenings.close(later.pk, now=NOW)
    first, second = (table.seats.get(number=0).player for table in Table.objects.order_by("pk"))
    season_closing.close(season.pk, now=NOW)
    with pytest.raises(CannotMerge, match="open it again first"):
        merge(first.pk, second.pk, by=None, now=NOW)
    season_closing.reopen(season.pk, reason="one person", now=NOW)
    made = merge(first.pk, second.pk, by=None, now=NOW)
    season_closing.close(season.pk, now=NOW)
    with pytest.raises(CannotMerge, match="open it again first"):
        undo(made.pk, now=NOW)
    assert list(verify()) == []


@pytest.mark.django_db(transaction=True)
def test_a_correction_and_the_closing_take_turns() -> None:
    season = a_played_season()
    deal = Deal.objects.get()
    with transaction.atomic():
        deals.revise(deal.pk, {**TAKE, "points": 50}, client_key=uuid4(), seen_version=1, now=NOW, reason="misread")
        closed = meanwhile(lambda: season_closing.close(season.pk, now=NOW))
        assert not closed.done()
    closed.result()
    assert list(verify()) == []

    season_closing.reopen(season.pk, reason="again", now=NOW)
    table = Table.objects.get()
    with transaction.atomic():
        season_closing.close(season.pk, now=NOW)
        players = [seat.player_id for seat in table.seats.order_by("-number")]
        for late in (
            lambda: a_deal(table, reason="late"),
            lambda: seating.change_seats(table.pk, players, now=NOW, reason="wrong seats"),
        ):
            recorded = meanwhile(late)
            assert not recorded.done()
    with pytest.raises(WrongState):
        recorded.result()
    assert list(verify()) == []


@pytest.mark.django_db(transaction=True)
def test_of_two_closings_and_openings_at_once_each_is_one() -> None:
    season = a_played_season()
    seen = rows_digest(season_closing.final_standings(season))
    at_once(*[lambda: season_closing.close(season.pk, now=NOW, seen_digest=seen)] * 3)
    assert SeasonClosing.objects.count() == 1
    outcomes = at_once(*[lambda: season_closing.reopen(season.pk, reason="a sheet", now=NOW)] * 3)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Season", "WrongState", "WrongState"]
    assert len(stored_history(season).reopenings) == 1


@pytest.mark.django_db(transaction=True)
def test_a_run_that_computed_before_the_closing_writes_nothing_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    season = a_played_season()
    rank_seasons = season_rankings.rank_seasons

    def slow(seasons: Collection[Season], **read: Any) -> dict[int, list[RankingRow]]:
        rankings = rank_seasons(seasons, **read)
        if not SeasonClosing.objects.exists():
            meanwhile(lambda: season_closing.close(season.pk, now=NOW)).result()
            Standing.objects.update(deals=77)  # so that frozen rows differ from computed ones
        return rankings

    monkeypatch.setattr(steps, "rank_seasons", slow)
    night()
    assert set(season.standings.values_list("deals", flat=True)) == {77}
