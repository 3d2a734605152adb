"""An admin of one club changes nothing that another club shows, at every address.

Each address that takes a POST is a row of tests/access.txt and is classified here.
"""

from __future__ import annotations

from collections.abc import Iterator
from http.cookies import SimpleCookie
from typing import Any

import pytest
from django.conf import settings
from django.db import connection, transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from league.actions import adjustments, evenings, season_closing
from league.imports.queries.club_file.parts import PARTS, club_player_ids
from league.models import Attendance, Club, Membership, Rest, Round
from league.models.rights import ROLES_ABOVE_MEMBER, Role
from players.models import Player, User
from tests.build import NOW, PASSWORD, a_club, a_deal, a_member, a_player, a_season, a_table, an_evening, settle
from tests.readers import confirmed, give_password
from tests.test_access import ROWS, World, a_world
from tests.writers import Writes

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("two clubs")]

MEMBER = "/clubs/{club}/members/{membership}"
NAMES = {"given_name": "Zoé", "family_name": "Autre"}
SEATS = {f"seat_{number}": f"{{seat_{number}}}" for number in range(4)}

# Addresses that change a person's record or results, each with what follows it and what is sent.
OF_A_PERSON: dict[str, tuple[str, dict[str, str]]] = {
    f"{MEMBER}/edit": ("", NAMES),
    f"{MEMBER}/role": ("", {"role": "secretary"}),
    f"{MEMBER}/end": ("", {}),
    f"{MEMBER}/merge": ("?with={double}", {"keep": "{double}"}),
    "/merges/{merge}/undo": ("", {}),
    "/clubs/{club}/committee": ("", {"person-1": "{membership}", "new-1": "secretary", "hand_over": "1"}),
    "/clubs/{club}/apart": ("", {"first": "{player}", "second": "{double}"}),
    "/apart/{apart}/remove": ("", {}),
    "/attendances/{attendance}/paid": ("", {"paid": "yes"}),
    "/attendances/{attendance}/leaving": ("", {"leaves": "yes"}),
    "/attendances/{attendance}/edit": ("", {"from_round": "1", "fee": "4", "paid": "2", "fixed_table": "3"}),
    "/evenings/{evening}/players/add": ("", {"players": "{double}"}),
    "/seasons/{season}/adjustments": ("", {"player": "{player}", "points": "5", "reason": "prize"}),
    "/seasons/{season}/adjustments/{adjustment}/take-back": ("", {}),
    "/evenings/{evening}/tables/add": ("?size=4&round=2", SEATS),
    "/tables/{table}/seats": ("", {**SEATS, "reason": "wrong seats"}),
    "/contests/{contest}/answer": ("", {"answer": "No."}),
}
# These are refused for a member with seats; what is sent would change a guest's record, or a check-in.
REFUSED: dict[str, tuple[str, dict[str, str]]] = {
    "/attendances/{attendance}/name": ("", NAMES),
    "/attendances/{attendance}/remove": ("", {}),
    f"{MEMBER}/send": ("", {}),
    f"{MEMBER}/agree": ("", {}),
}
# What the user does with the own login and record.
OF_ONESELF = {
    *("/privacy", "/privacy/data", "/account/delete", "/account/logout/", "/calendar/renew", "/calendar/end"),
    *("/setup", "/demo", "/watch/test-email", "/watch/test-backup"),
    *("/letters", "/letters/stop/{stop}", "/language", "/tokens", "/tokens/{api_token}/revoke", "/join/{token}"),
    *("/evenings/{evening}/answer", "/deals/{deal}/contest", "/deals/{guests_deal}/contest"),
}
# What changes a club, or adds new people to it.
OF_A_CLUB = {
    *("/clubs/found", "/clubs/from-a-file", "/games/{game}/calculator", "/games/{game}/rating-rules"),
    *(f"/clubs/{{club}}/{name}" for name in ("file", "delete", "keep", "look", "settings", "second-factor")),
    *(f"/clubs/{{club}}/{name}" for name in ("members.csv", "members.xlsx", "members/add", "members/bring-in")),
    "/clubs/{club}/members/invite",
    *("/clubs/{club}/games", "/club-games/{club_game}", "/club-games/{club_game}/delete"),
    *("/clubs/{club}/webhooks", "/webhooks/{webhook}"),
    *(f"/webhooks/{{webhook}}/{name}" for name in ("test", "secret", "pause", "resume", "delete")),
    *("/jobs/{job}/retry", "/jobs/{job}/cancel"),
    *("/clubs/{club}/invitation/renew", "/clubs/{club}/runs/start"),
}
# What changes a season, an evening, a round, a table, a deal or a tournament of the own club.
OF_RESULTS = (
    "/seasons/",
    "/clubs/{club}/seasons/",
    "/drafts/",
    "/evenings/",
    "/rounds/",
    "/tables/",
    "/deals/",
    "/at/",
    "/clubs/{club}/tournaments/",
    "/teams/",
    "/tournaments/",
    "/tournament-rounds/",
    "/tournament-presets/",
    "/units/",
    "/tournament-clubs/",
    "/club-units/",
    "/registrations/",
    "/api/v1/tables/",
    "/api/v1/deals/",
    "/api/v1/tournaments/",
    "/api/v1/units/",
)

SENT = {**OF_A_PERSON, **REFUSED}
ADDRESSES = sorted({row.address for row in ROWS if row.method == "POST" and row.club != "public"})


def test_every_address_is_classified() -> None:
    classified = SENT.keys() | OF_ONESELF | OF_A_CLUB
    unknown = [address for address in ADDRESSES if address not in classified and not address.startswith(OF_RESULTS)]
    assert (unknown, classified - set(ADDRESSES)) == ([], set())


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    with django_db_blocker.unblock(), transaction.atomic():
        built = a_world(public=False)
        club = Club.objects.get(slug=str(built.places["club"]))
        person = person_of(built)
        for number, seat in enumerate((person, *(a_member(club, login=False) for _ in range(3)))):
            built.places[f"seat_{number}"] = seat.pk
        Attendance.objects.filter(pk=str(built.places["attendance"])).update(fee=400)
        built.places["double"] = a_member(club, login=False).pk
        built.clients["admin"] = confirmed(Client(), a_member(club, Role.ADMIN))
        root = Client()
        root.force_login(User.objects.create_superuser("root@club.example", PASSWORD))
        give_password(root)
        built.clients["root"] = root
        for role in ("admin", "root"):
            built.sessions[role] = built.clients[role].cookies[settings.SESSION_COOKIE_NAME].value
        settle()
        yield built
        transaction.set_rollback(True)


def person_of(world: World) -> Player:
    return Player.objects.get(pk=str(world.places["player"]))


def played_by(person: Player, *, stays: bool) -> Club:
    """Return another, private club with a closed season in which the person has played, rested and got points."""
    club = a_club()
    season = a_season(club, end_number=1)
    evening = an_evening(season)
    opponents = [a_player() for _ in range(3)]
    a_deal(a_table(evening, [person, *opponents]))
    second = Round.objects.create(evening=evening, number=2)
    Rest.objects.create(round=second, player=person)
    adjustments.add_adjustment(season.pk, person.pk, 5, reason="prize", now=NOW)
    evenings.close(evening.pk, now=NOW)
    season_closing.close(season.pk, now=NOW)
    club.memberships.filter(player=person).update(number="B-1", email="zoe@club.example")
    if not stays:
        club.memberships.filter(player=person).delete()
    return club


def visible_rows(club: Club, player_ids: set[int]) -> dict[str, list[Any]]:
    """Return all that a club shows: the rows of its file, with these people's names, and which of them may read it."""
    rows: dict[str, list[Any]] = {part.name: list(part.rows(club, player_ids).values()) for part in PARTS}
    rows["readers"] = [
        (user.pk, Club.objects.readable_by(user).filter(pk=club.pk).exists())
        for user in User.objects.filter(player__in=player_ids).order_by("pk")
    ]
    return rows


def send(world: World, role: str, address: str) -> int:
    client = world.clients[role]
    client.cookies = SimpleCookie({settings.SESSION_COOKIE_NAME: world.sessions[role]})
    suffix, fields = SENT.get(address, ("", {}))
    path = f"{address}{suffix}".format(**world.places)
    data = {name: value.format(**world.places) for name, value in fields.items()}
    if address == "/clubs/{club}/committee":  # the form also has a field for each of the committee
        staff = Membership.objects.filter(club__slug=str(world.places["club"]), role__in=ROLES_ABOVE_MEMBER)
        data |= {f"{name}-{each.pk}": each.role for each in staff for name in ("role", "seen")}
    return client.post(path, data).status_code


@pytest.mark.faults
@pytest.mark.parametrize(("stays", "login"), [(True, True), (False, False)])
def test_an_admin_changes_nothing_that_another_club_shows(world: World, stays: bool, login: bool) -> None:
    with transaction.atomic():
        person = person_of(world)
        if login:
            Player.objects.filter(pk=person.pk).update(user=User.objects.create_user("zoe@b.example", PASSWORD))
        other_club = played_by(person, stays=stays)
        player_ids = club_player_ids(other_club)
        before = visible_rows(other_club, player_ids)
        for address in ADDRESSES:
            with transaction.atomic():
                with connection.execute_wrapper(writes := Writes()):
                    send(world, "admin", address)
                after = visible_rows(other_club, player_ids) if writes.tables else before
                transaction.set_rollback(True)
            assert after == before, address
        transaction.set_rollback(True)


@pytest.mark.parametrize("address", OF_A_PERSON)
def test_what_is_sent_changes_a_person_whom_no_other_club_shows(world: World, address: str) -> None:
    club = Club.objects.get(slug=str(world.places["club"]))
    player_ids = club_player_ids(club)
    before = visible_rows(club, player_ids)
    with transaction.atomic():
        status = send(world, "admin", address)
        after = visible_rows(club, player_ids)
        transaction.set_rollback(True)
    assert (status, after != before) == (302, True)


@pytest.mark.parametrize("address", [f"{MEMBER}/edit", f"{MEMBER}/merge"])
def test_the_installations_admin_may_rename_and_merge(world: World, address: str) -> None:
    with transaction.atomic():
        other_club = played_by(person_of(world), stays=False)
        player_ids = club_player_ids(other_club)
        before = visible_rows(other_club, player_ids)
        assert send(world, "root", address) == 302
        assert visible_rows(other_club, player_ids) != before
        transaction.set_rollback(True)
