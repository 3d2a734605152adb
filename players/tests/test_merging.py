"""Two records of one person made one, and two again."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.attending import check_in
from league.models import Adjustment, Apart, Attendance, Club, Due, Evening, Seat
from league.models.club import Role
from players import nightly
from players.merging import NotOne, merge, undo
from players.models import Merge, Player, Rating, Run
from players.tests.readers import signed_in
from players.verification import verify
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


def played(club: Club, player: Player) -> Evening:
    """A closed evening of which the player has a complete table."""
    table = a_table(an_evening(a_season(club)), [player, *(a_member(club, login=False) for _ in range(3))])
    for _deal in range(4):
        a_deal(table)
    return Evening.objects.close(table.round.evening_id, now=NOW)


def night() -> None:
    nightly.run(Run.Trigger.NIGHT, now=NOW, everything=False)


def rows(player: Player) -> tuple[object, ...]:
    """All that names the player by hand."""
    return (
        set(player.seats.values_list("pk", flat=True)),
        sorted(player.attendances.values_list("pk", "paid", "from_round", "to_round")),
        sorted(player.memberships.values_list("pk", "role")),
        sorted(player.adjustments.values_list("pk", flat=True)),
        set(Apart.objects.filter(first=player).values_list("second", flat=True))
        | set(Apart.objects.filter(second=player).values_list("first", flat=True)),
        Player.objects.get(pk=player.pk).user_id,
    )


def test_everything_goes_over_and_comes_back(club: Club) -> None:
    kept, gone = a_member(club, login=False), a_member(club, Role.SECRETARY)
    first, second = played(club, kept), played(club, gone)
    Adjustment.objects.create(season=second.season, player=gone, points=5, reason="prize")
    Apart.objects.keep(club, gone.pk, a_member(club, login=False).pk)
    shared = an_evening(a_season(club))
    check_in(shared.pk, [kept.pk, gone.pk])
    Attendance.objects.filter(evening=shared).update(paid=300)
    before = rows(kept), rows(gone)
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    night()
    assert rows(gone) == (set(), [], [], [], set(), None)
    assert kept.seats.count() == 2
    assert kept.memberships.get().role == Role.SECRETARY
    assert Attendance.objects.get(evening=shared).paid == 600
    assert set(kept.standings.values_list("season", flat=True)) == {first.season_id, second.season_id}
    assert not Rating.objects.filter(player=gone).exists()
    assert list(verify()) == []
    for _twice in range(2):
        undo(made.pk, now=NOW)
    night()
    assert (rows(kept), rows(gone)) == before
    assert list(verify()) == []


def test_who_met_themselves_are_two(club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    one, two = (seat.player for seat in table.seats.all()[:2])
    with pytest.raises(NotOne):
        merge(one.pk, two.pk, by=None, now=NOW)
    other = a_table(table.round.evening).seats.all()[0].player
    with pytest.raises(NotOne):
        merge(one.pk, other.pk, by=None, now=NOW)
    assert Seat.objects.filter(player=two).exists()


def test_two_logins_are_two_people(club: Club) -> None:
    with pytest.raises(NotOne):
        merge(a_member(club).pk, a_member(club).pk, by=None, now=NOW)
    one = a_member(club)
    with pytest.raises(NotOne):
        merge(one.pk, one.pk, by=None, now=NOW)


def address(club: Club, player: Player, other: Player) -> str:
    return reverse("players:merge", args=[club.slug, player.memberships.get(club=club).pk], query={"with": other.pk})


def test_an_admin_sees_both_and_keeps_either(client: Client, club: Club) -> None:
    signed_in(client, a_member(club, Role.ADMIN))
    one, two = a_member(club, login=False), a_member(club, login=False)
    played(club, two)
    page = client.get(address(club, one, two)).content.decode()
    assert f"Keep {one}" in page
    assert f"Keep {two}" in page
    client.post(address(club, one, two), {"keep": two.pk})
    assert Merge.objects.get().kept == two
    assert Due.objects.filter(why="merged").exists()
    client.post(reverse("players:merge-undo", args=[Merge.objects.get().pk]))
    assert Merge.objects.get().undone_at is not None


def test_who_plays_in_another_club_too_is_not_one_admins_to_join(client: Client, club: Club) -> None:
    signed_in(client, a_member(club, Role.ADMIN))
    one, two = a_member(club, login=False), a_player()
    for each in (club, a_club()):
        each.memberships.create(player=two)
    assert client.post(address(club, one, two), {"keep": one.pk}).status_code == 403
    assert not Merge.objects.exists()
    made = merge(one.pk, two.pk, by=None, now=NOW)
    assert client.post(reverse("players:merge-undo", args=[made.pk])).status_code == 403
