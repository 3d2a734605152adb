"""The countdown of the hall: started, paused, extended, stopped."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import Tournament
from league.tournaments.forms.play import ClockForm

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
    form = ClockForm({"do": button, "minutes": "40"}, initial_minutes=None)
    assert form.is_valid()
    assert form.clock(Tournament(clock_ends_at=ends_at, clock_left=paused_at), NOW) == expected


@pytest.mark.parametrize("minutes", ["", "0", "601", "forty"])
def test_minutes_are_bounded(minutes: str) -> None:
    assert ClockForm({"do": "start", "minutes": minutes}, initial_minutes=None).has_error("minutes")
