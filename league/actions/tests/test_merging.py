"""Two records of one person made one, and two again."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from league.actions import contests, evenings, season_closing, seasons, separations
from league.actions.attendance import change, check_in, check_out
from league.actions.merging import CannotMerge, merge, undo
from league.actions.roles import change_role, end_membership
from league.models import (
    Adjustment,
    Attendance,
    Club,
    Evening,
    Membership,
    Merge,
    PendingRecompute,
    Rest,
    Round,
    Run,
    Seat,
    Separation,
)
from league.models.evening import EveningState
from league.models.rights import RIGHTS, Right, Role
from league.models.round import RoundState
from league.models.season import EarlyLeaverRanking, SeasonState
from league.operations.work.verification import verify
from league.recompute.work import runs
from players.models import Player, Rating
from tests.build import (
    NOW,
    a_club,
    a_deal,
    a_member,
    a_player,
    a_season,
    a_table,
    a_tournament,
    a_unit,
    an_evening,
)
from tests.readers import confirmed, signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


def played(club: Club, player: Player) -> Evening:
    """Return a closed evening with a complete table of the player."""
    table = a_table(an_evening(a_season(club)), [player, *(a_member(club, login=False) for _ in range(3))])
    for _deal in range(4):
        a_deal(table)
    return evenings.close(table.round.evening_id, now=NOW)


def night() -> None:
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=False)


def rows(player: Player) -> tuple[object, ...]:
    """Return all that names the player by hand."""
    return (
        set(player.seats.values_list("pk", flat=True)),
        sorted(player.attendances.values_list("pk", "paid", "from_round", "to_round")),
        sorted(player.memberships.values_list("pk", "role")),
        sorted(player.adjustments.values_list("pk", flat=True)),
        set(Separation.objects.filter(first=player).values_list("second", flat=True))
        | set(Separation.objects.filter(second=player).values_list("first", flat=True)),
        Player.objects.get(pk=player.pk).user_id,
    )


def test_everything_goes_over_and_comes_back(club: Club) -> None:
    kept_player, merged_player = a_member(club, login=False), a_member(club, Role.SECRETARY)
    first, second = played(club, kept_player), played(club, merged_player)
    Adjustment.objects.create(season=second.season, player=merged_player, points=5, reason="prize")
    separations.add_separation(club, merged_player.pk, a_member(club, login=False).pk)
    shared = an_evening(a_season(club))
    check_in(shared.pk, [kept_player.pk, merged_player.pk])
    Attendance.objects.filter(evening=shared).update(paid=300)
    before = rows(kept_player), rows(merged_player)
    merged = merge(kept_player.pk, merged_player.pk, by=None, now=NOW)
    night()
    assert rows(merged_player) == (set(), [], [], [], set(), None)
    assert kept_player.seats.count() == 2
    assert kept_player.memberships.get().role == Role.SECRETARY
    assert Attendance.objects.get(evening=shared).paid == 600
    assert set(kept_player.standings.values_list("season", flat=True)) == {first.season_id, second.season_id}
    assert not Rating.objects.filter(player=merged_player).exists()
    assert list(verify()) == []
    for _twice in range(2):
        undo(merged.pk, now=NOW)
    night()
    assert (rows(kept_player), rows(merged_player)) == before
    assert list(verify()) == []


def test_who_met_themselves_are_two(club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    one, two = (seat.player for seat in table.seats.all()[:2])
    with pytest.raises(CannotMerge):
        merge(one.pk, two.pk, by=None, now=NOW)
    opponent = a_table(table.round.evening).seats.all()[0].player
    with pytest.raises(CannotMerge):
        merge(one.pk, opponent.pk, by=None, now=NOW)
    assert Seat.objects.filter(player=two).exists()


def test_two_logins_are_two_people(club: Club) -> None:
    with pytest.raises(CannotMerge):
        merge(a_member(club).pk, a_member(club).pk, by=None, now=NOW)
    first = a_member(club)
    with pytest.raises(CannotMerge):
        merge(first.pk, first.pk, by=None, now=NOW)


def address(club: Club, player: Player, second_player: Player) -> str:
    return reverse(
        "league:merge", args=[club.slug, player.memberships.get(club=club).pk], query={"with": second_player.pk}
    )


def test_an_admin_sees_both_and_keeps_either(client: Client, club: Club) -> None:
    signed_in(client, a_member(club, Role.ADMIN))
    one, two = a_member(club, login=False), a_member(club, login=False)
    played(club, two)
    page = client.get(address(club, one, two)).content.decode()
    assert f"Keep {one}" in page
    assert f"Keep {two}" in page
    client.post(address(club, one, two), {"keep": two.pk})
    assert Merge.objects.get().kept == two
    assert PendingRecompute.objects.filter(why=PendingRecompute.Reason.MERGED).exists()
    client.post(reverse("league:merge-undo", args=[Merge.objects.get().pk]))
    assert Merge.objects.get().undone_at is not None


def test_who_plays_in_another_club_too_is_not_one_admins_to_join(client: Client, club: Club) -> None:
    signed_in(client, a_member(club, Role.ADMIN))
    one, two = a_member(club, login=False), a_player()
    for any_club in (club, a_club()):
        any_club.memberships.create(player=two)
    assert client.post(address(club, one, two), {"keep": one.pk}).status_code == 403
    assert client.get(address(club, one, two)).status_code == 403
    assert not Merge.objects.exists()
    made = merge(one.pk, two.pk, by=None, now=NOW)
    assert client.post(reverse("league:merge-undo", args=[made.pk])).status_code == 403


def two(club: Club) -> tuple[Player, Player]:
    return a_member(club, login=False), a_member(club, login=False)


def test_asked_for_twice_it_is_done_once_and_a_record_goes_only_once(club: Club) -> None:
    (kept, gone), third = two(club), a_member(club, login=False)
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    assert merge(kept.pk, gone.pk, by=None, now=NOW) == made
    for one, other in ((third, gone), (gone, third), (gone, kept)):
        with pytest.raises(CannotMerge):
            merge(one.pk, other.pk, by=None, now=NOW)


def test_who_had_a_place_in_one_round_are_two_also_where_one_or_both_sat_out(club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    seated = table.seats.all()[0].player
    one, other = two(club)
    for player in (one, other):
        Rest.objects.create(round=table.round, player=player)
    for kept, gone in ((one, other), (seated, one), (one, seated)):
        with pytest.raises(CannotMerge):
            merge(kept.pk, gone.pk, by=None, now=NOW)


def test_a_plan_keeps_nobody_from_being_joined_and_goes(club: Club) -> None:
    kept, gone = two(club)
    evening = an_evening(a_season(club))
    table = a_table(evening, [kept, gone, *two(club)])
    Round.objects.filter(pk=table.round_id).update(state=RoundState.PLANNED)
    merge(kept.pk, gone.pk, by=None, now=NOW)
    assert not evening.rounds.exists()
    assert evening.attendances.count() == 3


def test_who_both_contest_a_deal_are_joined_after_an_answer(club: Club) -> None:
    deal = a_deal(a_table(an_evening(a_season(club))))
    kept, gone = two(club)
    for player in (kept, gone):
        contests.record_contest(deal.pk, player_id=player.pk, reason="43", now=NOW)
    with pytest.raises(CannotMerge):
        merge(kept.pk, gone.pk, by=None, now=NOW)
    contests.answer_contest(gone.contests.get().pk, answer="No.", by=user_of(a_member(club)), now=NOW)
    merge(kept.pk, gone.pk, by=None, now=NOW)
    assert kept.contests.count() == 2


@pytest.mark.parametrize("role", Role)
def test_the_wider_role_is_kept_whichever_record_has_it(club: Club, role: Role) -> None:
    for first, second in ((role, Role.GUEST), (Role.GUEST, role)):
        kept, gone = a_member(club, first, login=False), a_member(club, second, login=False)
        undo(merge(kept.pk, gone.pk, by=None, now=NOW).pk, now=NOW)
        assert (kept.memberships.get().role, gone.memberships.get().role) == (first, second)
        merge(kept.pk, gone.pk, by=None, now=NOW)
        assert kept.memberships.get().role == role


def test_roles_of_which_neither_contains_the_other_are_not_joined(
    client: Client, club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(RIGHTS, Role.SECRETARY, RIGHTS[Role.SECRETARY] - {Right.READ})
    kept, gone = a_member(club, login=False), a_member(club, Role.SECRETARY, login=False)
    confirmed(client, a_member(club, Role.ADMIN))
    page = client.post(address(club, kept, gone), {"keep": kept.pk}).content.decode()
    assert "their roles are Member and Secretary, and each may do what the other may not" in page
    assert not Merge.objects.exists()
    gone.memberships.update(role=Role.MEMBER)
    merge(kept.pk, gone.pk, by=None, now=NOW)
    assert kept.memberships.get().role == Role.MEMBER


def test_nobody_is_a_pair_with_himself(club: Club) -> None:
    kept, gone = two(club)
    evening = an_evening(a_season(club, "belote", table_sizes=[4]))
    check_in(evening.pk, [kept.pk, gone.pk])
    change(evening.attendances.get(player=kept).pk, {"partner_id": gone.pk})
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    assert evening.attendances.get().partner is None
    undo(made.pk, now=NOW)
    assert evening.attendances.get(player=kept).partner == gone
    assert evening.attendances.get(player=gone).partner == kept


def test_undo_that_takes_the_login_from_the_only_admin_is_refused(club: Club) -> None:
    Membership.objects.filter(club=club).delete()
    other = a_member(club, Role.ADMIN)
    made = merge(a_member(club).pk, a_member(club, Role.ADMIN, login=False).pk, by=None, now=NOW)
    change_role(other.memberships.get().pk, Role.MEMBER)
    with pytest.raises(CannotMerge, match="no admin with a login"):
        undo(made.pk, now=NOW)
    change_role(other.memberships.get().pk, Role.ADMIN)
    undo(made.pk, now=NOW)


def test_undone_keeps_what_was_changed_since(club: Club) -> None:
    kept, gone = two(club)
    evening, other = an_evening(a_season(club)), an_evening(a_season(club))
    for each in (evening, other):
        check_in(each.pk, [kept.pk, gone.pk])
    kept.memberships.update(role=Role.ADMIN)
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    kept.memberships.update(role=Role.MEMBER)
    evening.attendances.update(paid=500)
    check_out(other.attendances.get().pk)
    check_in(other.pk, [kept.pk])
    undo(made.pk, now=NOW)
    assert kept.memberships.get().role == Role.MEMBER
    assert evening.attendances.get(player=kept).paid == 500
    assert {row.player for row in other.attendances.all()} == {kept, gone}


def test_undo_leaves_a_member_number_to_the_member_who_has_it_now(club: Club) -> None:
    kept, gone = two(club)
    kept.memberships.update(number="3")
    gone.memberships.update(number="7a")
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    newcomer = a_member(club)
    newcomer.memberships.update(number="7A")
    undo(made.pk, now=NOW)
    assert [player.memberships.get().number for player in (kept, gone, newcomer)] == ["3", "", "7A"]


def test_undo_leaves_a_member_number_to_the_kept_member_who_got_it_since(club: Club) -> None:
    """Catches a check that looks for the number only at other members."""
    kept, gone = two(club)
    kept.memberships.update(number="3")
    gone.memberships.update(number="7a")
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    kept.memberships.update(number="7A")
    undo(made.pk, now=NOW)
    assert [player.memberships.get().number for player in (kept, gone)] == ["7A", ""]


def test_undo_returns_a_member_number_that_the_kept_member_got_by_the_merge(club: Club) -> None:
    """Catches a check before the kept membership has its former number again."""
    kept, gone = two(club)
    gone.memberships.update(number="7a")
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    assert kept.memberships.get().number == "7a"
    undo(made.pk, now=NOW)
    assert [player.memberships.get().number for player in (kept, gone)] == ["", "7a"]


def test_a_merge_is_undone_after_a_draft_in_which_both_were_checked_in_was_discarded(club: Club) -> None:
    kept, gone = two(club)
    evening = an_evening(a_season(club, state=SeasonState.DRAFT), EveningState.PLANNED)
    check_in(evening.pk, [kept.pk, gone.pk])
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    seasons.discard(evening.season_id)
    undo(made.pk, now=NOW)
    connection.check_constraints()  # PostgreSQL checks foreign keys at the commit
    assert kept.memberships.exists()
    assert gone.memberships.exists()


@pytest.mark.parametrize("new_role", [Role.MEMBER, None])
def test_undo_gives_no_role_back_that_was_taken_since(club: Club, new_role: Role | None) -> None:
    kept, gone = a_member(club, login=False), a_member(club, Role.SECRETARY)
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    if new_role:
        change_role(kept.memberships.get().pk, new_role)
    else:
        end_membership(kept.memberships.get().pk)
    undo(made.pk, now=NOW)
    assert gone.memberships.get().role == Role.MEMBER


def test_who_sat_down_since_stays_present(club: Club) -> None:
    kept, *others = (a_member(club, login=False) for _ in range(4))
    gone = a_member(club, login=False)
    evening = an_evening(a_season(club))
    a_table(evening, [gone, *others])
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    a_table(evening, [kept, *others], round_number=2)
    undo(made.pk, now=NOW)
    assert evening.attendances.filter(player__in=(kept, gone)).count() == 2


def test_the_later_merge_is_undone_first(club: Club) -> None:
    (kept, gone), third = two(club), a_member(club, login=False)
    evening = an_evening(a_season(club))
    check_in(evening.pk, [kept.pk, gone.pk, third.pk])
    before = rows(kept), rows(gone), rows(third)
    first = merge(kept.pk, gone.pk, by=None, now=NOW)
    second = merge(third.pk, kept.pk, by=None, now=NOW)
    with pytest.raises(CannotMerge):
        undo(first.pk, now=NOW)
    for made in (second, first):
        undo(made.pk, now=NOW)
    assert (rows(kept), rows(gone), rows(third)) == before


@pytest.mark.parametrize("frozen", [True, False])
@pytest.mark.parametrize("kept_plays", [True, False])
def test_the_attendance_with_seats_stands_of_two_at_one_evening(club: Club, frozen: bool, kept_plays: bool) -> None:
    """The one who played was a member and stayed to the end; the other a guest who left after the first round."""
    member, guest = a_member(club, login=False), a_member(club, Role.GUEST, login=False)
    season = a_season(club, end_number=1, leavers=EarlyLeaverRanking.LAST)
    evening = an_evening(season)
    check_in(evening.pk, [member.pk, guest.pk])
    evening.attendances.filter(player=guest).update(to_round=1, paid=500)
    opponents = [a_member(club, login=False) for _ in range(3)]
    for number in (1, 2):
        a_deal(a_table(evening, [member, *opponents], round_number=number))
    evenings.close(evening.pk, now=NOW)
    if frozen:
        season_closing.close(season.pk, now=NOW)
    night()
    attendances = sorted(evening.attendances.values_list("pk", "standing", "paid", "to_round"))
    rank = season.standings.get(player=member).rank
    kept, gone = (member, guest) if kept_plays else (guest, member)
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    night()
    row = evening.attendances.get(player=kept)
    assert (row.standing, row.to_round, row.paid) == ("member", None, 500)
    assert season.standings.get(player=kept).rank == rank == 1
    assert list(verify()) == []
    undo(made.pk, now=NOW)
    night()
    assert sorted(evening.attendances.values_list("pk", "standing", "paid", "to_round")) == attendances
    assert season.standings.get(player=member).rank == rank
    assert list(verify()) == []


def test_a_seat_outweighs_a_round_that_the_other_record_sat_out(club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    seated, resting = table.seats.all()[0].player, a_member(club, Role.GUEST, login=False)
    evening = table.round.evening
    check_in(evening.pk, [resting.pk])
    Rest.objects.create(round=Round.objects.create(evening=evening, number=2), player=resting)
    merge(resting.pk, seated.pk, by=None, now=NOW)
    assert evening.attendances.get(player=resting).standing == "member"


def test_who_played_at_one_evening_under_both_records_is_refused_with_the_evening(club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    one = table.seats.all()[0].player
    other = a_table(table.round.evening, round_number=2).seats.all()[0].player
    with pytest.raises(CannotMerge) as refused:
        merge(one.pk, other.pk, by=None, now=NOW)
    assert str(table.round.evening) in str(refused.value.message)
    assert str(club) in str(refused.value.message)


@pytest.mark.parametrize("both_checked_in", [True, False])
def test_a_merge_is_not_undone_after_its_season_was_closed(club: Club, both_checked_in: bool) -> None:
    kept, gone = two(club)
    season = a_season(club, end_number=1)
    evening = an_evening(season)
    check_in(evening.pk, [gone.pk, *([kept.pk] if both_checked_in else [])])
    a_deal(a_table(evening, [gone, *(a_member(club, login=False) for _ in range(3))]))
    evenings.close(evening.pk, now=NOW)
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    season_closing.close(season.pk, now=NOW)
    with pytest.raises(CannotMerge, match="open it again first"):
        undo(made.pk, now=NOW)
    assert list(verify()) == []
    season_closing.reopen(season.pk, reason="two people", now=NOW)
    undo(made.pk, now=NOW)
    night()
    assert list(verify()) == []


def test_players_of_one_unit_of_a_tournament_are_two(club: Club) -> None:
    kept, gone = two(club)
    unit = a_unit(a_tournament(club), "Kept", "Gone")
    for row, player in zip(unit.players.order_by("pk"), (kept, gone), strict=True):
        row.player = player
        row.save()
    with pytest.raises(CannotMerge, match="Both are players of one unit of a tournament"):
        merge(kept.pk, gone.pk, by=None, now=NOW)
    assert not Merge.objects.exists()


def test_the_page_says_why_a_merge_can_not_be_undone(client: Client, club: Club) -> None:
    signed_in(client, a_member(club, Role.ADMIN))
    kept, gone = two(club)
    season = a_season(club, end_number=1)
    evening = an_evening(season)
    a_deal(a_table(evening, [gone, *(a_member(club, login=False) for _ in range(3))]))
    evenings.close(evening.pk, now=NOW)
    made = merge(kept.pk, gone.pk, by=None, now=NOW)
    season_closing.close(season.pk, now=NOW)
    answer = client.post(reverse("league:merge-undo", args=[made.pk]), follow=True)
    assert answer.redirect_chain == [(reverse("league:player", args=[kept.pk]), 302)]
    assert "open it again first" in answer.content.decode()
    made.refresh_from_db()
    assert made.undone_at is None
