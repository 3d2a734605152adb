"""What a season's rows say to the standings' arithmetic; and that its version rises when anything else is answered."""

from __future__ import annotations

import datetime
import hashlib
import json
from collections.abc import Sequence
from typing import Any
from uuid import uuid4

import pytest

from league.actions import evenings, totals
from league.evenings.queries.closed_evenings import read_closed_evenings
from league.evenings.queries.evening_ranking import ranking
from league.models import Adjustment, Evening, Rest, Season, versions
from league.models.evening import EveningState
from league.models.round import RestKind
from league.seasons.queries.season_evenings import UnreadableRules, standings_inputs
from league.seasons.queries.season_rankings import rank_seasons
from league.sheets.queries.table_sums import PointsAndDeals
from league.standings.examples import examples
from league.standings.ranking import RankingRow, standings
from league.standings.request import RULES_NOT_IN_REQUESTS
from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, PointsAdjustment, SeasonEvening, TableResult
from league.standings.season_ranking import season_ranking
from league.standings.tests import seasons as told
from league.standings.tests.test_vectors import SEASONS
from players.models import Player
from tests.build import NOW, TODAY, a_club, a_player, a_season, a_table, an_evening

pytestmark = pytest.mark.django_db

WINS = {"worth": {"by": "wins", "win": 4, "loss": 2, "exempt": 3}, "partners": 1, "rests": 10}
WEEK = datetime.timedelta(days=7)


@pytest.fixture
def people() -> list[Player]:
    return [a_player() for _ in range(6)]


def play(evening: Evening, players: Sequence[Player], points: Sequence[int], number: int = 1, deals: int = 12) -> None:
    """A table handed in by its totals."""
    table = a_table(evening, players, round_number=number)
    sums = {seat: PointsAndDeals(total, deals) for seat, total in enumerate(points)}
    totals.record(table.pk, sums, client_key=uuid4(), seen_version=0, now=NOW)


def close(evening: Evening) -> Evening:
    return evenings.close(evening.pk, now=NOW)


def results(season: Season, people: Sequence[Player]) -> list[list[PlayerEvening]]:
    """Each evening's results, with players as indexes of `people`."""
    number = {player.pk: at for at, player in enumerate(people)}
    return [
        [
            result._replace(
                player=number[result.player], partners=tuple(sorted(number[partner] for partner in result.partners))
            )
            for result in evening.results
        ]
        for evening in standings_inputs([season])[season.pk].evenings
    ]


def test_plain_season_has_points_and_deals_of_all_tables(people: list[Player]) -> None:
    season = a_season(a_club())
    evening = an_evening(season)
    play(evening, people[:4], [300, 100, 100, -500])
    play(evening, people[1:5], [90, -30, -30, -30], number=2, deals=5)
    evening.attendances.filter(player=people[4]).update(standing="guest")
    close(evening)
    assert results(season, people) == [
        [
            PlayerEvening(0, 300, 12),
            PlayerEvening(1, 190, 17),
            PlayerEvening(2, 70, 17),
            PlayerEvening(3, -530, 17),
            PlayerEvening(4, -30, 5, member=False),
        ]
    ]


def test_pairs_win_and_lose_together_and_level_tables_are_neither(people: list[Player]) -> None:
    season = a_season(a_club(), "belote", standings_rules=WINS)
    evening = an_evening(season)
    play(evening, people[:4], [600, 400, 600, 400])
    play(evening, people[:4], [500, 500, 500, 500], number=2)
    play(evening, [people[0], people[2], people[1], people[3]], [300, 700, 300, 700], number=3)
    close(evening)
    assert results(season, people) == [
        [
            PlayerEvening(0, 1400, 36, won=1, lost=1, tables=tables((1, 0), (0, 2), (0, 0)), partners=(1, 2, 2)),
            PlayerEvening(1, 1200, 36, won=0, lost=2, tables=tables((0, 0), (0, 2), (0, 0)), partners=(0, 3, 3)),
            PlayerEvening(2, 1800, 36, won=2, lost=0, tables=tables((1, 0), (0, 2), (1, 0)), partners=(0, 0, 3)),
            PlayerEvening(3, 1600, 36, won=1, lost=1, tables=tables((0, 0), (0, 2), (1, 0)), partners=(1, 1, 2)),
        ]
    ]


def tables(*sides: tuple[int, int]) -> tuple[TableResult, ...]:
    """Tables of pairs: whether the other side was placed behind, and how many opponents were level."""
    return tuple(TableResult(2, 2 * behind, level) for behind, level in sides)


def test_opponents_behind_and_level_are_counted_at_each_table(people: list[Player]) -> None:
    season = a_season(a_club(), standings_rules={"worth": {"by": "opponents"}})
    evening = an_evening(season)
    play(evening, people[:4], [300, 100, 100, -500])
    close(evening)
    ((*facts,),) = results(season, people)
    assert [result.tables for result in facts] == [
        (TableResult(3, 3, 0),),
        (TableResult(3, 1, 1),),
        (TableResult(3, 1, 1),),
        (TableResult(3, 0, 0),),
    ]
    assert [(result.won, result.lost) for result in facts] == [(1, 0), (0, 1), (0, 1), (0, 1)]


def test_exempt_points_count_and_rests_give_points_only_where_they_are_compensated(people: list[Player]) -> None:
    plain, paid = (a_season(a_club(), standings_rules=rules) for rules in ({}, {"rests": 10}))
    for season in (plain, paid):
        evening = an_evening(season)
        play(evening, people[:4], [30, 10, -10, -30])
        first = evening.rounds.get()
        for player in people[:5]:
            evening.attendances.get_or_create(player=player)
        Rest.objects.create(round=first, player=people[4], kind=RestKind.EXEMPT, points=25)
        Rest.objects.create(round=first, player=people[5])
        close(evening)
    assert results(plain, people)[0][4:] == [
        PlayerEvening(4, 25, exempt=1),
        PlayerEvening(5, 0, member=False, rests=1),
    ]
    assert results(paid, people)[0][4:] == [
        PlayerEvening(4, 25, exempt=1),
        PlayerEvening(5, 0, member=False, rests=1),
    ]
    totals_of = {row.player: row.total for row in rank_seasons([paid])[paid.pk]}
    assert (totals_of[people[4].pk], totals_of[people[5].pk]) == (25, 10)


def test_player_who_rested_all_evening_attended_it_with_no_points(people: list[Player]) -> None:
    season = a_season(a_club(), "belote", table_sizes=[4])
    evening = an_evening(season)
    play(evening, people[:4], [900, 700, 900, 700])
    first = evening.rounds.get()
    for player in people[4:]:
        season.club.memberships.create(player=player)
        evening.attendances.create(player=player)
        Rest.objects.create(round=first, player=player)
    a_table(evening, people[1:5], round_number=2)  # incomplete: nobody's at it counts, and player 4 sat there
    evening = close(evening)
    assert results(season, people)[0][4:] == [PlayerEvening(5, 0, rests=1)]
    ranked = {people.index(Player.objects.get(pk=place.player)): place for place in ranking(evening)}
    assert sorted(ranked) == [0, 1, 2, 3, 5]
    assert [number for number, place in ranked.items() if place.rested] == [5]
    rested = {row.player: row for row in rank_seasons([season])[season.pk]}[people[5].pk]
    assert (rested.rank, rested.total, rested.evenings, rested.deals) == (5, 0, 1, 0)


def test_rests_beside_an_exempt_round_are_no_evening_sat_out(people: list[Player]) -> None:
    """Standings and the evening's ranking must take the same players for resting all evening."""
    season = a_season(a_club(), "belote")
    evening = an_evening(season)
    play(evening, people[:4], [900, 700, 900, 700])
    play(evening, people[:4], [900, 700, 900, 700], number=2)
    first, second = evening.rounds.order_by("number")
    Rest.objects.create(round=first, player=people[4], kind=RestKind.EXEMPT, points=25)
    Rest.objects.create(round=second, player=people[4])
    for round_ in (first, second):
        Rest.objects.create(round=round_, player=people[5])
    close(evening)
    rests = read_closed_evenings([season.pk]).rests
    sat_out = rests.filter_rows(rests.sat_out_evening)
    assert set(zip(sat_out.round.tolist(), sat_out.player.tolist(), strict=True)) == {
        (first.pk, people[5].pk),
        (second.pk, people[5].pk),
    }
    assert [place.player for place in ranking(evening) if place.rested] == [people[5].pk]
    assert results(season, people)[0][4:] == [
        PlayerEvening(4, 25, member=False, exempt=1),
        PlayerEvening(5, 0, member=False, rests=2),
    ]


def test_nobody_attends_an_evening_at_which_nothing_was_played_by_resting(people: list[Player]) -> None:
    season = a_season(a_club(), "belote")
    evening = an_evening(season)
    Rest.objects.create(round=a_table(evening, people[:4]).round, player=people[4])
    evening = close(evening)
    assert results(season, people) == [[]]
    assert ranking(evening) == []


def test_leavers_are_marked_where_the_season_places_them_last(people: list[Player]) -> None:
    for leavers, marked in (("last", [True, False, False, False]), ("ranked", [False] * 4)):
        season = a_season(a_club(), leavers=leavers)
        evening = an_evening(season)
        play(evening, people[:4], [30, 10, -10, -30])
        play(evening, people[1:5], [30, 10, -10, -30], number=2)
        evening.attendances.filter(player=people[0]).update(to_round=1)
        evening.attendances.filter(player=people[1]).update(to_round=2)
        close(evening)
        assert [result.left for result in results(season, people)[0][:4]] == marked


def test_every_closed_evening_was_held_and_no_other(people: list[Player]) -> None:
    season = a_season(a_club())
    an_evening(season, EveningState.CLOSED, on=TODAY)  # nobody came
    played = an_evening(season, on=TODAY - WEEK)
    Evening.objects.filter(pk=played.pk).update(weight=2, season_final=True)
    play(played, people[:4], [30, 10, -10, -30])
    a_table(played, people[:4], round_number=2)  # incomplete
    close(played)
    open_one = an_evening(season, on=TODAY - 2 * WEEK)
    play(open_one, people[:4], [30, 10, -10, -30])
    facts = standings_inputs([season])[season.pk].evenings
    assert [(evening.date, evening.weight, evening.final, len(evening.results)) for evening in facts] == [
        ((TODAY - WEEK).isoformat(), 2, True, 4),
        (TODAY.isoformat(), 1, False, 0),
    ]
    assert [result.points for result in facts[0].results] == [30, 10, -10, -30]


def test_seasons_of_several_games_are_read_at_once(people: list[Player]) -> None:
    club = a_club()
    some = [
        a_season(club, game, standings_rules=rules)
        for game in ("tarot", "belote")
        for rules in ({}, {"ties": ["wins"]}, {"worth": {"by": "average"}})
    ]
    for season in some:
        evening = an_evening(season)
        play(evening, people[:4], [30, 10, -10, -30])
        close(evening)
    together = standings_inputs(some)
    assert together == {season.pk: standings_inputs([season])[season.pk] for season in some}
    by_wins = [together[season.pk].evenings[0].results[0].won for season in some]
    assert by_wins == [0, 1, 0, 0, 1, 0]  # read where a rule asks


def test_rules_that_cannot_be_read_are_named(people: list[Player]) -> None:
    season = a_season(a_club(), standings_rules={"counts": {"which": "best", "n": 0}})
    with pytest.raises(UnreadableRules, match=rf"{season.name} can't be read\. rules\.counts\.n: "):
        standings_inputs([season])
    tried = StandingsRules.from_json({"counts": {"which": "best", "n": 1}})
    assert rank_seasons([season], rules=tried) == {season.pk: []}


def test_version_of_the_arithmetic_rises_with_what_it_answers(people: list[Player]) -> None:
    """A change of any answer needs a version of its own, with its digest: else nothing would be computed again."""
    assert versions.STANDINGS_DIGESTS.get(versions.STANDINGS) == digest(everything(people)), (
        "the standings answer something else than this version did: add a version to versions.STANDINGS_DIGESTS"
    )
    assert list(versions.STANDINGS_DIGESTS) == sorted(versions.STANDINGS_DIGESTS)
    assert len(set(versions.STANDINGS_DIGESTS.values())) == len(versions.STANDINGS_DIGESTS)


def digest(answers: Any) -> str:
    return hashlib.sha256(json.dumps(answers, default=str).encode()).hexdigest()


def everything(people: list[Player]) -> list[Any]:
    """All results for the seasons of the vectors, the worked examples, and rows of the database."""
    answers: list[Any] = [
        without_rank_before(standings(*told.parse_request({"rules": {}, **vector["request"]}))) for vector in SEASONS
    ]
    for example in examples():
        evenings = [told.season_evening(evening) for evening in example.request["evenings"]]
        rules = StandingsRules.from_json(example.request["rules"])
        rows = standings(rules, evenings, told.points_given(dict(example.request)), example.partners)
        answers.append(without_rank_before(rows))
    by_wins, plain = a_year(people, WINS), a_year(people, {})
    tried = [
        StandingsRules(),
        StandingsRules.from_json(WINS),
        *(StandingsRules.from_json({"ties": [tie]}) for tie in ("wins", "next_best")),
    ]
    adjustments = [PointsAdjustment(2, -7), PointsAdjustment(9, 5)]
    for rules in tried:
        rows = season_ranking(rules, by_wins, adjustments)
        answers.append(list(zip(without_rank_before(rows), [row.rank_before for row in rows], strict=True)))
    return [by_wins, plain, *answers]


def without_rank_before(rows: list[RankingRow]) -> list[Any]:
    """The stored digests are older than the field `rank_before` of a row."""
    return [row[: RankingRow._fields.index("rank_before")] for row in rows]


def a_year(people: list[Player], told_rules: dict[str, Any]) -> list[SeasonEvening]:
    """Evenings of pairs with leavers, guests, rests and a final, as they are read: players and evenings numbered."""
    season = a_season(a_club(), "belote", standings_rules=told_rules, leavers="last")
    for week in range(4):
        evening = an_evening(season, on=TODAY + week * WEEK)
        for number in (1, 2):
            players = people[week % 2 : week % 2 + 4] if number == 1 else people[:4]
            play(evening, players, [600 + week, 400, 600 + week, 400 + 100 * number], number=number)
        Rest.objects.create(round=evening.rounds.get(number=1), player=people[5], kind=RestKind.EXEMPT, points=25)
        Rest.objects.create(round=evening.rounds.get(number=2), player=people[4])
        evening.attendances.filter(player=people[3]).update(to_round=1, standing="guest" if week == 2 else "member")
        Evening.objects.filter(pk=evening.pk).update(weight=1 + week % 2, season_final=week == 3)
        close(evening)
    evenings = standings_inputs([season])[season.pk].evenings
    return [
        evening._replace(id=index, results=of_evening)
        for index, (evening, of_evening) in enumerate(zip(evenings, results(season, people), strict=True))
    ]


def test_adjustments_are_read_by_their_date(people: list[Player]) -> None:
    season = a_season(a_club())
    adjustment = Adjustment.objects.create(season=season, player=people[0], points=-5, reason="late")
    Adjustment.objects.filter(pk=adjustment.pk).update(given_at=NOW)
    day = datetime.timedelta(days=1)
    assert standings_inputs([season], NOW.date() - day)[season.pk].adjustments == []
    assert standings_inputs([season], NOW.date())[season.pk].adjustments == [PointsAdjustment(people[0].pk, -5)]
    (row,) = rank_seasons([season])[season.pk]
    assert (row.rank, row.total, row.evenings, row.rank_before) == (None, -5, 0, None)


def test_what_only_pages_know_is_asked_by_the_rules_that_read_it() -> None:
    assert {name for name in RULES_NOT_IN_REQUESTS if name in StandingsRules.from_json(WINS).needed_fields} == set(
        RULES_NOT_IN_REQUESTS
    )
    assert StandingsRules().needed_fields == frozenset()
