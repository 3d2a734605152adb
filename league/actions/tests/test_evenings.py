"""The steps of an evening's life, and of a season's."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from functools import partial
from threading import Barrier

import pytest
from django.db import connection

from league.actions import evenings, season_closing, seasons
from league.actions.refusals import WrongState
from league.evenings.forms.evenings import EveningForm
from league.models import Evening, PendingRecompute, Season
from league.models.evening import EveningState
from league.models.season import SeasonState
from tests.build import NOW, TODAY, a_club, a_season, an_evening

OPENED, CLOSED, CANCELLED, UPCOMING = (
    EveningState.OPEN,
    EveningState.CLOSED,
    EveningState.CANCELLED,
    EveningState.PLANNED,
)


def in_state(state: EveningState) -> Evening:
    evening = an_evening(a_season(a_club()), UPCOMING if state == CANCELLED else state)
    return evenings.cancel(evening.pk) if state == CANCELLED else evening


ACTIONS: dict[str, Callable[[int], Evening]] = {
    "open": lambda pk: evenings.open(pk, now=NOW),
    "close": lambda pk: evenings.close(pk, now=NOW),
    "reopen": lambda pk: evenings.reopen(pk, now=NOW),
    "cancel": lambda pk: evenings.cancel(pk),
}
LEADS_TO = {
    (UPCOMING, "open"): OPENED,
    (UPCOMING, "cancel"): CANCELLED,
    (OPENED, "close"): CLOSED,
    (OPENED, "cancel"): CANCELLED,
    (CLOSED, "reopen"): OPENED,
    (CANCELLED, "reopen"): OPENED,
}


@pytest.mark.django_db
@pytest.mark.parametrize("action", ACTIONS)
@pytest.mark.parametrize("state", EveningState)
def test_each_action_is_taken_from_its_states_only(state: EveningState, action: str) -> None:
    evening = in_state(state)
    expected = LEADS_TO.get((state, action))
    if expected is None:
        with pytest.raises(WrongState):
            ACTIONS[action](evening.pk)
    else:
        ACTIONS[action](evening.pk)
    evening.refresh_from_db()
    assert evening.state == (expected or state)


@pytest.mark.django_db
def test_closing_marks_season_and_game_due_now_and_final_after_the_contest_time() -> None:
    evening = in_state(OPENED)
    evenings.close(evening.pk, now=NOW)
    evening.refresh_from_db()
    assert evening.final_at == NOW + timedelta(hours=48)
    assert not evening.is_final(NOW + timedelta(hours=47))
    assert evening.is_final(NOW + timedelta(hours=48))
    assert set(PendingRecompute.objects.values_list("season", "game", "date", "not_before")) == {
        (evening.season_id, "", None, NOW),
        (None, "tarot", evening.date, NOW),
    }


@pytest.mark.django_db
def test_opening_and_cancelling_make_nothing_due() -> None:
    evening = in_state(UPCOMING)
    evenings.open(evening.pk, now=NOW)
    evenings.cancel(evening.pk)
    assert not PendingRecompute.objects.exists()


@pytest.mark.django_db
def test_reopening_is_due_and_forgets_the_closing() -> None:
    evening = in_state(CLOSED)
    opened = evening.opened_at
    PendingRecompute.objects.all().delete()
    evening = evenings.reopen(evening.pk, now=NOW)
    assert opened is not None
    assert (evening.closed_at, evening.final_at, evening.opened_at) == (None, None, opened)
    assert PendingRecompute.objects.count() == 2


@pytest.mark.django_db
@pytest.mark.parametrize("state", [SeasonState.DRAFT, SeasonState.CLOSED])
def test_no_evening_opens_in_a_season_that_is_not_open(state: SeasonState) -> None:
    planned, closed = in_state(UPCOMING), in_state(CLOSED)
    Season.objects.update(state=state)
    with pytest.raises(WrongState, match="season"):
        evenings.open(planned.pk, now=NOW)
    with pytest.raises(WrongState, match="season"):
        evenings.reopen(closed.pk, now=NOW)


@pytest.mark.django_db
def test_no_cancelled_evening_opens_in_a_closed_season() -> None:
    evening = in_state(CANCELLED)
    Season.objects.update(state=SeasonState.CLOSED)
    with pytest.raises(WrongState, match="season"):
        evenings.reopen(evening.pk, now=NOW)


@pytest.mark.django_db
def test_planning_twice_plans_once() -> None:
    season = a_season(a_club())
    first, new = evenings.plan(season.pk, date=date(2026, 10, 9))
    second, second_is_new = evenings.plan(season.pk, date=date(2026, 10, 9))
    assert (first, new, second_is_new) == (second, True, False)
    _final, new = evenings.plan(season.pk, date=date(2026, 10, 9), name="Final", weight=2)
    assert new


@pytest.mark.django_db
def test_nothing_is_planned_in_a_closed_season() -> None:
    season = a_season(a_club(), state=SeasonState.CLOSED)
    with pytest.raises(WrongState):
        evenings.plan(season.pk, date=date(2026, 10, 9))


@pytest.mark.django_db
def test_a_season_opens_closes_and_opens_again() -> None:
    season = a_season(a_club(), state=SeasonState.DRAFT)
    for action, state in (
        (seasons.open, SeasonState.OPEN),
        (partial(season_closing.close, now=NOW), SeasonState.CLOSED),
        (partial(season_closing.reopen, reason="A sheet was found", now=NOW), SeasonState.OPEN),
    ):
        assert action(season.pk).state == state
        with pytest.raises(WrongState):
            action(season.pk)


@pytest.mark.django_db
def test_a_season_with_an_open_evening_stays_open() -> None:
    evening = in_state(OPENED)
    with pytest.raises(WrongState, match="still open"):
        season_closing.close(evening.season_id, now=NOW)
    evenings.close(evening.pk, now=NOW)
    assert season_closing.close(evening.season_id, now=NOW).state == SeasonState.CLOSED


def at_once(*steps: Callable[[], object]) -> list[object]:
    """Take each step in its own connection, all started together.

    What each gave, or the WrongState that refused it.
    """
    start = Barrier(len(steps))

    def step(run: Callable[[], object]) -> object:
        start.wait(10)
        try:
            return run()
        except WrongState as refusal:
            return refusal
        finally:
            connection.close()

    with ThreadPoolExecutor(len(steps)) as pool:
        return list(pool.map(step, steps))


@pytest.mark.django_db(transaction=True)
def test_of_two_who_close_at_once_one_does() -> None:
    pk = in_state(OPENED).pk
    outcomes = at_once(*[lambda: evenings.close(pk, now=NOW)] * 2)
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Evening", "WrongState"]
    assert PendingRecompute.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_closing_and_cancelling_at_once_leave_one_of_both() -> None:
    evening = in_state(OPENED)
    outcomes = at_once(lambda: evenings.close(evening.pk, now=NOW), lambda: evenings.cancel(evening.pk))
    (won,) = [outcome for outcome in outcomes if isinstance(outcome, Evening)]
    evening.refresh_from_db()
    assert evening.state == won.state


@pytest.mark.django_db(transaction=True)
def test_a_season_is_not_closed_under_an_evening_that_opens() -> None:
    evening = in_state(UPCOMING)
    at_once(
        lambda: evenings.open(evening.pk, now=NOW),
        lambda: season_closing.close(evening.season_id, now=NOW),
    )
    states = Evening.objects.values_list("state", "season__state").get()
    assert states in {(OPENED, SeasonState.OPEN), (UPCOMING, SeasonState.CLOSED)}


@pytest.mark.django_db(transaction=True)
def test_two_who_plan_the_same_evening_at_once_plan_one() -> None:
    season = a_season(a_club())
    at_once(*[lambda: evenings.plan(season.pk, date=date(2026, 10, 9))] * 2)
    assert Evening.objects.count() == 1


@pytest.mark.django_db
def test_an_evening_can_not_take_the_date_and_name_of_another() -> None:
    season = a_season(a_club())
    first, _new = evenings.plan(season.pk, date=TODAY)
    second, _new = evenings.plan(season.pk, date=TODAY, name="Final")
    form = EveningForm({"date": TODAY.isoformat(), "name": " ", "weight": "1"}, instance=second)

    assert "already" in form.errors["name"][0]
    assert EveningForm({"date": TODAY.isoformat(), "name": "", "weight": "1"}, instance=first).is_valid()


@pytest.mark.django_db
def test_planning_answers_an_evening_also_where_repairs_made_two_alike() -> None:
    season = a_season(a_club())
    for _twice in range(2):
        Evening.objects.create(season=season, date=TODAY)
    _evening, new = evenings.plan(season.pk, date=TODAY)
    assert not new


def test_season_has_one_final(db: None) -> None:
    season = a_season(a_club())
    first, _new = evenings.plan(season.pk, date=date(2026, 10, 9), season_final=True)
    assert evenings.plan(season.pk, date=date(2026, 10, 9), season_final=True) == (first, False)
    with pytest.raises(WrongState):
        evenings.plan(season.pk, date=date(2026, 10, 16), season_final=True)
    second, _new = evenings.plan(season.pk, date=date(2026, 10, 16))
    form = EveningForm({"date": "2026-10-16", "name": "", "weight": "1", "season_final": "on"}, instance=second)
    assert list(form.errors) == ["season_final"]
    second.season_final = True
    with pytest.raises(WrongState):
        evenings.change(second, ["season_final"])
    evenings.cancel(first.pk)
    evenings.change(second, ["season_final"])
    second.refresh_from_db()
    assert second.season_final
