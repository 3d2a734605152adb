"""Seating by hand: tables, their players, corrections, and two secretaries at once."""

from uuid import uuid4

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.actions import deals, evenings
from league.actions.refusals import WrongState
from league.actions.seating import AlreadySeated, WrongTableSize, add_table, change_seats, remove_table
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.models import AuditEntry, Club, Evening, PendingRecompute, Season, Table
from league.models.evening import EveningState
from league.models.rights import Role
from players.models import Player
from tests.build import NOW, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def season(club: Club) -> Season:
    return a_season(club)


@pytest.fixture
def evening(season: Season) -> Evening:
    return an_evening(season)


@pytest.fixture
def secretary(client: Client, club: Club) -> Client:
    signed_in(client, a_member(club, Role.SECRETARY))
    return client


def people(club: Club, count: int) -> list[Player]:
    players = [a_player() for _ in range(count)]
    for player in players:
        club.memberships.create(player=player)
    return players


def seat_data(players: list[Player], **extra: str) -> dict[str, str]:
    return {**{f"seat_{seat}": str(player.pk) for seat, player in enumerate(players)}, **extra}


def add(evening: Evening, size: int = 4, number: int = 1) -> str:
    return reverse("league:table-add", args=[evening.pk], query={"size": size, "round": number})


def seats_of(table: Table) -> list[int]:
    return list(table.seats.order_by("number").values_list("player_id", flat=True))


def test_only_who_records_may_seat(client: Client, club: Club, evening: Evening) -> None:
    players = people(club, 4)
    table = a_table(evening)
    pages = [
        reverse("league:seating", args=[evening.pk]),
        add(evening),
        reverse("league:table-seats", args=[table.pk]),
    ]
    assert [client.get(page).status_code for page in pages] == [302, 302, 302]
    for player, status in [(a_member(a_club(), Role.ADMIN), 404), (a_member(club), 403)]:
        signed_in(client, player)
        assert [client.get(page).status_code for page in pages] == [status] * 3
        assert client.post(add(evening), seat_data(players)).status_code == status
        assert client.post(reverse("league:table-remove", args=[table.pk])).status_code == status
    assert Table.objects.count() == 1


def test_table_is_set_and_its_players_are_checked_in(secretary: Client, club: Club, evening: Evening) -> None:
    players = people(club, 4)
    answer = secretary.post(add(evening), seat_data(players), follow=True)
    assert answer.status_code == 200
    table = Table.objects.get(round__evening=evening)
    assert (table.round.number, table.number, table.size, table.one_rests) == (1, 1, 4, False)
    assert seats_of(table) == [player.pk for player in players]
    assert evening.attendances.count() == 4


def test_sending_twice_sets_one_table_and_says_where_they_sit(secretary: Client, club: Club, evening: Evening) -> None:
    players = people(club, 4)
    secretary.post(add(evening), seat_data(players))
    answer = secretary.post(add(evening), seat_data(players))
    assert Table.objects.count() == 1
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {f"seat_{seat}" for seat in range(4)}
    assert "table 1 of this round" in answer.content.decode()


def test_nobody_sits_twice_at_a_table(secretary: Client, club: Club, evening: Evening) -> None:
    first, second, third = people(club, 3)
    answer = secretary.post(add(evening), seat_data([first, second, first, third]))
    form = answer.context["form"]
    assert form.errors == {"seat_2": ["This player has seat 1."]}
    assert form["seat_3"].value() == str(third.pk)
    assert not Table.objects.exists()


def test_empty_seat_is_an_error_on_it(secretary: Client, club: Club, evening: Evening) -> None:
    answer = secretary.post(add(evening), seat_data(people(club, 3)))
    assert answer.context["form"].errors == {"seat_3": ["Choose who sits here."]}


def test_player_of_another_club_is_refused(secretary: Client, club: Club, evening: Evening) -> None:
    answer = secretary.post(add(evening), seat_data([*people(club, 3), a_member(a_club())]))
    assert answer.context["form"].errors == {"seat_3": ["This player does not belong to the club."]}


def test_only_an_existing_round_or_the_next_is_offered(secretary: Client, club: Club, evening: Evening) -> None:
    a_table(evening)
    assert secretary.get(add(evening, number=2)).context["number"] == 2
    assert secretary.get(add(evening, number=9)).context["number"] == 1
    assert secretary.get(add(evening, size=9)).context["size"] == 3


def test_whoever_sits_in_the_round_is_free_in_the_next(secretary: Client, club: Club, evening: Evening) -> None:
    players = people(club, 4)
    for number in (1, 2):
        secretary.post(add(evening, number=number), seat_data(players))
    assert list(Table.objects.values_list("round__number", flat=True).order_by("pk")) == [1, 2]


def test_one_rests_is_preset_at_the_largest_tables_of_such_a_season(secretary: Client, club: Club) -> None:
    evening = an_evening(a_season(club, fifth_rests=True))
    assert secretary.get(add(evening, size=5)).context["form"]["one_rests"].value() is True
    assert secretary.get(add(evening, size=4)).context["form"]["one_rests"].value() is False
    assert "one_rests" not in secretary.get(add(evening, size=3)).context["form"].fields
    secretary.post(add(evening, size=5), seat_data(people(club, 5), one_rests="on"))
    assert Table.objects.get().one_rests


def test_game_without_resting_does_not_ask(secretary: Client, club: Club) -> None:
    evening = an_evening(a_season(club, "two-way-street", table_sizes=[4]))
    assert "one_rests" not in secretary.get(add(evening)).context["form"].fields


def test_closed_evening_takes_no_new_table(secretary: Client, club: Club, evening: Evening) -> None:
    evenings.close(evening.pk, now=NOW)
    answer = secretary.post(add(evening), seat_data(people(club, 4)))
    assert "open it again" in answer.context["form"].non_field_errors()[0]
    assert not Table.objects.exists()


def test_planned_evening_can_be_prepared(secretary: Client, club: Club, season: Season) -> None:
    planned_evening = an_evening(season, EveningState.PLANNED)
    assert secretary.post(add(planned_evening), seat_data(people(club, 4))).status_code == 302


def test_second_secretary_at_once_is_told_on_the_seat(club: Club, evening: Evening) -> None:
    """What the action says when a form was filled in before the other one was sent."""
    players = people(club, 7)
    add_table(evening.pk, 1, [player.pk for player in players[:4]], with_resting_player=False)
    with pytest.raises(AlreadySeated) as taken:
        add_table(evening.pk, 1, [player.pk for player in [*players[4:], players[2]]], with_resting_player=False)
    assert (taken.value.seat, taken.value.player, taken.value.table) == (3, players[2].pk, 1)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("change", "field", "message"),
    [
        ("seat", "seat_3", "This player sits at table 1 of this round."),
        ("leave", "__all__", "One of these players has left the club."),
        ("size", "__all__", "The table has another number of seats."),
    ],
)
def test_a_table_is_refused_after_a_change_while_its_form_was_sent(
    secretary: Client, club: Club, evening: Evening, change: str, field: str, message: str
) -> None:
    """The form is right when it is checked; the action waits for another secretary, and finds what has changed."""
    players = people(club, 7)
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=evening.season_id)
        answer = meanwhile(lambda: secretary.post(add(evening), seat_data(players[:4])))
        if change == "seat":
            add_table(evening.pk, 1, [player.pk for player in players[3:]], with_resting_player=False)
        elif change == "leave":
            club.memberships.filter(player=players[0]).delete()
        else:
            Season.objects.update(table_sizes=[5])
    assert answer.result().status_code == 422
    assert answer.result().context["form"].errors == {field: [message]}
    assert not Table.objects.filter(seats__player=players[0]).exists()


def test_action_refuses_a_size_that_the_season_has_not(club: Club, evening: Evening) -> None:
    with pytest.raises(WrongTableSize):
        add_table(evening.pk, 1, [player.pk for player in people(club, 6)], with_resting_player=False)


def test_players_change_freely_before_anything_is_recorded(secretary: Client, club: Club, evening: Evening) -> None:
    table = a_table(evening)
    fresh = people(club, 4)
    address = reverse("league:table-seats", args=[table.pk])
    assert "reason" not in secretary.get(address).context["form"].fields
    assert secretary.post(address, seat_data(fresh)).status_code == 302
    assert seats_of(table) == [player.pk for player in fresh]


def test_seats_saved_unchanged_write_no_entry_of_the_audit_log(secretary: Client, evening: Evening) -> None:
    table = a_table(evening)
    players = [seat.player for seat in table.seats.select_related("player")]
    entries = AuditEntry.objects.count()
    assert secretary.post(f"/tables/{table.pk}/seats", seat_data(players)).status_code == 302
    assert AuditEntry.objects.count() == entries
    assert secretary.post(f"/tables/{table.pk}/seats", seat_data([*players[1:], players[0]])).status_code == 302
    assert AuditEntry.objects.count() == entries + 1


def test_two_change_places_after_deals_with_a_reason(secretary: Client, evening: Evening) -> None:
    """What a seat has scored stays with the seat."""
    table = a_table(evening)
    a_deal(table)
    players = list(Player.objects.filter(seats__table=table).order_by("seats__number"))
    points = list(table.seats.order_by("number").values_list("points", flat=True))
    address = reverse("league:table-seats", args=[table.pk])
    swapped = [players[1], players[0], *players[2:]]
    refused = secretary.post(address, seat_data(swapped))
    assert refused.status_code == 422
    assert set(refused.context["form"].errors) == {"reason"}
    assert secretary.post(address, seat_data(swapped, reason="seats mixed up")).status_code == 302
    assert seats_of(table) == [player.pk for player in swapped]
    assert list(table.seats.order_by("number").values_list("points", flat=True)) == points
    assert not PendingRecompute.objects.exists()  # an open evening does not count yet


def test_correction_of_a_closed_evening_is_due(secretary: Client, club: Club, evening: Evening) -> None:
    table = a_table(evening)
    a_deal(table)
    evenings.close(evening.pk, now=NOW)
    PendingRecompute.objects.all().delete()
    [fresh] = people(club, 1)
    players = [fresh, *Player.objects.filter(seats__table=table).order_by("seats__number")[1:]]
    address = reverse("league:table-seats", args=[table.pk])
    assert secretary.post(address, seat_data(players, reason="wrong name")).status_code == 302
    assert seats_of(table)[0] == fresh.pk
    assert set(PendingRecompute.objects.values_list("season", "game", "why")) == {
        (evening.season_id, "", "seats"),
        (None, "tarot", "seats"),
    }


def test_reason_reaches_the_history(club: Club, evening: Evening) -> None:
    table = a_table(evening)
    a_deal(table)
    order = seats_of(table)
    change_seats(table.pk, order[::-1], now=NOW, reason="seats mixed up")
    events = apps.get_model("league", "SeatEvent")._default_manager
    event = events.filter(pgh_label="update", player=order[0]).select_related("pgh_context").latest("pgh_id")
    assert event.pgh_context.metadata["reason"] == "seats mixed up"


def test_player_of_another_table_of_the_round_is_refused(secretary: Client, evening: Evening) -> None:
    first, second = a_table(evening), a_table(evening)
    players = list(Player.objects.filter(seats__table=first).order_by("seats__number"))
    seated_player = second.seats.get(number=0).player
    answer = secretary.post(reverse("league:table-seats", args=[first.pk]), seat_data([*players[:3], seated_player]))
    assert answer.context["form"].errors == {"seat_3": ["This player sits at table 2 of this round."]}


def test_action_wants_a_reason_and_the_right_number(evening: Evening) -> None:
    table = a_table(evening)
    a_deal(table)
    with pytest.raises(WrongState):
        change_seats(table.pk, seats_of(table)[::-1], now=NOW)
    with pytest.raises(WrongTableSize):
        change_seats(table.pk, seats_of(table)[:3], now=NOW, reason="x")


def test_empty_table_goes_with_its_round(secretary: Client, evening: Evening) -> None:
    table = a_table(evening)
    secretary.post(reverse("league:table-remove", args=[table.pk]))
    assert not Table.objects.exists()
    assert not evening.rounds.exists()


def test_free_number_is_given_again(club: Club, evening: Evening) -> None:
    first = a_table(evening)
    a_table(evening)
    remove_table(first.pk)
    assert add_table(evening.pk, 1, [player.pk for player in people(club, 4)], with_resting_player=False).number == 1


def test_table_with_a_deal_stays_even_voided(secretary: Client, evening: Evening) -> None:
    table = a_table(evening)
    deal = a_deal(table)
    address = reverse("league:table-remove", args=[table.pk])
    assert "Void its deals first" in secretary.post(address, follow=True).content.decode()
    deals.void(deal.pk, client_key=uuid4(), seen_version=deal.version, now=NOW)
    assert "deals that were voided" in secretary.post(address, follow=True).content.decode()
    assert Table.objects.filter(pk=table.pk).exists()


def test_table_is_removed_by_post_only(secretary: Client, evening: Evening) -> None:
    assert secretary.get(reverse("league:table-remove", args=[a_table(evening).pk])).status_code == 405


def test_a_round_that_was_taken_away_leaves_a_gap_and_the_next_can_be_drawn(
    secretary: Client, club: Club, evening: Evening
) -> None:
    first = a_table(evening)
    a_deal(a_table(evening, round_number=2))
    remove_table(first.pk)
    secretary.post(reverse("league:draw", args=[evening.pk]), {"rounds": 3})
    assert list(evening.rounds.values_list("number", "state")) == [(2, "accepted"), (3, "planned")]
