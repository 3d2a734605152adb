"""Teams of a season. A tarot table of four by totals of 4 deals; the sums of a table are 0."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from league.actions import evenings, teams
from league.actions.merging import merge_obstacle
from league.actions.people import is_player_used
from league.actions.refusals import WrongState
from league.draw.plan import plan_rounds
from league.evenings.queries import draw_input
from league.models import AuditEntry, Evening, Run, Season, Team, TeamMember
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.models.season import SeasonState
from league.recompute.work import runs
from league.seasons.queries.team_standings import team_standings
from players.models import Player
from tests.build import (
    NOW,
    TODAY,
    a_club,
    a_member,
    a_player,
    a_season,
    a_table,
    an_evening,
    sign_in,
    written_totals,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def season() -> Season:
    return a_season(a_club(), table_sizes=[4])


@pytest.fixture
def people(season: Season) -> list[Player]:
    return [a_member(season.club, login=False) for _ in range(8)]


def play(season: Season, people: list[Player], *totals: list[int], week: int = 0) -> None:
    evening = an_evening(season, on=TODAY + timedelta(weeks=week))
    for number, table_totals in enumerate(totals):
        written_totals(a_table(evening, people[4 * number : 4 * number + 4]), table_totals, deals=4)
    evenings.close(evening.pk, now=NOW)


def ids(*players: Player) -> list[int]:
    return [player.pk for player in players]


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        # Evening 1: Reds 90, −30, 40, −10; Blues −30, −30, 20, −50. Evening 2: Reds 10, 5; Blues −5, −10.
        (None, [(1, "Reds", 105), (2, "Blues", -105)]),  # 90 + 15 and −90 − 15
        (2, [(1, "Reds", 145), (2, "Blues", -25)]),  # 90 + 40 + 10 + 5 and 20 − 30 − 5 − 10
        (1, [(1, "Reds", 100), (2, "Blues", 15)]),  # 90 + 10 and 20 − 5
    ],
)
def test_best_results_of_each_evening_are_added(
    season: Season, people: list[Player], best: int | None, expected: list[tuple[int, str, int]]
) -> None:
    season.team_best = best
    season.save()
    teams.store_team(season.pk, "Blues", ids(*people[2:4], *people[6:]))
    teams.store_team(season.pk, "Reds", ids(*people[:2], *people[4:6]))
    play(season, people, [90, -30, -30, -30], [40, -10, 20, -50])
    play(season, people, [10, 5, -5, -10], week=1)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    assert [(row.rank, row.team.name, row.total) for row in team_standings(season)] == expected


def test_equal_teams_share_a_rank_and_a_team_without_evenings_has_none(season: Season, people: list[Player]) -> None:
    absent = [a_member(season.club, login=False) for _ in range(2)]
    teams.store_team(season.pk, "A", ids(*absent))
    for name, first in (("B", 0), ("C", 2), ("D", 4)):
        teams.store_team(season.pk, name, ids(*people[first : first + 2]))
    play(season, people, [30, -30, -10, 10], [-20, 0, 10, 10])
    runs.run(Run.Trigger.CLOSING, now=NOW)
    rows = [(row.rank, row.team.name, row.total, len(row.evenings)) for row in team_standings(season)]
    assert rows == [(1, "B", 0, 1), (1, "C", 0, 1), (3, "D", -20, 1), (None, "A", 0, 0)]


def test_a_member_who_never_came_has_no_link_to_a_row(client: Client, season: Season, people: list[Player]) -> None:
    """Only here a team of the page has a member without a row in the standings, whose page is not found."""
    absent = a_member(season.club, login=False)
    team = teams.store_team(season.pk, "Reds", ids(people[0], absent))
    play(season, people, [90, -30, -30, -30], [40, -10, 20, -50])
    runs.run(Run.Trigger.CLOSING, now=NOW)
    page = sign_in(client, a_member(season.club)).get(team.get_absolute_url()).content.decode()
    rows = [reverse("league:standing", args=[season.pk, player.pk]) for player in (people[0], absent)]
    assert [f'href="{address}"' in page for address in rows] == [True, False]
    assert str(absent) in page


def test_lowest_sum_wins_as_in_the_standings() -> None:
    """Where the lowest total wins, 20 + 30 is before 15 + 40, and of each evening the lowest count."""
    club = a_club()
    season = a_season(club, "totals")
    Season.objects.filter(pk=season.pk).update(team_best=1)
    season.refresh_from_db()
    season.house_rules |= {"low_wins": True}
    assert season.convert_total(-20) == 20
    team = Team(season=season, name="Reds")
    team.save()
    first, second = a_member(club, login=False), a_member(club, login=False)
    for player, total in ((first, -20), (second, -30)):
        TeamMember.objects.create(team=team, season=season, player=player)
        season.standings.create(
            player=player, rank=1, numerator=total, evenings=1, deals=1, worth={"7": total}, arithmetic=1
        )
    [row] = team_standings(season)
    assert row.total == -20
    assert list(row.evenings[0].counted) == [first.pk]


def test_players_of_a_team_never_share_a_table_if_the_draw_can_avoid_it(season: Season, people: list[Player]) -> None:
    for first in range(4):  # four teams of two at two tables: each table has one of each
        teams.store_team(season.pk, f"Team {first}", ids(people[first], people[first + 4]))
    evening = an_evening(season)
    for player in people:
        evening.attendances.create(player=player)
    for seed in range(5):
        inputs = draw_input.read_draw_input(evening, [])
        for seating in plan_rounds(inputs.people, range(1, 3), inputs.wishes, played=(), seed=seed).rounds:
            team_at_tables = [{people.index(_by_id(people, pk)) % 4 for pk in table} for table in seating.tables]
            assert team_at_tables == [{0, 1, 2, 3}] * 2


def _by_id(people: list[Player], pk: int) -> Player:
    return next(player for player in people if player.pk == pk)


def test_players_of_a_team_who_came_as_a_pair_play_together() -> None:
    season = a_season(a_club(), "belote", table_sizes=[4])
    people = [a_member(season.club, login=False) for _ in range(4)]
    teams.store_team(season.pk, "Reds", ids(*people))
    evening: Evening = an_evening(season)
    for player, partner in zip(people, (people[1], people[0], None, None), strict=True):
        evening.attendances.create(player=player, partner=partner)
    separations = draw_input.read_draw_input(evening, []).wishes.separations
    low, high = sorted(ids(*people[:2]))
    assert len(separations) == 5
    assert (low, high) not in separations


def test_separations_are_of_the_season_and_of_present_players(season: Season, people: list[Player]) -> None:
    teams.store_team(season.pk, "Reds", ids(*people[:4]))
    teams.store_team(a_season(season.club).pk, "Blues", ids(*people[4:6]))
    evening = an_evening(season)
    for player in (people[0], people[1], *people[4:]):
        evening.attendances.create(player=player)
    assert draw_input.read_draw_input(evening, []).wishes.separations == {tuple(sorted(ids(*people[:2])))}


def test_team_has_two_or_four_players_of_no_other_team(season: Season, people: list[Player]) -> None:
    for number in (0, 1, 3, 5):
        with pytest.raises(teams.WrongTeamSize):
            teams.store_team(season.pk, "Reds", ids(*people[:number]))
    with pytest.raises(teams.WrongTeamSize):
        teams.store_team(season.pk, "Reds", ids(people[0], people[0]))
    reds = teams.store_team(season.pk, "Reds", ids(*people[:2]))
    with pytest.raises(teams.TeamNameTaken):
        teams.store_team(season.pk, "Reds", ids(*people[2:4]))
    with pytest.raises(teams.PlayerInOtherTeam):
        teams.store_team(season.pk, "Blues", ids(*people[1:3]))
    teams.store_team(season.pk, "Reds", ids(*people[1:5]), team_id=reds.pk)
    assert set(reds.members.values_list("player", flat=True)) == set(ids(*people[1:5]))
    Season.objects.filter(pk=season.pk).update(state=SeasonState.CLOSED)
    with pytest.raises(WrongState):
        teams.delete_team(season.pk, reds.pk)


def test_records_of_two_teams_of_a_season_are_not_merged(season: Season, people: list[Player]) -> None:
    teams.store_team(season.pk, "Reds", ids(*people[:2]))
    teams.store_team(season.pk, "Blues", ids(*people[2:4]))
    assert "Both are in teams" in str(merge_obstacle(people[0], people[2]))
    assert merge_obstacle(people[0], people[5]) == ""


def test_guest_of_a_team_stays_a_person_of_the_club(season: Season, people: list[Player]) -> None:
    guest = a_member(season.club, Role.GUEST, login=False)
    teams.store_team(season.pk, "Reds", ids(guest, people[1]))
    season.club.memberships.filter(player=guest).delete()
    assert is_player_used(guest)


def test_members_who_left_the_club_stay_in_a_team_that_is_renamed(
    client: Client, season: Season, people: list[Player]
) -> None:
    team = teams.store_team(season.pk, "Reds", ids(*people[:4]))
    season.club.memberships.filter(player__in=people[2:4]).delete()
    sign_in(client, a_member(season.club, Role.ADMIN))
    address = reverse("league:team-edit", args=[team.pk])
    page = client.get(address).content.decode()
    assert all(f'<option value="{player.pk}" selected' in page for player in people[:4])
    typed = {f"player_{number}": player.pk for number, player in enumerate(people[:4], start=1)}
    assert client.post(address, {**typed, "name": "Blues"}).status_code == 302
    team.refresh_from_db()
    assert (team.name, set(team.members.values_list("player", flat=True))) == ("Blues", set(ids(*people[:4])))
    assert client.post(address, {**typed, "player_4": a_player().pk, "name": "Blues"}).status_code == 422


def test_admin_adds_changes_and_deletes_a_team(client: Client, season: Season, people: list[Player]) -> None:
    sign_in(client, a_member(season.club, Role.ADMIN))
    address = reverse("league:team-add", args=[season.pk])
    typed = {"name": "Reds", "player_1": people[0].pk, "player_2": people[1].pk}
    assert client.post(address, {**typed, "player_3": people[2].pk}).status_code == 422  # three
    assert client.post(address, {**typed, "player_2": people[0].pk}).status_code == 422  # one twice
    assert client.post(address, {**typed, "player_2": a_member(a_club()).pk}).status_code == 422  # of another club
    assert client.post(address, typed).status_code == 302
    refused = client.post(address, {**typed, "name": "Blues"})
    assert "This player is in another team." in refused.content.decode()
    team = Team.objects.get()
    edit = reverse("league:team-edit", args=[team.pk])
    assert client.post(edit, {**typed, "name": "Greens"}).status_code == 302
    team.refresh_from_db()
    assert team.name == "Greens"
    assert client.post(reverse("league:team-delete", args=[team.pk])).status_code == 302
    assert not Team.objects.exists()
    events = AuditEntry.objects.filter(season=season.pk).order_by("pk").values_list("event", flat=True)
    assert list(events) == [AuditEvent.TEAM_STORED, AuditEvent.TEAM_STORED, AuditEvent.TEAM_DELETED]


def test_page_of_a_team_shows_which_results_count(client: Client, season: Season, people: list[Player]) -> None:
    season.team_best = 1
    season.save()
    team = teams.store_team(season.pk, "Reds", ids(*people[:2]))
    play(season, people, [90, -30, -30, -30])
    runs.run(Run.Trigger.CLOSING, now=NOW)
    sign_in(client, a_member(season.club))
    text = " ".join(strip_tags(client.get(reverse("league:team", args=[team.pk])).content.decode()).split())
    assert "90 −30 (does not count) 90 Sum 90" in text
    page = " ".join(strip_tags(client.get(reverse("league:teams", args=[season.pk])).content.decode()).split())
    assert f"Reds {people[0]}, {people[1]} 90 1" in page


def test_a_name_that_is_taken_and_a_closed_season_are_refused_on_the_form(
    client: Client, season: Season, people: list[Player]
) -> None:
    sign_in(client, a_member(season.club, Role.ADMIN))
    teams.store_team(season.pk, "Reds", ids(*people[:2]))
    address = reverse("league:team-add", args=[season.pk])
    typed = {"name": "Reds", "player_1": people[2].pk, "player_2": people[3].pk}
    answer = client.post(address, typed)
    assert (answer.status_code, set(answer.context["form"].errors)) == (422, {"name"})
    assert "The season has a team of that name already." in answer.content.decode()
    Season.objects.update(state=SeasonState.CLOSED)
    answer = client.post(address, {**typed, "name": "Blues"})
    assert answer.status_code == 422
    assert "The season is closed" in answer.content.decode()
    assert Team.objects.count() == 1
