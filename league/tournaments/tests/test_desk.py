"""The desk's list: walk-ins, approvals, payments, search, export and import."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl.reader.excel import load_workbook

from league.actions import registrations
from league.actions.registrations import PlayerEntry, Registration
from league.models import AuditEntry, Club, Tournament
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.models.tournament import UnitState
from league.tournaments.queries.prizes import prize_totals
from league.tournaments.tests.test_house_rules import filled
from tests.build import (
    a_club,
    a_member,
    a_player,
    a_running_tournament,
    a_tournament,
    a_unit,
    sign_in,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return a_tournament(club)


@pytest.fixture
def secretary(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.SECRETARY))


def address(name: str, row: Any) -> str:
    return reverse(f"league:{name}", args=[row.pk])


def test_a_walk_in_is_linked_to_the_member_of_that_name(secretary: Client, club: Club, tournament: Tournament) -> None:
    member = a_player("Zoé", "Marchand")
    club.memberships.create(player=member)
    names = {"kind": "complete", "name_1": "marchand zoe", "name_2": "A Stranger"}
    assert "Zoé Marchand" in secretary.get(address("unit-add", tournament)).content.decode()
    assert secretary.post(address("unit-add", tournament), names).status_code == 302
    unit = tournament.units.get()
    assert unit.at_desk
    assert list(unit.players.values_list("player", flat=True)) == [member.pk, None]


def test_the_desk_adds_to_a_closed_registration_and_approves(secretary: Client, club: Club) -> None:
    tournament = a_tournament(club, by_approval=True)
    unit = a_unit(tournament)
    Tournament.objects.filter(pk=tournament.pk).update(state="closed")
    secretary.post(address("unit-approve", unit))
    secretary.post(address("unit-add", tournament), {"kind": "complete", "name_1": "Ann", "name_2": "Bob"})
    assert list(tournament.units.values_list("state", flat=True)) == [UnitState.REGISTERED] * 2


def test_the_desk_gives_a_place_beyond_the_last(secretary: Client, tournament: Tournament) -> None:
    units = [a_unit(tournament) for _ in range(3)]
    secretary.post(address("unit-promote", units[2]))
    assert tournament.units.registered().count() == 3


def test_payments_are_added_up_by_kind(secretary: Client, tournament: Tournament) -> None:
    units = [a_unit(tournament) for _ in range(2)]
    secretary.post(address("unit-paid", units[0]), {"amount": "16", "kind": "cash"})
    secretary.post(address("unit-paid", units[1]), {"amount": "7.50", "kind": "card"})
    secretary.post(address("unit-paid", units[1]), {"amount": "lots", "kind": "card"})
    page = secretary.get(address("tournament-desk", tournament)).content.decode()
    assert ("€16.00" in page, "€7.50" in page, "€23.50" in page, "€8.50" in page) == (True,) * 4


def test_the_list_at_the_door_has_a_box_for_the_rest_of_a_fee(secretary: Client, tournament: Tournament) -> None:
    """A part payment has two amounts on paper: who ticks the list sees at once that it is not all."""
    unit = a_unit(tournament)
    secretary.post(address("unit-paid", unit), {"amount": "10", "kind": "cash"})
    page = secretary.get(address("unit-paper", tournament)).content.decode()
    assert ("To pay: €6.00" in page, 'class="box"' in page) == (True, True)


def test_one_click_takes_the_whole_fee_in_cash_and_undoes_it(secretary: Client, tournament: Tournament) -> None:
    unit, other_unit = a_unit(tournament), a_unit(tournament)
    for paid, cents in ("yes", 1600), ("yes", 1600), ("no", 0), ("no", 0):
        back = secretary.post(address("unit-cash", unit), {"paid": paid})
        assert back["Location"] == f"{address('tournament-desk', tournament)}#unit-{unit.pk}"
        unit.refresh_from_db()
        assert unit.paid == cents
    assert AuditEntry.objects.filter(event=AuditEvent.UNIT_PAID).count() == 2, "a repeated click changes nothing"

    back = secretary.post(address("unit-cash", other_unit), {"paid": "no", "page": "check-in"})
    assert back["Location"] == f"{address('tournament-check-in', tournament)}#unit-{other_unit.pk}"

    part = secretary.post(address("unit-cash", unit), {"paid": "yes"}, headers={"hx-request": "true"}).content.decode()
    assert ("€16.00, Cash" in part, "Undo" in part, "<html" in part) == (True, True, False)
    assert f'id="unit-{other_unit.pk}"' not in part, "one row is replaced, and the sums"
    assert "hx-swap-oob" in part


def test_one_click_never_replaces_another_payment(secretary: Client, tournament: Tournament) -> None:
    unit, cancelled = a_unit(tournament), a_unit(tournament)
    secretary.post(address("unit-paid", unit), {"amount": "10", "kind": "card"})
    secretary.post(address("unit-cancel", cancelled))
    for row, paid in (unit, "yes"), (unit, "no"), (cancelled, "yes"):
        page = secretary.post(address("unit-cash", row), {"paid": paid}, follow=True)
        assert "was changed meanwhile" in page.content.decode()
    unit.refresh_from_db()
    cancelled.refresh_from_db()
    assert (unit.paid, unit.payment_kind, cancelled.paid) == (1000, "card", 0)


def test_the_money_of_cancelled_units_is_listed_until_it_is_returned(secretary: Client, tournament: Tournament) -> None:
    unit = a_unit(tournament, "Anne Petit", "Bruno Grand")
    secretary.post(address("unit-paid", unit), {"amount": "16", "kind": "transfer"})
    secretary.post(address("unit-cancel", unit))

    def sums() -> tuple[int, int, list[tuple[str, int]]]:
        page = secretary.get(address("tournament-desk", tournament))
        refunds = [(row.unit.title, row.refund_due) for row in page.context["refunds"]]
        return page.context["payments"].total, page.context["payments"].refund_due, refunds

    title = "Anne Petit – Bruno Grand"
    assert sums() == (1600, 1600, [(title, 1600)])
    for _ in range(2):
        secretary.post(address("unit-returned", unit), {"returned": "yes"})
    assert sums() == (0, 0, [(title, 0)])
    assert AuditEntry.objects.filter(event=AuditEvent.UNIT_REFUNDED).count() == 1, "a repeated click changes nothing"
    assert secretary.post(address("unit-paid", unit), {"amount": "15.99", "kind": "cash"}).status_code == 422
    secretary.post(address("unit-returned", unit), {"returned": "no"})
    assert sums() == (1600, 1600, [(title, 1600)])


def test_the_fee_of_a_unit_that_does_not_come_is_not_missing_in_the_cash_box(client: Client, club: Club) -> None:
    tournament = a_running_tournament(club, units=2)
    a_no_show = registrations.register_at_desk(
        tournament.pk, Registration([PlayerEntry("Nobody Comes"), PlayerEntry("Neither")]), now=timezone.now()
    )
    secretary = sign_in(client, a_member(club, Role.SECRETARY))
    payments = secretary.get(address("tournament-desk", tournament)).context["payments"]
    assert (payments.owed, payments.owed_by_absent) == (3200, 1600)
    assert prize_totals(tournament, []).owed == 3200
    secretary.post(address("unit-cancel", a_no_show))
    payments = secretary.get(address("tournament-desk", tournament)).context["payments"]
    assert (payments.owed, payments.owed_by_absent) == (3200, 0)


def test_what_a_unit_paid_too_much_is_returned_and_no_more(secretary: Client, tournament: Tournament) -> None:
    unit = a_unit(tournament)
    secretary.post(address("unit-paid", unit), {"amount": "20", "kind": "cash"})
    secretary.post(address("unit-returned", unit), {"returned": "yes"})
    unit.refresh_from_db()
    assert (unit.paid, unit.returned) == (2000, 400)
    page = secretary.get(address("tournament-desk", tournament))
    assert (page.context["payments"].total, page.context["payments"].owed) == (1600, 0)


def test_the_fees_of_a_cancelled_tournament_are_to_be_returned(secretary: Client, tournament: Tournament) -> None:
    unit, _unpaid = a_unit(tournament), a_unit(tournament)
    secretary.post(address("unit-cash", unit), {"paid": "yes"})
    secretary.post(address("tournament-cancel", tournament))
    page = secretary.get(address("tournament-desk", tournament))
    assert [row.refund_due for row in page.context["refunds"]] == [1600]
    assert page.context["payments"].owed == 0, "nobody pays for a cancelled tournament"
    secretary.post(address("unit-returned", unit), {"returned": "yes"})
    unit.refresh_from_db()
    assert unit.returned == 1600


def test_those_who_waited_in_vain_get_their_money_back_after_the_day(secretary: Client, tournament: Tournament) -> None:
    waiting = [a_unit(tournament) for _ in range(3)][2]
    rows = secretary.get(address("tournament-desk", tournament)).context["rows"]
    assert [row.waiting for row in rows] == [None, None, 1]
    secretary.post(address("unit-paid", waiting), {"amount": "16", "kind": "card"})
    assert secretary.get(address("tournament-desk", tournament)).context["refunds"] == []
    Tournament.objects.filter(pk=tournament.pk).update(date=timezone.localdate() - timedelta(days=2))
    refunds = secretary.get(address("tournament-desk", tournament)).context["refunds"]
    assert [(row.unit.pk, row.refund_due) for row in refunds] == [(waiting.pk, 1600)]


def test_a_wrong_amount_is_refused_on_its_field_and_stays_to_be_corrected(
    secretary: Client, tournament: Tournament
) -> None:
    unit = a_unit(tournament, "Anne Petit", "Bruno Grand")
    page = secretary.post(address("unit-paid", unit), {"amount": "sixteen", "kind": "card"})
    payment = page.context["payment"]
    assert page.status_code == 422
    assert list(payment.errors) == ["amount"]
    assert (payment["amount"].value(), payment["kind"].value()) == ("sixteen", "card")
    assert page.context["form"]["name_1"].value() == "Anne Petit", "the other form is as it is stored"
    unit.refresh_from_db()
    assert unit.paid == 0


def test_the_desk_counts_the_units_that_did_not_agree_to_be_named(secretary: Client, club: Club) -> None:
    tournament = a_tournament(club, places=9)
    for is_public in (True, False, False):
        a_unit(tournament, names_public=is_public)
    cancelled = a_unit(tournament)
    secretary.post(address("unit-cancel", cancelled))
    assert secretary.get(address("tournament-desk", tournament)).context["unnamed"] == 2


def test_the_search_finds_parts_of_names(secretary: Client, tournament: Tournament) -> None:
    a_unit(tournament, "Élodie Fabre", "Luc Garnier")
    a_unit(tournament, "Henri Delaunay", "Amina Haddad")
    page = secretary.get(address("tournament-desk", tournament), {"q": "elod"}).content.decode()
    assert "Fabre" in page
    assert "Delaunay" not in page


def test_the_export_comes_in_again_in_another_tournament(secretary: Client, club: Club, tournament: Tournament) -> None:
    a_unit(tournament, "=Anne Petit", "Bruno Grand")
    a_unit(tournament, "Chloé", seeks_partner=True)
    data = secretary.get(address("tournament-desk-xlsx", tournament)).content
    sheet = load_workbook(BytesIO(data)).active
    assert [cell.value for cell in sheet[1]][:2] == ["Player 1", "E-mail of player 1"]
    assert sheet["A2"].value == "'=Anne Petit", "no cell is a formula"

    later = a_tournament(club)
    file = SimpleUploadedFile("list.xlsx", data)
    preview = secretary.post(address("units-bring-in", later), {"file": file, "text": ""}).content.decode()
    assert "=Anne Petit – Bruno Grand" in preview
    assert not later.units.exists(), "a preview writes nothing"
    for _ in range(2):  # the second time all are registered already
        file = SimpleUploadedFile("list.xlsx", data)
        secretary.post(address("units-bring-in", later), {"file": file, "text": "", "store": "1"})
    assert [(unit.title, unit.state) for unit in later.units.with_players()] == [
        ("=Anne Petit – Bruno Grand", UnitState.REGISTERED),
        ("Chloé", UnitState.SEEKING),
    ]


@pytest.mark.parametrize(
    "line",
    [f"{'x' * 81};", ";", "Anne;no-address", f"Anne;{'a' * 250}@b.example"],
    ids=["long", "empty", "mail", "long mail"],
)
def test_a_wrong_line_brings_nothing_in(secretary: Client, tournament: Tournament, line: str) -> None:
    text = f"Player 1;E-mail of player 1;Name of the team\nGood One;;\n{line};T\n"
    page = secretary.post(address("units-bring-in", tournament), {"text": text, "store": "1"})
    assert "Line 3" in page.content.decode()
    assert not tournament.units.exists()


def test_a_list_of_too_many_lines_is_refused(secretary: Client, tournament: Tournament) -> None:
    text = "Player 1\n" + "Anne\n" * 401
    assert secretary.post(address("units-bring-in", tournament), {"text": text}).status_code == 422


def test_a_foreign_partner_id_pairs_nobody(secretary: Client, tournament: Tournament) -> None:
    unit = a_unit(tournament, "Anne", seeks_partner=True)
    foreign = a_unit(a_tournament(a_club()), "Bruno", seeks_partner=True)
    for partner in (foreign.pk, "9" * 40, "-1", "x", unit.pk):
        assert secretary.post(address("unit-pair", unit), {"partner": partner}).status_code == 302
    foreign.refresh_from_db()
    assert foreign.state == UnitState.SEEKING
    assert tournament.units.get().players.count() == 1


def test_a_secretary_of_another_club_finds_nothing(client: Client, tournament: Tournament) -> None:
    unit = a_unit(tournament)
    sign_in(client, a_member(a_club(), Role.SECRETARY))
    assert client.post(address("unit-cancel", unit)).status_code == 404
    unit.refresh_from_db()
    assert unit.state == UnitState.REGISTERED


def test_a_new_tournament_is_created_from_a_preset_and_changed(secretary: Client, club: Club) -> None:
    create = reverse("league:tournament-create", args=[club.slug])
    page = secretary.get(create, {"preset": "tarot-teams"})
    form = page.context["form"]
    initial = {field.name: field.value() for field in form if str(field.value()) not in ("None", "False")}
    assert (initial["unit_size"], initial["plays_apart"], initial["rounds"], initial["deals"]) == (2, True, 5, 4)
    sent = initial | {"name": "Open day", "date": "2027-01-16", "begins_at": "14:00", "fee": "7,50", "places": "40"}
    answer = secretary.post(create, sent)
    assert answer.status_code == 302, answer.context["form"].errors
    tournament = club.tournaments.get()
    assert (tournament.fee, tournament.places, tournament.game) == (750, 40, "tarot")
    assert tournament.closes_at == tournament.begins, "without an end the registration closes at the beginning"


@pytest.mark.parametrize(
    ("changed", "field", "error"),
    [
        ({"name": "Taken"}, "name", "The club has a tournament of that date and name already."),
        ({"date": "2020-01-16", "closes_at": ""}, "date", "This day is past."),
        ({"closes_at": "2031-02-01T12:00"}, "closes_at", "This is after the tournament."),
        ({"unit_size": "1", "plays_apart": "on"}, "plays_apart", "A single player has no team mates."),
        ({"team_best": "2"}, "team_best", "Teams are ranked only if team mates play at different tables."),
        ({"plays_apart": "on", "team_best": "3"}, "team_best", "A team has fewer players."),
        ({"tie_1": "wins", "tie_2": "wins"}, "tie_1", "A tie-break counts once."),
    ],
)
def test_a_wrong_change_of_a_tournament_is_refused_on_its_field(
    secretary: Client, club: Club, changed: dict[str, str], field: str, error: str
) -> None:
    day = timezone.localdate() + timedelta(days=30)
    a_tournament(club, name="Taken", date=day)
    tournament = a_tournament(club, name="Free", date=day)
    shown = secretary.get(address("tournament-edit", tournament)).context["form"]
    values = filled(shown)
    answer = secretary.post(address("tournament-edit", tournament), values | changed)
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, [field])
    assert error in answer.content.decode()
    tournament.refresh_from_db()
    assert (tournament.name, tournament.date, tournament.team_best, tournament.ties) == ("Free", day, None, [])


def test_people_who_registered_keep_the_promised_days_of_storage(secretary: Client, tournament: Tournament) -> None:
    a_unit(tournament)
    values = filled(secretary.get(address("tournament-edit", tournament)).context["form"])
    days = tournament.retention_days
    answer = secretary.post(address("tournament-edit", tournament), values | {"retention_days": str(days + 1)})
    assert answer.status_code == 422
    assert f"Those who registered were promised fewer days: {days}" in answer.content.decode()
    answer = secretary.post(address("tournament-edit", tournament), values | {"retention_days": str(days - 1)})
    tournament.refresh_from_db()
    assert (answer.status_code, tournament.retention_days) == (302, days - 1)


@pytest.mark.parametrize("changed", [{"unit_size": "3"}, {"plays_apart": "on"}])
def test_a_change_that_became_impossible_since_the_page_was_opened_is_refused(
    secretary: Client, tournament: Tournament, changed: dict[str, str]
) -> None:
    """The page reported success before, but the unit size was as before."""
    values = filled(secretary.get(address("tournament-edit", tournament)).context["form"])
    a_unit(tournament)
    page = secretary.post(address("tournament-edit", tournament), values | {"name": "New"} | changed, follow=True)
    assert "Units are registered already: their size stays." in page.content.decode()
    name = tournament.name
    tournament.refresh_from_db()
    assert (tournament.name, tournament.unit_size, tournament.plays_apart) == (name, 2, False)
    fields = secretary.get(address("tournament-edit", tournament)).context["form"].fields
    assert (fields["unit_size"].disabled, fields["plays_apart"].disabled) == (True, True)


def test_the_game_of_a_started_tournament_stays(secretary: Client, club: Club) -> None:
    tournament = a_running_tournament(club, units=2)
    values = filled(secretary.get(address("tournament-edit", tournament)).context["form"])
    page = secretary.post(
        address("tournament-edit", tournament), values | {"game": "tarot", "closes_at": ""}, follow=True
    )
    tournament.refresh_from_db()
    assert ("its game stays" in page.content.decode(), tournament.game) == (True, "belote")


def test_a_form_of_a_new_tournament_sent_twice_creates_one(secretary: Client, club: Club) -> None:
    create = reverse("league:tournament-create", args=[club.slug])
    values = filled(secretary.get(create).context["form"]) | {"name": "Open day"}
    answers = [secretary.post(create, values) for _ in range(2)]
    assert answers[0]["Location"] == answers[1]["Location"]
    assert club.tournaments.count() == 1


@pytest.mark.parametrize(
    ("page", "fields", "reason"),
    [
        ("tournament-close", {"state": "draft"}, "The registration is not open."),
        ("tournament-open", {"state": "running"}, "the desk adds who comes late."),
        ("tournament-open", {"state": "closed", "closes_at": timezone.now()}, "end is past. Change it first."),
        ("tournament-cancel", {"state": "running"}, "it can be finished, not cancelled."),
        ("tournament-cancel", {"state": "cancelled"}, "The tournament is cancelled."),
    ],
)
def test_a_button_of_an_old_page_shows_the_reason_and_changes_nothing(
    secretary: Client, club: Club, page: str, fields: dict[str, Any], reason: str
) -> None:
    """The page of now has no such button; another user changed the tournament since it was opened."""
    state = fields["state"]
    tournament = a_running_tournament(club, units=2) if state == "running" else a_tournament(club)
    Tournament.objects.filter(pk=tournament.pk).update(**fields)
    assert reason in secretary.post(address(page, tournament), follow=True).content.decode()
    tournament.refresh_from_db()
    assert tournament.state == state


def test_registrations_of_a_cancelled_tournament_are_neither_added_nor_changed(
    secretary: Client, tournament: Tournament
) -> None:
    unit = a_unit(tournament, "Anne Petit", "Bruno Grand")
    secretary.post(address("tournament-cancel", tournament))
    names = {"kind": "complete", "name_1": "Late One", "name_2": "Late Two"}
    answers = [
        secretary.post(address("unit-add", tournament), names),
        secretary.post(address("unit-edit", unit), names),
        secretary.post(
            address("units-bring-in", tournament), {"text": "Player 1\nLate One\n", "store": "1"}, follow=True
        ),
    ]
    assert [answer.status_code for answer in answers] == [422, 422, 200]
    assert all("The tournament is cancelled." in answer.content.decode() for answer in answers)
    assert [row.title for row in tournament.units.with_players()] == ["Anne Petit – Bruno Grand"]


def test_a_walk_in_whose_check_in_is_refused_stays_registered_and_the_reason_is_shown(
    secretary: Client, club: Club
) -> None:
    """A member registers a second time at the door, with another partner."""
    tournament = a_running_tournament(club, units=2)
    club.memberships.create(player=a_player("Zoé", "Marchand"))
    pages = [
        secretary.post(
            address("unit-add", tournament),
            {"kind": "complete", "name_1": "Zoé Marchand", "name_2": partner, "check_in": "yes"},
            follow=True,
        ).content.decode()
        for partner in ("Partner One", "Partner Two")
    ]
    reason = "A player of these units is checked in with another unit."
    assert [reason in page for page in pages] == [False, True]
    assert list(tournament.units.order_by("pk").values_list("number", "state"))[2:] == [
        (3, UnitState.REGISTERED),
        (None, UnitState.REGISTERED),
    ]


def test_a_partner_whom_the_desk_types_makes_the_registration_complete(secretary: Client, club: Club) -> None:
    """It stayed "looks for a partner", and could not be checked in. The other way, its place was kept."""
    tournament = a_tournament(club, game="belote", places=2)
    a_unit(tournament)
    seeking = a_unit(tournament, "Zoé Noir", seeks_partner=True)
    page, values = address("unit-edit", seeking), {"name_1": "Zoé Noir"}
    assert secretary.post(page, values | {"kind": "complete", "name_2": "Léo Blanc"}).status_code == 302
    waiting = a_unit(tournament)
    seeking.refresh_from_db()
    assert (seeking.state, waiting.state) == (UnitState.REGISTERED, UnitState.WAITING)
    assert secretary.post(page, values | {"kind": "seeking", "name_2": ""}).status_code == 302
    seeking.refresh_from_db()
    waiting.refresh_from_db()
    assert (seeking.state, waiting.state) == (UnitState.SEEKING, UnitState.REGISTERED)


def test_a_unit_that_is_checked_in_stays_complete(secretary: Client, club: Club) -> None:
    unit = a_running_tournament(club, units=2).units.get(number=1)
    answer = secretary.post(address("unit-edit", unit), {"kind": "seeking", "name_1": "Zoé Noir"})
    assert "is checked in, and must be complete." in answer.content.decode()
    assert unit.players.count() == 2


def test_a_unit_that_is_checked_in_keeps_its_players(secretary: Client, club: Club) -> None:
    """With a corrected name it had another player than its tables, and left the ranking with the points of its tables.

    A change of other fields left its guests in the club after the deletion of the personal data.
    """
    tournament = a_running_tournament(club, units=2)
    member = a_player("Zoé", "Marchand")
    club.memberships.create(player=member)
    values = {"kind": "complete", "name_1": "Zoé Marchand", "name_2": "Jena Gris"}
    secretary.post(address("unit-add", tournament), values | {"check_in": "yes"})
    unit = tournament.units.get(number=3)
    before = list(unit.players.values_list("player", "added_as_guest"))
    assert [is_guest for _player, is_guest in before] == [False, True]
    answer = secretary.post(address("unit-edit", unit), values | {"name_1": "Zoé Noir"})
    assert "is checked in: its players stay." in answer.content.decode()
    assert secretary.post(address("unit-edit", unit), values | {"name_2": "Jean Gris"}).status_code == 302
    assert list(unit.players.values_list("player__given_name", flat=True)) == ["Zoé", "Jean"]
    assert list(unit.players.values_list("player", "added_as_guest")) == before


@pytest.mark.parametrize(
    ("typed", "is_known"),
    [
        ("Rene Gris", False),
        ("Rene Gris", True),
        ("gris rené", False),
        ("gris rené", True),
        ("Rene Gros", False),
    ],
)
def test_the_desk_corrects_the_name_of_a_guest_who_is_checked_in(
    secretary: Client, club: Club, typed: str, is_known: bool
) -> None:
    """The form recognises the guest despite a wrong accent or order, and the guest's record kept the wrong name.

    Every correction of a guest of an earlier evening was refused.
    """
    corrected = "René Gris"
    tournament = a_running_tournament(club, units=2)
    if is_known:
        club.memberships.create(player=a_player(*typed.split()), role=Role.GUEST)
    values = {"kind": "complete", "name_1": typed, "name_2": "Jean Noir"}
    secretary.post(address("unit-add", tournament), values | {"check_in": "yes"})
    unit = tournament.units.get(number=3)
    before = list(unit.players.values_list("player", "added_as_guest"))
    assert before[0][1] != is_known
    assert secretary.post(address("unit-edit", unit), values | {"name_1": corrected}).status_code == 302
    assert list(unit.players.values_list("player", "added_as_guest")) == before
    guest = unit.players.get(position=1)
    assert guest.player is not None
    assert (guest.name, guest.player.given_name, guest.player.family_name) == (corrected, *corrected.split())


def test_the_desk_makes_no_other_person_of_an_earlier_guest(secretary: Client, club: Club) -> None:
    """The results of earlier evenings would have the name of a person who was not there."""
    tournament = a_running_tournament(club, units=2)
    guest = a_player("René", "Gris")
    club.memberships.create(player=guest, role=Role.GUEST)
    values = {"kind": "complete", "name_1": "René Gris", "name_2": "Jean Noir"}
    secretary.post(address("unit-add", tournament), values | {"check_in": "yes"})
    answer = secretary.post(address("unit-edit", tournament.units.get(number=3)), values | {"name_1": "Paul Blanc"})
    assert answer.status_code == 422
    guest.refresh_from_db()
    assert guest.family_name == "Gris"


def test_the_desk_corrects_the_spelling_of_a_member_in_the_registration_alone(secretary: Client, club: Club) -> None:
    """A secretary of a tournament does not rename members, or guests who also play in another club."""
    tournament = a_running_tournament(club, units=2)
    member, visitor = a_player("Zoé", "Marchand"), a_player("René", "Gris")
    club.memberships.create(player=member)
    club.memberships.create(player=visitor, role=Role.GUEST)
    a_club().memberships.create(player=visitor)
    values = {"kind": "complete", "name_1": "Zoé Marchand", "name_2": "René Gris"}
    secretary.post(address("unit-add", tournament), values | {"check_in": "yes"})
    unit = tournament.units.get(number=3)
    answer = secretary.post(address("unit-edit", unit), values | {"name_1": "Zoe Marchand", "name_2": "Rene Gris"})
    assert answer.status_code == 302
    assert list(unit.players.values_list("name", "player__given_name")) == [
        ("Zoe Marchand", "Zoé"),
        ("Rene Gris", "René"),
    ]
    answer = secretary.post(address("unit-edit", unit), values | {"name_2": "René Gros"})
    assert "Correct a name on the person’s page." in answer.content.decode()


def test_two_guests_of_one_name_keep_their_records(secretary: Client, club: Club) -> None:
    """A father and his son: each lost his record with the next change of the registration."""
    tournament = a_running_tournament(club, units=2)
    values = {"kind": "complete", "name_1": "Jean Martin", "name_2": "Jean Martin"}
    secretary.post(address("unit-add", tournament), values | {"check_in": "yes"})
    unit = tournament.units.get(number=3)
    before = list(unit.players.values_list("player", flat=True))
    assert secretary.post(address("unit-edit", unit), values | {"phone_1": "0123"}).status_code == 302
    assert list(unit.players.values_list("player", flat=True)) == before
    assert len(set(before)) == 2


def test_three_who_seek_each_other_are_joined_one_by_one_and_never_four(secretary: Client, club: Club) -> None:
    tournament = a_tournament(club, unit_size=3)
    pair, other_pair = (a_unit(tournament, f"Ann {name}", f"Bob {name}", seeks_partner=True) for name in "XY")
    single, last = (a_unit(tournament, f"Eve {name}", seeks_partner=True) for name in "XY")
    offered = secretary.get(address("unit-edit", pair)).context["partners"]
    assert {unit.pk for unit in offered} == {single.pk, last.pk}
    page = secretary.post(address("unit-pair", pair), {"partner": other_pair.pk}, follow=True)
    assert "Together they are too many." in page.content.decode()
    secretary.post(address("unit-pair", single), {"partner": last.pk})
    single.refresh_from_db()
    assert (single.state, single.players.count()) == (UnitState.SEEKING, 2), "they are two of three"
    assert tournament.units.count() == 3


def test_of_two_players_with_a_members_name_neither_is_linked_to_the_member(
    secretary: Client, club: Club, tournament: Tournament
) -> None:
    """Only one of them can be the member, and the program cannot know which."""
    club.memberships.create(player=a_player("Zoé", "Marchand"))
    names = {"kind": "complete", "name_1": "Zoé Marchand", "name_2": "marchand zoe"}
    assert secretary.post(address("unit-add", tournament), names).status_code == 302
    assert list(tournament.units.get().players.values_list("player", flat=True)) == [None, None]


def test_a_list_without_the_column_of_names_is_refused_and_shows_the_columns(
    secretary: Client, tournament: Tournament
) -> None:
    page = secretary.post(address("units-bring-in", tournament), {"text": "Anne Petit;Bruno Grand\n", "store": "1"})
    assert page.status_code == 422
    assert "The first line names the columns as the export does: Player 1" in page.content.decode()
    assert not tournament.units.exists()
