"""Check-in: guests, fees, late arrival, early departure, and undoing a check-in."""

import re
from collections.abc import Callable
from datetime import date

import pytest
from django.test import Client
from django.urls import reverse

from league.actions import evenings
from league.actions.attendance import NotClubMembers, change, check_in, set_paid
from league.actions.roles import end_membership
from league.actions.separations import add_separation
from league.evenings.queries import checkin
from league.models import Attendance, Club, Evening
from league.models.evening import AttendanceRole, EveningState
from league.models.rights import Role
from league.models.round import RoundState
from players.models import Player, User
from tests.build import NOW, a_club, a_member, a_player, a_season, a_table, an_evening
from tests.markup import unbroken
from tests.page_forms import PageForm, page_forms, sent_by
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(fee_member=300, fee_guest=500)


@pytest.fixture
def evening(club: Club) -> Evening:
    return an_evening(a_season(club))


@pytest.fixture
def secretary(client: Client, club: Club) -> Client:
    signed_in(client, a_member(club, Role.SECRETARY))
    return client


def page(evening: Evening, **query: str) -> str:
    return reverse("league:attendance", args=[evening.pk], query=query)


def add(evening: Evening) -> str:
    return reverse("league:attendance-add", args=[evening.pk])


def guest_forms(html: str, name: str) -> list[PageForm]:
    return [form for form in page_forms(html, "/") if ("name", name) in form.sent()]


def registered(club: Club, name: str, role: Role = Role.MEMBER) -> Player:
    given_name, _, family = name.partition(" ")
    player = a_player(given_name, family)
    club.memberships.create(player=player, role=role)
    return player


def test_only_who_records_may_check_in(client: Client, club: Club, evening: Evening) -> None:
    member = registered(club, "Zoé Petit")
    assert client.get(page(evening)).status_code == 302
    assert client.post(add(evening), {"players": [member.pk]}).status_code == 302
    for player, status in [(a_member(a_club(), Role.ADMIN), 404), (a_member(club), 403)]:
        signed_in(client, player)
        assert client.get(page(evening)).status_code == status
        assert client.post(add(evening), {"players": [member.pk]}).status_code == status
    assert not Attendance.objects.exists()


def form_actions(page: str) -> set[str]:
    """Return the action URLs of a page's own forms, without menus and footer."""
    main = page.partition("<main")[2].partition("</main>")[0]
    return set(re.findall(r'<form[^>]* method="post"[^>]* action="([^"]+)"', main))


def test_treasurer_sees_who_has_paid_and_takes_fees_alone(client: Client, club: Club, evening: Evening) -> None:
    club.memberships.create(player=a_player("Yves", "Absent"))
    paying, owing, seated = check_in(
        evening.pk, [registered(club, name).pk for name in ("Anne Un", "Bea Deux", "Cy Trois")]
    )
    a_table(evening, [seated.player, a_player(), a_player(), a_player()])
    set_paid(paying.pk, paid=True)
    signed_in(client, a_member(club, Role.TREASURER))
    fees = reverse("league:attendance-paid", args=[owing.pk])
    assert f'href="{page(evening)}"' in client.get(evening.get_absolute_url()).content.decode()
    shown = unbroken(client.get(page(evening)))
    assert "✓ Paid: €3.00" in shown
    assert "To pay: €3.00" in shown
    assert "Yves Absent" not in shown
    assert "Yves Absent" in client.get(page(evening, show="everyone")).content.decode()
    assert form_actions(shown) == {reverse("league:attendance-paid", args=[row.pk]) for row in (paying, owing, seated)}
    assert reverse("league:draw", args=[evening.pk]) not in shown
    assert reverse("league:attendance-edit", args=[owing.pk]) not in shown
    part = unbroken(client.post(fees, {"paid": "yes"}, headers={"HX-Request": "true"}))
    assert "✓ Paid: €3.00" in part
    owing.refresh_from_db()
    assert owing.paid == 300


def test_treasurer_takes_fees_of_a_closed_evening_too(client: Client, club: Club, evening: Evening) -> None:
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    evenings.close(evening.pk, now=NOW)
    signed_in(client, a_member(club, Role.TREASURER))
    assert "To pay: €3.00" in client.get(page(evening)).content.decode()
    client.post(reverse("league:attendance-paid", args=[row.pk]), {"paid": "yes"})
    row.refresh_from_db()
    assert row.paid == 300


def test_treasurer_of_an_empty_evening_is_asked_for_nothing(client: Client, club: Club, evening: Evening) -> None:
    signed_in(client, a_member(club, Role.TREASURER))
    shown = client.get(page(evening)).content.decode()
    assert "Nobody is there yet." in shown
    assert not form_actions(shown)
    assert "Nobody is called “xyz”." in client.get(page(evening, q="xyz")).content.decode()


def test_ticked_are_checked_in_with_their_standing_and_fee(secretary: Client, club: Club, evening: Evening) -> None:
    member, guest = registered(club, "Zoé Petit"), registered(club, "Gaston Roy", Role.GUEST)
    answer = secretary.post(add(evening), {"players": [member.pk, guest.pk]}, follow=True)
    assert "2 checked in." in answer.content.decode()
    rows = Attendance.objects.filter(evening=evening).values_list("player", "standing", "fee")
    assert set(rows) == {(member.pk, AttendanceRole.MEMBER, 300), (guest.pk, AttendanceRole.GUEST, 500)}


def test_standing_stays_when_the_role_changes(secretary: Client, club: Club, evening: Evening) -> None:
    guest = registered(club, "Gaston Roy", Role.GUEST)
    secretary.post(add(evening), {"players": [guest.pk]})
    guest.memberships.update(role=Role.MEMBER)
    secretary.post(add(evening), {"players": [guest.pk]})
    assert Attendance.objects.get(player=guest).standing == AttendanceRole.GUEST


def test_sending_twice_checks_in_once(secretary: Client, club: Club, evening: Evening) -> None:
    member = registered(club, "Zoé Petit")
    for _ in range(2):
        secretary.post(add(evening), {"players": [member.pk]})
    assert Attendance.objects.filter(player=member).count() == 1


def test_player_of_another_club_is_refused(secretary: Client, evening: Evening) -> None:
    stranger = a_member(a_club())
    answer = secretary.post(add(evening), {"players": [stranger.pk]}, follow=True)
    assert "does not belong to this club" in answer.content.decode()
    assert not Attendance.objects.exists()
    with pytest.raises(NotClubMembers):
        check_in(evening.pk, [stranger.pk])


def test_nothing_ticked_is_said(secretary: Client, evening: Evening) -> None:
    assert "Tick who is there." in secretary.post(add(evening), {}, follow=True).content.decode()


def names(search_result: checkin.SearchResult) -> list[str]:
    return [str(person.player) for person in search_result.people]


def test_search_finds_without_accents_in_any_order(secretary: Client, club: Club, evening: Evening) -> None:
    registered(club, "Zoé Petit")
    registered(club, "Gaston Roy")
    assert names(checkin.search_people(evening, "pe zo", checkin.SHOW_ALL)) == ["Zoé Petit"]
    fragment = secretary.get(page(evening, q="zoe"), headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in fragment
    assert "Zoé Petit" in fragment
    assert "Gaston Roy" not in fragment


@pytest.mark.parametrize("show", [checkin.SHOW_ALL, checkin.SHOW_PRESENT, checkin.SHOW_ABSENT])
def test_a_name_that_nobody_has_can_be_added_as_a_guest(secretary: Client, evening: Evening, show: str) -> None:
    """The button is a form of its own, as phones have no Shift and Enter."""
    for headers in ({}, {"HX-Request": "true"}):
        shown = secretary.get(page(evening, q="conn", show=show), headers=headers).content.decode()
        assert "Nobody is called conn: Shift+Enter adds a guest" in shown
        [form] = guest_forms(shown, "conn")
        assert form.path == add(evening)


@pytest.mark.parametrize("show", [checkin.SHOW_PRESENT, checkin.SHOW_ABSENT])
def test_who_is_not_among_those_shown_is_no_new_guest(
    secretary: Client, club: Club, evening: Evening, show: str
) -> None:
    check_in(evening.pk, [registered(club, "Jean-Pierre Roy").pk])
    registered(club, "Sean O'Connor")
    typed, name = {
        checkin.SHOW_ABSENT: ("pierre", "Jean-Pierre Roy"),
        checkin.SHOW_PRESENT: ("oconn", "Sean O'Connor"),
    }[show]
    search_result = checkin.search_people(evening, typed, show)
    assert (names(search_result), search_result.searched_everyone) == ([name], True)
    shown = secretary.get(page(evening, q=typed, show=show)).content.decode()
    assert "Nobody in this selection has that name" in shown
    assert "adds a guest</span>" not in shown


@pytest.mark.parametrize("typed", ["x" * 81, "a b c d e f g h i"])
def test_a_search_that_is_too_long_is_refused_on_its_field_and_kept(
    secretary: Client, club: Club, evening: Evening, typed: str
) -> None:
    registered(club, "Anna Abel")
    answer = secretary.get(page(evening, q=typed))
    assert (answer.status_code, set(answer.context["search"].errors)) == (422, {"q"})
    assert f'value="{typed}"' in answer.content.decode()
    fragment = secretary.get(page(evening, q=typed), headers={"HX-Request": "true"})
    assert fragment.status_code == 200, "htmx swaps nothing else"
    assert "at most" in fragment.content.decode()
    assert "Anna Abel" not in fragment.content.decode()


def test_who_was_here_last_comes_first_and_a_mark_moves_nobody(club: Club, evening: Evening) -> None:
    never, long_ago, lately = (registered(club, name) for name in ("Anne Un", "Bea Deux", "Cléo Trois"))
    for player, month in [(long_ago, 1), (lately, 9)]:
        check_in(an_evening(evening.season, on=date(2026, month, 2)).pk, [player.pk])
    before = names(checkin.search_people(evening, "", checkin.SHOW_ALL))
    assert [name for name in before if name in {"Anne Un", "Bea Deux", "Cléo Trois"}] == [
        "Cléo Trois",
        "Bea Deux",
        "Anne Un",
    ]
    check_in(evening.pk, [never.pk])
    assert names(checkin.search_people(evening, "", checkin.SHOW_ALL)) == before
    assert names(checkin.search_people(evening, "", checkin.SHOW_PRESENT)) == ["Anne Un"]
    assert "Anne Un" not in names(checkin.search_people(evening, "", checkin.SHOW_ABSENT))


def test_who_left_the_club_stays_on_the_list_until_the_check_out(
    secretary: Client, club: Club, evening: Evening
) -> None:
    """Catches a player whom the draw seats, who owes the fee, and whom nobody can check out."""
    player = registered(club, "Zoé Petit")
    [row] = check_in(evening.pk, [player.pk])
    end_membership(player.memberships.get().pk)
    assert names(checkin.search_people(evening, "zoe", checkin.SHOW_PRESENT)) == ["Zoé Petit"]
    headers = {"HX-Request": "true"}
    paid = secretary.post(reverse("league:attendance-paid", args=[row.pk]), {"paid": "yes"}, headers=headers)
    assert "Zoé Petit has paid." in paid.content.decode()
    gone = secretary.post(reverse("league:attendance-remove", args=[row.pk]), headers=headers)
    assert gone.headers["HX-Redirect"] == page(evening)
    assert "Zoé Petit is no longer checked in." in secretary.get(page(evening)).content.decode()
    assert names(checkin.search_people(evening, "zoe", checkin.SHOW_ALL)) == []


def test_a_touch_answers_its_own_row_with_the_sums_and_an_undo(secretary: Client, club: Club, evening: Evening) -> None:
    member = registered(club, "Zoé Petit")
    answer = secretary.post(add(evening), {"players": [member.pk]}, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in answer
    assert f'id="person-{member.pk}"' in answer
    assert 'aria-pressed="true"' in answer
    assert f'data-presses="mark-{member.pk}"' in answer
    assert "Paid: €0.00 of €3.00." in answer


def test_paid_twice_is_paid_once(secretary: Client, club: Club, evening: Evening) -> None:
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    address = reverse("league:attendance-paid", args=[row.pk])
    for _ in range(2):
        secretary.post(address, {"paid": "yes"})
    row.refresh_from_db()
    assert row.paid == 300
    assert checkin.cash_box(evening) == checkin.CashBox(
        present_count=1, guest_count=0, fee_cents=300, paid_cents=300, unpaid_count=0, owed_cents=0
    )
    secretary.post(address, {"paid": "no"})
    assert checkin.cash_box(evening).owed_cents == 300


def test_who_has_paid_a_part_is_asked_for_the_rest(secretary: Client, club: Club, evening: Evening) -> None:
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    change(row.pk, {"paid": 100})
    assert "To pay: €2.00" in secretary.get(page(evening)).content.decode()


def test_who_comes_late_counts_from_the_next_round(club: Club, evening: Evening) -> None:
    a_table(evening)
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    assert row.from_round == 2


def test_who_leaves_stays_to_the_round_that_is_played(secretary: Client, club: Club, evening: Evening) -> None:
    player = a_table(evening).seats.get(number=0).player
    row = evening.attendances.get(player=player)
    address = reverse("league:attendance-leaving", args=[row.pk])
    secretary.post(address, {"leaves": "yes"})
    row.refresh_from_db()
    assert row.to_round == 1
    secretary.post(address, {"leaves": "no"})
    row.refresh_from_db()
    assert row.to_round is None


def test_a_change_of_who_plays_drops_what_was_only_planned(club: Club, evening: Evening) -> None:
    a_table(evening)
    evening.rounds.create(number=2, state=RoundState.PLANNED)
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    assert not evening.rounds.planned().exists()
    evening.rounds.create(number=2, state=RoundState.PLANNED)
    set_paid(row.pk, paid=True)
    assert evening.rounds.planned().exists()
    change(row.pk, {"fixed_table": 1})
    assert not evening.rounds.planned().exists()


def test_partners_are_each_others(secretary: Client, club: Club) -> None:
    evening = an_evening(a_season(club, "belote", table_sizes=[4], end_number=12))
    first, second, third = check_in(
        evening.pk, [registered(club, name).pk for name in ("Anne Un", "Bea Deux", "Cléo Trois")]
    )
    usual = {"from_round": 1, "fee": "3.00", "paid": ""}
    secretary.post(reverse("league:attendance-edit", args=[first.pk]), {**usual, "partner": second.player_id})
    second.refresh_from_db()
    assert second.partner_id == first.player_id
    refused = secretary.post(reverse("league:attendance-edit", args=[third.pk]), {**usual, "partner": first.player_id})
    assert set(refused.context["form"].errors) == {"partner"}
    secretary.post(reverse("league:attendance-edit", args=[second.pk]), usual)
    first.refresh_from_db()
    assert first.partner_id is None


def test_a_fee_that_is_paid_while_somebody_has_the_form_open_stays_paid(
    secretary: Client, club: Club, evening: Evening
) -> None:
    """The form stored all of its fields, so the treasurer's click was lost without a word."""
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    Attendance.objects.update(fee=300)
    address = reverse("league:attendance-edit", args=[row.pk])
    opened = sent_by(secretary.get(address))
    set_paid(row.pk, paid=True)

    assert secretary.post(address, opened | {"from_round": "2"}).status_code == 302
    row.refresh_from_db()
    assert (row.from_round, row.paid) == (2, 300)

    refused = secretary.post(address, opened | {"paid": "1.00"})
    assert refused.status_code == 422
    assert "Now stands: 3.00" in refused.context["form"].errors["paid"][0]


def test_leaving_before_coming_is_an_error_on_the_field(secretary: Client, club: Club, evening: Evening) -> None:
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    answer = secretary.post(
        reverse("league:attendance-edit", args=[row.pk]), {"from_round": 3, "to_round": 2, "fee": "x", "paid": ""}
    )
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"to_round", "fee"}


def test_guest_is_typed_in(secretary: Client, club: Club, evening: Evening) -> None:
    secretary.post(add(evening), {"name": "Gaston Roy"})
    guest = Player.objects.get(display_name="Gaston Roy")
    assert (guest.given_name, guest.family_name) == ("Gaston", "Roy")
    assert guest.memberships.get().role == Role.GUEST
    assert guest.attendances.get().standing == AttendanceRole.GUEST


def test_similar_guest_is_asked_about(secretary: Client, club: Club, evening: Evening) -> None:
    registered(club, "Gaston Roy")
    answer = secretary.post(add(evening), {"name": "gaston roi"})
    text = answer.content.decode()
    assert "The club has Gaston Roy already." in text
    assert 'value="gaston roi"' in text
    assert not Player.objects.filter(display_name="gaston roi").exists()
    secretary.post(add(evening), {"name": "gaston roi", "another": "on"})
    assert Player.objects.get(display_name="gaston roi").attendances.get().evening == evening


@pytest.mark.parametrize("typed", [" ", "\t\x07", "\u202e"])
def test_guest_without_a_name_is_an_error_on_the_field(secretary: Client, evening: Evening, typed: str) -> None:
    assert set(secretary.post(add(evening), {"name": typed}).context["form"].errors) == {"name"}


def test_what_cannot_be_seen_is_no_part_of_a_name(secretary: Client, evening: Evening) -> None:
    secretary.post(add(evening), {"name": " Gaston \u202e\x00 de\tla\u00a0 Roy\n"})
    guest = Player.objects.get(attendances__evening=evening)
    assert (guest.given_name, guest.family_name, guest.display_name) == ("Gaston", "de la Roy", "Gaston de la Roy")


def test_guest_of_a_closed_evening_leaves_nothing_behind(secretary: Client, club: Club, evening: Evening) -> None:
    evenings.close(evening.pk, now=NOW)
    answer = secretary.post(add(evening), {"name": "Gaston Roy"}, follow=True)
    assert "open it again" in answer.content.decode()
    assert not Player.objects.filter(display_name="Gaston Roy").exists()


def test_planned_evening_can_be_prepared(secretary: Client, club: Club) -> None:
    planned_evening = an_evening(a_season(club), EveningState.PLANNED)
    secretary.post(add(planned_evening), {"players": [registered(club, "Zoé Petit").pk]})
    assert planned_evening.attendances.count() == 1


def test_who_has_no_seat_can_be_taken_off(secretary: Client, club: Club, evening: Evening) -> None:
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    secretary.post(reverse("league:attendance-remove", args=[row.pk]))
    assert not evening.attendances.exists()


def taken_off(secretary: Client, evening: Evening, player: Player, **headers: str) -> str:
    [row] = evening.attendances.filter(player=player)
    answer = secretary.post(reverse("league:attendance-remove", args=[row.pk]), follow=True, headers=headers)
    assert answer.status_code == 200
    assert not evening.attendances.filter(player=player).exists()
    return answer.content.decode()


@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}])
def test_guest_who_never_played_goes_when_taken_off_and_undo_brings_the_name_back(
    secretary: Client, club: Club, evening: Evening, headers: dict[str, str]
) -> None:
    secretary.post(add(evening), {"name": "conn"})
    guest = club.memberships.get(role=Role.GUEST).player
    shown = taken_off(secretary, evening, guest, **headers)
    assert not club.memberships.filter(player=guest).exists()
    assert "removed from the club" in shown
    assert not checkin.search_people(evening, "conn", checkin.SHOW_ALL).people
    assert (f'id="person-{guest.pk}"' in shown) is False
    if headers:
        [undo] = guest_forms(shown, "conn")
        secretary.post(undo.path, {"name": "conn"})
        assert names(checkin.search_people(evening, "conn", checkin.SHOW_PRESENT)) == ["conn"]


def contact(guest: Player, club: Club, evening: Evening) -> None:
    club.memberships.filter(player=guest).update(phone="0123456789")


def came_before(guest: Player, club: Club, evening: Evening) -> None:
    check_in(an_evening(evening.season).pk, [guest.pk])


def played_before(guest: Player, club: Club, evening: Evening) -> None:
    a_table(an_evening(evening.season), [guest, a_player(), a_player()])
    Attendance.objects.filter(player=guest).exclude(evening=evening).delete()


def has_a_login(guest: Player, club: Club, evening: Evening) -> None:
    Player.objects.filter(pk=guest.pk).update(user=User.objects.create_user("guest@club.example"))


def is_elsewhere(guest: Player, club: Club, evening: Evening) -> None:
    a_club().memberships.create(player=guest, role=Role.GUEST)


def became_a_member(guest: Player, club: Club, evening: Evening) -> None:
    club.memberships.filter(player=guest).update(role=Role.MEMBER)


def is_kept_apart(guest: Player, club: Club, evening: Evening) -> None:
    add_separation(club, guest.pk, registered(club, "Anne Un").pk)


@pytest.mark.parametrize(
    "is_known", [contact, came_before, played_before, has_a_login, is_elsewhere, became_a_member, is_kept_apart]
)
def test_guest_of_whom_more_is_known_stays_when_taken_off(
    secretary: Client, club: Club, evening: Evening, is_known: Callable[[Player, Club, Evening], None]
) -> None:
    secretary.post(add(evening), {"name": "Yann Visiteur"})
    guest = club.memberships.get(role=Role.GUEST).player
    is_known(guest, club, evening)
    taken_off(secretary, evening, guest)
    assert club.memberships.filter(player=guest).exists()


def test_who_is_seated_stays(secretary: Client, evening: Evening) -> None:
    seat = a_table(evening).seats.get(number=0)
    row = evening.attendances.get(player=seat.player)
    answer = secretary.post(reverse("league:attendance-remove", args=[row.pk]), follow=True)
    assert "has a seat in this evening" in answer.content.decode()
    assert evening.attendances.filter(pk=row.pk).exists()


def test_attendance_of_another_club_cannot_be_removed_by_id(secretary: Client) -> None:
    club = a_club()
    evening = an_evening(a_season(club))
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    address = reverse("league:attendance-remove", args=[row.pk])
    assert secretary.post(address).status_code == 404
    assert secretary.get(address).status_code == 405
    assert evening.attendances.exists()


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("attendance-remove", {}),
        ("attendance-leaving", {"leaves": "yes"}),
        ("attendance-edit", {"from_round": "2", "fee": "3.00", "paid": "3.00"}),
    ],
)
def test_an_evening_closed_meanwhile_keeps_who_was_there(
    secretary: Client, club: Club, evening: Evening, name: str, sent: dict[str, str]
) -> None:
    """A second device still shows the buttons of the open evening."""
    [row] = check_in(evening.pk, [registered(club, "Zoé Petit").pk])
    before = Attendance.objects.values().get()
    evenings.close(evening.pk, now=NOW)
    answer = secretary.post(reverse(f"league:{name}", args=[row.pk]), sent, follow=True)
    assert "The evening is closed: open it again to change who is there." in answer.content.decode()
    assert Attendance.objects.values().get() == before
