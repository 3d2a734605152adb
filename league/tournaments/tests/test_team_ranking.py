"""Teams whose mates play at different tables: their ranking, their prizes, and what visitors see of them.

Four teams of two play a round of tarot by totals, one player of each team at each table:
team 1 has 100 and −90 points, team 2 −10 and 40, team 3 −50 and 60, team 4 −40 and −10.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import prizes, tournament_play
from league.actions.prizes import PrizeLine
from league.api.tests.reading import a_token, read
from league.models import PrizeReceipt, Tournament
from league.models.prize import WHOLE_UNIT
from league.models.rights import Role
from league.tournaments.forms.tournaments import TournamentForm
from league.tournaments.queries.hall import hall_pages
from league.tournaments.queries.playing_units import evening_of, playing_units
from league.tournaments.queries.prizes import competitor_category_rows, compute_awards, prize_lines
from league.tournaments.queries.team_ranking import rank_teams
from league.tournaments.tests.test_play import enter, rows_of
from tests.build import a_club, a_drawn_round, a_member, a_running_tournament, sign_in, written_totals

pytestmark = pytest.mark.django_db

TABLES = ({1: 100, 2: -10, 3: -50, 4: -40}, {1: -90, 2: 40, 3: 60, 4: -10})


def a_tournament_of_teams(**fields: Any) -> Tournament:
    values: dict[str, Any] = {"game": "tarot", "plays_apart": True, "exempt_points": None, "deals": 4, "rounds": 1}
    tournament = a_running_tournament(a_club(), **values | fields)
    by_player = playing_units(tournament, evening_of(tournament)).by_player
    for points, table in zip(TABLES, a_drawn_round(tournament).tables.with_seats(), strict=True):
        numbers = [by_player[seat.player_id].number for seat in table.seats.all()]
        written_totals(table, [points[number or 0] for number in numbers], deals=4)
    for number in range(1, 5):
        tournament.units.filter(number=number).update(name=f"Reds {number}")
    return tournament


def teams_of(tournament: Tournament) -> list[tuple[int, int | None, int]]:
    teams = rank_teams(tournament, evening_of(tournament).season, rows_of(tournament))
    return [(team.rank, team.group.number, team.points) for team in teams]


@pytest.mark.parametrize(
    ("best", "expected"),
    [
        (None, [(1, 2, 30), (2, 1, 10), (2, 3, 10), (4, 4, -50)]),
        (1, [(1, 1, 100), (2, 3, 60), (3, 2, 40), (4, 4, -10)]),
    ],
)
def test_the_best_players_of_a_team_are_added(best: int | None, expected: list[tuple[int, int, int]]) -> None:
    assert teams_of(a_tournament_of_teams(team_best=best)) == expected


def test_wins_of_teams_are_added_and_points_separate_equal_sums() -> None:
    # One player of each table wins: the one with 100 points (team 1), and the one with 60 (team 3).
    teams = teams_of(a_tournament_of_teams(ranked_by="wins"))
    assert teams == [(1, 1, 10), (1, 3, 10), (3, 2, 30), (4, 4, -50)]


def test_a_draw_is_half_a_win_in_each_ranking_by_wins(client: Client) -> None:
    """The column of wins is shown only if the ranking is not by points."""
    pairs = a_running_tournament(a_club(public=True), units=2, ranked_by="wins", public=True)
    enter(a_drawn_round(pairs).tables.get(), 972, 972)
    page = reverse("league:tournament-ranking", args=[pairs.pk])
    for language, half in (("en", "0.5"), ("fr", "0,5")):
        assert (
            f'<td class="num">{half}</td>' in client.get(page, headers={"Accept-Language": language}).content.decode()
        )
    teams = a_tournament_of_teams(ranked_by="wins", public=True)
    content = client.get(reverse("league:tournament-ranking", args=[teams.pk])).content.decode()
    assert content.count('<td class="num">1</td>') >= 2, "the teams with a winner"


def test_pairs_have_no_ranking_of_teams() -> None:
    assert teams_of(a_running_tournament(a_club())) == []


def test_teams_and_players_have_separate_prizes() -> None:
    tournament = tournament_play.finish(a_tournament_of_teams().pk, now=timezone.now())
    lines = [
        PrizeLine("", False, 1, 1, 5_000, "", 0),
        PrizeLine("", False, 1, 2, 4_000, "", 0, for_teams=True),
        PrizeLine("Youth", False, 1, 1, 1_000, "", 0, for_teams=True),
    ]
    prizes.store_prizes(tournament.pk, lines, ties="shared", seen_version=0)
    youth = tournament.prize_categories.get()
    fourth = tournament.units.get(number=4)
    prizes.change_category_members(tournament.pk, added=[(youth.pk, fourth.pk, WHOLE_UNIT)], removed=[])
    winners = compute_awards(tournament, prize_lines(tournament)).winners
    # Team 2 has the first prize of teams; teams 1 and 3 share the second, although a player of team 1 has a prize.
    assert [(row.competitor.unit.number, row.competitor.is_team, row.award.amount) for row in winners] == [
        (1, False, 5_000),
        (2, True, 4_000),
        (1, True, 2_000),
        (3, True, 2_000),
        (4, True, 1_000),
    ]
    rows = competitor_category_rows(tournament, [youth])
    assert fourth.title in [row.title for row in rows], "a category of prizes for teams"
    assert len(rows) == 4, "no player competes for it"
    prizes.print_receipts(tournament.pk, now=timezone.now())
    assert PrizeReceipt.objects.filter(position=WHOLE_UNIT).count() == 4
    assert not compute_awards(tournament, prize_lines(tournament)).changes


def test_visitors_see_the_names_of_teams_that_agreed(client: Client) -> None:
    tournament = a_tournament_of_teams(public=True, team_best=1)
    agreed = tournament.units.with_players().get(number=3)
    tournament.units.filter(pk=agreed.pk).update(names_public=True)
    secretary = sign_in(Client(), a_member(tournament.club, Role.SECRETARY))
    for name in ("tournament-ranking", "tournament-teams-csv"):
        address = reverse(f"league:{name}", args=[tournament.pk])
        seen_names = [number for number in range(1, 5) if f"Reds {number}" in client.get(address).content.decode()]
        assert (name, seen_names) == (name, [3])
        seen_names = [number for number in range(1, 5) if f"Reds {number}" in secretary.get(address).content.decode()]
        assert (name, seen_names) == (name, [1, 2, 3, 4])
    rows = client.get(reverse("league:tournament-teams-csv", args=[tournament.pk])).content.decode().splitlines()
    assert rows[1].split(",")[:3] == ["1", "1", "Number 1"]
    assert rows[2].split(",")[2] == "Reds 3"
    assert rows[2].split(",")[4].startswith("("), "the second player does not count"
    paper = secretary.get(reverse("league:tournament-ranking-paper", args=[tournament.pk])).content.decode()
    assert "Reds 1" in paper


def test_the_api_has_the_teams_as_the_page_has_them(client: Client) -> None:
    tournament = a_tournament_of_teams(team_best=1)
    token = a_token(a_member(tournament.club))
    [first, *_rest] = read(client, f"tournaments/{tournament.pk}/teams", token)["items"]
    assert (first["rank"], first["number"], first["name"], first["points"]) == (1, 1, "Reds 1", 100)
    assert [(row["points"], row["counts"]) for row in first["players"]] == [(100, True), (-90, False)]
    Tournament.objects.filter(pk=tournament.pk).update(public=True)
    [first, *_rest] = read(client, f"tournaments/{tournament.pk}/teams")["items"]
    assert (first["name"], first["players"]) == ("Number 1", [])


def test_the_hall_shows_teams_after_players() -> None:
    tournament = a_tournament_of_teams()
    pages = hall_pages(evening_of(tournament))
    assert [page.key for page in pages] == ["ranking-1", "teams-1"]


@pytest.mark.parametrize(
    ("fields", "valid"),
    [
        ({"unit_size": "4", "plays_apart": "on", "team_best": "3"}, True),
        ({"unit_size": "2", "plays_apart": "on", "team_best": "3"}, False),
        ({"unit_size": "2", "team_best": "1"}, False),
    ],
)
def test_only_players_of_teams_can_count(fields: dict[str, str], valid: bool) -> None:
    form = TournamentForm(fields, club=a_club())
    form.is_valid()
    assert ("team_best" not in form.errors) == valid
