"""Choosing letters, and stopping them by the link of one."""

from __future__ import annotations

import pytest
from django.core import signing
from django.test import Client
from django.urls import reverse

from league.models.notification import SENT_BY_DEFAULT, NotificationKind, wanted_kinds
from league.models.rights import Role
from league.notifications.work.unsubscribe_links import SALT, UnsubscribeLink, sign_link
from players.models import Player, User
from tests.build import a_club, a_member, sign_in
from tests.readers import user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client: Client) -> Player:
    return a_member(a_club())


def stop_address(player: Player, kind: NotificationKind = NotificationKind.CONTESTED) -> str:
    return reverse("league:letters-stop", args=[sign_link(UnsubscribeLink(user_of(player).pk, kind))])


def offered(client: Client) -> list[str]:
    return [str(kind) for kind in client.get(reverse("league:letters")).context["form"].offered_kinds]


def test_what_is_ticked_is_kept_and_shown_ticked(client: Client, reader: Player) -> None:
    sign_in(client, reader)
    answer = client.post(reverse("league:letters"), {"kinds": ["planned", "results"]}, follow=True)
    assert "Your choice is kept." in answer.content.decode()
    assert answer.context["form"]["kinds"].initial == ["planned", "results", "contested"]  # refused: "answered"
    client.post(reverse("league:letters"), {"kinds": ["answered"]})
    assert wanted_kinds(user_of(reader)) == {NotificationKind.ANSWERED, NotificationKind.CONTESTED}


def test_nothing_is_wanted_unless_asked_for_but_a_contest_and_its_answer(reader: Player) -> None:
    assert wanted_kinds(user_of(reader)) == {NotificationKind.CONTESTED, NotificationKind.ANSWERED}


def test_only_who_records_is_asked_about_contests(client: Client, reader: Player) -> None:
    assert "contested" not in offered(sign_in(client, reader))
    secretary = a_member(a_club(), Role.SECRETARY)
    assert "contested" in offered(sign_in(client, secretary))
    client.post(reverse("league:letters"), {"kinds": []})
    assert wanted_kinds(user_of(secretary)) == set()


def test_an_unknown_kind_is_refused_and_keeps_the_choice(client: Client, reader: Player) -> None:
    sign_in(client, reader)
    for wrong in ("everything", "contested"):
        answer = client.post(reverse("league:letters"), {"kinds": ["planned", wrong]})
        assert answer.status_code == 422
    assert not user_of(reader).letter_choices.exists()


def test_looking_at_the_link_changes_nothing_and_the_button_stops_without_signing_in(
    client: Client, reader: Player
) -> None:
    address = stop_address(reader)
    for _time in range(2):
        assert "Stop these e-mails?" in client.get(address).content.decode()
        client.head(address)
    assert NotificationKind.CONTESTED in wanted_kinds(user_of(reader))
    answer = client.post(address)
    assert "These e-mails are stopped" in answer.content.decode()
    assert NotificationKind.CONTESTED not in wanted_kinds(user_of(reader))
    assert "These e-mails are stopped" in client.get(address).content.decode()


def test_a_mail_program_stops_with_one_post(reader: Player) -> None:
    """RFC 8058: no cookie, no token of ours, and an answer that is no redirect."""
    answer = Client(enforce_csrf_checks=True).post(stop_address(reader), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert NotificationKind.CONTESTED not in wanted_kinds(user_of(reader))


def test_it_stops_one_kind_of_one_person(client: Client, reader: Player) -> None:
    second = a_member(a_club())
    sign_in(client, reader)
    client.post(reverse("league:letters"), {"kinds": ["planned", "results"]})
    client.post(stop_address(reader, NotificationKind.PLANNED))
    assert wanted_kinds(user_of(reader)) == {NotificationKind.RESULTS, NotificationKind.CONTESTED}
    assert wanted_kinds(user_of(second)) == SENT_BY_DEFAULT


def test_a_link_that_was_made_up_stops_nothing(client: Client, reader: Player) -> None:
    pk = user_of(reader).pk
    wrong = [
        stop_address(reader)[:-1],
        reverse("league:letters-stop", args=[signing.dumps([pk, "contested"], salt="other")]),
        reverse("league:letters-stop", args=[signing.dumps([pk, "everything"], salt=SALT)]),
    ]
    assert [client.post(address).status_code for address in wrong] == [404] * 3
    assert wanted_kinds(user_of(reader)) == SENT_BY_DEFAULT


def test_the_link_speaks_the_readers_language_and_ends_with_him(client: Client, reader: Player) -> None:
    User.objects.filter(player=reader).update(language="fr")
    address = stop_address(reader)
    assert "Ne plus recevoir ces e-mails" in client.get(address).content.decode()
    user_of(reader).delete()
    assert client.post(address).status_code == 404
