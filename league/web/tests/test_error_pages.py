"""What nobody may see, or isn't there, is refused also where the form sent to it can't be read."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from tests.build import a_club, a_member, sign_in

pytestmark = pytest.mark.django_db


def a_file() -> SimpleUploadedFile:
    return SimpleUploadedFile("list.csv", b"name")


@pytest.fixture
def checked() -> Client:
    """A browser whose forms are looked at for their token, as a server does."""
    client = Client(enforce_csrf_checks=True)
    client.cookies["csrftoken"] = "a" * 32
    return client


def test_a_file_for_an_address_that_is_not_there_is_refused(checked: Client) -> None:
    assert checked.post("/nowhere", {"file": a_file()}).status_code == 400


def test_too_many_fields_for_an_address_that_is_not_there_are_refused(checked: Client) -> None:
    fields = "&".join(f"field_{number}=" for number in range(1_500))
    assert checked.post("/nowhere", fields, content_type="application/x-www-form-urlencoded").status_code == 400


def test_an_address_that_is_not_there_is_not_found(checked: Client) -> None:
    assert checked.get("/nowhere").status_code == 404


def test_who_may_not_is_told_so(client: Client) -> None:
    club = a_club(public=True)
    answer = sign_in(client, a_member(club)).get(reverse("league:club-settings", args=[club.slug]))
    assert answer.status_code == 403
