"""Letters about a person's own account: nobody has to ask for one, nobody can stop one, and none is sent twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import signing
from django.core.mail import EmailMessage
from pytest_django import Settings

from league.actions import api_tokens, notifications
from league.models import ApiToken, Notification
from league.models.notification import UNCERTAIN_TIME, NotificationKind, NotificationState
from league.notifications.forms import NotificationsForm
from league.notifications.work import unsubscribe_links
from players.models import User
from tests.build import NOW, a_club, a_member, a_user
from tests.readers import user_of
from tests.run_jobs import send_letters

pytestmark = pytest.mark.django_db

SITE = "https://league.example"


@pytest.fixture(autouse=True)
def site(settings: Settings) -> None:
    settings.SITE_ADDRESS = SITE


@pytest.fixture
def user() -> User:
    user = user_of(a_member(a_club(language="fr", time_zone="America/Montreal")))
    notifications.store_notification_choices(user, (), NotificationKind)
    return user


def sent(mailoutbox: list[EmailMessage], after: timedelta = timedelta(0)) -> list[EmailMessage]:
    """Return what a worker sends now."""
    mailoutbox.clear()
    send_letters(NOW + after)
    return list(mailoutbox)


def test_a_new_token_is_notified_to_its_user_once(user: User, mailoutbox: list[EmailMessage]) -> None:
    token = api_tokens.create_token(user, "Notre site", None, now=NOW)
    [mail] = sent(mailoutbox)
    assert mail.to == [user.email]
    assert mail.subject == "Un jeton pour les programmes a été créé pour votre compte"
    assert "«\u202fNotre site\u202f»" in mail.body
    assert f"{SITE}/tokens" in mail.body
    assert f"{SITE}/account/password/change/" in mail.body
    assert token not in mail.body
    assert sent(mailoutbox, 10 * UNCERTAIN_TIME) == []


def test_it_can_not_be_stopped_and_is_not_offered(user: User, mailoutbox: list[EmailMessage]) -> None:
    api_tokens.create_token(user, "Notre site", None, now=NOW)
    [mail] = sent(mailoutbox)
    assert "List-Unsubscribe" not in mail.extra_headers
    assert "/letters/stop/" not in mail.body
    assert "token" not in NotificationsForm(None, user=user).offered_kinds
    with pytest.raises(unsubscribe_links.UnreadableLink):
        unsubscribe_links.read_link(signing.dumps([user.pk, "token"], salt=unsubscribe_links.SALT))


def test_it_is_in_the_language_that_its_reader_chose(mailoutbox: list[EmailMessage]) -> None:
    user = a_user()
    api_tokens.create_token(user, "Our site", None, now=NOW)
    User.objects.filter(pk=user.pk).update(language="fr")
    api_tokens.create_token(user, "Notre site", None, now=NOW)
    [mail] = sent(mailoutbox)  # both in one
    assert mail.subject == "Un jeton pour les programmes a été créé pour votre compte"
    assert "Our site" in mail.body
    assert "Notre site" in mail.body


def test_a_token_that_was_revoked_at_once_is_notified(user: User, mailoutbox: list[EmailMessage]) -> None:
    api_tokens.create_token(user, "Volé", None, now=NOW)
    api_tokens.revoke_token(ApiToken.objects.get())
    [mail] = sent(mailoutbox)
    assert "révoqué depuis" in mail.body


def test_who_may_not_sign_in_gets_none(user: User, mailoutbox: list[EmailMessage]) -> None:
    api_tokens.create_token(user, "Notre site", None, now=NOW)
    User.objects.filter(pk=user.pk).update(is_active=False)
    assert sent(mailoutbox) == []
    assert Notification.objects.get().state == NotificationState.DROPPED
