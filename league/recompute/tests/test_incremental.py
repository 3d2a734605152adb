"""After any events in any order, incremental runs end with the same rows as one run from nothing."""

from __future__ import annotations

import datetime
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar
from uuid import uuid4

import pytest
from django.db.models import Model, QuerySet

from league.actions import deals, evenings, season_closing, tables
from league.actions import rating_rules as rating_rules_action
from league.actions import totals as totals_actions
from league.actions.merging import CannotMerge, merge, undo
from league.actions.refusals import WrongState
from league.actions.rounds import NotInRound, TablesDiffer, swap_players
from league.actions.seating import AlreadySeated
from league.actions.standings import replace_standings
from league.models import (
    Club,
    Deal,
    Evening,
    Job,
    Merge,
    PendingRecompute,
    PlayerStatistics,
    Run,
    Season,
    Standing,
    Table,
    versions,
)
from league.models.evening import EveningState
from league.models.season import SeasonState
from league.operations.work.verification import verify
from league.ratings.queries import game_ratings
from league.recompute.work import runs, steps
from league.sheets.queries.table_sums import PointsAndDeals
from players import rating_writer
from players.models import FirstMeeting, Rating, RatingDay, RatingStep
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening
from tests.run_jobs import tick

M = TypeVar("M", bound=Model)
DERIVED = (Standing, PlayerStatistics, Rating, RatingStep, RatingDay, FirstMeeting)
FACTS: dict[str, list[dict[str, Any]]] = {
    "tarot": [TAKE, {**TAKE, "oudlers": 1}, {**TAKE, "taker": 2, "points": 60}, {"contract": "passed"}],
    "belote": [{"taker": 0, "points": 75, "last_trick": "attack"}, {"taker": 1, "points": 90, "last_trick": "defence"}],
}
PLACES = {
    "worth": {"by": "places", "points": [5, 3, 1], "shared": "mean"},
    "counts": {"which": "average", "n": 2, "final": True},
    "ties": ["next_best", "direct"],
}
WINS = {
    "worth": {"by": "wins", "win": 3, "loss": 1, "exempt": 2},
    "counts": {"which": "best", "n": 2},
    "minimum": {"share": [1, 2]},
    "partners": 2,
    "attendance": 1,
    "ties": ["wins", "average"],
}
STEPS = 45
MUCH_LATER = NOW + datetime.timedelta(days=400)


def rows() -> dict[str, list[tuple[object, ...]]]:
    """Return all derived rows by model, without their ids."""
    return {
        model.__name__: list(model._default_manager.order_by(*model.KEY).values_list(*model.KEY, *model.DERIVED))
        for model in DERIVED
    }


class Broken(Exception):
    """What a part fails with."""


class Killed(BaseException):
    """The end of a process: nothing of ours may catch it."""


class Happenings:
    """Events in a club, each by its action; a refused one changes nothing."""

    def __init__(self, seed: int, patch: pytest.MonkeyPatch) -> None:
        self.random, self.patch = random.Random(seed), patch
        self.now = MUCH_LATER
        self.broke: set[object] = set()  # how nights have ended before their time
        self.club: Club = a_club()
        self.people = [a_player() for _ in range(9)]
        self.seasons = [
            a_season(self.club, end_number=3),
            a_season(self.club, end_number=2, leavers="last", standings_rules=PLACES),
            a_season(self.club, "belote", table_sizes=[4], end_number=2, standings_rules=WINS),
        ]

    def happen(self) -> None:
        happenings: list[Callable[[], object]] = [
            *[self.play] * 5,
            *[self.revise, self.void, self.insert] * 2,
            *[self.hand_in, self.swap, self.merge, self.undo, self.finish],
            *[self.reopen, self.close, self.choose_rules, self.weigh],
            *[self.close_season, self.reopen_season],
            *[self.night] * 3,
            self.change_arithmetic,
            *[self.night_with_a_failure, self.night_with_a_death] * 2,
            self.night_that_straddles_versions,
        ]
        with suppress(WrongState, NotInRound, TablesDiffer, CannotMerge, AlreadySeated):
            self.random.choice(happenings)()

    def play(self, deals: tuple[int, int] = (1, 4)) -> Evening:
        season = self.random.choice(self.seasons)
        day = NOW.date() - datetime.timedelta(days=self.random.choice([0, 7, 14, 21, 400, 800]))
        evening = an_evening(season, on=day)
        joined = set(Merge.objects.values_list("gone", flat=True))
        present = [player for player in self.people if player.pk not in joined]
        for number in range(1, self.random.randint(2, 3)):
            table = a_table(evening, self.random.sample(present, 4), round_number=number)
            for _deal in range(self.random.randint(*deals)):
                a_deal(table, self.random.choice(FACTS[season.game]))
        evening.attendances.filter(player__in=self.people[:2]).update(standing="guest")
        if self.random.random() < 0.8:
            evenings.close(evening.pk, now=NOW)
        return evening

    def night(self) -> None:
        self.now += datetime.timedelta(days=1)
        runs.run(Run.Trigger.NIGHT, now=self.now)

    def night_with_a_failure(self, latest: int = 6) -> None:
        """Some part of it fails, in some step of its own; the others are done, and that one in a later night."""
        with self.breaking(Broken, latest), suppress(Broken):
            self.night()

    def night_with_a_death(self, latest: int = 6) -> None:
        """The worker dies in the middle of a step, and the next night's work continues."""
        with self.breaking(Killed, latest), suppress(Killed):
            self.night()

    def night_that_straddles_versions(self, latest: int = 6) -> None:
        """Its worker ends in the middle, and the next has another arithmetic."""
        self.night_with_a_death(latest)
        self.change_arithmetic()

    def change_arithmetic(self) -> None:
        """An upgrade in the middle of unfinished runs."""
        if Job.objects.open().exists():
            self.broke.add("straddled")
        self.patch.setattr(versions, "RATINGS", versions.RATINGS + 1)
        self.patch.setattr(versions, "STANDINGS", versions.STANDINGS + 1)

    @contextmanager
    def breaking(self, error: type[BaseException], latest: int) -> Iterator[None]:
        """Let one of the next steps raise, after it has written."""
        steps_left = self.random.randint(1, latest)

        def after(function: Callable[..., Any]) -> Callable[..., Any]:
            def broken(*given: Any) -> Any:
                nonlocal steps_left
                answer = function(*given)
                steps_left -= 1
                if not steps_left:
                    self.broke.add(error)
                    raise error
                return answer

            return broken

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(rating_writer, "replace_rating_steps", after(rating_writer.replace_rating_steps))
            patch.setattr(steps, "replace_standings", after(replace_standings))
            yield

    def revise(self) -> None:
        if deal := self.a_deal():
            facts = self.random.choice(FACTS[deal.table.round.evening.season.game])
            version = deal.version
            deals.revise(deal.pk, facts, client_key=uuid4(), seen_version=version, now=NOW, reason="misread")

    def void(self) -> None:
        if deal := self.a_deal():
            deals.void(deal.pk, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="not played")

    def insert(self) -> None:
        if deal := self.a_deal():
            a_deal(deal.table, deal.facts, number=deal.number, reason="forgotten")

    def hand_in(self) -> None:
        table = self.one_of(Table.objects.with_club())
        if table and not table.recorded:
            totals = [30, -10, -10, -10] if table.round.evening.season.game == "tarot" else [90, 72, 90, 72]
            sums = {seat: PointsAndDeals(points, 5) for seat, points in enumerate(totals)}
            version = table.version
            totals_actions.record(
                table.pk, sums, client_key=uuid4(), seen_version=version, now=NOW, reason="the sheet was found"
            )

    def finish(self) -> None:
        if table := self.one_of(Table.objects.all()):
            tables.finish(table.pk, finished=self.random.random() < 0.5, now=NOW, reason="they said so")

    def swap(self) -> None:
        if table := self.one_of(Table.objects.all()):
            first, second = self.random.sample(self.people, 2)
            swap_players(table.round_id, first.pk, second.pk, now=NOW, reason="sat the other way")

    def merge(self) -> None:
        if Merge.objects.count() == len(self.people) - 5:
            return
        surviving, gone = self.random.sample(self.people, 2)
        merge(surviving.pk, gone.pk, by=None, now=NOW, reason="one person")

    def undo(self) -> None:
        if merge := self.one_of(Merge.objects.all()):
            undo(merge.pk, now=NOW)

    def reopen(self) -> None:
        if evening := self.one_of(Evening.objects.closed()):
            evenings.reopen(evening.pk, now=NOW)

    def close(self) -> None:
        if evening := self.one_of(Evening.objects.filter(state=EveningState.OPEN)):
            evenings.close(evening.pk, now=NOW)

    def choose_rules(self) -> None:
        rating_rules_action.choose_rules("tarot", self.random.choice(["club", "published"]), now=NOW)

    def close_season(self) -> None:
        season_closing.close(self.random.choice(self.seasons).pk, now=NOW)

    def reopen_season(self) -> None:
        season_closing.reopen(self.random.choice(self.seasons).pk, reason="a sheet was found", now=self.now)

    def weigh(self) -> None:
        """A season's house rule: its deals are scored again."""
        season = Season.objects.get(pk=self.seasons[0].pk)
        season.house_rules = self.random.choice([{}, {"half_point_short": "won"}])
        season.save()
        deals.rescore_season(season, now=NOW)

    def a_deal(self) -> Deal | None:
        return self.one_of(Deal.objects.not_voided().with_table())

    def one_of(self, queryset: QuerySet[M]) -> M | None:
        rows = list(queryset.order_by("pk"))
        return self.random.choice(rows) if rows else None


# In 5 a game's second range of dates begins after a death.
@pytest.mark.parametrize("seed", [5, *(pytest.param(seed, marks=pytest.mark.faults) for seed in range(4))])
def test_nights_of_what_is_due_end_where_one_from_zero_does(
    db: None, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_ratings, "TABLES_PER_RANGE", 2)
    monkeypatch.setattr(runs, "SEASONS_PER_JOB", 1)
    world = Happenings(seed, monkeypatch)
    for _step in range(STEPS):
        world.happen()
    assert list(verify()) == []  # frozen rows are as they were frozen, or follow from the facts too
    for season in Season.objects.filter(state=SeasonState.CLOSED):
        season_closing.reopen(season.pk, reason="the end of the test", now=MUCH_LATER)
    while not Table.objects.filter(complete=True, deals__gte=4, round__evening__state=EveningState.CLOSED).exists():
        world.play(deals=(4, 4))  # so that something is rated
    for broken in (world.night_with_a_failure, world.night_with_a_death, world.night_that_straddles_versions):
        with suppress(WrongState):  # it is closed already
            evenings.close(world.play().pk, now=NOW)
        broken(latest=1)  # the first event of each night, independent of chance
    assert world.broke == {Broken, Killed, "straddled"}
    for _night in range(2):  # what failed in a run that the first had to end waits for the second
        world.night()
    assert not PendingRecompute.objects.exists()
    step_by_step = rows()
    assert list(verify()) == []
    for model in DERIVED:
        model._default_manager.all().delete()
    run = runs.run(Run.Trigger.COMMAND, now=MUCH_LATER, everything=True)

    assert rows() == step_by_step
    assert step_by_step["RatingStep"]
    second_run = runs.run(Run.Trigger.COMMAND, now=MUCH_LATER, everything=True)
    assert [row["changed"] for row in (*second_run.seasons, *second_run.games)] == [0] * len([*run.seasons, *run.games])


def test_a_night_with_nothing_new_does_no_work(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    world = Happenings(1, monkeypatch)
    world.play()
    world.night()
    [run] = [Run.objects.first()]
    assert tick(MUCH_LATER) == []
    assert Run.objects.first() == run
    assert tick(MUCH_LATER, Run.Trigger.NIGHT) == []
    newest = Run.objects.latest("pk")
    assert (newest.state, newest.seasons, newest.games) == (Run.State.DONE, [], [])
