"""Why a player has a rank: the parts add up on the page."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags
from pytest_django import DjangoAssertNumQueries

from league.actions import evenings, totals
from league.models import Adjustment, Run, Season
from league.models.evening import AttendanceRole
from league.recompute.work import runs
from league.seasons.queries.standing_reasons import StandingReasons, explain_standing
from league.sheets.queries.table_sums import PointsAndDeals
from league.standings.tie_breaks import TIE_BREAKS
from players.models import Player
from tests.build import NOW, TODAY, a_club, a_member, a_player, a_season, a_table, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


def a_season_of(rules: dict[str, Any], results: Sequence[Sequence[int]]) -> tuple[Season, list[Player]]:
    """Return a public season with an evening for each row of points, computed; its players."""
    season = a_season(a_club(public=True), end_number=4)
    Season.objects.filter(pk=season.pk).update(standings_rules=rules)
    names = ("Ann", "Bob", "Cy", "Dan")
    players = [a_player(name, "") for name in names]
    for number, points in enumerate(results):
        play(season, TODAY - timedelta(days=7 * (len(results) - number)), players, points, compute=False)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    season.refresh_from_db()
    return season, players


def play(
    season: Season,
    day: date,
    players: Sequence[Player],
    points: Sequence[int],
    guests: Sequence[Player] = (),
    *,
    compute: bool = True,
) -> None:
    """Play a closed evening of one table; with `compute`, compute the standings."""
    evening = an_evening(season, on=day)
    sums = {seat: PointsAndDeals(total, 4) for seat, total in enumerate(points)}
    totals.record(a_table(evening, players).pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    evening.attendances.filter(player__in=guests).update(standing=AttendanceRole.GUEST)
    evenings.close(evening.pk, now=NOW)
    if compute:
        runs.run(Run.Trigger.CLOSING, now=NOW)


def opened(season: Season, player: Player) -> StandingReasons:
    row = season.standings.select_related("season__club", "player").get(player=player)
    return explain_standing(row)


BEST_TWO = {"counts": {"which": "best", "n": 2}, "ties": ["next_best"]}
# Ann 30, 20, 0 · Bob 20, 30, −10 · Cy −10, −20, 40 · Dan −40, −30, −30
RESULTS = [(30, 20, -10, -40), (20, 30, -20, -30), (0, -10, 40, -30)]


def test_evenings_that_count_and_those_that_do_not_add_up() -> None:
    season, (ann, bob, cy, _dan) = a_season_of(BEST_TWO, RESULTS)
    of_ann, of_bob, of_cy = (opened(season, player) for player in (ann, bob, cy))
    assert [(part.value, part.counts) for part in of_ann.parts] == [(30, True), (20, True), (0, False)]
    assert (of_ann.counted_total, of_ann.standing.total, of_ann.standing.rank) == (50, 50, 1)
    assert (of_ann.standing.tie_break, [row.player for row in of_ann.tied_standings]) == ("next_best", [bob])
    assert (of_bob.standing.rank, of_cy.standing.rank) == (2, 3)


def test_page_shows_the_numbers_by_which_tie_breaks_decided(client: Client) -> None:
    rules = {"counts": {"which": "best", "n": 2}, "ties": ["best_evening", "next_best", "total_points"]}
    season, (_ann, bob, _cy, _dan) = a_season_of(rules, RESULTS)
    page = client.get(reverse("league:standing", args=[season.pk, bob.pk])).content.decode()
    text = page.partition("The tie-breaks in their order")[2].partition("</ol>")[0].replace("<li>", " | ")
    # 30 is the best of both; of the evenings that do not count Ann has 0 and Bob −10; no third tie-break is needed.
    assert " ".join(strip_tags(text).split()).partition(" | ")[2] == (
        "Best evening | Ann: 30 | Bob: 30 | The next best evening | Ann: 0 | Bob: −10"
    )


def test_each_tie_break_shows_a_number_for_each_player_who_was_level(subtests: pytest.Subtests) -> None:
    season, (ann, bob, _cy, _dan) = a_season_of({}, RESULTS)
    for name in sorted(TIE_BREAKS):
        rules = {"counts": {"which": "best", "n": 2}, "ties": [name]}
        Season.objects.filter(pk=season.pk).update(standings_rules=rules)
        runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
        with subtests.test(name):
            [applied] = opened(season, bob).tie_breaks
            assert applied.name == name
            assert {player for player, numbers in applied.players if numbers} == {ann, bob}


def test_next_evening_says_what_is_enough_and_what_would_drop_out() -> None:
    season, (_ann, _bob, cy, _dan) = a_season_of(BEST_TWO, RESULTS)
    row_parts = opened(season, cy)  # 40 − 10 = 30, behind 50
    assert row_parts.target is not None
    assert row_parts.target.value == 11  # 40 + 11 = 51
    assert [row_parts.parts[0].evening] == row_parts.target.dropped_evenings


@pytest.mark.parametrize(
    "rules",
    [
        BEST_TWO,
        pytest.param({"counts": {"which": "all"}}, marks=pytest.mark.faults),
        pytest.param({"counts": {"which": "average", "n": 2}}, marks=pytest.mark.faults),
        {"worth": {"by": "places", "points": [25, 18, 15], "rest": 1}},
    ],
    ids=str,
)
def test_projected_total_and_rank_are_those_of_such_an_evening(rules: dict[str, Any]) -> None:
    """The other players stay away; guests, who have no rank, fill the table."""
    season, players = a_season_of(rules, RESULTS)
    guests = [a_player() for _ in range(3)]
    for player in players:
        projections = opened(season, player).projections
        assert projections
        for projection in projections[:1] if projections[0].place else projections:
            with transaction.atomic():
                own = 300 if projection.place else int(projection.value)
                play(season, TODAY, [player, *guests], [own, -own, 0, 0], guests)
                played = season.standings.get(player=player)
                tied = season.standings.filter(numerator=played.numerator, denominator=played.denominator).count()
                assert played.total == projection.total
                assert played.rank in range(projection.rank, projection.rank + tied), projection
                transaction.set_rollback(True)


def test_next_place_is_told_where_places_give_points() -> None:
    rules = {"worth": {"by": "places", "points": [25, 18, 15], "rest": 1}}
    season, (ann, bob, cy, dan) = a_season_of(rules, RESULTS)
    # Ann 25 + 18 + 18 = 61 · Bob 18 + 25 + 15 = 58 · Cy 15 + 15 + 25 = 55 · Dan 3
    assert [opened(season, player).standing.total for player in (ann, bob, cy, dan)] == [61, 58, 55, 3]
    of_bob, of_dan = opened(season, bob), opened(season, dan)
    assert of_bob.target is not None and of_bob.target.place == 3  # noqa: PT018
    assert of_dan.target is not None and of_dan.target.value is None  # noqa: PT018


def test_page_adds_up_with_adjustments_and_names_the_neighbours(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    season, (ann, bob, _cy, _dan) = a_season_of({"attendance": 5, **BEST_TWO}, RESULTS)
    Adjustment.objects.create(season=season, player=bob, points=-7, reason="Came late")
    runs.run(Run.Trigger.COMMAND, now=NOW, everything=True)
    address = reverse("league:standing", args=[season.pk, bob.pk])
    # version, season, row, evenings, ranked, adjustments, above, below, level, evenings of the season, pending work
    with django_assert_num_queries(11):
        page = client.get(address).content.decode()
    assert "Bob: why rank 2 of 4" in page
    assert "Came late" in page
    for number in ("50", "+15", "−7", "58"):
        assert f">{number}</data>" in page, number
    assert reverse("league:standing", args=[season.pk, ann.pk]) in page
    assert "An evening worth" in page


def test_page_draws_counted_and_dropped_evenings_and_the_gaps_to_the_neighbours(client: Client) -> None:
    season, (_ann, bob, _cy, _dan) = a_season_of({"counts": {"which": "best", "n": 2}}, [*RESULTS, (5, 0, 20, -25)])
    # Ann 30 + 20 = 50, Bob 30 + 20 = 50, Cy 40 + 20 = 60, Dan −25 − 30 = −55
    page = client.get(reverse("league:standing", args=[season.pk, bob.pk])).content.decode()
    assert (page.count('class="solid"'), page.count('class="hatched"')) == (2, 2)
    gaps = re.findall(r'class="gap">(.*?)</span>', page)
    assert [strip_tags(gap) for gap in gaps] == ["gap 10", "gap 105"]  # to Cy, to Dan


def test_target_of_a_belote_season_by_wins_is_a_result_that_tables_give(client: Client) -> None:
    season, players = a_season_of({}, [])
    Season.objects.filter(pk=season.pk).update(
        game="belote",
        rounds=2,
        table_sizes=[4],
        standings_rules={"worth": {"by": "wins", "win": 4, "loss": 2, "exempt": 3}},
    )
    evening = an_evening(season)
    table = a_table(evening, players)
    sums = {seat: PointsAndDeals(total, 12) for seat, total in enumerate([900, 700, 900, 700])}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    bob = players[1]
    assert opened(season, bob).target is not None
    page = client.get(reverse("league:standing", args=[season.pk, bob.pk])).content.decode()
    text = " ".join(strip_tags(page).split())
    assert "An evening worth 3 or more is enough" in text  # 2 of 4: an exempt round gives 3


def test_closed_season_offers_no_next_evening() -> None:
    season, (_ann, bob, _cy, _dan) = a_season_of(BEST_TWO, RESULTS)
    Season.objects.filter(pk=season.pk).update(state="closed")
    assert opened(season, bob).target is None


def test_stranger_finds_nothing_and_a_player_without_a_row_has_no_page(client: Client) -> None:
    season, (ann, *_rest) = a_season_of({}, RESULTS)
    nobody = reverse("league:standing", args=[season.pk, a_player().pk])
    assert client.get(nobody).status_code == 404
    season.club.public = False
    season.club.save()
    stranger = signed_in(client, a_member(a_club()))
    assert stranger.get(reverse("league:standing", args=[season.pk, ann.pk])).status_code == 404


def test_standings_lead_from_each_rank_to_its_reasons(client: Client) -> None:
    season, (ann, *_rest) = a_season_of(BEST_TWO, RESULTS)
    assert (
        reverse("league:standing", args=[season.pk, ann.pk]) in client.get(season.get_absolute_url()).content.decode()
    )


def test_the_rules_of_a_row_are_those_of_the_season_page(client: Client) -> None:
    """Only here the season has more evenings planned than held, and a final that counts more than once."""
    season, (ann, *_rest) = a_season_of(BEST_TWO, RESULTS)
    Season.objects.filter(pk=season.pk).update(planned_evenings=12)
    season.evenings.filter(pk=season.evenings.latest("date").pk).update(season_final=True, weight=2)
    row = client.get(reverse("league:standing", args=[season.pk, ann.pk]))
    words = "The best 2 of 12 evenings count; the final counts double; "
    assert words in client.get(season.get_absolute_url()).content.decode()
    assert words in row.content.decode()


def test_an_evening_that_was_opened_again_is_not_called_one_without_a_deal(client: Client) -> None:
    """Only here a row is older than the state of one of its evenings: the standings are computed a moment later."""
    season, (ann, *_rest) = a_season_of({}, RESULTS)
    evenings.reopen(season.evenings.latest("date").pk, now=NOW)
    page = client.get(reverse("league:standing", args=[season.pk, ann.pk]))
    assert page.context["recompute_notice"]
    assert len(page.context["opened"].parts) == len(RESULTS) - 1
    assert "without a deal" not in page.content.decode()


def test_row_of_unreadable_rules_says_so_and_keeps_its_total(client: Client) -> None:
    season, (ann, *_rest) = a_season_of(BEST_TWO, RESULTS)
    Season.objects.filter(pk=season.pk).update(standings_rules={"counts": "by a later version"})
    answer = client.get(reverse("league:standing", args=[season.pk, ann.pk]))
    assert answer.status_code == 200
    page = answer.content.decode()
    assert "The season&#x27;s standings rules can&#x27;t be read." in page
    assert ">50</data>" in page
    assert "What counts" not in page
