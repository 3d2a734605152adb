"""A tournament's day by its actions: check-in, draw, results, leavers, forfeits, ranking, end."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import club_games, registrations, tournament_play
from league.actions.refusals import WrongState
from league.actions.registrations import PlayerEntry, Registration
from league.models import ClubGame, Season, Table, Tournament, TournamentUnit
from league.models.club_game import TOTALS
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.tournament import TournamentState
from league.tournaments.queries.hall import hall_pages
from league.tournaments.queries.playing_units import evening_of, playing_units, rounds_of, unit_player_ids, units_at
from league.tournaments.queries.ranking import RankedUnit, ranking, read_results
from league.tournaments.queries.registration_links import registration_token
from league.tournaments.queries.round_draw import draw_next_round
from players.models import User
from tests.build import (
    a_club,
    a_drawn_round,
    a_member,
    a_running_tournament,
    a_tournament,
    a_unit,
    sign_in,
    written_totals,
)
from tests.markup import unbroken

pytestmark = pytest.mark.django_db


def enter(table: Table, first: int, second: int) -> None:
    written_totals(table, [first, second, first, second], deals=12)


def rows_of(tournament: Tournament) -> list[RankedUnit]:
    evening = evening_of(tournament)
    return ranking(tournament, evening.season, playing_units(tournament, evening), read_results(evening))


def numbers_at(tournament: Tournament, table: Table) -> list[int | None]:
    by_player = playing_units(tournament, evening_of(tournament)).by_player
    return [unit.number for unit in units_at(table, by_player)]


def test_pairs_sit_opposite_each_other_and_are_ranked_by_their_points() -> None:
    tournament = a_running_tournament(a_club(), units=4)
    first, second = a_drawn_round(tournament).tables.with_seats()
    for table in (first, second):
        players = [seat.player_id for seat in table.seats.all()]
        partners = playing_units(tournament, evening_of(tournament)).attendances
        assert [partners[player].partner_id for player in players] == [*players[2:], *players[:2]]
    enter(first, 1200, 744)
    enter(second, 1000, 944)
    order = [*numbers_at(tournament, first), *numbers_at(tournament, second)]
    best, worst, winner, loser = order
    assert [(row.unit.number, row.rank, row.points, row.against) for row in rows_of(tournament)] == [
        (best, 1, 1200, 744),
        (winner, 2, 1000, 944),
        (loser, 3, 944, 1000),
        (worst, 4, 744, 1200),
    ]


def test_an_odd_number_rests_with_the_tournaments_points_and_never_the_same_unit_twice() -> None:
    tournament = a_running_tournament(a_club(), units=5, exempt_points=972, rounds=3)
    resting = []
    for _ in range(3):
        round_ = a_drawn_round(tournament)
        for table in round_.tables.all():
            enter(table, 1000, 944)
        players = list(round_.rests.values_list("player_id", flat=True))
        [unit] = {playing_units(tournament, evening_of(tournament)).by_player[player] for player in players}
        resting.append(unit.number)
    assert len(set(resting)) == 3
    rests = {
        row.unit.number: [cell.points for cell in row.cells if cell and not cell.table] for row in rows_of(tournament)
    }
    assert all(rests[number] == [972] for number in resting)
    totals_of = {row.unit.number: row.points for row in rows_of(tournament)}
    assert sum(totals_of.values()) == 3 * (2 * 1944 + 972)


def test_a_rest_counts_once_its_round_is_complete() -> None:
    """Before that, the resting unit would lead the ranking of the first round."""
    tournament = a_running_tournament(a_club(), units=5, exempt_points=972)
    tables = list(a_drawn_round(tournament).tables.all())
    enter(tables[0], 1000, 944)
    assert sorted(row.points for row in rows_of(tournament)) == [0, 0, 0, 944, 1000]
    enter(tables[1], 1000, 944)
    assert sorted(row.points for row in rows_of(tournament)) == [944, 944, 972, 1000, 1000]


def test_printed_sheets_show_the_deals_of_the_round_and_the_numbers_of_the_units(client: Client) -> None:
    """Players who see more numbered rows than deals play them."""
    tournament = a_running_tournament(a_club(), deals=12, minutes=40)
    sign_in(client, a_member(tournament.club, Role.SECRETARY))
    round_ = a_drawn_round(tournament)
    page = client.get(f"/rounds/{round_.pk}/sheets").content.decode()
    assert "<strong>12 deals or 40 minutes</strong>" in page
    assert ">12</th>" in page
    assert ">13</th>" not in page
    first_unit, second_unit = numbers_at(tournament, round_.tables.with_seats()[0])
    assert f"Seats 1 + 3: no. {first_unit} · Seats 2 + 4: no. {second_unit}" in page
    assert hall_pages(evening_of(tournament))[0].limits == "12 deals or 40 minutes"


def test_a_round_by_ranking_pairs_neighbours_without_a_rematch() -> None:
    tournament = a_running_tournament(a_club(), units=6)
    met = set[frozenset[int | None]]()
    for _ in range(3):
        round_ = a_drawn_round(tournament)
        pairs = {frozenset(numbers_at(tournament, table)) for table in round_.tables.with_seats()}
        assert not met & pairs
        met |= pairs
        for table in round_.tables.all():
            enter(table, 1100, 844)


def test_who_left_is_not_drawn_and_stays_ranked() -> None:
    tournament = a_running_tournament(a_club(), units=5)
    round_ = a_drawn_round(tournament)
    for table in round_.tables.all():
        enter(table, 1100, 844)
    leaver = tournament.units.get(number=2)
    tournament_play.set_leaving(leaver.pk, leaves=True)
    later = a_drawn_round(tournament)
    assert 2 not in [number for table in later.tables.with_seats() for number in numbers_at(tournament, table)]
    assert [row.has_left for row in rows_of(tournament) if row.unit == leaver] == [True]


def test_a_checked_in_unit_cannot_be_cancelled(client: Client) -> None:
    """Cancelled by the link in its email, it left the ranking, and its opponents lost the points of their table."""
    tournament = a_running_tournament(a_club(public=True), units=4)
    for table in a_drawn_round(tournament).tables.all():
        enter(table, 1000, 944)
    unit = tournament.units.get(number=2)
    address = reverse("league:registration", args=[registration_token(unit)])
    assert "Cancel the registration" not in client.get(address).content.decode()
    answer = client.post(address, follow=True)
    assert "is checked in: it can leave, or the desk can undo its check-in." in answer.content.decode()
    assert sorted(row.points for row in rows_of(tournament)) == [944, 944, 1000, 1000]
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    page = reverse("league:unit-edit", args=[unit.pk])
    assert "Cancel the registration" not in desk.get(page).content.decode()


def test_the_evening_of_a_tournament_is_changed_by_the_tournaments_pages_only(client: Client) -> None:
    """Its seating led to the check-in and the draw of evenings: who was checked out there was in no list, nor ranked.

    A closed or cancelled evening could not be finished with its tournament.
    """
    tournament = a_running_tournament(a_club(), units=9, unit_size=1, game="tarot", deals=4)
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    evening, round_ = evening_of(tournament), a_drawn_round(tournament)
    [late] = registrations.register_list(tournament.pk, [Registration([PlayerEntry("Late One")])], now=timezone.now())
    tournament_play.check_in(tournament.pk, [late.pk])
    seating_page = desk.get(reverse("league:seating", args=[evening.pk])).content.decode()
    row = evening.attendances.get(player=late.players.get().player)
    tables = set(round_.tables.values_list("pk", flat=True))
    for name, pk, fields in (
        ("draw", evening.pk, {"rounds": "2"}),
        ("round-again", round_.pk, {}),
        ("attendance-add", evening.pk, {"name": "Zoé Passage"}),
        ("attendance-leaving", row.pk, {"leaves": "yes"}),
        ("attendance-remove", row.pk, {}),
        ("evening-close", evening.pk, {"accepted": "on"}),
        ("evening-cancel", evening.pk, {}),
    ):
        address = reverse(f"league:{name}", args=[pk])
        assert f'"{address}"' not in seating_page
        assert desk.post(address, fields).status_code in (200, 302, 422)
        evening.refresh_from_db()
        assert (evening.state, evening.rounds.get()) == (EveningState.OPEN, round_), name
        assert set(round_.tables.values_list("pk", flat=True)) == tables, name
        assert evening.attendances.filter(to_round=None).count() == 10, name
    for name, page in (("draw", "tournament-play"), ("attendance", "tournament-check-in")):
        answer = desk.get(reverse(f"league:{name}", args=[evening.pk]))
        assert answer.headers["Location"] == reverse(f"league:{page}", args=[tournament.pk])
    tournament_play.finish_forgotten_tournament(tournament.pk, now=timezone.now())
    desk.post(reverse("league:evening-reopen", args=[evening.pk]), {"reason": "wrong"})
    evening.refresh_from_db()
    assert evening.state == EveningState.CLOSED


def test_a_forfeit_gives_the_opponents_the_tournaments_points() -> None:
    tournament = a_running_tournament(a_club(public=True), units=2, forfeit_points=1100)
    [table] = a_drawn_round(tournament).tables.with_seats()
    absent = tournament.units.get(number=numbers_at(tournament, table)[0])
    tournament_play.set_forfeits(table.pk, [absent.pk])
    assert [(row.unit == absent, row.points, int(row.won)) for row in rows_of(tournament)] == [
        (False, 1100, 1),
        (True, 0, 0),
    ]
    [[present_cell], [absent_cell]] = [row.cells for row in rows_of(tournament)]
    assert present_cell
    assert absent_cell
    assert (present_cell.points, present_cell.other_forfeits, absent_cell.forfeits) == (1100, True, True)
    page = Client().get(reverse("league:tournament-ranking", args=[tournament.pk])).content.decode()
    assert "by forfeit" in page
    assert "no result yet" not in page
    tournament_play.set_forfeits(table.pk, [])
    assert [row.points for row in rows_of(tournament)] == [0, 0]


def test_a_forfeit_of_another_tables_unit_is_refused() -> None:
    tournament = a_running_tournament(a_club(), units=4)
    first, second = a_drawn_round(tournament).tables.with_seats()
    stranger = tournament.units.get(number=numbers_at(tournament, second)[0])
    with pytest.raises(WrongState):
        tournament_play.set_forfeits(first.pk, [stranger.pk])


def test_a_draw_is_taken_back_before_its_first_result_only() -> None:
    tournament = a_running_tournament(a_club(), units=4)
    tournament_play.take_back_round(a_drawn_round(tournament).pk)
    assert not evening_of(tournament).rounds.exists()
    round_ = a_drawn_round(tournament)
    enter(round_.tables.all()[0], 1000, 944)
    with pytest.raises(WrongState):
        tournament_play.take_back_round(round_.pk)


def test_a_draw_is_not_taken_back_after_a_forfeit_was_entered() -> None:
    """The forfeit was deleted with the round."""
    tournament = a_running_tournament(a_club(), units=4)
    round_ = a_drawn_round(tournament)
    table = round_.tables.with_seats()[0]
    unit = tournament.units.get(number=numbers_at(tournament, table)[0])
    tournament_play.set_forfeits(table.pk, [unit.pk])
    with pytest.raises(WrongState, match="are entered"):
        tournament_play.take_back_round(round_.pk)
    tournament_play.set_forfeits(table.pk, [])
    tournament_play.take_back_round(round_.pk)


def test_a_late_unit_gets_the_next_number_and_plays_from_the_next_round() -> None:
    tournament = a_running_tournament(a_club(), units=4)
    a_drawn_round(tournament)
    late = a_unit_at_desk(tournament)
    [unit] = tournament_play.check_in(tournament.pk, [late])
    assert unit.number == 5
    playing = playing_units(tournament, evening_of(tournament))
    assert (unit in playing.present_units(1), unit in playing.present_units(2)) == (False, True)


def test_the_check_in_offers_to_undo_only_before_a_unit_has_a_table(client: Client) -> None:
    """The action refuses later: a button for it is an error message for the secretary."""
    tournament = a_running_tournament(a_club(), units=2)
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    address = reverse("league:tournament-check-in", args=[tournament.pk])
    assert [row.can_undo for row in desk.get(address).context["playing"]] == [True, True]
    a_drawn_round(tournament)
    assert [row.can_undo for row in desk.get(address).context["playing"]] == [False, False]
    tournament_play.set_leaving(tournament.units.get(number=2).pk, leaves=True)
    assert desk.get(address).context["present"] == "1 pair"


def test_a_unit_that_sat_out_the_first_round_can_leave_and_stays_ranked(client: Client) -> None:
    """Only its check-in could be undone as well: then it left the ranking with the points of its rest."""
    tournament = a_running_tournament(a_club(), units=3)
    round_ = a_drawn_round(tournament)
    enter(round_.tables.get(), 1000, 944)
    resting = tournament.units.get(players__player=round_.rests.all()[0].player)
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    rows = desk.get(reverse("league:tournament-check-in", args=[tournament.pk])).context["playing"]
    assert {row.row.unit: (row.can_undo, row.can_leave) for row in rows}[resting] == (False, True)
    with pytest.raises(WrongState):
        tournament_play.check_out(resting.pk)
    tournament_play.set_leaving(resting.pk, leaves=True)
    assert [row.points for row in rows_of(tournament) if row.unit == resting] == [972]


def test_in_a_fixed_movement_odd_units_stay_and_even_units_move_up_a_table() -> None:
    tournament = a_running_tournament(a_club(), units=6, pairing="movement")
    tables = []
    for number in range(1, 4):
        if number == 3:
            tournament_play.set_leaving(tournament.units.get(number=6).pk, leaves=True)
        round_ = a_drawn_round(tournament)
        tables.append([set(numbers_at(tournament, table)) for table in round_.tables.with_seats()])
        for table in round_.tables.all():
            enter(table, 1000, 944)
    assert tables == [[{1, 2}, {3, 4}, {5, 6}], [{1, 6}, {2, 3}, {4, 5}], [{1, 4}, {2, 5}]]


def test_a_unit_without_a_round_can_be_checked_out_but_not_leave(client: Client) -> None:
    """It was told that it is drawn no more, and was drawn in the first round all the same."""
    tournament = a_running_tournament(a_club(), units=4)
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    unit = tournament.units.get(number=4)
    page = desk.post(reverse("league:unit-leave", args=[unit.pk]), {"leaves": "yes"}, follow=True)
    assert " has not played yet: undo the check-in instead." in page.content.decode()
    assert [row.can_leave for row in page.context["playing"]] == [False] * 4
    a_drawn_round(tournament)
    page = desk.post(reverse("league:unit-leave", args=[unit.pk]), {"leaves": "yes"}, follow=True)
    assert [(row.can_leave, row.has_left) for row in page.context["playing"]] == [(True, True), *[(True, False)] * 3]


def test_a_draw_with_a_single_unit_is_refused_with_the_reason(client: Client) -> None:
    """The page shows no button for it, but another user may have undone a check-in meanwhile: no error 500."""
    tournament = a_running_tournament(a_club(), units=1)
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    page = desk.post(reverse("league:tournament-draw", args=[tournament.pk]), follow=True)
    assert "Too few are here for a table." in page.content.decode()
    assert not evening_of(tournament).rounds.exists()


def test_a_unit_of_the_waiting_list_is_seen_at_the_check_in_and_gets_a_place_there(client: Client) -> None:
    """At the door there is no time to look for it in another list."""
    club = a_club()
    tournament = a_tournament(club, game="belote", places=2, date=timezone.localdate())
    units = [a_unit(tournament, f"Ann {name}", f"Bob {name}") for name in ("First", "Second", "Waits")]
    tournament_play.start(tournament.pk, now=timezone.now())
    tournament_play.check_in(tournament.pk, [unit.pk for unit in units[:2]])
    desk = sign_in(client, a_member(club, Role.SECRETARY))
    address = reverse("league:tournament-check-in", args=[tournament.pk])
    assert [row.unit for row in desk.get(address).context["waiting"]] == units[2:]
    answer = desk.post(address, {"q": "waits"})
    assert (answer.status_code, "They are on the waiting list" in answer.content.decode()) == (422, True)
    page = desk.post(address, {"unit": units[2].pk}, follow=True)
    assert "Number 3: Ann Waits – Bob Waits. To pay: €16.00" in page.content.decode()
    assert [row.row.unit.number for row in page.context["playing"]] == [3, 2, 1]
    assert tournament.units.registered().count() == 3


def test_a_walk_in_of_the_day_plays_though_all_places_are_taken(client: Client) -> None:
    tournament = a_running_tournament(a_club(), units=2)
    Tournament.objects.filter(pk=tournament.pk).update(places=2)
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    address = reverse("league:unit-add", args=[tournament.pk])
    names = {"kind": "complete", "name_1": "Late One", "name_2": "Late Two"}
    page = desk.post(address, names | {"check_in": "yes"}, follow=True)
    assert page.request["PATH_INFO"] == reverse("league:tournament-check-in", args=[tournament.pk])
    assert "Number 3: Late One – Late Two. To pay: €16.00" in page.content.decode()
    desk.post(address, {"kind": "complete", "name_1": "Not Yet", "name_2": "Here"})
    page = desk.get(reverse("league:tournament-check-in", args=[tournament.pk]))
    assert [row.unit.title for row in page.context["expected"]] == ["Not Yet – Here"]


def a_unit_at_desk(tournament: Tournament) -> int:
    registration = Registration([PlayerEntry("Late One"), PlayerEntry("Late Two")])
    return registrations.register_at_desk(tournament.pk, registration, now=timezone.now()).pk


def test_a_cancelled_unit_and_a_person_of_two_units_are_not_checked_in() -> None:
    """The desk's list may be old: the unit was cancelled, or one of its players came with somebody else."""
    tournament = a_running_tournament(a_club(), units=2)
    cancelled, double = a_unit_at_desk(tournament), a_unit_at_desk(tournament)
    registrations.cancel(cancelled, now=timezone.now())
    with pytest.raises(WrongState, match="has no place: cancelled"):
        tournament_play.check_in(tournament.pk, [cancelled])
    present = tournament.units.get(number=1).players.get(position=1).player
    TournamentUnit.objects.get(pk=double).players.filter(position=2).update(player=present)
    with pytest.raises(WrongState, match="A player of these units is checked in with another unit"):
        tournament_play.check_in(tournament.pk, [double])
    assert tournament.units.exclude(number=None).count() == 2


def test_what_another_user_did_meanwhile_is_not_undone_by_an_old_page() -> None:
    """A draw from before a check-in, a round that is no longer the last, a forfeit of a planned round, and so on."""
    tournament = a_running_tournament(a_club(), units=4)
    evening = evening_of(tournament)
    before = tournament_play.attendances_for_draw(evening)
    late = a_unit_at_desk(tournament)
    with pytest.raises(WrongState, match="The unit is not checked in"):
        tournament_play.check_out(late)
    tournament_play.check_in(tournament.pk, [late])
    seating = draw_next_round(tournament, evening, playing_units(tournament, evening), rounds_of(evening), seed=1)
    with pytest.raises(WrongState, match="Units came or left meanwhile"):
        tournament_play.store_round(tournament.pk, seating, seed=1, drawn_attendances=before)
    now_present = tournament_play.attendances_for_draw(evening)
    planned = tournament_play.store_round(tournament.pk, seating, seed=1, drawn_attendances=now_present)
    table = planned.tables.with_seats()[0]
    unit = tournament.units.get(number=numbers_at(tournament, table)[0])
    with pytest.raises(WrongState, match="This round is only planned"):
        tournament_play.set_forfeits(table.pk, [unit.pk])
    tournament_play.begin_round(planned.pk)
    a_drawn_round(tournament)
    with pytest.raises(WrongState, match="A later round is drawn"):
        tournament_play.take_back_round(planned.pk)


def test_a_tournament_is_started_and_finished_once() -> None:
    """Both are refused or do nothing a second time, as after a double click."""
    now = timezone.now()
    tournament = a_tournament(a_club(), game="belote", places=8, date=timezone.localdate())
    with pytest.raises(WrongState, match="The tournament has not started"):
        tournament_play.finish(tournament.pk, now=now)
    tournament_play.start(tournament.pk, now=now)
    assert tournament_play.start(tournament.pk, now=now).state == TournamentState.RUNNING
    tournament_play.finish(tournament.pk, now=now)
    assert tournament_play.finish(tournament.pk, now=now).state == TournamentState.FINISHED
    with pytest.raises(WrongState, match="The tournament is finished"):
        tournament_play.start(tournament.pk, now=now)
    assert Season.objects.filter(tournament=tournament).count() == 1


def test_people_who_are_new_become_guests_of_the_club() -> None:
    tournament = a_running_tournament(a_club(), units=2)
    assert tournament.club.memberships.filter(role=Role.GUEST).count() == 4


def test_guests_who_did_not_agree_are_not_named_to_visitors() -> None:
    tournament = a_tournament(a_club(public=True), game="belote", places=9, date=timezone.localdate())
    a_unit(tournament, "Ann Secret", "Bob Secret")
    a_unit(tournament, "Eve Public", "Dan Public", names_public=True)
    tournament_play.start(tournament.pk, now=timezone.now())
    tournament_play.check_in(tournament.pk, list(tournament.units.values_list("pk", flat=True)))
    table = a_drawn_round(tournament).tables.get()
    desk = sign_in(Client(), a_member(tournament.club, Role.SECRETARY))
    wall = desk.get(reverse("league:tournament-round-paper", args=[table.round_id])).content.decode()
    assert ("Secret" in wall, "Ann S." in wall, "Eve Public" in wall) == (False, True, True)
    sheet = Client().get(table.get_absolute_url()).content.decode()
    assert ("Secret" in sheet, "Ann S." in sheet, "Eve Public" in sheet) == (False, True, True)
    ranking_page = Client().get(reverse("league:tournament-ranking", args=[tournament.pk])).content.decode()
    assert ("Secret" in ranking_page, "Eve Public" in ranking_page) == (False, True)


def test_finishing_needs_all_results_and_closes_the_evening() -> None:
    tournament = a_running_tournament(a_club(), units=2)
    [table] = a_drawn_round(tournament).tables.all()
    with pytest.raises(WrongState, match="Table 1 of round 1"):
        tournament_play.finish(tournament.pk, now=timezone.now())
    enter(table, 1000, 944)
    finished = tournament_play.finish(tournament.pk, now=timezone.now())
    assert (finished.state, evening_of(finished).state) == (TournamentState.FINISHED, EveningState.CLOSED)
    resumed = tournament_play.resume(tournament.pk, now=timezone.now())
    assert (resumed.state, evening_of(resumed).state) == (TournamentState.RUNNING, EveningState.OPEN)


def test_the_page_of_the_day_asks_before_the_tournament_is_finished_early(client: Client) -> None:
    """After each round all tables have a result: one wrong click would end the day."""
    tournament = a_running_tournament(a_club(), units=4, rounds=2)
    desk = sign_in(client, a_member(tournament.club, Role.SECRETARY))
    pages = []
    for _ in range(2):
        for table in a_drawn_round(tournament).tables.all():
            enter(table, 1000, 944)
        pages.append(desk.get(reverse("league:tournament-play", args=[tournament.pk])).content.decode())
    assert ["Finish it earlier" in page for page in pages] == [True, False]
    assert ["Round 1 of 2" in pages[0], "Round 2 of 2" in pages[1]] == [True, True]


def test_tarot_teams_sit_apart_and_are_drawn_as_at_an_evening() -> None:
    tournament = a_running_tournament(a_club(), units=6, game="tarot", plays_apart=True, exempt_points=None, deals=4)
    round_ = a_drawn_round(tournament)
    by_player = playing_units(tournament, evening_of(tournament)).by_player
    for table in round_.tables.with_seats():
        units = [by_player[seat.player_id] for seat in table.seats.all()]
        assert len(set(units)) == len(units)
    assert len(rows_of(tournament)) == 12


def test_a_tournament_of_any_game_defines_a_game_by_totals() -> None:
    tournament = a_running_tournament(a_club(), units=4, game="", unit_size=1, deals=None)
    season = Season.objects.get(tournament=tournament)
    assert season.club_game is not None
    assert season.club_game.sizes == (2,)
    assert a_drawn_round(tournament).tables.count() == 2


def test_a_tournament_of_any_game_plays_the_clubs_game_of_its_name_or_is_refused(client: Client) -> None:
    """Another tournament of this name has defined the game; its name can be given once in a club."""
    club, today = a_club(), timezone.localdate()
    first = a_running_tournament(club, units=2, game="", deals=None, name="Rami")
    second = a_tournament(club, game="", name="RAMI", date=today)
    assert tournament_play.start(second.pk, now=timezone.now()).season.club_game == first.season.club_game
    single_players = a_tournament(club, game="", name="rami", date=today, unit_size=1)
    desk = sign_in(client, a_member(club, Role.SECRETARY))
    page = desk.post(reverse("league:tournament-start", args=[single_players.pk]), follow=True).content.decode()
    assert "The club has another game with the name of this tournament." in page
    assert not Season.objects.filter(tournament=single_players).exists()


def test_a_tournament_does_not_start_after_its_game_was_changed_to_other_tables(client: Client) -> None:
    club = a_club()
    game = club_games.add_game(club, ClubGame(name="Canasta", min_seats=4, max_seats=4, two_sides=True))
    tournament = a_tournament(club, game=f"{TOTALS}-{game.pk}", date=timezone.localdate())
    game.min_seats = game.max_seats = 6
    club_games.change_game(game, ["min_seats", "max_seats"])
    desk = sign_in(client, a_member(club, Role.SECRETARY))
    page = desk.post(reverse("league:tournament-start", args=[tournament.pk]), follow=True).content.decode()
    assert "The game has no tables of two such units." in page
    assert not Season.objects.filter(tournament=tournament).exists()


def test_the_map_of_a_round_shows_the_units_and_who_meets_again(client: Client) -> None:
    """With two pairs, the second round is the same table again, which the draw cannot avoid."""
    tournament = a_running_tournament(a_club(), units=2)
    enter(a_drawn_round(tournament).tables.get(), 1000, 944)
    a_drawn_round(tournament)
    sign_in(client, a_member(tournament.club, Role.SECRETARY))
    page = unbroken(client.get(f"/tournaments/{tournament.pk}/play"))
    assert page.count('class="seats seats-4"') == 1  # of the last round only
    assert (page.count("<small>no. 1</small>"), page.count("again with no. 1")) == (2, 2)
    [tables] = [page.tables for page in hall_pages(evening_of(tournament)) if page.tables]
    [row] = tables
    assert sorted(place.unit for place in row.seats) == ["no. 1", "no. 1", "no. 2", "no. 2"]


def test_a_players_phone_shows_table_and_seat_on_both_pages(client: Client) -> None:
    """On the tournament's page for a login, on the page of the link for anybody who registered."""
    tournament = a_running_tournament(a_club(), units=2, public=True)
    link = reverse("league:registration", args=[registration_token(tournament.units.with_players()[0])])
    assert "Round 1" not in unbroken(client.get(link))
    seats = a_drawn_round(tournament).tables.get().seats.select_related("player")
    of_unit = playing_units(tournament, evening_of(tournament)).by_number[1]
    words = [
        f"Round 1. {seat.player}: table\N{NO-BREAK SPACE}1, seat\N{NO-BREAK SPACE}{seat.number + 1}"
        for seat in seats.filter(player__in=unit_player_ids(of_unit)).order_by("number")
    ]
    assert len(words) == 2
    page = unbroken(client.get(link))
    assert all(word in page for word in words)
    assert "/tables/" not in page  # visitors of a private club may not see them

    seat = seats[0]
    seat.player.user = User.objects.create(email="own@example.org")
    seat.player.save(update_fields=["user"])
    client.force_login(seat.player.user)
    page = unbroken(client.get(f"/tournaments/{tournament.pk}/"))
    assert f"Round 1. You: table\N{NO-BREAK SPACE}1, seat\N{NO-BREAK SPACE}{seat.number + 1}" in page
