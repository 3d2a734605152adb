"""Clubs' regulations that the standings' arithmetic alone can't show, worked by hand on a club's evenings.

The others are the examples of league/standings/examples.toml; docs/standings.md says where each is.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import contests, evenings, totals
from league.actions.attendance import check_in
from league.actions.refusals import WrongState
from league.actions.rounds import accept
from league.evenings.queries.evening_ranking import ranking
from league.models import Attendance, Evening, Rest, Run, Season
from league.models.rights import Role
from league.models.round import RestKind
from league.recompute.work import runs
from league.seasons.queries.season_rankings import rank_season
from league.seasons.queries.standing_reasons import explain_standing
from league.sheets.queries.table_sums import PointsAndDeals
from league.standings.presets import PRESETS
from players.models import Player
from tests.build import NOW, TODAY, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db

# A belote contest of five pairs and four rounds of 12 deals; in each an odd pair is exempt. Points of the two pairs:
ROUNDS = [
    ("E", [("A", 1500, "B", 900), ("C", 1300, "D", 1100)]),
    ("D", [("A", 1400, "C", 1000), ("B", 1600, "E", 800)]),
    ("C", [("A", 1700, "E", 700), ("B", 1200, "D", 1200)]),
    ("B", [("A", 1050, "D", 1350), ("C", 1500, "E", 900)]),
]
# An exempt round gives a flat 1,000 points in the evening:
#   A 1500 + 1400 + 1700 + 1050 = 5650      B 900 + 1600 + 1200 + 1000 = 4700     C 1300 + 1000 + 1000 + 1500 = 4800
#   D 1100 + 1000 + 1200 + 1350 = 4650      E 1000 + 800 + 700 + 900 = 3400
POINTS = {"A": 5650, "B": 4700, "C": 4800, "D": 4650, "E": 3400}
# In the season a table won gives 4, a lost one 2, an exempt round 3, a level one nothing:
#   A 4 + 4 + 4 + 2 = 14    B 2 + 4 + 0 + 3 = 9    C 4 + 2 + 3 + 4 = 13    D 2 + 3 + 0 + 4 = 9    E 3 + 2 + 2 + 2 = 9
WORTH = {"A": 14, "B": 9, "C": 13, "D": 9, "E": 9}
WINS = next(preset.rules for preset in PRESETS if preset.name == "wins")


@pytest.fixture
def pairs() -> dict[str, list[Player]]:
    return {pair: [a_player(f"{pair}{number}", "") for number in (1, 2)] for pair in POINTS}


@pytest.fixture
def season() -> Season:
    rules = dict(WINS)
    return a_season(a_club(), "belote", table_sizes=[4], end_number=12, exempt_points=1000, standings_rules=rules)


def play(evening: Evening, pairs: Mapping[str, list[Player]]) -> None:
    for number, (exempt, tables) in enumerate(ROUNDS, start=1):
        for first, first_points, second, second_points in tables:
            seats = [player for both in zip(pairs[first], pairs[second], strict=True) for player in both]
            table = a_table(evening, seats, round_number=number)
            sums = {seat: PointsAndDeals(second_points if seat % 2 else first_points, 12) for seat in range(4)}
            totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)
        for player in pairs[exempt]:
            sitting = evening.rounds.get(number=number)
            points = evening.season.exempt_points
            Rest.objects.create(round=sitting, player=player, kind=RestKind.EXEMPT, points=points)
    evenings.close(evening.pk, now=NOW)


def test_exempt_pair_gets_a_flat_thousand_in_the_evening(season: Season, pairs: dict[str, list[Player]]) -> None:
    evening = an_evening(season)
    play(evening, pairs)
    places = {str(place.name): (place.rank, place.points) for place in ranking(evening)}
    ranks = {"A": 1, "C": 3, "B": 5, "D": 7, "E": 9}  # both of a pair share theirs
    assert places == {f"{pair}{number}": (ranks[pair], POINTS[pair]) for pair in POINTS for number in (1, 2)}


def test_contest_gives_four_two_and_three_and_a_prize_from_four_evenings_on(
    season: Season, pairs: dict[str, list[Player]]
) -> None:
    """B, D and E are level with 36: E has won no table; B and D one an evening each, and B has more points."""
    by_person = {player.pk: pair for pair, both in pairs.items() for player in both}
    for week in range(4):
        before = rank_season(season)
        assert [row.rank for row in before] == [None] * (10 if week else 0)
        assert {row.missing for row in before} == ({4 - week} if week else set())
        play(an_evening(season, on=TODAY + timedelta(weeks=week)), pairs)
    rows = rank_season(season)
    assert {by_person[row.player]: row.total for row in rows} == {pair: 4 * worth for pair, worth in WORTH.items()}
    assert [(by_person[row.player], row.rank, row.tie_break) for row in rows] == [
        *[("A", 1, "")] * 2,
        *[("C", 3, "")] * 2,
        *[("B", 5, "total_points")] * 2,
        *[("D", 7, "total_points")] * 2,
        *[("E", 9, "wins")] * 2,
    ]


def test_results_count_for_each_person_as_partners_change(season: Season, pairs: dict[str, list[Player]]) -> None:
    """On the second evening A's and E's second players change places: 14 + 9 for both of them."""
    play(an_evening(season), pairs)
    new_pairs = pairs | {"A": [pairs["A"][0], pairs["E"][1]], "E": [pairs["E"][0], pairs["A"][1]]}
    play(an_evening(season, on=TODAY + timedelta(weeks=1)), new_pairs)
    totals_of = {row.player: row.total for row in rank_season(season)}
    assert [totals_of[player.pk] for player in (*pairs["A"], *pairs["E"])] == [28, 23, 18, 23]


@pytest.mark.parametrize(
    ("plus_points", "value", "given"), [(False, 9, ["+3"]), (True, 4709, ["+3", "+1,000"])], ids=["plain", "plus"]
)
def test_standings_say_what_an_exempt_round_gave(
    client: Client, season: Season, pairs: dict[str, list[Player]], plus_points: bool, value: int, given: list[str]
) -> None:
    worth = {**WINS["worth"], "plus_points": plus_points}
    Season.objects.filter(pk=season.pk).update(standings_rules={"worth": worth})
    evening = an_evening(season)
    play(evening, pairs)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    season.refresh_from_db()
    row = season.standings.select_related("season__club", "player").get(player=pairs["B"][0])
    [part] = explain_standing(row).parts
    assert (part.value, part.exempt_count, len(part.exempt_points)) == (value, 1, len(given))
    member = signed_in(client, a_member(season.club))
    page = member.get(reverse("league:standing", args=[season.pk, row.player_id])).content.decode()
    assert "1 exempt round: " in page
    assert all(f">{points_shown}<" in page for points_shown in given)


def test_standings_say_what_a_compensated_rest_gave(client: Client) -> None:
    season = a_season(a_club(), standings_rules={"rests": 10})
    people = [a_player() for _ in range(5)]
    evening = an_evening(season)
    for number in (1, 2):
        table = a_table(evening, people[number - 1 : number + 3], round_number=number)
        for _deal in range(4):
            a_deal(table)
        rested = people[4] if number == 1 else people[0]
        Rest.objects.create(round=table.round, player=rested)
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    row = season.standings.select_related("season__club", "player").get(player=people[0])
    [part] = explain_standing(row).parts
    assert (part.value, part.rest_count, part.rest_points, part.exempt_count) == (4 * 81 + 10, 1, 10, 0)
    page = signed_in(client, a_member(season.club)).get(reverse("league:standing", args=[season.pk, people[0].pk]))
    assert "1 round sat out: " in page.content.decode()


def come(season: Season, number: int, *, brought: bool) -> Evening:
    """Return an evening with so many people, brought in pairs as far as they are even, or to be paired by lot."""
    evening = an_evening(season)
    people = [a_member(season.club, login=False) for _ in range(number)]
    check_in(evening.pk, [player.pk for player in people])
    if brought:
        for one, other in zip(people[::2], people[1::2], strict=False):
            for player, partner in ((one, other), (other, one)):
                Attendance.objects.filter(evening=evening, player=player).update(partner=partner)
    return evening


@pytest.mark.parametrize("brought", [True, False], ids=["brought", "drawn"])
@pytest.mark.parametrize(("people", "resting"), [(10, 0), (11, 1), (9, 1), (8, 0)])
def test_odd_pair_is_named_and_gets_its_points(
    client: Client, season: Season, people: int, resting: int, brought: bool
) -> None:
    secretary = signed_in(client, a_member(season.club, Role.SECRETARY))
    evening = come(season, people, brought=brought)
    secretary.post(reverse("league:draw", args=[evening.pk]), {"rounds": 1, "seed": 7})
    round_ = evening.rounds.get()
    accept(round_.pk)
    exempt = [rest for rest in round_.rests.all() if rest.kind == RestKind.EXEMPT]
    assert [rest.points for rest in exempt] == [1000] * ((people - resting) % 4)
    assert round_.rests.count() - len(exempt) == resting
    if brought and exempt:
        assert evening.attendances.get(player=exempt[0].player).partner_id == exempt[1].player_id
    draw = secretary.get(reverse("league:draw", args=[evening.pk])).content.decode()
    poster = secretary.get(reverse("league:poster", args=[round_.pk])).content.decode()
    page = secretary.get(evening.get_absolute_url()).content.decode()
    for rest in exempt:
        assert f"<span>{rest.player}</span> <b>Exempt</b>" in poster
    for html in (draw, page):
        assert ("Exempt (" in html) == bool(exempt)
        assert all(str(rest.player) in html.partition("Exempt (")[2] for rest in exempt)
    assert sorted(place.points for place in ranking(evening)) == [1000] * len(exempt)


def test_five_people_bring_no_odd_pair(client: Client, season: Season) -> None:
    """Two pairs play and one rests; with three people nothing can be drawn."""
    secretary = signed_in(client, a_member(season.club, Role.SECRETARY))
    evening = come(season, 5, brought=True)
    secretary.post(reverse("league:draw", args=[evening.pk]), {"rounds": 1, "seed": 7})
    assert [rest.kind for rest in evening.rounds.get().rests.all()] == [RestKind.RESTING]


@pytest.mark.parametrize("hours", [24, 48])
def test_members_may_object_for_so_many_hours(hours: int) -> None:
    season = a_season(a_club(), contest_hours=hours)
    table = a_table(an_evening(season))
    deal = a_deal(table)
    member = table.seats.get(number=0).player
    closed = evenings.close(table.round.evening_id, now=NOW)
    assert closed.final_at == NOW + timedelta(hours=hours)
    contests.record_contest(deal.pk, player_id=member.pk, reason="was 41", now=NOW + timedelta(hours=hours, seconds=-1))
    late = table.seats.get(number=1).player
    with pytest.raises(WrongState):
        contests.record_contest(deal.pk, player_id=late.pk, reason="was 41", now=NOW + timedelta(hours=hours))
