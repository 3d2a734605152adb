"""Registration for a tournament by visitors: places, waiting list, cancellation, and what attackers try."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from league.actions import registrations, tournament_play, tournaments
from league.actions.notifications import EMAIL_JOB_KIND
from league.actions.refusals import WrongState
from league.actions.registrations import MAX_REGISTRATIONS, PlayerEntry, Registration
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.actions.tournaments import lock_tournament
from league.models import Job, Tournament, TournamentUnit
from league.models.rights import Role
from league.models.tournament import UnitState
from league.tournaments.queries.registration_links import registration_token
from tests.build import a_club, a_member, a_tournament, a_unit, sign_in
from tests.markup import unbroken

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    cache.clear()


@pytest.fixture
def tournament() -> Tournament:
    """A tournament of pairs with two places, open to the public, of a private club."""
    return a_tournament(a_club(), public=True)


def fields(**replaced: Any) -> dict[str, Any]:
    """Return what a pair sends from its phone."""
    pair = {
        "kind": "complete",
        "name_1": "Anne Petit",
        "name_2": "Bruno Grand",
        "email": "anne@example.org",
        "phone": "06 12 34 56 78",
        "consent": "on",
        "key": str(uuid4()),
    }
    return pair | replaced


def send(client: Client, tournament: Tournament, **replaced: Any) -> Any:
    return client.post(reverse("league:tournament-register", args=[tournament.pk]), fields(**replaced))


def emails() -> list[tuple[str, str]]:
    """Return address and subject of the emails that wait to be sent, in order."""
    payloads = Job.objects.filter(kind=EMAIL_JOB_KIND).order_by("pk").values_list("payload", flat=True)
    return [(payload["address"], payload["subject"]) for payload in payloads]


def test_a_pair_registers_without_an_account_and_gets_a_link(client: Client, tournament: Tournament) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(fee=850)
    answer = send(client, tournament)
    unit = tournament.units.get()
    assert answer.status_code == 302
    assert answer["Location"] == reverse("league:registration", args=[registration_token(unit)])
    assert [(row.name, row.email) for row in unit.players.all()] == [
        ("Anne Petit", "anne@example.org"),
        ("Bruno Grand", ""),
    ]
    assert emails() == [("anne@example.org", f"{tournament}: you are registered")]
    body = Job.objects.get(kind=EMAIL_JOB_KIND).payload["body"]
    assert (registration_token(unit) in body, "€8.50 for each player" in body) == (True, True)
    assert "You have a place." in client.get(answer["Location"]).content.decode()


def test_the_third_of_two_places_waits_and_moves_up(client: Client, tournament: Tournament) -> None:
    first, _second = a_unit(tournament), a_unit(tournament)
    send(client, tournament)
    third = tournament.units.latest("pk")
    assert third.state == UnitState.WAITING
    page = client.get(reverse("league:registration", args=[registration_token(third)])).content.decode()
    assert "You are number 1 of the waiting list." in page

    link = reverse("league:registration", args=[registration_token(first)])
    client.get(link)
    first.refresh_from_db()
    assert first.state == UnitState.REGISTERED, "a GET, as by a mail scanner, cancels nothing"
    client.post(link)
    first.refresh_from_db()
    third.refresh_from_db()
    assert (first.state, third.state) == (UnitState.CANCELLED, UnitState.REGISTERED)
    assert emails()[-1] == ("anne@example.org", f"{tournament}: you have a place")


def test_a_second_cancellation_promotes_nobody(tournament: Tournament) -> None:
    units = [a_unit(tournament) for _ in range(4)]
    for _ in range(2):
        registrations.cancel(units[0].pk, now=timezone.now())
    assert [TournamentUnit.objects.get(pk=unit.pk).state for unit in units[1:]] == [
        UnitState.REGISTERED,
        UnitState.REGISTERED,
        UnitState.WAITING,
    ]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({}, "€8.00 for each player, €16.00 for the pair"),
        ({"unit_size": 3}, "€8.00 for each player, €24.00 for the team"),
        ({"unit_size": 1}, "Entry fee: €8.00."),
    ],
    ids=["pair", "team", "player"],
)
def test_the_form_names_the_amount_that_a_unit_brings(client: Client, fields: dict[str, Any], words: str) -> None:
    tournament = a_tournament(a_club(public=True), public=True, **fields)
    assert words in client.get(reverse("league:tournament-register", args=[tournament.pk])).content.decode()


def test_more_places_go_to_the_waiting_list(tournament: Tournament) -> None:
    waiting = [a_unit(tournament) for _ in range(4)][2:]
    with tournaments.tournament_lock(tournament.pk) as current:
        current.places = 3
        tournaments.change(current, ["places"], now=timezone.now())
    assert [TournamentUnit.objects.get(pk=unit.pk).state for unit in waiting] == [
        UnitState.REGISTERED,
        UnitState.WAITING,
    ]


def test_one_form_sent_twice_registers_once(client: Client, tournament: Tournament) -> None:
    key = str(uuid4())
    places = [send(client, tournament, key=key)["Location"] for _ in range(2)]
    assert places[0] == places[1]
    assert tournament.units.count() == 1


@pytest.mark.parametrize("change", [{"closes_at": timezone.now() - timedelta(minutes=1)}, {"state": "closed"}])
def test_a_closed_registration_refuses_a_post(client: Client, tournament: Tournament, change: dict[str, Any]) -> None:
    Tournament.objects.filter(pk=tournament.pk).update(**change)
    assert "The registration is closed" in send(client, tournament).content.decode()
    assert not tournament.units.exists()


def test_a_registration_that_closes_meanwhile_is_refused(tournament: Tournament) -> None:
    with pytest.raises(WrongState):
        registrations.register(
            tournament.pk,
            Registration([PlayerEntry("Anne")]),
            client_key=uuid4(),
            now=tournament.closes_at,
        )


def test_the_hidden_field_of_programs_stops_them(client: Client, tournament: Tournament) -> None:
    assert send(client, tournament, website="http://evil.example").status_code == 422
    assert not tournament.units.exists()


def test_without_consent_nothing_is_stored(client: Client, tournament: Tournament) -> None:
    assert send(client, tournament, consent="").status_code == 422
    assert not tournament.units.exists()


@pytest.mark.faults
def test_300_posts_of_one_address_are_limited_to_30(client: Client, tournament: Tournament) -> None:
    codes = [send(client, tournament).status_code for _ in range(300)]
    assert codes == [302] * 30 + [429] * 270
    assert tournament.units.count() == 30
    assert len(emails()) <= 10, "one mailbox gets ten emails a day"


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "=cmd|'/C calc'!A0", "a\r\nBcc: b@example.org", "x" * 5000, "\0", "‮evil"]
)
def test_hostile_names_are_escaped_or_refused(client: Client, tournament: Tournament, name: str) -> None:
    answer = send(client, tournament, name_1=name, names_public="on")
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert answer.status_code in (302, 422)
    assert "<script>alert" not in page
    assert all("\n" not in subject for _address, subject in emails())


@pytest.mark.parametrize("change", [lambda text: text[:-1], lambda text: "x" + text, lambda _text: "nothing"])
def test_a_forged_link_is_not_found(client: Client, tournament: Tournament, change: Callable[[str], str]) -> None:
    link = change(registration_token(a_unit(tournament)))
    assert client.post(reverse("league:registration", args=[link])).status_code == 404


def test_the_link_of_one_unit_opens_no_other(client: Client, tournament: Tournament) -> None:
    unit, _second = a_unit(tournament), a_unit(tournament)
    link = registration_token(unit)
    TournamentUnit.objects.filter(pk=unit.pk).update(link_key="another")
    assert client.post(reverse("league:registration", args=[link])).status_code == 404
    assert set(tournament.units.values_list("state", flat=True)) == {UnitState.REGISTERED}


def test_after_the_day_the_link_cancels_nothing(client: Client, tournament: Tournament) -> None:
    unit = a_unit(tournament)
    yesterday = timezone.localdate() - timedelta(days=2)
    Tournament.objects.filter(pk=tournament.pk).update(date=yesterday)
    client.post(reverse("league:registration", args=[registration_token(unit)]))
    unit.refresh_from_db()
    assert unit.state == UnitState.REGISTERED


def test_visitors_read_only_names_of_those_who_agreed_and_no_address(client: Client, tournament: Tournament) -> None:
    agreed = a_unit(tournament, "Anne Petit", "Bruno Grand", names_public=True)
    a_unit(tournament, "Chloé Secret", "David Secret")
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert "Anne Petit – Bruno Grand" in page
    assert "Secret" not in page
    assert agreed.members[0].email not in page
    assert "2 pairs" in page


def test_a_private_clubs_tournament_shows_no_link_to_its_pages(client: Client, tournament: Tournament) -> None:
    page = client.get(tournament.get_absolute_url()).content.decode()
    assert tournament.club.get_absolute_url() not in page
    assert str(tournament.club) in page


def test_a_draft_is_seen_by_the_organisers_only(client: Client) -> None:
    club = a_club(public=True)
    draft = a_tournament(club, is_open=False, public=True)
    assert client.get(draft.get_absolute_url()).status_code == 404
    assert sign_in(client, a_member(club)).get(draft.get_absolute_url()).status_code == 404
    assert sign_in(client, a_member(club, Role.SECRETARY)).get(draft.get_absolute_url()).status_code == 200


def test_with_approval_a_registration_has_no_place_yet(client: Client) -> None:
    tournament = a_tournament(a_club(), public=True, by_approval=True, places=2)
    send(client, tournament)
    unit = tournament.units.get()
    assert unit.state == UnitState.PENDING
    assert emails() == [("anne@example.org", f"{tournament}: your registration has arrived")]
    assert registrations.approve(unit.pk, now=timezone.now()).state == UnitState.REGISTERED


def test_two_who_look_for_a_partner_become_a_pair(tournament: Tournament) -> None:
    single = a_unit(tournament, "Anne", seeks_partner=True, names_public=True)
    partner = a_unit(tournament, "Bruno", seeks_partner=True)
    joined = registrations.pair_units(single.pk, partner.pk, now=timezone.now())
    assert (joined.state, joined.title, joined.names_public) == (UnitState.REGISTERED, "Anne – Bruno", False)
    assert tournament.units.count() == 1
    assert len({address for address, subject in emails() if subject.endswith("you are registered")}) == 2


def test_units_of_two_tournaments_are_not_paired(tournament: Tournament) -> None:
    single = a_unit(tournament, "Anne", seeks_partner=True)
    foreign = a_unit(a_tournament(a_club()), "Bruno", seeks_partner=True)
    with pytest.raises(WrongState):
        registrations.pair_units(single.pk, foreign.pk, now=timezone.now())
    with pytest.raises(WrongState):
        registrations.pair_units(single.pk, single.pk, now=timezone.now())


def test_the_desk_corrects_the_list_of_a_finished_tournament_without_emails() -> None:
    """The club adds a pair that it forgot to enter, or a partner. They got "you are registered" after the day."""
    now = timezone.now()
    tournament = a_tournament(a_club(), places=2, by_approval=True, date=timezone.localdate())
    pending, waiting, seeking = a_unit(tournament), a_unit(tournament), a_unit(tournament, "Anne", seeks_partner=True)
    TournamentUnit.objects.filter(pk=waiting.pk).update(state=UnitState.WAITING)
    tournament_play.start(tournament.pk, now=now)
    tournament_play.finish(tournament.pk, now=now)
    before = len(emails())
    complete = Registration([PlayerEntry("Anne", "anne@example.org"), PlayerEntry("Bob", "bob@example.org")])
    registrations.approve(pending.pk, now=now)
    registrations.promote_from_waiting_list(waiting.pk, now=now)
    registrations.change(seeking.pk, complete, now=now)
    registrations.register_at_desk(tournament.pk, complete, now=now)
    assert len(emails()) == before
    assert [unit.state for unit in tournament.units.order_by("pk")][:2] == [UnitState.REGISTERED] * 2


def test_registrations_get_emails_until_the_tournament_ends_also_after_midnight() -> None:
    """The day of the tournament ends at midnight of the club, and a running tournament when it is finished."""
    now, club = timezone.now(), a_club()
    tournament = a_tournament(club, date=now.astimezone(club.zone).date())
    complete = Registration([PlayerEntry("Anne", "anne@example.org"), PlayerEntry("Bob", "bob@example.org")])

    def count_emails(days: int) -> int:
        before = len(emails())
        registrations.register_at_desk(tournament.pk, complete, now=now + timedelta(days=days))
        return len(emails()) - before

    assert (count_emails(0), count_emails(1)) == (2, 0)
    tournament_play.start(tournament.pk, now=now)
    assert count_emails(1) == 2
    tournament_play.finish(tournament.pk, now=now)
    assert count_emails(0) == 0


def test_the_waiting_list_moves_up_until_the_tournament_ends_also_after_midnight() -> None:
    """A place that became free after midnight stayed empty, although the tournament was still played."""
    now, club = timezone.now(), a_club()
    tournament = a_tournament(club, date=now.astimezone(club.zone).date())
    absent, waiting = a_unit(tournament), a_unit(tournament)
    TournamentUnit.objects.filter(pk=waiting.pk).update(state=UnitState.WAITING)
    tournament_play.start(tournament.pk, now=now)
    registrations.cancel(absent.pk, now=now + timedelta(days=1))
    waiting.refresh_from_db()
    assert waiting.state == UnitState.REGISTERED


def test_a_cancelled_tournament_notifies_all_and_refuses_more(client: Client, tournament: Tournament) -> None:
    for _ in range(3):
        a_unit(tournament)
    tournaments.cancel(tournament.pk)
    assert [subject for _address, subject in emails()].count(f"{tournament} is cancelled") == 3
    assert "The registration is closed" in send(client, tournament).content.decode()
    with pytest.raises(WrongState):
        tournaments.open_registration(tournament.pk, now=timezone.now())


@pytest.mark.django_db(transaction=True)
def test_of_two_for_the_last_place_at_once_one_waits() -> None:
    tournament = a_tournament(a_club(), public=True)
    a_unit(tournament)

    def register(name: str) -> str:
        try:
            return str(a_unit(tournament, name, f"{name}’s partner").state)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        states = list(pool.map(register, [f"Visitor {number}" for number in range(8)]))
    assert sorted(states) == ["registered"] + ["waiting"] * 7


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("page", ["tournament-register", "unit-add", "unit-edit", "units-bring-in"])
def test_a_player_who_leaves_the_club_while_the_form_is_sent_is_refused(client: Client, page: str) -> None:
    """The form has found the player among the members; the action, which waits for the tournament, does not."""
    club = a_club()
    member, secretary = a_member(club), a_member(club, Role.SECRETARY)
    tournament = a_tournament(club, public=True)
    row = a_unit(tournament) if page == "unit-edit" else tournament
    units = tournament.units.count()
    sign_in(client, member if page == "tournament-register" else secretary)
    posted = fields(name_1=str(member), store="1", text=f"Player 1\tPlayer 2\n{member}\tBob Noir\n")
    with transaction.atomic():
        lock_tournament(tournament.pk)
        answer = meanwhile(lambda: client.post(reverse(f"league:{page}", args=[row.pk]), posted, follow=True))
        club.memberships.filter(player=member).delete()
    assert "One of these players is not a member of the club any more." in answer.result().content.decode()
    assert tournament.units.count() == units
    assert not tournament.units.filter(players__player=member).exists()


def test_a_member_with_a_login_is_registered_under_their_own_record(client: Client, tournament: Tournament) -> None:
    """Else the member would be a guest of the club at the check-in, with a second player record."""
    player = a_member(tournament.club)
    sign_in(client, player)
    assert send(client, tournament, name_1=str(player)).status_code == 302
    assert send(client, tournament, name_1="Somebody Else").status_code == 302
    first, second = tournament.units.order_by("pk")
    assert list(first.players.values_list("player", flat=True)) == [player.pk, None]
    assert list(second.players.values_list("player", flat=True)) == [None, None]


@pytest.mark.parametrize(
    ("replaced", "error"),
    [
        ({"kind": "seeking"}, "All players are named: then you are complete."),
        ({"name_2": ""}, "Enter the name."),
        ({"email": "no-address"}, "Enter a valid email address."),
    ],
)
def test_a_wrong_registration_shows_the_error_and_stores_nothing(
    client: Client, tournament: Tournament, replaced: dict[str, str], error: str
) -> None:
    answer = send(client, tournament, **replaced)
    assert (answer.status_code, error in unbroken(answer)) == (422, True)
    assert (tournament.units.exists(), emails()) == (False, [])


def test_registrations_beyond_the_limit_are_refused_until_one_is_cancelled(
    client: Client, tournament: Tournament
) -> None:
    """The limit is for a program that registers all day."""
    now = timezone.now()
    TournamentUnit.objects.bulk_create(
        TournamentUnit(tournament=tournament, state=UnitState.WAITING, registered_at=now, queued_at=now)
        for _ in range(MAX_REGISTRATIONS)
    )
    answer = send(client, tournament)
    assert answer.status_code == 422
    assert "So many registrations can&#x27;t be right. Write to the club." in unbroken(answer)
    tournament.units.filter(pk=tournament.units.all()[0].pk).update(state=UnitState.CANCELLED)
    assert send(client, tournament).status_code == 302
