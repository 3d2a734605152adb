"""Who did what: each act is on the page of its club, told to its admins alone, and changed by nobody."""

from __future__ import annotations

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

from league.actions import acts, deals, erasing, evenings, merging, roles, totals
from league.models import Act, Club, Deal, Membership
from league.models.act import ActKind
from league.models.deal import Source
from league.models.rights import Role
from league.results.table_sums import Sums
from players.models import Player, User
from tests.build import NOW, PASSWORD, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening, sign_in
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


def told(reader: Client, club: Club, **query: object) -> list[tuple[str, ...]]:
    answer = reader.get(reverse("league:audit", args=[club.slug], query=query))
    assert answer.status_code == 200
    lines = answer.context["lines"]
    return [(each.who, each.kind, each.about, each.row.address, each.row.reason) for each in lines]


def kinds(reader: Client, club: Club, **query: object) -> list[str]:
    return [row[1] for row in told(reader, club, **query)]


def test_entering_checking_correcting_and_voiding_are_told_with_place_and_reason(
    reader: Client, club: Club, admin: Player
) -> None:
    table = a_table(an_evening(a_season(club)))
    deal = a_deal(table)
    Deal.objects.filter(pk=deal.pk).update(source=Source.TABLE, checked=False)
    with pghistory.context(user=admin.user_id):
        deals.check_off(table.pk, {deal.pk: deal.version})
        deal = deals.revise(deal.pk, {**TAKE, "points": 44}, client_key=uuid4(), seen_version=deal.version, now=NOW)
        deals.void(deal.pk, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="Twice on the sheet")
    found = [row for row in told(reader, club) if row[1].endswith("a deal")]
    assert {row[1] for row in found} == {"Checked a deal", "Corrected a deal", "Entered a deal", "Voided a deal"}
    assert {row[0] for row in found} <= {str(admin), "the program", "at the table"}
    assert {row[4] for row in found if row[1] == "Voided a deal"} == {"Twice on the sheet"}


def test_deal_is_named_with_its_day_in_the_readers_language_and_linked(
    reader: Client, club: Club, admin: Player
) -> None:
    deal = a_deal(a_table(an_evening(a_season(club), on=date(2026, 10, 1))))
    User.objects.filter(pk=user_of(admin).pk).update(language="fr")
    page = reader.get(reverse("league:audit", args=[club.slug]), {"kind": "entered"}).content.decode()
    assert f'<a href="{deal.get_absolute_url()}">Donne 1 de la table 1, tour 1, 1 octobre 2026</a>' in page
    deals.void(deal.pk, client_key=uuid4(), seen_version=deal.version, now=NOW, reason="Twice on the sheet")
    page = reader.get(reverse("league:audit", args=[club.slug]), {"kind": "voided"}).content.decode()
    assert f'<a href="{deal.get_absolute_url()}">Une donne de la table 1, tour 1, 1 octobre 2026</a>' in page


def test_who_wrote_is_named_though_he_signed_in_elsewhere_or_nowhere(reader: Client, club: Club) -> None:
    """A club that was taken in from its file knows its people, not their logins; a phone at the table has none."""
    author = a_member(club, login=False)
    table = a_table(an_evening(a_season(club)))
    phone = a_deal(table)
    Deal.objects.filter(pk=phone.pk).update(source=Source.TABLE, checked=False)
    with pghistory.context(player=author.pk):
        a_deal(table)
    assert [row[0] for row in told(reader, club, kind="entered")] == [str(author), "the program"]
    assert [row[0] for row in told(reader, club, kind="corrected")] == ["at the table"]
    assert [row[0] for row in told(reader, club, kind="entered", q=author.family_name)] == [str(author)]


def test_roles_lists_and_evenings_are_told(reader: Client, club: Club) -> None:
    member = a_member(club)
    membership = club.memberships.get(player=member)
    reader.post(reverse("league:member-role", args=[club.slug, membership.pk]), {"role": "secretary"})
    [given] = [row for row in told(reader, club) if row[1] == "Gave a role"]
    assert given[2] == f"{member}, Secretary"
    assert given[3] == "192.0.2.7"
    evening = evenings.close(an_evening(a_season(club)).pk, now=NOW)
    evenings.reopen(evening.pk, now=NOW, reason="Forgotten sheet")
    found = told(reader, club)
    assert [row[4] for row in found if row[1] == "Reopened an evening"] == ["Forgotten sheet"]
    assert kinds(reader, club).count("Closed an evening") == 1


def test_member_added_and_gone_is_told(reader: Client, club: Club) -> None:
    player = a_member(club)
    roles.end_membership(club.memberships.get(player=player).pk)
    assert [(row[1], row[2]) for row in told(reader, club, q="") if str(player) in row[2]] == [
        ("Took off the list", f"{player}, Member"),
        ("Put on the list", f"{player}, Member"),
    ]


def test_erasing_merging_inviting_and_downloading_are_told(reader: Client, club: Club, admin: Player) -> None:
    kept, gone, erased, invited = (a_member(club, login=False) for _person in range(4))
    merging.merge(kept.pk, gone.pk, by=user_of(admin), now=NOW)
    erasing.erase(erased.pk, by=user_of(admin))
    Membership.objects.filter(player=invited).update(email="new@club.example")
    reader.post(reverse("league:member-send", args=[club.slug, club.memberships.get(player=invited).pk]))
    assert {"Joined two records", "Erased a person", "Invited"} <= set(kinds(reader, club, q=admin.family_name))
    reader.post(reverse("league:own-data"))
    assert Act.objects.filter(kind=ActKind.EXPORTED, user=user_of(admin)).exists()


def test_sign_in_of_staff_is_told_in_their_club_and_of_members_nowhere(reader: Client, club: Club) -> None:
    secretary, member = a_member(club, Role.SECRETARY), a_member(club)
    for player in (secretary, member):
        Client(REMOTE_ADDR="192.0.2.9").post("/account/login/", {"login": user_of(player).email, "password": PASSWORD})
    assert Act.objects.filter(kind=ActKind.SIGNED_IN).count() == 2
    assert [row[:4] for row in told(reader, club, kind="signed in")] == [(str(secretary), "Signed in", "", "192.0.2.9")]
    other = a_club()
    assert told(sign_in(Client(), a_member(other, Role.ADMIN)), other, kind="signed in") == []


def test_other_clubs_acts_are_not_told_and_the_installations_admin_sees_all(reader: Client, club: Club) -> None:
    other = a_club()
    a_deal(a_table(an_evening(a_season(other))))
    assert "Entered a deal" not in kinds(reader, club)
    root = User.objects.create_superuser("root@club.example", PASSWORD)
    everything = Client()
    everything.force_login(root)
    answer = everything.get(reverse("league:audit-site"), {"kind": "entered"})
    assert [each.kind for each in answer.context["lines"]] == ["Entered a deal"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({"kind": "added"}, True),
        ({"kind": "voided"}, False),
        ({"since": "2999-01-01"}, True),  # of another age: as if nothing were chosen
        ({"until": "2020-01-01"}, False),
        ({"since": "1900-01-01", "until": "2020-01-01"}, False),
        ({"q": "Nobodyofthisname"}, False),
        ({"kind": "nonsense", "page": "x", "since": "soon"}, True),
    ],
)
def test_filter_finds_what_it_says(reader: Client, club: Club, query: dict[str, str], found: bool) -> None:
    assert bool(told(reader, club, **query)) is found


def test_files_hold_what_the_page_shows(reader: Client, club: Club) -> None:
    a_deal(a_table(an_evening(a_season(club))))
    shown = kinds(reader, club, kind="entered")
    answer = reader.get(reverse("league:audit-csv", args=[club.slug]), {"kind": "entered"})
    assert [line.split(",")[2] for line in answer.content.decode().splitlines()[1:]] == shown
    book = load_workbook(
        BytesIO(reader.get(reverse("league:audit-xlsx", args=[club.slug]), {"kind": "entered"}).content)
    )
    assert [row[2].value for row in list(book.worksheets[0].rows)[1:]] == shown


def test_act_is_neither_changed_nor_deleted(club: Club) -> None:
    acts.note(ActKind.EXPORTED, None, club=club)
    for change in (lambda: Act.objects.update(about="nothing"), lambda: Act.objects.all().delete()):
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
    acts.forget_addresses(now + acts.ADDRESSES - timedelta(hours=1))
    assert Context.objects.filter(metadata__has_key="address").exists()
    acts.forget_addresses(now + acts.ADDRESSES + timedelta(hours=1))
    assert not Context.objects.filter(metadata__has_key="address").exists()
    [given] = told(reader, club, kind="role")
    assert given[:4] == (str(admin), "Gave a role", f"{player}, Treasurer", "")


def test_no_page_of_the_audit_takes_a_write(reader: Client, club: Club) -> None:
    for name in ("audit", "audit-csv", "audit-xlsx"):
        assert reader.post(reverse(f"league:{name}", args=[club.slug])).status_code == 405


def test_totals_of_a_sheet_are_told_once(reader: Client, club: Club) -> None:
    table = a_table(an_evening(a_season(club)))
    written = {seat: Sums(points, 4) for seat, points in enumerate((30, -10, -10, -10))}
    totals.record(table.pk, written, client_key=uuid4(), seen_version=table.version, now=NOW)
    assert kinds(reader, club).count("Entered totals") == 1
