"""The page of an evening: a page of its ranking, some tables, and its story. The usual deal is a take: +81, −27."""

from datetime import timedelta
from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from league.actions import deals, totals
from league.actions import evenings as evenings_actions
from league.evenings.queries import evening_page as pages
from league.evenings.queries.evening_page import SelectedParts, evening_page
from league.evenings.queries.evening_ranking import ranking
from league.evenings.queries.evening_story import EveningHighlights, annotate_rank_gain, read_highlights, read_rank_gain
from league.models import Club, Evening, Rest, Run
from league.models.round import RestKind
from league.recompute.work import runs
from league.sheets.queries.table_sums import PointsAndDeals
from tests.build import NOW, TAKE, a_club, a_deal, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

SLAM = {"contract": "guard", "taker": 1, "points": 91, "oudlers": 3, "slam": "attack"}
HANDFUL = {**TAKE, "handfuls": [{"seat": 2, "size": "simple"}]}


@pytest.fixture
def club() -> Club:
    return a_club()


def story(evening: Evening) -> EveningHighlights:
    rows = ranking(evening)
    return read_highlights(
        evening, rows, sum(each.writes for each in evening_page(evening, rows, SelectedParts()).rounds)
    )


def test_a_page_has_its_places_with_what_each_round_gave(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "RANKING_ROWS_PER_PAGE", 3)
    monkeypatch.setattr(pages, "TABLES_PER_PAGE", 1)
    evening = an_evening(a_season(club))
    first = a_table(evening, [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")])
    a_deal(first)
    second = a_table(evening)
    later = a_table(evening, [seat.player for seat in first.seats.all()], round_number=2)
    out = Rest.objects.create(round=later.round, player=second.seats.all()[0].player, kind=RestKind.EXEMPT, points=7)
    found = ranking(evening)
    page = evening_page(evening, found, SelectedParts())
    assert (page.ranking_page.number, page.ranking_page.paginator.num_pages) == (1, 2)
    assert [str(row.ranking_row.name) for row in page.rows] == ["Ann", str(out.player), "Bob"]
    ann, exempt, _bob = page.rows
    assert [cell.seat and cell.seat.points for cell in ann.cells] == [81, 0]
    assert exempt.cells[1].rest
    assert exempt.cells[1].rest.points == 7
    assert page.played_round
    assert (page.played_round.round.number, [sheet.table for sheet in page.played_round.tables_with_seats]) == (
        2,
        [later],
    )
    second_page = evening_page(evening, found, SelectedParts(ranking_page=2, round=1, tables_page=2))
    assert [str(row.ranking_row.name) for row in second_page.rows] == ["Cy", "Dan"]
    assert second_page.played_round
    assert [(sheet.table, len(sheet.seats)) for sheet in second_page.played_round.tables_with_seats] == [(second, 4)]
    assert second_page.incomplete_table_count == 3


def test_pages_that_there_are_not_are_the_nearest(club: Club) -> None:
    evening = an_evening(a_season(club))
    assert evening_page(evening, [], SelectedParts(9, 9, 9)).played_round is None
    table = a_table(evening)
    page = evening_page(evening, ranking(evening), SelectedParts(9, 9, 9))
    assert page.played_round
    assert page.played_round.tables_with_seats[0].table == table


def test_the_story_tells_the_best_deal_the_closest_table_and_what_the_game_finds(club: Club) -> None:
    evening = an_evening(a_season(club, end_number=2))
    table = a_table(evening)
    for facts in (TAKE, SLAM):
        a_deal(table, facts)
    other = a_table(evening)
    for facts in (TAKE, HANDFUL):
        a_deal(other, facts)
    a_deal(a_table(evening), {**SLAM, "slam_announced": True})  # incomplete: it does not count
    evening = evenings_actions.close(evening.pk, now=NOW)
    found = story(evening)
    seats = list(table.seats.all())
    assert found.best
    assert (found.best.player, found.best.location.table, found.best.location.number) == (seats[1].player_id, 1, 2)
    assert found.closest
    assert (found.closest.table, found.closest.spread) == (other.pk, 81 + 27 + 141 + 47)  # a handful: 20 from each
    assert [remark.remark.code for remark in found.remarks] == ["remark_slam", "remark_simple_handful"]
    assert found.remarks[0].players[1] == seats[1].player_id


def test_a_table_with_only_totals_may_be_the_closest(club: Club) -> None:
    """Its deals are unknown: the spread comes from the totals."""
    evening = an_evening(a_season(club, end_number=1))
    a_deal(a_table(evening), TAKE)
    table = a_table(evening)
    sums = {seat: PointsAndDeals(points, 1) for seat, points in enumerate((3, -1, -1, -1))}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    evening = evenings_actions.close(evening.pk, now=NOW)
    closest = story(evening).closest
    assert closest
    assert (closest.table, closest.spread) == (table.pk, 4)


def test_a_story_is_kept_until_something_changes(club: Club, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    evening = an_evening(a_season(club, end_number=1))
    deal = a_deal(a_table(evening), HANDFUL)
    evening = evenings_actions.close(evening.pk, now=NOW)
    assert len(story(evening).remarks) == 1
    places = ranking(evening)
    writes = evening_page(evening, places, SelectedParts()).rounds[0].writes
    with django_assert_num_queries(0):
        read_highlights(evening, places, writes)
    deals.revise(deal.pk, TAKE, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="no handful")
    assert story(evening).remarks == ()


def test_who_jumped_is_told_of_the_newest_evening_alone(club: Club) -> None:
    season = a_season(club, end_number=1)
    ann, bob, *other_players = players = [a_player(name, "") for name in ("Ann", "Bob", "Cy", "Dan")]
    evenings = []
    for week, seated in ((2, players), (1, [*other_players, ann, bob])):
        evening = an_evening(season, on=NOW.date() - timedelta(days=7 * week))
        a_deal(a_table(evening, seated))
        evenings.append(evenings_actions.close(evening.pk, now=NOW))
    runs.run(Run.Trigger.NIGHT, now=NOW, everything=True)
    jumps = [
        read_rank_gain(annotate_rank_gain(Evening.objects.with_season()).get(pk=evening_.pk)) for evening_ in evenings
    ]
    assert jumps[0] is None
    assert jumps[1]
    assert (str(jumps[1].name), jumps[1].ranks_gained, jumps[1].rank) == ("Cy", 1, 1)
