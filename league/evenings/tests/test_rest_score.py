"""The points of rounds sat out. Belote by totals of 12 deals; Rita and Ray rest, so nobody else's points change."""

from __future__ import annotations

from fractions import Fraction

import pytest
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse
from django.utils.html import strip_tags

from league.actions import evenings, rests, rounds, seating, tables
from league.actions.refusals import WrongState
from league.draw.draw_types import Seating
from league.evenings.queries.closing_checklist import checklist
from league.evenings.queries.draw_input import read_draw_attendances
from league.evenings.queries.evening_ranking import ranking, winners
from league.evenings.queries.rest_points import RoundSums, points_of_rest
from league.models import AuditEntry, Evening, Rest, Round, Run, Season, Table
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.models.round import RestKind
from league.models.season import SeasonState, TableEnd
from league.operations.work.verification import verify
from league.recompute.work import runs
from league.seasons.queries.season_evenings import standings_inputs
from league.seasons.queries.season_rankings import rank_season
from players.models import Player
from tests.build import NOW, a_club, a_member, a_season, a_table, an_evening, sign_in, written_totals

pytestmark = pytest.mark.django_db

BELOTE = {"table_sizes": [4], "end": TableEnd.MANUAL, "end_number": None}
FIRST, SECOND = [900, 700, 900, 700], [1000, 621, 1000, 621]


def a_belote_season(**fields: object) -> Season:
    return a_season(a_club(), "belote", **BELOTE, **fields)


def people(season: Season, number: int) -> list[Player]:
    return [a_member(season.club, login=False) for _ in range(number)]


def a_drawn_round(evening: Evening, players: list[Player], *, exempt: bool = False, number: int = 1) -> Round:
    """Accept a round of two tables of four; the ninth and later players rest, or are exempt."""
    for player in players:
        evening.attendances.get_or_create(player=player)
    ids = [player.pk for player in players]
    left_over = tuple(ids[8:])
    drawn = Seating(
        number,
        (tuple(ids[:4]), tuple(ids[4:8])),
        () if exempt else left_over,
        left_over if exempt else (),
    )
    [round_] = rounds.store_drawn_rounds(evening.pk, [drawn], seed=1, drawn_attendances=read_draw_attendances(evening))
    return rounds.accept(round_.pk)


def page_text(client: Client, address: str) -> str:
    return " ".join(strip_tags(client.get(address).content.decode()).split())


def stored(round_: Round) -> list[tuple[int, int]]:
    return list(round_.rests.order_by("pk").values_list("points", "deals"))


@pytest.mark.parametrize(
    ("fields", "sums", "expected"),
    [
        ({"score": "mean"}, RoundSums(8, 6442, 96, False, frozenset()), (805, 12)),  # 805.25
        ({"score": "mean"}, RoundSums(8, 6444, 96, False, frozenset()), (806, 12)),  # 805.5: halves up
        ({"score": "mean"}, RoundSums(4, -6, 10, False, frozenset()), (-1, 3)),  # −1.5 and 2.5: both up
        ({"score": "mean"}, RoundSums(4, 3200, 48, True, frozenset()), (0, 0)),  # a table is incomplete
        ({"score": "mean"}, RoundSums(0, 0, 0, False, frozenset()), (0, 0)),  # no table counts
        ({"score": "mean"}, RoundSums(4, 3200, 48, False, frozenset({7})), (0, 0)),  # seated after all
        ({"score": "fixed", "written": 972}, RoundSums(4, 3200, 48, False, frozenset({8})), (972, 12)),
        ({"score": "catch_up", "written": -30}, RoundSums(4, 3200, 48, False, frozenset()), (-30, 12)),
        ({"score": "catch_up"}, RoundSums(4, 3200, 48, False, frozenset()), (0, 0)),  # not entered yet
        ({"score": "none", "kind": "exempt", "points": 1000}, RoundSums(4, 3200, 48, False, frozenset()), (1000, 0)),
    ],
)
def test_rest_sums_follow_the_setting(fields: dict[str, object], sums: RoundSums, expected: tuple[int, int]) -> None:
    assert points_of_rest(Rest(player_id=7, **fields), Season(game="belote"), sums) == expected


def test_rest_sums_are_minus_the_written_points_if_the_lowest_total_wins() -> None:
    season = Season(game="totals", house_rules={"low_wins": True})
    sums = RoundSums(4, -100, 4, False, frozenset())  # written totals of 100: mean 25
    assert points_of_rest(Rest(player_id=7, score="fixed", written=30), season, sums) == (-30, 1)
    assert points_of_rest(Rest(player_id=7, score="mean"), season, sums) == (-25, 1)


def test_mean_is_stored_when_the_last_table_is_complete_and_again_when_one_is_corrected() -> None:
    """Of eight seats 3,200 + 3,242 = 6,442: 805.25. Corrected to 3,200 + 3,254 = 6,454: 806.75."""
    season = a_belote_season(rest_score="mean")
    evening = an_evening(season)
    round_ = a_drawn_round(evening, people(season, 9))
    first, second = round_.tables.all()
    written_totals(first, FIRST, deals=12)
    assert stored(round_) == [(0, 0)]
    written_totals(second, SECOND, deals=12)
    assert stored(round_) == [(805, 12)]
    written_totals(second, [1006, 621, 1006, 621], deals=12)
    assert stored(round_) == [(807, 12)]
    assert list(verify()) == []


def test_rest_has_no_points_while_a_complete_table_is_reopened() -> None:
    season = a_season(
        a_club(), table_sizes=[4], end=TableEnd.MANUAL, end_number=None, rest_score="fixed", rest_points=-15
    )
    evening = an_evening(season)
    round_ = a_drawn_round(evening, people(season, 9))
    for table in round_.tables.all():
        written_totals(table, [30, -10, -10, -10], deals=4)
    assert stored(round_) == [(-15, 4)]
    [first, _second] = round_.tables.all()
    Table.objects.filter(pk=first.pk).update(recorded=1)  # as if deals were recorded, and the table not finished
    tables.finish(first.pk, finished=False, now=NOW)
    assert stored(round_) == [(0, 0)]
    tables.finish(first.pk, finished=True, now=NOW)
    assert stored(round_) == [(-15, 4)]


def test_exempt_pair_has_the_score_of_a_rest_and_the_points_of_an_exempt_round_only_without_it() -> None:
    for setting, points in (("none", (1000, 0)), ("mean", (805, 12))):
        season = a_belote_season(rest_score=setting, exempt_points=1000)
        evening = an_evening(season)
        round_ = a_drawn_round(evening, people(season, 10), exempt=True)
        for table, totals in zip(round_.tables.all(), (FIRST, SECOND), strict=True):
            written_totals(table, totals, deals=12)
        assert stored(round_) == [points] * 2
        evenings.close(evening.pk, now=NOW)
        [played] = standings_inputs([season])[season.pk].evenings
        assert [(row.points, row.deals, row.exempt) for row in played.results if row.exempt] == [(*points, 1)] * 2
        assert list(verify()) == []


def test_a_drawn_round_keeps_its_setting() -> None:
    season = a_belote_season(rest_score="fixed", rest_points=500)
    evening = an_evening(season)
    round_ = a_drawn_round(evening, people(season, 9))
    Season.objects.filter(pk=season.pk).update(rest_score="none", rest_points=None)
    for table in round_.tables.all():
        written_totals(table, FIRST, deals=12)
    assert stored(round_) == [(500, 12)]
    assert list(verify()) == []


def test_rest_counts_in_points_average_and_places_and_is_neither_won_nor_lost() -> None:
    """Rita has 805 for 12 deals in round 1, then 900 for 12: 1,705 / 24. Nobody meets or beats her in round 1."""
    rules = {"worth": {"by": "wins", "win": 4, "loss": 2, "exempt": 3, "plus_points": True}}
    for standings_rules, total in (
        ({}, 1705),
        ({"worth": {"by": "average"}}, Fraction(1705, 24)),
        (rules, 1705 + 4),  # one table won; a rest that is not exempt gives nothing
        ({"worth": {"by": "opponents"}}, 1),  # she beat both opponents of her only table
    ):
        season = a_belote_season(rest_score="mean", standings_rules=standings_rules)
        evening = an_evening(season)
        players = people(season, 9)
        rita = players[8]
        round_ = a_drawn_round(evening, players)
        for table, totals in zip(round_.tables.all(), (FIRST, SECOND), strict=True):
            written_totals(table, totals, deals=12)
        written_totals(a_table(evening, [rita, *players[:3]], round_number=2), [900, 700, 900, 700], deals=12)
        evenings.close(evening.pk, now=NOW)
        row = next(row for row in rank_season(season) if row.player == rita.pk)
        assert (row.total, row.deals) == (total, 24)
        place = next(place for place in ranking(evening) if place.player == rita.pk)
        assert (place.points, place.deals, place.tables, place.rested) == (1705, 24, 1, False)
        runs.run(Run.Trigger.CLOSING, now=NOW)
        assert list(verify()) == []  # records count the points of rests, as the ranking does


def test_who_rests_all_evening_has_the_points_and_does_not_win() -> None:
    season = a_belote_season(rest_score="fixed", rest_points=2000)
    evening = an_evening(season)
    players = people(season, 9)
    round_ = a_drawn_round(evening, players)
    for table in round_.tables.all():
        written_totals(table, FIRST, deals=12)
    evenings.close(evening.pk, now=NOW)
    rows = ranking(evening)
    assert [(row.player, row.points, row.rested) for row in rows][:1] == [(players[8].pk, 2000, True)]
    assert winners(rows) == []
    [played] = standings_inputs([season])[season.pk].evenings
    assert [row.points for row in played.results if row.player == players[8].pk] == [2000]


def test_incomplete_table_of_a_closed_evening_holds_up_no_rest() -> None:
    season = a_belote_season(rest_score="mean")
    evening = an_evening(season)
    round_ = a_drawn_round(evening, people(season, 9))
    [first, _second] = round_.tables.all()
    written_totals(first, FIRST, deals=12)
    evenings.close(evening.pk, now=NOW)
    assert stored(round_) == [(800, 12)]  # 3,200 of four seats
    evenings.reopen(evening.pk, now=NOW, reason="A sheet was found")
    assert stored(round_) == [(0, 0)]
    assert list(verify()) == []


def test_player_seated_by_hand_in_the_round_has_no_points_of_a_rest() -> None:
    season = a_belote_season(rest_score="fixed", rest_points=500)
    evening = an_evening(season)
    players = people(season, 12)
    round_ = a_drawn_round(evening, players[:9])
    for table in round_.tables.all():
        written_totals(table, FIRST, deals=12)
    assert stored(round_) == [(500, 12)]
    third = seating.add_table(evening.pk, 1, [player.pk for player in players[8:]], with_resting_player=False)
    assert stored(round_) == [(0, 0)]
    seating.remove_table(third.pk)
    assert stored(round_) == [(500, 12)]


def test_rests_that_change_places_take_score_and_points_of_each_other() -> None:
    season = a_belote_season(rest_score="catch_up")
    evening = an_evening(season)
    players = people(season, 10)
    round_ = a_drawn_round(evening, players)
    rita, ray = round_.rests.order_by("pk")
    rests.record_catch_up(round_.pk, {rita.pk: 640}, now=NOW)
    for table in round_.tables.all():
        written_totals(table, FIRST, deals=12)
    rounds.swap_players(round_.pk, players[8].pk, players[9].pk, now=NOW)
    values = {rest.player_id: (rest.written, rest.points, rest.deals) for rest in round_.rests.all()}
    assert values == {rita.player_id: (None, 0, 0), ray.player_id: (640, 640, 12)}
    assert list(verify()) == []


def test_verify_names_other_points_of_a_rest() -> None:
    season = a_belote_season(rest_score="mean")
    evening = an_evening(season)
    round_ = a_drawn_round(evening, people(season, 9))
    for table in round_.tables.all():
        written_totals(table, FIRST, deals=12)
    round_.rests.update(points=799, deals=11)
    rest = round_.rests.get()
    assert [str(difference) for difference in verify()] == [
        f"Rest id {rest.pk}: points is 799, the facts give 800",
        f"Rest id {rest.pk}: deals is 11, the facts give 12",
    ]


@pytest.fixture
def catch_up_round() -> Round:
    season = a_belote_season(rest_score="catch_up")
    evening = an_evening(season)
    return a_drawn_round(evening, people(season, 10))


def test_secretary_enters_the_points_of_a_catch_up_game(client: Client, catch_up_round: Round) -> None:
    evening = catch_up_round.evening
    secretary = a_member(evening.season.club, Role.SECRETARY)
    sign_in(client, secretary)
    address = reverse("league:catch-up", args=[catch_up_round.pk])
    assert address in client.get(evening.get_absolute_url()).content.decode()
    first, second = catch_up_round.rests.order_by("pk")
    typed = {f"rest-{first.pk}": "640", f"initial-rest-{first.pk}": "", f"rest-{second.pk}": ""}
    assert client.post(address, typed).status_code == 302
    for table in catch_up_round.tables.all():
        written_totals(table, FIRST, deals=12)
    assert stored(catch_up_round) == [(640, 12), (0, 0)]
    text = page_text(client, evening.get_absolute_url())
    assert f"{first.player} (+640, catch-up game), {second.player} (catch-up game: no points yet)" in text
    assert AuditEntry.objects.filter(event=AuditEvent.CATCH_UP_RECORDED, round=catch_up_round.pk).count() == 1
    open_points = [point.text for point in checklist(evening) if not point.is_done]
    assert "1 catch-up game has no points: the player gets nothing for the round." in open_points


@pytest.mark.parametrize("points", ["100000", "-100000", "1.5", "x"])
def test_points_of_a_catch_up_game_are_bounded(client: Client, catch_up_round: Round, points: str) -> None:
    sign_in(client, a_member(catch_up_round.evening.season.club, Role.SECRETARY))
    [first, _second] = catch_up_round.rests.order_by("pk")
    answer = client.post(reverse("league:catch-up", args=[catch_up_round.pk]), {f"rest-{first.pk}": points})
    assert answer.status_code == 422
    first.refresh_from_db()
    assert first.written is None


def test_points_changed_by_another_secretary_are_not_overwritten(client: Client, catch_up_round: Round) -> None:
    sign_in(client, a_member(catch_up_round.evening.season.club, Role.SECRETARY))
    [first, _second] = catch_up_round.rests.order_by("pk")
    rests.record_catch_up(catch_up_round.pk, {first.pk: 700}, now=NOW)
    typed = {f"rest-{first.pk}": "640", f"initial-rest-{first.pk}": ""}
    answer = client.post(reverse("league:catch-up", args=[catch_up_round.pk]), typed)
    assert answer.status_code == 422
    assert "Now stands: 700" in answer.content.decode()


def test_closed_evening_asks_for_a_reason_of_a_catch_up_game(client: Client, catch_up_round: Round) -> None:
    for table in catch_up_round.tables.all():
        written_totals(table, FIRST, deals=12)
    evenings.close(catch_up_round.evening_id, now=NOW)
    sign_in(client, a_member(catch_up_round.evening.season.club, Role.SECRETARY))
    [first, _second] = catch_up_round.rests.order_by("pk")
    address, typed = reverse("league:catch-up", args=[catch_up_round.pk]), {f"rest-{first.pk}": "640"}
    assert client.post(address, typed).status_code == 422
    assert client.post(address, {**typed, "reason": "Played on Friday"}).status_code == 302
    assert stored(catch_up_round) == [(640, 12), (0, 0)]
    with pytest.raises(WrongState):
        rests.record_catch_up(catch_up_round.pk, {first.pk: 0}, now=NOW)


def test_points_of_a_catch_up_game_are_refused_on_a_page_from_before_the_end(
    client: Client, catch_up_round: Round
) -> None:
    sign_in(client, a_member(catch_up_round.evening.season.club, Role.SECRETARY))
    [first, _second] = catch_up_round.rests.order_by("pk")
    address, typed = reverse("league:catch-up", args=[catch_up_round.pk]), {f"rest-{first.pk}": "640"}
    evenings.cancel(catch_up_round.evening_id)
    assert "The evening is not open." in client.post(address, typed).content.decode()
    Season.objects.update(state=SeasonState.CLOSED)
    assert "The season is closed" in client.post(address, typed).content.decode()
    first.refresh_from_db()
    assert first.written is None


def test_only_rests_of_the_round_with_a_catch_up_game_get_points(catch_up_round: Round) -> None:
    resting = catch_up_round.rests.all()[0]
    foreign = Rest.objects.create(round=a_table(an_evening(a_belote_season())).round, player=resting.player)
    with pytest.raises(WrongState):
        rests.record_catch_up(catch_up_round.pk, {foreign.pk: 640}, now=NOW)
    foreign.refresh_from_db()
    assert foreign.written is None


def test_reasons_of_a_standing_name_the_points_of_a_rest(client: Client) -> None:
    season = a_belote_season(rest_score="mean")
    evening = an_evening(season)
    players = people(season, 8)
    rita = a_member(season.club)
    round_ = a_drawn_round(evening, [*players, rita])
    for table, totals in zip(round_.tables.all(), (FIRST, SECOND), strict=True):
        written_totals(table, totals, deals=12)
    evenings.close(evening.pk, now=NOW)
    runs.run(Run.Trigger.CLOSING, now=NOW)
    sign_in(client, rita)
    text = page_text(client, reverse("league:standing", args=[season.pk, rita.pk]))
    assert "1 round sat out: +805 (mean of the round)" in text


def test_database_refuses_points_of_a_rest_without_a_reason(catch_up_round: Round) -> None:
    resting = catch_up_round.rests.all()[0]
    assert resting.kind == RestKind.RESTING
    with pytest.raises(DatabaseError, match="rest_points_have_a_reason"):
        Rest.objects.filter(pk=resting.pk).update(points=3)
