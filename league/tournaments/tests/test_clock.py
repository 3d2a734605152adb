"""The countdown of the hall: started, paused, extended, stopped."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import tournament_play
from league.models import Tournament
from league.models.rights import Role
from league.tournaments.forms.play import CountdownForm
from tests.build import a_club, a_member, a_running_tournament, sign_in

NOW = timezone.now()


@pytest.mark.parametrize(
    ("running_for", "paused_at", "button", "expected"),
    [
        (None, None, "start", (2400, True)),
        (100, None, "pause", (100, False)),
        (None, 100, "continue", (100, True)),
        (100, None, "extend", (400, True)),
        (-30, None, "extend", (300, True)),
        (None, 100, "extend", (400, False)),
        (100, None, "stop", (None, False)),
        (None, None, "continue", (None, False)),
    ],
)
def test_a_button_changes_the_time_left(
    running_for: int | None, paused_at: int | None, button: str, expected: tuple[int | None, bool]
) -> None:
    ends_at = None if running_for is None else NOW + timedelta(seconds=running_for)
    form = CountdownForm({"do": button, "minutes": "40"}, initial_minutes=None)
    assert form.is_valid()
    assert form.next_clock_state(Tournament(clock_ends_at=ends_at, clock_left=paused_at), NOW) == expected


@pytest.mark.parametrize("minutes", ["", "0", "601", "forty"])
def test_minutes_are_bounded(minutes: str) -> None:
    assert CountdownForm({"do": "start", "minutes": minutes}, initial_minutes=None).has_error("minutes")


@pytest.mark.django_db
def test_a_new_round_ends_the_countdown_and_proposes_its_minutes_again(client: Client) -> None:
    """A countdown that went on would call the end of a round that has just begun."""
    tournament = a_running_tournament(a_club())
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    desk.post(reverse("league:tournament-clock", args=[tournament.pk]), {"do": "start", "minutes": "55"})
    desk.post(reverse("league:tournament-draw", args=[tournament.pk]))
    round_ = tournament.season.evenings.get().rounds.get()
    begin = reverse("league:tournament-round-accept", args=[round_.pk])
    desk.post(begin)
    tournament.refresh_from_db()
    assert (tournament.clock_ends_at, tournament.clock_left) == (None, None)
    page = desk.get(reverse("league:tournament-play", args=[tournament.pk]))
    assert page.context["clock_form"]["minutes"].value() == 55
    tournament_play.set_countdown(tournament.pk, left=60, runs=True, now=NOW)
    desk.post(begin)  # sent twice
    tournament.refresh_from_db()
    assert tournament.clock_ends_at is not None
