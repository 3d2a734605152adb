"""What an admin sees of the nights, and the button."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.models import Club, PendingRecompute, Run
from league.models.evening import EveningState
from league.models.rights import Role
from players.models import User
from tests.build import NOW, a_club, a_club_game, a_member, a_season, an_evening
from tests.markup import unbroken
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(name="Tarot du mardi")


@pytest.fixture
def admin(client: Client, club: Club) -> Client:
    signed_in(client, a_member(club, Role.ADMIN))
    return client


def a_run(*clubs: Club, **fields: Any) -> Run:
    """Return a run that computed a season of each club."""
    seasons = [a_season(club, name=f"Season of {club}") for club in clubs]
    rows = [{"season": s.pk, "club": s.club_id, "name": s.name, "places": 12, "changed": 3} for s in seasons]
    due = [
        {"season": s.pk, "club": s.club_id, "name": s.name, "game": "", "date": None, "why": "closed"} for s in seasons
    ]
    games = [{"game": "tarot", "tables": 40, "players": 25, "changed": 9}]
    fields = {"state": Run.State.DONE, "trigger": Run.Trigger.NIGHT, "finished_at": NOW, **fields}
    run: Run = Run.objects.create(started_at=NOW, seasons=rows, due=due, games=games, **fields)
    return run


def runs(club: Club) -> str:
    return reverse("league:runs", args=[club.slug])


def start(club: Club) -> str:
    return reverse("league:run-start", args=[club.slug])


def test_only_the_clubs_admin_sees_its_runs(client: Client, club: Club) -> None:
    run = a_run(club)
    assert client.get(runs(club)).status_code == 302
    assert client.get(run.get_absolute_url()).status_code == 302
    for player, of_club, of_run in [
        (a_member(a_club(), Role.ADMIN), 404, 404),
        (a_member(club, Role.SECRETARY), 403, 404),
        (a_member(club, Role.ADMIN), 200, 200),
    ]:
        signed_in(client, player)
        assert client.get(runs(club)).status_code == of_club
        assert client.get(run.get_absolute_url()).status_code == of_run
        if of_club != 200:
            assert client.post(start(club)).status_code == of_club
    assert not PendingRecompute.objects.exists()


def test_list_has_the_runs_of_this_club_only(admin: Client, club: Club) -> None:
    foreign_run = a_run(club, a_club())
    a_run(a_club())
    answer = admin.get(runs(club))
    assert [row.record for row in answer.context["table"].rows] == [foreign_run]
    assert "Done" in answer.content.decode()


def test_empty_list_says_so(admin: Client, club: Club) -> None:
    assert "No run has computed a season of this club yet." in admin.get(runs(club)).content.decode()


def test_admin_sees_the_own_clubs_part(admin: Client, club: Club) -> None:
    run = a_run(club, a_club(name="Secret club"), state=Run.State.FAILED, error="boom in Secret club")
    text = unbroken(admin.get(run.get_absolute_url()))
    assert "Season of Tarot du mardi" in text
    assert "<li>an evening was closed</li>" in text
    assert "Secret club" not in text
    assert "tables were read" not in text  # of all clubs together
    assert "sees the reason" in text
    assert "stays as it is" in text
    assert "stays due" in text


def test_superuser_sees_the_whole(client: Client, club: Club) -> None:
    run = a_run(club, a_club(name="Other club"), state=Run.State.FAILED, error="boom")
    client.force_login(User.objects.create_superuser("root@club.example", "x"))
    text = client.get(run.get_absolute_url()).content.decode()
    for part in ("Season of Tarot du mardi", "Season of Other club", "40 tables were read", "boom"):
        assert part in text


def test_run_under_way_is_shown(admin: Client, club: Club) -> None:
    run = a_run(club, state=Run.State.RUNNING, finished_at=None)
    assert "Running" in admin.get(run.get_absolute_url()).content.decode()
    assert "Running" in admin.get(runs(club)).content.decode()


def test_button_marks_every_season_and_each_game_from_its_first_evening(
    admin: Client, club: Club, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    tarot, belote = a_season(club), a_season(club, "belote", table_sizes=[4])
    an_evening(tarot, EveningState.CLOSED)
    an_evening(tarot, EveningState.CLOSED, on=NOW.date().replace(day=9))
    own = [a_season(club, "totals", club_game=a_club_game(club, name=name)) for name in ("Jass", "Schieber")]
    for season in own:
        an_evening(season, EveningState.CLOSED)
    an_evening(a_season(a_club()), EveningState.CLOSED)
    PendingRecompute.objects.all().delete()
    with django_capture_on_commit_callbacks(execute=True) as callbacks:
        answer = admin.post(start(club))
    assert answer["Location"] == runs(club)
    assert len(callbacks) == 1
    marks = set(PendingRecompute.objects.values_list("season", "game", "date", "why"))
    assert marks == {
        (tarot.pk, "", None, "button"),
        (belote.pk, "", None, "button"),
        (None, "tarot", NOW.date(), "button"),
        *((season.pk, "", None, "button") for season in own),
        *((None, season.game_key, NOW.date(), "button") for season in own),  # each has ratings of its own
    }


def test_button_works_without_a_queue(
    admin: Client,
    club: Club,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from league.celery import app

    a_season(club)
    monkeypatch.setattr(app.conf, "broker_url", "redis://127.0.0.1:1")
    with django_capture_on_commit_callbacks(execute=True):
        answer = admin.post(start(club), follow=True)
    assert answer.status_code == 200
    assert PendingRecompute.objects.exists()


def test_button_is_post_only(admin: Client, club: Club) -> None:
    assert admin.get(start(club)).status_code == 405
