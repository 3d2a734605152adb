"""Points given and taken by the club's admin: seen with their reason, and in the standings a moment later."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import adjustments, roles
from league.actions.pending_recomputes import CORRECTION_DELAY
from league.actions.refusals import WrongState
from league.models import Adjustment, Club, PendingRecompute, Run, Season
from league.models.rights import Role
from league.recompute.work import runs
from league.seasons.tests.test_standing import RESULTS, a_season_of
from players.models import Player
from tests.build import NOW, a_club, a_member, a_player, a_season
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def played() -> tuple[Season, Player]:
    """Return a computed season and its first player, who has 50 points."""
    season, (ann, *_rest) = a_season_of({}, RESULTS)
    return season, ann


def address(season: Season) -> str:
    return reverse("league:adjustments", args=[season.pk])


def test_admin_gives_and_takes_back_and_the_standings_follow(client: Client, played: tuple[Season, Player]) -> None:
    season, ann = played
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    typed = {"player": ann.pk, "points": "-20", "reason": "Left before the end"}
    first, second = (admin.post(address(season), typed, follow=True).content.decode() for _twice in range(2))
    assert "It is noted." in first
    assert "It is noted." not in second
    assert "they count once" in second
    adjustment = Adjustment.objects.get()
    assert "Left before the end" in admin.get(address(season)).content.decode()

    def total() -> object:
        latest = PendingRecompute.objects.latest("not_before").not_before
        runs.run(runs.pending_trigger(latest) or Run.Trigger.NIGHT, now=latest)
        return season.standings.get(player=ann).total

    assert total() == 30
    for _twice in range(2):
        admin.post(reverse("league:adjustment-take-back", args=[season.pk, adjustment.pk]))
    assert not Adjustment.objects.exists()
    assert total() == 50


def test_a_player_who_left_the_club_stays_in_reach(client: Client, played: tuple[Season, Player]) -> None:
    """Only here the player has a row in the standings, and no membership any more."""
    season, ann = played
    roles.end_membership(season.club.memberships.get(player=ann).pk)
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    answer = admin.post(address(season), {"player": ann.pk, "points": "-20", "reason": "Left before the end"})
    assert answer.status_code == 302
    assert Adjustment.objects.get().player == ann


def test_the_date_of_an_adjustment_is_the_clubs(client: Client, played: tuple[Season, Player]) -> None:
    """Only here the club's date differs from the server's: the standings of that evening have the adjustment."""
    season, ann = played
    Club.objects.filter(pk=season.club_id).update(time_zone="America/Martinique")
    given = Adjustment.objects.create(season=season, player=ann, points=-20, reason="Left before the end")
    night = datetime(2026, 10, 2, 23, 30, tzinfo=ZoneInfo("America/Martinique"))  # on the 3rd in Europe
    Adjustment.objects.filter(pk=given.pk).update(given_at=night)
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    page = admin.get(address(season)).content.decode()
    assert "2 Oct 2026" in page
    assert "3 Oct 2026" not in page
    totals = []
    for day in ("2026-10-01", "2026-10-02"):
        rows = admin.get(season.get_absolute_url(), {"on": day}).context["table"].rows
        totals += [row.record.total for row in rows if row.record.player_id == ann.pk]
    assert totals == [50, 30]


def test_adjustment_is_due_a_moment_later_as_a_change(played: tuple[Season, Player]) -> None:
    season, ann = played
    adjustments.add_adjustment(season.pk, ann.pk, 5, reason="Fair play", now=NOW)
    assert runs.pending_trigger(NOW) is None
    assert runs.pending_trigger(NOW + CORRECTION_DELAY) == Run.Trigger.CHANGE


@pytest.mark.parametrize(
    ("given", "field"), [({"points": "0"}, "points"), ({"points": "10000000"}, "points"), ({"reason": " "}, "reason")]
)
def test_wrong_input_is_refused_on_its_field(
    client: Client, played: tuple[Season, Player], given: dict[str, str], field: str
) -> None:
    season, ann = played
    season.club.memberships.get_or_create(player=ann)
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    answer = admin.post(address(season), {"player": ann.pk, "points": "5", "reason": "Fair play", **given})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {field}
    assert not Adjustment.objects.exists()


def test_people_and_adjustments_of_another_club_are_out_of_reach(client: Client, played: tuple[Season, Player]) -> None:
    season, _ann = played
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    answer = admin.post(address(season), {"player": a_player().pk, "points": "5", "reason": "Fair play"})
    assert set(answer.context["form"].errors) == {"player"}
    other = Adjustment.objects.create(season=a_season(a_club()), player=a_player(), points=5, reason="Fair play")
    foreign = reverse("league:adjustment-take-back", args=[season.pk, other.pk])
    assert admin.post(foreign).status_code == 404
    assert Adjustment.objects.filter(pk=other.pk).exists()


def test_closed_season_takes_none(played: tuple[Season, Player]) -> None:
    season, ann = played
    Season.objects.filter(pk=season.pk).update(state="closed")
    with pytest.raises(WrongState):
        adjustments.add_adjustment(season.pk, ann.pk, 5, reason="Fair play", now=NOW)


def test_form_of_a_season_closed_meanwhile_says_so_and_keeps_what_was_typed(
    client: Client, played: tuple[Season, Player]
) -> None:
    season, ann = played
    season.club.memberships.get_or_create(player=ann)
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    Season.objects.filter(pk=season.pk).update(state="closed")
    answer = admin.post(address(season), {"player": ann.pk, "points": "5", "reason": "Fair play"})
    assert answer.status_code == 422
    assert "The season is closed" in " ".join(answer.context["form"].non_field_errors())
    assert not Adjustment.objects.exists()
