"""A club that requires a second factor of its committee."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from html.parser import HTMLParser
from typing import Any
from uuid import uuid4

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from league.actions import api_tokens, clubs, contests, evenings, merging
from league.actions.refusals import WrongState
from league.models import Club, Deal, Merge
from league.models.evening import EveningState
from league.models.rights import Role
from league.web.lookups import club_of
from players.models import Player, User
from tests.build import NOW, TAKE, a_club, a_deal, a_member, a_season, a_table, an_evening
from tests.readers import confirmed, set_up_second_factor, signed_in, user_of

pytestmark = pytest.mark.django_db

MISSING = "A second factor first"


def set_up(player: Player) -> Player:
    """Give the player's login a second factor."""
    set_up_second_factor(user_of(player))
    return player


@pytest.fixture
def club() -> Club:
    """A private club that asks for it, whose admin has one."""
    club = a_club()
    club.asks_second_factor = True
    club.save()
    set_up(a_member(club, Role.ADMIN))
    return club


def page_of(club: Club) -> str:
    return reverse("league:second-factors", args=[club.slug])


def choose(client: Client, club: Club, answer: str) -> str:
    response: Any = client.post(page_of(club), {"asked": answer}, follow=True)
    club.refresh_from_db()
    return str(response.content.decode())


class Hidden(HTMLParser):
    """The form of the page that sends again: its address, and its fields but the token."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.action = ""
        self.sent: dict[str, str] = {}
        self.inside = False
        self.feed(page[page.index("<main") : page.index("</main>")])

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            self.action = attributes["action"] or ""
        if tag == "input" and attributes["name"] != "csrfmiddlewaretoken":
            self.sent[attributes["name"] or ""] = attributes["value"] or ""


def test_an_admin_asks_for_it_and_all_who_record_are_told(
    client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    club = a_club()
    club.memberships.all().delete()
    admin, secretary = set_up(a_member(club, Role.ADMIN)), a_member(club, Role.SECRETARY)
    a_member(club)
    a_member(club, Role.TREASURER)
    signed_in(client, admin)
    page = client.get(page_of(club)).content.decode()
    assert f"{secretary}, Secretary: " in page
    assert "none yet" in page
    for _twice in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            assert "The club asks for a second factor." in choose(client, club, "yes")
    assert club.asks_second_factor
    assert sorted(letter.to[0] for letter in mail.outbox) == sorted(
        user_of(target).email for target in (admin, secretary)
    )
    assert {letter.subject for letter in mail.outbox} == {f"{club} asks for a second factor"}


def test_letters_are_in_each_readers_own_language_and_else_in_the_clubs(
    client: Client, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    club = a_club(language="fr")
    club.memberships.all().delete()
    admin, secretaries = set_up(a_member(club, Role.ADMIN)), [a_member(club, Role.SECRETARY) for _number in range(2)]
    User.objects.filter(player=secretaries[0]).update(language="en-gb")
    signed_in(client, admin)
    with django_capture_on_commit_callbacks(execute=True):
        choose(client, club, "yes")
    subjects = {letter.to[0]: letter.subject for letter in mail.outbox}
    assert "asks for a second factor" in subjects.pop(user_of(secretaries[0]).email)
    assert len(subjects) == 2
    assert all("second facteur" in subject for subject in subjects.values())


def test_who_has_none_sets_up_his_own_first(client: Client) -> None:
    club = a_club()
    signed_in(client, a_member(club, Role.ADMIN))
    assert "Set up your own first" in client.get(page_of(club)).content.decode()
    assert "Set up a second factor of your own first." in choose(client, club, "yes")
    assert not club.asks_second_factor


def test_taking_it_back_asks_for_the_password_and_is_told(
    client: Client, club: Club, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    admin = set_up(a_member(club, Role.ADMIN))
    signed_in(client, admin)
    assert client.post(page_of(club), {"asked": "no"}).headers["Location"].startswith("/account/reauthenticate")
    confirmed(client, admin)
    with django_capture_on_commit_callbacks(execute=True):
        choose(client, club, "no")
    assert not club.asks_second_factor
    assert {letter.subject for letter in mail.outbox} == {f"{club} no longer asks for a second factor"}


@pytest.mark.parametrize("typed", ["", "maybe", "\0"])
def test_another_answer_changes_nothing(client: Client, club: Club, typed: str) -> None:
    signed_in(client, set_up(a_member(club, Role.ADMIN)))
    assert "Choose whether the club asks for it." in choose(client, club, typed)
    assert club.asks_second_factor


@pytest.mark.parametrize("role", [Role.SECRETARY, Role.ADMIN])
def test_who_records_is_led_to_one_and_goes_on_with_what_he_sent(client: Client, club: Club, role: Role) -> None:
    player = a_member(club, role)
    table = a_table(an_evening(a_season(club)), [player, *(a_member(club) for _ in range(3))])
    signed_in(client, player)
    address = reverse("league:deal-record", args=[table.pk])
    response = client.get(address)
    assert response.status_code == 403
    assert MISSING in response.content.decode()
    assert f'href="{address}"' in response.content.decode()
    sent = {name: str(value) for name, value in TAKE.items() if not isinstance(value, list | dict)}
    refused = client.post(address, {**sent, "client_key": uuid4(), "typed": '<b>"é"\r\n'})
    assert refused.status_code == 403
    assert not Deal.objects.exists()
    hidden_fields = Hidden(refused.content.decode())
    assert hidden_fields.action == address
    assert {name: hidden_fields.sent[name] for name in sent} == sent
    assert hidden_fields.sent["typed"] == '<b>"é"\r\n'
    set_up(player)
    assert client.get(address).status_code == 200
    assert MISSING not in client.post(hidden_fields.action, hidden_fields.sent).content.decode()


def test_what_was_sent_is_done_when_it_is_sent_again(client: Client, club: Club) -> None:
    secretary = a_member(club, Role.SECRETARY)
    evening = an_evening(a_season(club), EveningState.PLANNED)
    signed_in(client, secretary)
    hidden_fields = Hidden(client.post(reverse("league:evening-open", args=[evening.pk])).content.decode())
    evening.refresh_from_db()
    assert evening.state == EveningState.PLANNED
    set_up(secretary)
    client.post(hidden_fields.action, hidden_fields.sent)
    evening.refresh_from_db()
    assert evening.state == EveningState.OPEN


@pytest.mark.parametrize("role", [Role.MEMBER, Role.TREASURER, Role.GUEST])
def test_others_notice_nothing(client: Client, club: Club, role: Role) -> None:
    player = a_member(club, role)
    evening = an_evening(a_season(club))
    pages = (club.get_absolute_url(), evening.get_absolute_url(), reverse("league:members", args=[club.slug]))
    before = [signed_in(client, player).get(page).status_code for page in pages]
    Club.objects.update(asks_second_factor=False)
    assert [client.get(page).status_code for page in pages] == before
    Club.objects.update(asks_second_factor=True)
    if role == Role.TREASURER:
        assert client.get(reverse("league:attendance", args=[evening.pk])).status_code == 200


def test_who_records_reads_as_a_member_meanwhile(client: Client, club: Club) -> None:
    secretary = a_member(club, Role.SECRETARY)
    club.memberships.filter(player=a_member(club)).update(email="hidden@club.example")
    signed_in(client, secretary)
    assert client.get(club.get_absolute_url()).status_code == 200
    members = reverse("league:members", args=[club.slug])
    assert "hidden@club.example" not in client.get(members).content.decode()
    set_up(secretary)
    assert "hidden@club.example" in client.get(members).content.decode()


NOTICE = "Before you can enter results here"


@pytest.mark.parametrize("role", [Role.SECRETARY, Role.ADMIN])
def test_who_is_asked_is_told_before_once_on_each_page_of_the_club(client: Client, club: Club, role: Role) -> None:
    table = a_table(an_evening(a_season(club)))
    player = a_member(club, role)
    signed_in(client, player)
    season, members = table.round.evening.season, reverse("league:members", args=[club.slug])
    pages = [target.get_absolute_url() for target in (club, season, table.round.evening, table)] + [members]
    for page in pages:
        assert client.get(page).content.decode().count(NOTICE) == 1, page
    assert client.get(page_of(club)).content.decode().count(NOTICE) == 0  # it explains this
    set_up(player)
    for page in [*pages, "/"]:
        assert NOTICE not in client.get(page).content.decode(), page


def test_nobody_else_is_told_and_no_query_is_asked_for_it(client: Client, club: Club) -> None:
    evening = an_evening(a_season(club))
    Club.objects.filter(pk=club.pk).update(public=True)
    readers = [client, *(signed_in(Client(), a_member(club, role)) for role in (Role.MEMBER, Role.TREASURER))]
    query_counts = {}
    for asks in (False, True):
        Club.objects.filter(pk=club.pk).update(asks_second_factor=asks)
        for number, reader in enumerate(readers):
            with CaptureQueriesContext(connection) as queries:
                pages = [reader.get(target.get_absolute_url()).content.decode() for target in (club, evening)]
            assert NOTICE not in "".join(pages)
            query_counts[asks, number] = len(queries)
    assert {query_counts[False, number] - query_counts[True, number] for number in range(len(readers))} == {0}


def test_what_only_the_committee_reads_is_not_fetched_without_it(client: Client, club: Club) -> None:
    evening = an_evening(a_season(club))
    deal = a_deal(a_table(evening))
    objector = deal.table.seats.earliest("number").player
    evenings.close(evening.pk, now=timezone.now())
    contests.record_contest(deal.pk, player_id=objector.pk, reason="It was 45", now=timezone.now())
    secretary = a_member(club, Role.SECRETARY)
    signed_in(client, secretary)
    waiting = reverse("league:contests-waiting", args=[club.slug])
    of_evening = reverse("league:contests", args=[evening.pk])
    assert f'hx-get="{waiting}"' not in (page := client.get(club.get_absolute_url()).content.decode())
    assert f'href="{waiting}"' in page
    assert "It was 45" not in client.get(of_evening).content.decode()
    set_up(secretary)
    assert f'hx-get="{waiting}"' in client.get(club.get_absolute_url()).content.decode()
    assert "It was 45" in client.get(of_evening).content.decode()


def test_another_clubs_committee_is_not_asked(client: Client, club: Club) -> None:
    player, other_club = a_member(club, Role.SECRETARY), a_club()
    other_club.memberships.create(player=player, role=Role.SECRETARY)
    evening = an_evening(a_season(other_club), EveningState.PLANNED)
    signed_in(client, player)
    assert client.get(reverse("league:evening-edit", args=[evening.pk])).status_code == 200


def test_an_id_of_the_club_tells_strangers_nothing_of_it(client: Client, club: Club) -> None:
    signed_in(client, a_member(a_club(), Role.ADMIN))
    assert client.get(page_of(club)).status_code == 404
    assert client.post(page_of(club), {"asked": "no"}).status_code == 404
    club.refresh_from_db()
    assert club.asks_second_factor


def test_who_gets_the_role_later_is_asked_and_who_loses_his_factor_too(client: Client, club: Club) -> None:
    player = a_member(club)
    signed_in(client, player)
    club.memberships.filter(player=player).update(role=Role.ADMIN)
    assert MISSING in client.get(page_of(club)).content.decode()
    set_up(player)
    assert client.get(page_of(club)).status_code == 200
    Authenticator.objects.filter(user=user_of(player)).delete()
    assert MISSING in client.get(page_of(club)).content.decode()


def test_the_installations_admin_answers_to_the_installation(client: Client, club: Club) -> None:
    client.force_login(User.objects.create_superuser("root@club.example"))
    assert client.get(page_of(club)).status_code == 200


def test_a_merge_is_not_undone_without_it(client: Client, club: Club) -> None:
    hidden_fields, gone = (a_member(club, login=False) for _record in range(2))
    merge = merging.merge(hidden_fields.pk, gone.pk, by=None, now=NOW)
    signed_in(client, a_member(club, Role.ADMIN))
    assert MISSING in client.post(reverse("league:merge-undo", args=[merge.pk])).content.decode()
    assert Merge.objects.get().undone_at is None


def test_tokens_and_watching_go_on_as_they_only_read(club: Club) -> None:
    secretary = a_member(club, Role.SECRETARY)
    token = api_tokens.create_token(user_of(secretary), "Site", None, now=NOW)
    answer = Client().get(f"/api/v1/clubs/{club.slug}", headers={"authorization": f"Bearer {token}"})
    assert answer.status_code == 200


def test_it_costs_no_query_where_the_club_does_not_ask(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    club = a_club()
    deal = a_deal(a_table(an_evening(a_season(club))))
    loaded = Deal.objects.with_table().get(pk=deal.pk)
    with django_assert_num_queries(0):
        assert club_of(loaded) == club


@pytest.mark.django_db(transaction=True)
def test_two_admins_who_ask_at_once_are_told_once(settings: Any) -> None:
    club = a_club()
    admins = [set_up(a_member(club, Role.ADMIN)) for _admin in range(2)]

    def ask(admin: Player) -> None:
        try:
            clubs.require_second_factor(club, True, by=user_of(admin))
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as together:
        list(together.map(ask, admins))
    assert len(mail.outbox) == 2  # one to each; the founder has no login
    with pytest.raises(WrongState):
        clubs.require_second_factor(club, True, by=user_of(a_member(club, Role.ADMIN)))
