"""Names in email headers cannot add headers."""

from __future__ import annotations

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoCaptureOnCommitCallbacks

from league.models.rights import Role
from tests.build import a_club, a_member
from tests.readers import confirmed, user_of

pytestmark = pytest.mark.django_db

TYPED = "Tarot\r\nBcc: everyone@club.example\r\n\r\nBuy"


@pytest.mark.parametrize(
    "name",
    [TYPED, TYPED.replace("\r", ""), "Tarot\x0b\x85\u2028Bcc: x", 'Tarot, <b>"é" =?utf-8?q?x?='],
)
def test_name_of_a_club_adds_no_header(
    client: Client,
    name: str,
    mailoutbox: list[EmailMessage],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    club = a_club()
    confirmed(client, a_member(club, Role.ADMIN))
    admin, member = a_member(club, Role.ADMIN), a_member(club)
    settings = reverse("league:club-settings", args=[club.slug])
    form = client.get(settings).context["form"]
    typed = {field.html_name: field.value() for field in form if field.value() is not None} | {
        form["name"].html_name: name
    }
    with django_capture_on_commit_callbacks(execute=True):
        assert client.post(settings, typed).status_code == 302
        role = reverse("league:member-role", args=[club.slug, club.memberships.get(player=member).pk])
        assert client.post(role, {"role": "secretary"}).status_code == 302
    letter, copy = mailoutbox
    assert copy.to == [user_of(member).email]
    assert letter.to == [user_of(admin).email]
    sent = letter.message()
    assert sent["Bcc"] is None
    assert sent["To"] == user_of(admin).email
