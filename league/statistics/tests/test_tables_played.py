"""A player's tables: runs of wins, comparisons with opponents, partners."""

from datetime import timedelta

import pytest

from league.actions import evenings
from league.models import Season
from league.statistics.queries.tables_played import (
    SharedTables,
    TablesPlayed,
    WinningRun,
    compare_opponents,
    compare_partners,
    evening_sums,
    find_nemesis,
    frequent_co_player_names,
    run_of_wins,
    tables_played,
)
from players.models import Player
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

LOST = {**TAKE, "oudlers": 1}  # −99 for the taker, 33 for each of the others
BELOTE = {"taker": 0, "points": 75, "last_trick": "attack"}  # 85 to 77


@pytest.fixture
def people() -> list[Player]:
    return [a_player() for _ in range(4)]


def played(season: Season, people: list[Player], *deals: object) -> None:
    """A closed evening with a table of one deal for each of these facts, a day after the last one."""
    evening = an_evening(season, on=NOW.date() + timedelta(days=season.evenings.count()))
    for number, facts in enumerate(deals, 1):
        a_deal(a_table(evening, people, round_number=number), facts)  # type: ignore[arg-type]
    evenings.close(evening.pk, now=NOW)


def seen_by(player: Player, season: Season) -> TablesPlayed:
    return tables_played(player, [season], season.game)


def opponents_of(player: Player, season: Season) -> list[SharedTables]:
    tables = seen_by(player, season)
    return compare_opponents(tables, frequent_co_player_names(tables))


def test_tables_in_the_order_of_play_with_wins_and_runs(people: list[Player]) -> None:
    season = a_season(a_club(), end_number=1)
    played(season, people, TAKE, TAKE)
    played(season, people, LOST)
    played(season, people, TAKE)
    tables = seen_by(people[0], season)
    assert tables.points.tolist() == [81, 81, -99, 81]
    assert tables.is_won.tolist() == [True, True, False, True]
    assert run_of_wins(tables) == WinningRun(longest=2, current=1)
    assert [evening.points for evening in evening_sums(tables)] == [162, -99, 81]


def test_what_does_not_count_is_not_there(people: list[Player]) -> None:
    season = a_season(a_club(), end_number=1)
    played(season, people, TAKE)
    a_deal(a_table(an_evening(season), people))  # not closed
    a_table(season.evenings.latest("pk"), people, round_number=2)  # nothing played
    assert len(seen_by(people[0], season)) == 1
    assert len(seen_by(a_player(), season)) == 0


def test_who_was_before_whom_from_three_tables_on(people: list[Player]) -> None:
    season = a_season(a_club(), end_number=1)
    played(season, people, TAKE, LOST)
    assert opponents_of(people[0], season) == []
    played(season, people, LOST)
    [first, second, third] = opponents_of(people[0], season)
    assert {first.player, second.player, third.player} == {player.pk for player in people[1:]}
    assert (first.tables, first.ahead, first.behind, first.tied) == (3, 1, 2, 0)
    assert first.difference == (81 + 27) + 2 * (-99 - 33)
    [_, equal, _] = sorted(opponents_of(people[1], season), key=lambda shared: shared.difference)
    assert (equal.ahead, equal.behind, equal.tied) == (0, 0, 3)


def test_a_nemesis_is_ahead_at_five_tables_or_more(people: list[Player]) -> None:
    season = a_season(a_club(), end_number=1)
    played(season, people, LOST, LOST, LOST, LOST)
    assert find_nemesis(opponents_of(people[0], season)) is None
    played(season, people, TAKE)
    worst = find_nemesis(opponents_of(people[0], season))
    assert worst
    assert (worst.behind, worst.tables) == (4, 5)
    assert find_nemesis(opponents_of(people[1], season)) is None  # never more often behind than before


def test_partners_are_no_opponents(people: list[Player]) -> None:
    season = a_season(a_club(), "belote", end_number=1, table_sizes=[4])
    played(season, people, BELOTE, BELOTE, BELOTE)
    tables = seen_by(people[0], season)
    [mate] = compare_partners(tables, frequent_co_player_names(tables))
    assert (mate.player, mate.tables, mate.won, mate.points) == (people[2].pk, 3, 3, 3 * 85)
    assert {shared.player for shared in opponents_of(people[0], season)} == {people[1].pk, people[3].pk}
