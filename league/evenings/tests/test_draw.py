"""The pages and actions of the draw. The arithmetic of the draw is tested in league/draw/tests."""

from __future__ import annotations

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.actions import evenings, separations
from league.actions.attendance import check_in, check_out, set_leaving
from league.actions.refusals import WrongState
from league.actions.rounds import (
    NotInRound,
    TablesDiffer,
    accept,
    replace_tables,
    store_drawn_rounds,
    swap_players,
    swap_players_of_tables,
)
from league.actions.seating import remove_table
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.draw.draw_types import DrawWarning, Seating
from league.evenings.queries import draw_input
from league.evenings.queries.draw_warnings import warning_sentences
from league.evenings.tests.test_seating import seats_of
from league.models import Club, Evening, Rest, Round, Seat, Table
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.round import RestKind
from league.operations.work.verification import verify
from players.models import Player, Rating
from tests.build import NOW, a_club, a_deal, a_member, a_season, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def evening(club: Club) -> Evening:
    """Tonight, with 13 people and three rounds to come."""
    evening = an_evening(a_season(club, rounds=3))
    come(evening, 13)
    return evening


@pytest.fixture
def secretary(client: Client, club: Club) -> Client:
    signed_in(client, a_member(club, Role.SECRETARY))
    return client


def come(evening: Evening, count: int) -> list[Player]:
    players = [a_member(evening.season.club, login=False) for _ in range(count)]
    check_in(evening.pk, [player.pk for player in players])
    return players


def page(evening: Evening) -> str:
    return reverse("league:draw", args=[evening.pk])


def drawn(secretary: Client, evening: Evening, rounds: int = 3, seed: int = 7) -> list[Round]:
    secretary.post(page(evening), {"rounds": rounds, "seed": seed})
    return list(evening.rounds.all())


def step(secretary: Client, name: str, round_: Round) -> str:
    answer = secretary.post(reverse(f"league:round-{name}", args=[round_.pk]), follow=True)
    return answer.content.decode()


def players_by_table(round_: Round) -> list[list[int]]:
    return [[seat.player_id for seat in table.seats.all()] for table in round_.tables.all()]


def test_thirteen_sit_at_four_four_and_five_in_every_round(secretary: Client, evening: Evening) -> None:
    rounds = drawn(secretary, evening)
    assert [round_.state for round_ in rounds] == ["planned"] * 3
    assert [sorted(len(table) for table in players_by_table(round_)) for round_ in rounds] == [[4, 4, 5]] * 3
    present = sorted(evening.attendances.values_list("player_id", flat=True))
    assert [sorted(player for table in players_by_table(round_) for player in table) for round_ in rounds] == [
        present
    ] * 3


def test_the_same_seed_draws_the_same(secretary: Client, evening: Evening) -> None:
    first = [players_by_table(round_) for round_ in drawn(secretary, evening)]
    assert [players_by_table(round_) for round_ in drawn(secretary, evening)] == first
    assert [players_by_table(round_) for round_ in drawn(secretary, evening, seed=8)] != first


def test_planned_rounds_are_no_tables_of_the_evening_yet(secretary: Client, evening: Evening) -> None:
    table = drawn(secretary, evening)[0].tables.all()[0]
    assert str(table) not in secretary.get(evening.get_absolute_url()).content.decode()
    with pytest.raises(WrongState):
        a_deal(table)


def test_rounds_are_accepted_one_after_the_other(secretary: Client, evening: Evening) -> None:
    first, second, _third = drawn(secretary, evening)
    assert "The round before this one is not accepted yet." in step(secretary, "accept", second)
    for _twice in range(2):
        assert "Round 1 is accepted" in step(secretary, "accept", first)
    a_deal(first.tables.get(size=4, number=first.tables.filter(size=4)[0].number))
    assert evening.rounds.accepted().count() == 1
    assert list(verify()) == []


def test_the_round_that_is_played_comes_first(secretary: Client, evening: Evening) -> None:
    for number, order in enumerate([[1, 2, 3], [1, 2, 3], [2, 3, 1], [3, 2, 1]]):
        rounds = list(evening.rounds.all()) if number else drawn(secretary, evening)
        if number:
            step(secretary, "accept", rounds[number - 1])
        page_rounds = secretary.get(page(evening)).context["rounds"]
        assert [round_.number for round_, _warnings, _tables in page_rounds] == order


def test_pairs_that_meet_again_are_one_line(secretary: Client, evening: Evening) -> None:
    drawn(secretary, evening)
    rounds = secretary.get(page(evening)).context["rounds"]
    warnings = {round_.number: sentences for round_, sentences, _tables in rounds}
    assert warnings[1] == []
    for number in (2, 3):
        assert len([text for text in warnings[number] if "meet again: " in text or "meets again: " in text]) <= 1
    second_meetings = [DrawWarning("met_tonight", 2, 1, two, 2) for two in ((1, 2), (3, 4))]
    third_meeting = DrawWarning("met_tonight", 2, 1, (1, 3), 3)
    names = {1: "Ann", 2: "Bob", 3: "Cid", 4: "Dee"}
    assert warning_sentences([second_meetings[0], third_meeting, second_meetings[1]], names) == {
        2: ["Ann and Cid meet again, 3 times this evening.", "2 pairs meet again: Ann & Bob, Cid & Dee."]
    }


def test_whoever_drops_planned_rounds_is_told(secretary: Client, evening: Evening) -> None:
    def post_and_read(address: str, pk: int, **data: str) -> str:
        return secretary.post(reverse(f"league:{address}", args=[pk]), data, follow=True).content.decode()

    note = "The planned rounds no longer fit and are dropped"
    assert note not in post_and_read("attendance-add", evening.pk, name="Zoé Latecomer")
    row = evening.attendances.get(player__family_name="Latecomer")
    drawn(secretary, evening)
    assert note in post_and_read("attendance-leaving", row.pk, leaves="yes")
    drawn(secretary, evening)
    assert note not in post_and_read("attendance-paid", row.pk, paid="yes")
    assert note in post_and_read("attendance-remove", row.pk)
    drawn(secretary, evening)
    assert note in post_and_read("attendance-add", evening.pk, name="Yves Latecomer")


def test_the_rest_is_planned_again_and_what_is_played_stays(secretary: Client, evening: Evening) -> None:
    first = drawn(secretary, evening)[0]
    step(secretary, "accept", first)
    before = players_by_table(first)
    [late] = come(evening, 1)
    assert not evening.rounds.planned().exists()
    rounds = drawn(secretary, evening)
    assert players_by_table(rounds[0]) == before
    assert late.pk not in {player for table in before for player in table}
    assert late.pk in {player for table in players_by_table(rounds[1]) for player in table}


def test_who_left_is_drawn_no_more(secretary: Client, evening: Evening) -> None:
    step(secretary, "accept", drawn(secretary, evening)[0])
    gone = evening.attendances.all()[0]
    set_leaving(gone.pk, leaves=True)
    second = drawn(secretary, evening)[1]
    assert sorted(len(table) for table in players_by_table(second)) == [4, 4, 4]
    assert gone.player_id not in {player for table in players_by_table(second) for player in table}


def test_a_new_draw_touches_no_table_that_has_a_deal(secretary: Client, evening: Evening) -> None:
    first = drawn(secretary, evening)[0]
    step(secretary, "accept", first)
    begun = first.tables.get(number=2)
    a_deal(
        begun,
        {"contract": "take", "taker": 0, "points": 43, "oudlers": 2} | ({"partner": 1} if begun.size == 5 else {}),
    )
    before, other_tables = players_by_table(first)[1], {table.pk for table in first.tables.exclude(pk=begun.pk)}
    assert "Round 1 is drawn again." in step(secretary, "again", first)
    assert [seat.player_id for seat in begun.seats.all()] == before
    assert not first.tables.filter(pk__in=other_tables).exists()
    assert sorted(first.tables.values_list("number", flat=True)) == [1, 2, 3]
    assert first.seats.count() == 13
    assert not evening.rounds.planned().exists()
    assert list(verify()) == []


def test_a_round_is_drawn_again_without_a_player_who_went_home(secretary: Client, evening: Evening) -> None:
    """The draw of the others was refused each time, with "Draw again"."""
    rounds = drawn(secretary, evening)
    for round_ in rounds[:2]:
        step(secretary, "accept", round_)
    gone = evening.attendances.all()[0]
    answer = secretary.post(reverse("league:attendance-edit", args=[gone.pk]), {"from_round": "1", "to_round": "1"})
    assert answer.status_code == 302
    assert "Round 2 is drawn again." in step(secretary, "again", rounds[1])
    assert sorted(len(table) for table in players_by_table(rounds[1])) == [4, 4, 4]
    assert gone.player_id not in {player for table in players_by_table(rounds[1]) for player in table}


def test_a_round_is_drawn_again_after_the_check_out_of_a_player_who_sat_it_out(secretary: Client, club: Club) -> None:
    """The player has no attendance any more, and each new draw was refused."""
    evening = an_evening(a_season(club, rounds=1, table_sizes=[4]))
    come(evening, 14)
    [round_] = drawn(secretary, evening, rounds=1)
    step(secretary, "accept", round_)
    gone, other = round_.rests.values_list("player_id", flat=True)
    check_out(evening.attendances.get(player=gone).pk)
    assert "Round 1 is drawn again." in step(secretary, "again", round_)
    assert sorted(len(table) for table in players_by_table(round_)) == [4, 4, 4]
    present = {player for table in players_by_table(round_) for player in table}
    present |= set(round_.rests.values_list("player_id", flat=True))
    assert (gone in present, other in present) == (False, True)


@pytest.mark.parametrize("changed", [{"to_round": 1}, {"from_round": 3}], ids=["left", "late"])
def test_a_new_draw_with_a_player_who_is_not_there_any_more_is_refused(
    secretary: Client, evening: Evening, changed: dict[str, int]
) -> None:
    """The draw was computed before the change: it seated a player who had gone."""
    for round_ in drawn(secretary, evening)[:2]:
        step(secretary, "accept", round_)
    second = draw_input.rounds_with_tables(evening)[1]
    seating = draw_input.seating_of_round(second)
    tables = [table.pk for table in second.tables.all()]
    evening.attendances.filter(player=seating.tables[0][0]).update(**changed)
    with pytest.raises(WrongState, match="Draw again"):
        replace_tables(second.pk, tables, seating, seed=1)
    assert players_by_table(second) == [list(table) for table in seating.tables]


def test_a_round_with_something_at_every_table_is_not_drawn_again(secretary: Client, evening: Evening) -> None:
    """Of a page from before the last table began."""
    first = drawn(secretary, evening)[0]
    step(secretary, "accept", first)
    for table in first.tables.all():
        facts = {"contract": "take", "taker": 0, "points": 43, "oudlers": 2}
        a_deal(table, facts | ({"partner": 1} if table.size == 5 else {}))
    before = players_by_table(first)
    assert "there is nothing to draw again." in step(secretary, "again", first)
    assert players_by_table(first) == before


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["round-swap", "table-swap"])
def test_a_swap_with_a_table_that_another_secretary_takes_away_is_refused(
    secretary: Client, evening: Evening, name: str
) -> None:
    first = drawn(secretary, evening)[0]
    step(secretary, "accept", first)
    one, two = first.tables.filter(size=4)
    fields = {"first": one.seats.all()[0].player_id, "second": two.seats.all()[0].player_id, "other": two.pk}
    address = reverse(f"league:{name}", args=[first.pk if name == "round-swap" else one.pk])
    before = seats_of(one)
    with transaction.atomic():
        remove_table(two.pk)
        answer = meanwhile(lambda: secretary.post(address, fields))
    [[message]] = answer.result().context["form"].errors.values()
    assert message in (
        "One of them has no seat in this round any more.",
        "This table can't be swapped with it any more.",
    )
    assert seats_of(one) == before


def test_a_draw_of_who_was_there_a_moment_ago_is_refused(club: Club, evening: Evening) -> None:
    inputs = draw_input.read_draw_input(evening, [])
    come(evening, 1)
    with pytest.raises(WrongState):
        store_drawn_rounds(evening.pk, [Seating(1, ())], seed=1, drawn_attendances=inputs.attendances)


def test_two_are_swapped_by_hand_and_the_page_says_what_that_costs(
    secretary: Client, club: Club, evening: Evening
) -> None:
    round_ = drawn(secretary, evening)[0]
    (first, neighbour, *_others), (second, *_neighbours), *_tables = players_by_table(round_)
    separations.add_separation(club, second, neighbour)
    url = reverse("league:round-swap", args=[round_.pk])
    answer = secretary.post(url, {"first": first, "second": second}, follow=True)
    assert "They have changed places." in answer.content.decode()
    assert second in players_by_table(round_)[0]
    assert "are to be kept apart and sit at one table" in answer.content.decode()


def test_a_swap_shows_its_meetings_before_it_is_recorded(secretary: Client, evening: Evening) -> None:
    """Catches a preview that records, or that compares with other rounds than the evening's."""
    first_round, second_round, _third = drawn(secretary, evening)
    step(secretary, "accept", first_round)
    table = players_by_table(second_round)[0]
    met_partners = next(tables for tables in players_by_table(first_round) if table[0] in tables)
    partner = next(player for player in met_partners if player not in table)
    other = next(player for player in table[1:] if player not in met_partners)
    url = reverse("league:round-swap", args=[second_round.pk])
    answer = secretary.get(url, {"first": partner, "second": other})
    again = [Player.objects.get(pk=player) for player in (table[0], partner)]
    assert any(
        str(second_round) in sentence and all(str(player) in sentence for player in again)
        for sentence in answer.context["effect"]["added"]
    )
    assert players_by_table(second_round)[0] == table
    secretary.post(url, {"first": partner, "second": other})
    assert partner in players_by_table(second_round)[0]


def test_a_chosen_name_leads_to_the_swap_with_another(secretary: Client, evening: Evening) -> None:
    """Catches a map of which the links need a script."""
    round_ = drawn(secretary, evening)[0]
    (first, second, *_others), *_tables = players_by_table(round_)
    url = reverse("league:round-swap", args=[round_.pk])
    assert f'data-swap="{url}"' in secretary.get(page(evening)).content.decode()
    assert f"{url}?first={first}" in secretary.get(url).content.decode()
    chosen = secretary.get(url, {"first": first}).content.decode()
    assert f"{url}?first={first}&amp;second={second}" in chosen
    assert secretary.get(url, {"first": "\0", "second": "9" * 50}).status_code == 422


def test_the_viewers_seat_in_the_last_accepted_round_is_shown(client: Client, evening: Evening) -> None:
    """Catches the seat of a planned round, and of a round before the last."""
    player = a_member(evening.season.club)
    secretary = a_member(evening.season.club, Role.SECRETARY)
    check_in(evening.pk, [player.pk])
    signed_in(client, secretary)
    rounds = drawn(client, evening)
    signed_in(client, player)
    pages = [reverse("league:evening", args=[evening.pk]), evening.season.club.get_absolute_url(), "/"]
    assert not [page for page in pages if "You: table" in client.get(page).content.decode()]
    for round_ in rounds[:2]:
        accept(round_.pk)
    seat = Seat.objects.get(round=rounds[1], player=player)
    words = f"Round 2. You: table\N{NO-BREAK SPACE}{seat.table.number}, seat\N{NO-BREAK SPACE}{seat.number + 1}"
    assert not [page for page in pages if words not in client.get(page).content.decode()]


def test_a_swap_wants_a_reason_once_points_are_recorded(secretary: Client, evening: Evening) -> None:
    first = drawn(secretary, evening)[0]
    step(secretary, "accept", first)
    table = first.tables.filter(size=4)[0]
    a_deal(table)
    one, two = (table.seats.get(number=number) for number in (0, 1))
    address = reverse("league:round-swap", args=[first.pk])
    sent = {"first": one.player_id, "second": two.player_id}
    refused = secretary.post(address, sent)
    assert set(refused.context["form"].errors) == {"reason"}
    secretary.post(address, {**sent, "reason": "sat the other way round"})
    assert [seat.player_id for seat in table.seats.all()][:2] == [two.player_id, one.player_id]
    assert list(verify()) == []


def test_swapping_with_oneself_or_a_stranger_is_refused(secretary: Client, evening: Evening) -> None:
    first = drawn(secretary, evening)[0]
    player = players_by_table(first)[0][0]
    answer = secretary.post(reverse("league:round-swap", args=[first.pk]), {"first": player, "second": player})
    assert set(answer.context["form"].errors) == {"second"}
    stranger = a_member(a_club()).pk  # the crawl of tests/test_foreign_fields.py does not reach the form of a preview
    url = reverse("league:round-swap", args=[first.pk])
    for answer in (
        secretary.get(url, {"first": player, "second": stranger}),
        secretary.post(url, {"first": player, "second": stranger}),
    ):
        assert answer.status_code == 422
        assert set(answer.context["form"].errors) == {"second"}
        assert answer.context["effect"] is None
    with pytest.raises(NotInRound):
        swap_players(first.pk, player, a_member(a_club()).pk, now=NOW)


def test_who_rests_may_be_swapped_in(secretary: Client, club: Club) -> None:
    evening = an_evening(a_season(club, table_sizes=[4], rounds=1))
    come(evening, 5)
    [round_] = drawn(secretary, evening, rounds=1)
    rest = round_.rests.get()
    seat = Seat.objects.filter(round=round_)[0]
    swap_players(round_.pk, rest.player_id, seat.player_id, now=NOW)
    assert round_.rests.get().player_id == seat.player_id
    assert Seat.objects.get(pk=seat.pk).player_id == rest.player_id


def test_the_strongest_declares_first_where_the_game_says_so(secretary: Client, club: Club) -> None:
    evening = an_evening(a_season(club, "two-way-street", table_sizes=[4], end="target", end_number=12, rounds=1))
    players = come(evening, 4)
    for place, player in enumerate(players):
        Rating.objects.create(
            player=player,
            game="two-way-street",
            micro=place,
            weight=0,
            tables=1,
            dates=1,
            opponents=1,
            provisional=True,
            last_date=NOW.date(),
        )
    [round_] = drawn(secretary, evening, rounds=1)
    assert players_by_table(round_) == [[player.pk for player in reversed(players)]]


def test_too_few_people_are_told(secretary: Client, club: Club) -> None:
    evening = an_evening(a_season(club))
    come(evening, 2)
    answer = secretary.post(page(evening), {"rounds": 1}, follow=True)
    assert "Too few people are there for a table in round 1." in answer.content.decode()


def test_the_rounds_typed_must_be_a_number_that_is_possible(secretary: Client, evening: Evening) -> None:
    answer = secretary.post(page(evening), {"rounds": "many", "seed": "-1"})
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"rounds", "seed"}


def test_closing_drops_what_was_only_planned(secretary: Client, evening: Evening) -> None:
    drawn(secretary, evening)
    evenings.close(evening.pk, now=NOW)
    assert not Table.objects.filter(round__evening=evening).exists()


def test_a_planned_evening_can_be_drawn_and_accepted_once_it_is_open(secretary: Client, club: Club) -> None:
    evening = an_evening(a_season(club), EveningState.PLANNED)
    come(evening, 8)
    first = drawn(secretary, evening, rounds=1)[0]
    assert secretary.get(page(evening)).context["form"].initial == {"rounds": 1}  # not the season's 4
    with pytest.raises(WrongState):
        accept(first.pk)
    evenings.open(evening.pk, now=NOW)
    assert accept(first.pk).state == "accepted"


def test_two_sheets_under_each_others_table_are_put_right_in_one_step(secretary: Client, evening: Evening) -> None:
    first = drawn(secretary, evening)[0]
    step(secretary, "accept", first)
    one, two = first.tables.filter(size=4)
    five = first.tables.get(size=5)
    a_deal(one)
    before = [[seat.player_id for seat in table.seats.all()] for table in (one, two)]
    address = reverse("league:table-swap", args=[one.pk])
    assert str(five) not in secretary.get(address).content.decode().partition("<select")[2]
    assert set(secretary.post(address, {"other": two.pk}).context["form"].errors) == {"reason"}
    assert set(secretary.post(address, {"other": five.pk, "reason": "?"}).context["form"].errors) == {"other"}
    secretary.post(address, {"other": two.pk, "reason": "entered under each other"})
    assert [[seat.player_id for seat in table.seats.all()] for table in (two, one)] == before
    assert one.dealt.count() == 1
    assert list(verify()) == []
    with pytest.raises(TablesDiffer):
        swap_players_of_tables(one.pk, five.pk, now=NOW, reason="?")
    with pytest.raises(NotInRound):
        swap_players_of_tables(one.pk, one.pk, now=NOW, reason="?")


def test_a_draw_from_before_someone_left_or_a_round_was_accepted_is_refused(
    secretary: Client, evening: Evening
) -> None:
    first = drawn(secretary, evening)[0]
    before = draw_input.read_draw_input(evening, []).attendances
    accept(first.pk)
    with pytest.raises(WrongState):
        store_drawn_rounds(evening.pk, [Seating(1, ()), Seating(2, ())], seed=1, drawn_attendances=before)
    set_leaving(evening.attendances.all()[0].pk, leaves=True)
    with pytest.raises(WrongState):
        store_drawn_rounds(evening.pk, [Seating(2, ())], seed=1, drawn_attendances=before)


def test_two_who_sit_out_change_places(club: Club) -> None:
    evening = an_evening(a_season(club))
    one, other = come(evening, 2)
    round_ = Round.objects.create(evening=evening, number=1)
    Rest.objects.create(round=round_, player=one)
    Rest.objects.create(round=round_, player=other, kind=RestKind.EXEMPT, points=12)
    swap_players(round_.pk, one.pk, other.pk, now=NOW)
    assert set(round_.rests.values_list("player", "kind", "points")) == {
        (one.pk, RestKind.EXEMPT, 12),
        (other.pk, RestKind.RESTING, 0),
    }


def test_a_planned_table_is_for_who_records_alone(secretary: Client, club: Club, evening: Evening) -> None:
    Club.objects.filter(pk=club.pk).update(public=True)
    planned_table = drawn(secretary, evening)[0].tables.all()[0]
    player = planned_table.seats.all()[0].player
    table, page = planned_table.get_absolute_url(), reverse("league:player", args=[player.pk])
    member = signed_in(Client(), a_member(club))
    for reader in (member, Client()):
        assert reader.get(table).status_code == 404
        assert "Round 1" not in reader.get(page).content.decode()
    assert secretary.get(table).status_code == 200
    accept(planned_table.round_id)
    assert member.get(table).status_code == 200
