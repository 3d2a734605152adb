"""A new secret key: with the old one beside it nothing changes; without it, all signatures end."""

from __future__ import annotations

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.urls import reverse

from league.actions import notifications
from league.evenings.views.live import fragments
from league.models import NotificationChoice, table_codes
from league.models.notification import NotificationKind
from league.models.rights import Role
from league.notifications.work import unsubscribe_links
from league.notifications.work.unsubscribe_links import UnsubscribeLink
from league.people.queries.invitation_links import Invitation, sign_invitation
from players.models import User
from tests.build import PASSWORD, a_club, a_member, a_season, a_table, a_user, an_evening, watched
from tests.readers import user_of

pytestmark = pytest.mark.django_db

OLD, NEW = "o" * 50, "n" * 50


@pytest.fixture(autouse=True)
def old_key(settings: Any) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = OLD, []


def rotate(settings: Any, *earlier: str) -> None:
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = NEW, list(earlier)


def status(client: Client, address: str) -> int:
    return client.get(address).status_code


def test_a_session_goes_on_and_is_signed_by_the_new_key_from_then_on(client: Client, settings: Any) -> None:
    client.login(email=a_user("ann@club.example").email, password=PASSWORD)
    assert status(client, reverse("league:privacy")) == 200
    rotate(settings, OLD)
    assert status(client, reverse("league:privacy")) == 200
    rotate(settings)  # two months later
    assert status(client, reverse("league:privacy")) == 200


def test_without_the_old_key_everyone_signs_in_again(client: Client, settings: Any) -> None:
    client.login(email=a_user("ann@club.example").email, password=PASSWORD)
    rotate(settings)
    assert client.get(reverse("league:privacy")).headers["Location"].startswith(reverse("account_login"))


def test_another_password_ends_a_session_of_the_old_key_too(client: Client, settings: Any) -> None:
    user = a_user("ann@club.example")
    client.login(email=user.email, password=PASSWORD)
    rotate(settings, OLD)
    user.set_password("another-long-password")
    user.save()
    assert status(client, reverse("league:privacy")) == 302


def test_a_letters_stop_link_stops_as_long_as_the_old_key_is_there(client: Client, settings: Any) -> None:
    user = a_user("ann@club.example")
    notifications.store_notification_choices(user, [NotificationKind.RESULTS], NotificationKind)
    link = unsubscribe_links.link_address(UnsubscribeLink(user.pk, NotificationKind.RESULTS))
    rotate(settings)
    assert client.get(link).status_code == 404
    rotate(settings, OLD)
    assert client.get(link).status_code == 200
    assert client.post(link).status_code in (200, 302)
    assert not NotificationChoice.objects.get(user=user, kind=NotificationKind.RESULTS).wanted


def test_links_that_were_given_out_lead_where_they_led(client: Client, settings: Any) -> None:
    club = a_club(public=True, table_entry=True)
    evening = an_evening(a_season(club))
    addresses = [
        reverse("league:join", args=[sign_invitation(Invitation(club=club.pk, key=club.invite_key, invited_by=None))]),
        reverse("league:live", args=[fragments.sign_live_token(watched(evening))]),
        reverse("league:at-table", args=[table_codes.code_of_table(a_table(evening))]),
    ]
    rotate(settings)
    assert [status(client, address) for address in addresses] == [404, 404, 404]
    rotate(settings, OLD)
    assert [status(client, each) for each in addresses] == [200, 200, 200]


def test_a_forgotten_password_is_chosen_by_a_letter_of_before(client: Client, settings: Any) -> None:
    user = user_of(a_member(a_club(), Role.MEMBER))
    EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    client.post(reverse("account_reset_password"), {"email": user.email})
    link = next(word for word in str(mail.outbox[0].body).split() if "/password/reset/key/" in word)
    path = re.sub("^https?://[^/]+", "", link)
    rotate(settings, OLD)
    page: Any = client.get(path, follow=True)
    passwords = {"password1": "another-long-password", "password2": "another-long-password"}
    client.post(page.redirect_chain[-1][0], passwords)
    assert User.objects.get(pk=user.pk).check_password("another-long-password")
