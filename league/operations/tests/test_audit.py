"""The audit log of a club: every action, visible to the club's admins only, and never changed."""

from __future__ import annotations

from contextlib import AbstractContextManager
from datetime import date, timedelta
from io import BytesIO
from uuid import uuid4

import pghistory
import pytest
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from openpyxl.reader.excel import load_workbook
from pghistory.models import Context
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.actions import (
    attendance,
    audit,
    clubs,
    contests,
    deals,
    erasure,
    evenings,
    merging,
    people,
    roles,
    rounds,
    season_closing,
    seasons,
    totals,
)
from league.actions.account_deletion import delete_account
from league.imports.queries.listed_people import ListedPerson
from league.models import AuditEntry, Club, Deal, Membership, Round, Table
from league.models.audit_entry import AuditEvent, ExportKind
from league.models.deal import DealSource
from league.models.rights import Role
from league.models.round import RoundState
from league.models.season import SeasonState
from league.operations.forms.audit import EVENT_GROUPS
from league.sheets.queries.table_sums import PointsAndDeals
from league.standings.fields import RuleWithOptions
from league.standings.rules import StandingsRules
from players.models import Player, User
from tests.build import (
    NOW,
    PASSWORD,
    TAKE,
    a_club,
    a_deal,
    a_member,
    a_season,
    a_table,
    a_tournament,
    a_unit,
    a_user,
    an_evening,
    confirm_address,
    sign_in,
)
from tests.readers import confirmed, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def admin(club: Club) -> Player:
    return a_member(club, Role.ADMIN)


@pytest.fixture
def reader(admin: Player) -> Client:
    return confirmed(Client(REMOTE_ADDR="192.0.2.7"), admin)


def log_lines(reader: Client, club: Club, **query: object) -> list[tuple[str, ...]]:
    answer = reader.get(reverse("league:audit", args=[club.slug], query=query))
    assert answer.status_code == 200
    lines = answer.context["lines"]
    return [
        (line["actor"], str(line["entry"]), line["subject"], line["entry"].address, line["entry"].reason)
        for line in lines
    ]


def at_table(table: Table) -> Deal:
    """Return a deal that a phone at the table recorded."""
    Club.objects.update(table_entry=True)
    return deals.record(table.pk, TAKE, client_key=uuid4(), now=NOW, source=DealSource.TABLE)


def kinds(reader: Client, club: Club, **query: object) -> list[str]:
    return [row[1] for row in log_lines(reader, club, **query)]


def test_entering_checking_correcting_and_voiding_are_logged_with_place_and_reason(
    reader: Client, club: Club, admin: Player
) -> None:
    table = a_table(an_evening(a_season(club)))
    deal = at_table(table)
    with pghistory.context(user=admin.user_id):
        deals.check_off(table.pk, {deal.pk: deal.version})
        deal = deals.revise(deal.pk, {**TAKE, "points": 44}, client_key=uuid4(), seen_version=deal.version, now=NOW)
        deals.void(deal.pk, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="Twice on the sheet")
    lines = [row for row in log_lines(reader, club) if row[1].endswith("a deal")]
    assert {row[1] for row in lines} == {"Checked a deal", "Corrected a deal", "Entered a deal", "Voided a deal"}
    assert {row[0] for row in lines} <= {str(admin), "the program", "at the table"}
    assert {row[4] for row in lines if row[1] == "Voided a deal"} == {"Twice on the sheet"}


def test_deal_is_named_with_its_day_in_the_readers_language_and_linked(
    reader: Client, club: Club, admin: Player
) -> None:
    deal = a_deal(a_table(an_evening(a_season(club), on=date(2026, 10, 1))))
    User.objects.filter(pk=user_of(admin).pk).update(language="fr")
    page = reader.get(reverse("league:audit", args=[club.slug]), {"kind": "deal_recorded"}).content.decode()
    assert f'<a href="{deal.get_absolute_url()}">Donne 1 de la table 1, tour 1, 1er octobre 2026</a>' in page
    deals.void(deal.pk, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="Twice on the sheet")
    page = reader.get(reverse("league:audit", args=[club.slug]), {"kind": "deal_voided"}).content.decode()
    assert f'<a href="{deal.get_absolute_url()}">Une donne de la table 1, tour 1, 1er octobre 2026</a>' in page


def test_entries_of_tournaments_and_their_registrations_lead_to_the_tournament(reader: Client, club: Club) -> None:
    tournament = a_tournament(club, name="Open day")
    a_unit(tournament)
    lines = reader.get(reverse("league:audit", args=[club.slug])).context["lines"]
    links = {line["entry"].event: (line["subject"], line["link"]) for line in lines}
    expected = ("Open day", tournament.get_absolute_url())
    assert [links[event] for event in ("tournament_created", "unit_registered")] == [expected] * 2


def test_who_wrote_is_named_though_he_signed_in_elsewhere_or_nowhere(reader: Client, club: Club) -> None:
    """A club that was taken in from its file knows its people, not their logins; a phone at the table has none."""
    author = a_member(club, login=False)
    table = a_table(an_evening(a_season(club)))
    at_table(table)
    with pghistory.context(player=author.pk):
        a_deal(table)
    assert [row[0] for row in log_lines(reader, club, kind="deal_recorded")] == [str(author), "at the table"]
    assert [row[0] for row in log_lines(reader, club, kind="deal_recorded", q=author.family_name)] == [str(author)]


def test_roles_lists_and_evenings_are_logged(reader: Client, club: Club) -> None:
    member = a_member(club)
    membership = club.memberships.get(player=member)
    reader.post(reverse("league:member-role", args=[club.slug, membership.pk]), {"role": "secretary"})
    [role_line] = [row for row in log_lines(reader, club) if row[1] == "Gave a role"]
    assert role_line[2] == f"{member}, Secretary"
    assert role_line[3] == "192.0.2.7"
    evening = evenings.close(an_evening(a_season(club)).pk, now=NOW)
    evenings.reopen(evening.pk, now=NOW, reason="Forgotten sheet")
    lines = log_lines(reader, club)
    assert [row[4] for row in lines if row[1] == "Reopened an evening"] == ["Forgotten sheet"]
    assert kinds(reader, club).count("Closed an evening") == 1


def test_member_added_and_gone_is_logged(reader: Client, club: Club) -> None:
    player = people.add_person(club, "Anne", "Roy", Role.MEMBER)
    roles.end_membership(club.memberships.get(player=player).pk)
    assert [(row[1], row[2]) for row in log_lines(reader, club, q="") if str(player) in row[2]] == [
        ("Took off the list", f"{player}, Member"),
        ("Put on the list", f"{player}, Member"),
    ]


def test_erasing_merging_inviting_and_downloading_are_logged(
    reader: Client,
    club: Club,
    admin: Player,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    confirm_address(admin)
    kept_player, merged_player, erased, invited = (a_member(club, login=False) for _person in range(4))
    merging.merge(kept_player.pk, merged_player.pk, by=user_of(admin), now=NOW)
    erasure.erase(erased.pk, by=user_of(admin))
    Membership.objects.filter(player=invited).update(email="new@club.example")
    with django_capture_on_commit_callbacks(execute=True):
        reader.post(reverse("league:member-send", args=[club.slug, club.memberships.get(player=invited).pk]))
    assert {"Merged two records", "Erased a person", "Invited"} <= set(kinds(reader, club, q=admin.family_name))
    reader.post(reverse("league:own-data"))
    assert AuditEntry.objects.filter(event=AuditEvent.EXPORTED, user=user_of(admin)).exists()


def test_sign_in_of_staff_is_logged_in_their_club_and_of_members_nowhere(reader: Client, club: Club) -> None:
    secretary, member = a_member(club, Role.SECRETARY), a_member(club)
    for player in (secretary, member):
        Client(REMOTE_ADDR="192.0.2.9").post("/account/login/", {"login": user_of(player).email, "password": PASSWORD})
    assert AuditEntry.objects.filter(event=AuditEvent.SIGNED_IN).count() == 2
    assert [row[:4] for row in log_lines(reader, club, kind="signed_in")] == [
        (str(secretary), "Signed in", "", "192.0.2.9")
    ]
    other_club = a_club()
    assert log_lines(sign_in(Client(), a_member(other_club, Role.ADMIN)), other_club, kind="signed_in") == []


def test_other_clubs_acts_are_not_listed_and_the_installations_admin_sees_all(reader: Client, club: Club) -> None:
    second_club = a_club()
    a_deal(a_table(an_evening(a_season(second_club))))
    assert "Entered a deal" not in kinds(reader, club)
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    everything = Client()
    everything.force_login(root)
    answer = everything.get(reverse("league:audit-site"), {"kind": "deal_recorded"})
    assert [str(line["entry"]) for line in answer.context["lines"]] == ["Entered a deal"]


@pytest.mark.parametrize(
    ("query", "has_lines"),
    [
        ({"kind": "club_founded"}, True),
        ({"kind": "deal_voided"}, False),
        ({"until": "2020-01-01"}, False),
        ({"since": "1900-01-01", "until": "2020-01-01"}, False),
        ({"q": "Nobodyofthisname"}, False),
        ({"page": "x"}, True),
    ],
)
def test_filter_finds_what_it_says(reader: Client, club: Club, query: dict[str, str], has_lines: bool) -> None:
    assert bool(log_lines(reader, club, **query)) is has_lines


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("since", "2999-01-01"),
        ("until", "1899-12-31"),
        ("since", "soon"),
        ("kind", "nonsense"),
        ("q", "x" * 81),
        ("q", "a b c d e f g h i"),
    ],
)
def test_filter_that_cannot_be_is_refused_on_its_field_and_gives_no_file(
    reader: Client, club: Club, name: str, value: str
) -> None:
    page = reader.get(reverse("league:audit", args=[club.slug]), {name: value})
    assert (page.status_code, list(page.context["filter"].errors)) == (422, [name])
    assert reader.get(reverse("league:audit-csv", args=[club.slug]), {name: value}).status_code == 400


def test_files_hold_what_the_page_shows(reader: Client, club: Club) -> None:
    a_deal(a_table(an_evening(a_season(club))))
    page_kinds = kinds(reader, club, kind="deal_recorded")
    answer = reader.get(reverse("league:audit-csv", args=[club.slug]), {"kind": "deal_recorded"})
    assert [line.split(",")[2] for line in answer.content.decode().splitlines()[1:]] == page_kinds
    book = load_workbook(
        BytesIO(reader.get(reverse("league:audit-xlsx", args=[club.slug]), {"kind": "deal_recorded"}).content)
    )
    assert [row[2].value for row in list(book.worksheets[0].rows)[1:]] == page_kinds


def test_act_is_neither_changed_nor_deleted(club: Club) -> None:
    audit.log(AuditEvent.EXPORTED, club, what=ExportKind.CLUB)
    for change in (lambda: AuditEntry.objects.update(reason="nothing"), lambda: AuditEntry.objects.all().delete()):
        with pytest.raises(DatabaseError, match="Cannot update or delete"), transaction.atomic():
            change()


def test_from_where_is_forgotten_after_a_year_and_nothing_else(reader: Client, club: Club, admin: Player) -> None:
    player = a_member(club)
    reader.post(
        reverse("league:member-role", args=[club.slug, club.memberships.get(player=player).pk]), {"role": "treasurer"}
    )
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL pghistory.context_id = ''")
    now = timezone.now()
    audit.remove_old_ip_addresses(now + audit.IP_ADDRESS_RETENTION - timedelta(hours=1))
    assert Context.objects.filter(metadata__has_key="address").exists()
    audit.remove_old_ip_addresses(now + audit.IP_ADDRESS_RETENTION + timedelta(hours=1))
    assert not Context.objects.filter(metadata__has_key="address").exists()
    [line] = log_lines(reader, club, kind="role_changed")
    assert line[:4] == (str(admin), "Gave a role", f"{player}, Treasurer", "")


def test_no_page_of_the_audit_takes_a_write(reader: Client, club: Club) -> None:
    for name in ("audit", "audit-csv", "audit-xlsx"):
        assert reader.post(reverse(f"league:{name}", args=[club.slug])).status_code == 405


def test_totals_of_a_sheet_are_logged_once(reader: Client, club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    totals_by_seat = {seat: PointsAndDeals(points, 4) for seat, points in enumerate((30, -10, -10, -10))}
    totals.record(table.pk, totals_by_seat, client_key=uuid4(), seen_version=table.version, now=NOW)
    assert kinds(reader, club).count("Entered totals") == 1


def events_and_subjects(reader: Client, club: Club, **query: object) -> list[tuple[str, str]]:
    """Return what each line says was done, and about what, the earliest first."""
    return [(row[1], row[2]) for row in reversed(log_lines(reader, club, **query))]


def request_of(player: Player) -> AbstractContextManager[object]:
    """Return a context that is like a request of the player."""
    return pghistory.context(user=player.user_id)


@pytest.mark.django_db(transaction=True)
def test_founding_is_the_first_that_is_logged(club: Club, admin: Player) -> None:
    founder = a_user().player
    audit.log_sign_in(user_of(founder))
    Client().post("/account/login/", {"login": user_of(founder).email, "password": PASSWORD})
    reader = confirmed(Client(REMOTE_ADDR="192.0.2.7"), founder)
    fields = {"name": "Le Petit au Bout", "language": "en-gb", "time_zone": "Europe/Paris", "currency": "EUR"}
    founded = clubs.create_club(founder, **fields)
    audit.log_sign_in(user_of(founder))
    assert {row[1] for row in log_lines(reader, founded)} == {"Founded the club", "Signed in"}
    assert kinds(reader, founded).count("Signed in") == 1
    assert log_lines(reader, founded, kind="club_founded")[0][2] == "Le Petit au Bout"


@pytest.mark.django_db(transaction=True)  # rows of one transaction have one time
def test_sign_ins_are_logged_for_the_time_in_which_somebody_had_a_role(reader: Client, club: Club) -> None:
    person = a_member(club)
    membership = club.memberships.get(player=person)
    for role, address in ((None, "192.0.2.1"), (Role.SECRETARY, "192.0.2.2"), (Role.MEMBER, "192.0.2.3")):
        if role:
            roles.change_role(membership.pk, role)
        with pghistory.context(address=address):
            audit.log_sign_in(user_of(person))
    roles.end_membership(membership.pk)
    assert [row[3] for row in log_lines(reader, club, kind="signed_in")] == ["192.0.2.2"]


def test_life_of_an_evening_is_logged(reader: Client, club: Club, admin: Player) -> None:
    season = a_season(club)
    with request_of(admin):
        evenings.plan_many(season.pk, [date(2026, 10, 1), date(2026, 10, 8)])
    evening, second = season.evenings.order_by("date")
    with request_of(admin):
        evening.place = "Town hall"
        evenings.change(evening, ["place"])
    evenings.open(evening.pk, now=NOW)
    evenings.close(evening.pk, now=NOW)
    evenings.reopen(evening.pk, now=NOW, reason="Forgotten sheet")
    evenings.cancel(second.pk)
    day = "1 Oct 2026"
    rows = [row for row in events_and_subjects(reader, club) if "evening" in row[0]]
    assert sorted(rows) == [
        ("Cancelled an evening", "8 Oct 2026"),
        ("Changed an evening", day),
        ("Closed an evening", day),
        ("Opened an evening", day),
        ("Planned an evening", "2 evenings, 1 Oct 2026 – 8 Oct 2026"),
        ("Reopened an evening", day),
    ]


def test_check_ins_and_fees_are_one_line_an_evening_and_one_each_where_they_are_asked_for(
    reader: Client, club: Club, admin: Player
) -> None:
    people = [a_member(club) for _number in range(3)]
    Club.objects.filter(pk=club.pk).update(fee_member=300)
    evening = an_evening(a_season(club), on=date(2026, 10, 1))
    for person in people:
        with request_of(admin):
            [row] = attendance.check_in(evening.pk, [person.pk])
        with request_of(admin):
            attendance.set_paid(row.pk, paid=True)
    with request_of(admin):
        attendance.set_paid(row.pk, paid=False)
    with request_of(admin):
        attendance.set_leaving(row.pk, leaves=True)
    with request_of(admin):
        attendance.check_out(row.pk)
    lines = {row[1]: (row[0], row[2]) for row in log_lines(reader, club, q=admin.family_name)}
    assert lines == {
        "Checked in": (str(admin), "3 people, 1 Oct 2026"),
        "Took a fee": (str(admin), "3 people, 1 Oct 2026"),
        "Wrote a fee as not paid": (str(admin), f"{people[2]}, 1 Oct 2026"),
        "Changed a check-in": (str(admin), f"{people[2]}, 1 Oct 2026"),
        "Took back a check-in": (str(admin), f"{people[2]}, 1 Oct 2026"),
    }
    single_lines = events_and_subjects(reader, club, kind="checked_in")
    assert set(single_lines) == {("Checked in", f"{person}, 1 Oct 2026") for person in people}
    assert len(single_lines) == 3


def test_lines_of_check_ins_lead_to_their_evening(reader: Client, club: Club) -> None:
    evening = an_evening(a_season(club))
    attendance.check_in(evening.pk, [a_member(club).pk, a_member(club).pk])
    page = reader.get(reverse("league:audit", args=[club.slug]))
    assert {line["link"] for line in page.context["lines"] if line["entry"].event == "checked_in"} == {
        evening.get_absolute_url()
    }


def test_accepted_draw_is_logged_with_its_round(reader: Client, club: Club, admin: Player) -> None:
    evening = an_evening(a_season(club), on=date(2026, 10, 1))
    planned_round = Round.objects.create(evening=evening, number=1, state=RoundState.PLANNED)
    reader.post(reverse("league:round-accept", args=[planned_round.pk]))
    assert log_lines(reader, club, kind="draw_accepted") == [
        (str(admin), "Accepted a draw", "Round 1, 1 Oct 2026", "192.0.2.7", "")
    ]
    reader.post(reverse("league:round-accept", args=[planned_round.pk]))
    assert kinds(reader, club).count("Accepted a draw") == 1


def test_contest_and_its_answer_are_logged(reader: Client, club: Club, admin: Player) -> None:
    deal = a_deal(a_table(an_evening(a_season(club))))
    member = deal.table.seats.all()[0].player
    raised = contests.record_contest(deal.pk, player_id=member.pk, reason="We noted other points.", now=timezone.now())
    contests.answer_contest(raised.pk, answer="So it stands on the sheet.", by=user_of(admin), now=timezone.now())
    lines = [row for row in log_lines(reader, club) if "contest" in row[1].lower()]
    assert [(row[0], row[1], row[4]) for row in lines] == [
        (str(admin), "Answered a contest", "So it stands on the sheet."),
        (str(member), "Contested a deal", "We noted other points."),
    ]
    assert str(member) in lines[0][2]
    assert kinds(reader, club, q=member.family_name, kind="deal_contested")


def test_each_change_of_a_season_says_which(reader: Client, club: Club, admin: Player) -> None:
    draft = a_season(club, state=SeasonState.DRAFT, name="Winter")
    draft.pk, draft.name = None, "Spring"
    seasons.create_season(draft, draft.house_rules)
    seasons.open(draft.pk)
    version = seasons.standings_rules_version(draft)
    rules = StandingsRules(counts=RuleWithOptions("best", (("n", 3),)))
    seasons.change_standings_rules(draft.pk, rules, planned_evenings=None, seen_version=version, reason=None, now=NOW)
    draft.refresh_from_db()
    seasons.change_rules(draft, [], {**draft.house_rules, "misere": True}, reason=None, now=NOW)
    draft.contest_hours = 24
    seasons.change_rules(draft, ["contest_hours"], draft.house_rules, reason=None, now=NOW)
    season_closing.close(draft.pk, now=NOW)
    season_closing.reopen(draft.pk, reason="One sheet more", now=NOW)
    lines = [row for row in events_and_subjects(reader, club) if row[1] == "Spring"]
    assert sorted(row[0] for row in lines) == [
        "Changed a season’s settings",
        "Changed the house rules",
        "Changed the standings rules",
        "Closed a season",
        "Opened a season",
        "Reopened a season",
        "Set up a season",
    ]


def test_details_are_logged_without_their_values_and_a_list_of_them_by_its_number(
    reader: Client, club: Club, admin: Player
) -> None:
    first = a_member(club)
    membership = club.memberships.get(player=first)
    for _twice in range(2):
        with request_of(admin):
            people.change_details(membership.pk, names=None, number="12", email="new@club.example", phone="")
    assert events_and_subjects(reader, club, kind="details_changed") == [("Changed somebody’s details", str(first))]
    with request_of(admin):
        people.import_people(club, [ListedPerson(2, "Anne", "Bo", "1"), ListedPerson(3, "Cleo", "Dir", "2")], {})
    with request_of(admin):
        detailed = [
            ListedPerson(2, "Anne", "Bo", "1", "anne@club.example"),
            ListedPerson(3, "Cleo", "Dir", "2", "c@club.example"),
        ]
        people.import_people(club, detailed, {})
    assert [(row[0], row[2]) for row in log_lines(reader, club, kind="people_imported")] == [
        (str(admin), "2 people")
    ] * 2


def test_list_of_new_people_is_one_line(reader: Client, club: Club, admin: Player) -> None:
    with request_of(admin):
        people.import_people(club, [ListedPerson(2, "Anne", "Bo"), ListedPerson(3, "Cleo", "Dir")], {})
    assert [row[1:3] for row in log_lines(reader, club, q=admin.family_name)] == [
        ("Imported a list of people", "2 people")
    ]


def test_account_that_its_owner_deleted_is_logged_with_his_name(reader: Client, club: Club) -> None:
    secretary = a_member(club, Role.SECRETARY)
    delete_account(user_of(secretary).pk)
    assert [row[:3] for row in log_lines(reader, club, kind="account_deleted")] == [
        (str(secretary), "Deleted their account", str(secretary))
    ]


def test_records_joined_and_taken_apart_are_logged_without_the_seats_that_went_over(reader: Client, club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    merged_player, kept_player = table.seats.all()[0].player, a_member(club, login=False)
    Player.objects.filter(pk=merged_player.pk).update(user=None)
    with pghistory.context(user=None):
        merged = merging.merge(kept_player.pk, merged_player.pk, by=None, now=NOW)
    with pghistory.context(user=None):
        merging.undo(merged.pk, now=NOW)
    lines = kinds(reader, club)
    assert {"Merged two records", "Took two records apart"} <= set(lines)
    assert not {"Changed who sat where", "Changed a check-in"} & set(lines)


def test_changed_seats_are_logged_once(reader: Client, club: Club) -> None:
    table = a_table(an_evening(a_season(club), on=date(2026, 10, 1)))
    first, second = [seat.player_id for seat in table.seats.all()[:2]]
    a_deal(table)
    rounds.swap_players(table.round_id, first, second, now=NOW, reason="Sat the other way round")
    [line] = [row for row in log_lines(reader, club) if row[1] == "Changed who sat where"]
    assert line[2:] == ("Round 1, 1 Oct 2026", "", "Sat the other way round")


def test_corrected_totals_are_logged_also_if_the_first_seat_keeps_its_own(reader: Client, club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    for points in ((30, -10, -10, -10), (30, -20, 0, -10)):
        sums = {seat: PointsAndDeals(total, 4) for seat, total in enumerate(points)}
        table.refresh_from_db()
        totals.record(table.pk, sums, client_key=uuid4(), seen_version=table.version, now=NOW, reason="Written wrongly")
    for query in ({}, {"kind": "totals_revised"}):
        assert kinds(reader, club, **query).count("Corrected totals") == 1


def test_club_asks_for_a_second_factor_and_other_settings_are_distinguished(reader: Client, club: Club) -> None:
    club.public = True
    clubs.change(club, ["public"])
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    for is_required in (True, False):
        clubs.require_second_factor(club, is_required, by=root)
    lines = [kind for kind, _subject in events_and_subjects(reader, club) if "club" in kind or "factor" in kind]
    assert sorted(lines) == [
        "Asked for a second factor, or no longer",
        "Asked for a second factor, or no longer",
        "Changed the club’s settings",
        "Founded the club",
    ]


@pytest.mark.faults
def test_every_kind_can_be_asked_for(reader: Client, club: Club) -> None:
    people.add_person(club, "Anne", "Roy", Role.MEMBER)
    a_deal(a_table(an_evening(a_season(club))))
    everything = set(kinds(reader, club))
    assert len(everything) > 3
    shown_kinds = {event: set(kinds(reader, club, kind=event)) for event in AuditEvent}
    assert [event for event, labels in shown_kinds.items() if not labels <= {str(event.label)}] == []
    assert set().union(*shown_kinds.values()) == everything
    assert [event for _name, events in EVENT_GROUPS for event, _label in events] == AuditEvent.values
