"""Deletion of a club."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format

from league.actions import club_deletion
from league.evenings.views.live import fragments
from league.models import Club, Evening, table_codes
from league.models.rights import Role
from league.people.queries.invitation_links import Invitation, sign_invitation
from players.accounts import renew_calendar_key
from players.models import Player
from tests.build import NOW, PASSWORD, a_club, a_deal, a_member, a_season, a_table, an_evening
from tests.readers import signed_in, user_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club(public=True, name="Les Ombres", table_entry=True)


@pytest.fixture
def admin(club: Club) -> Player:
    return a_member(club, Role.ADMIN)


def request_deletion(client: Client, club: Club) -> Any:
    """Send the form, give the password where it is asked for, and follow."""
    answer: Any = client.post(reverse("league:club-delete", args=[club.slug]))
    assert answer.headers["Location"].startswith(reverse("account_reauthenticate"))
    club.refresh_from_db()
    assert club.delete_at is None
    return client.post(answer.headers["Location"], {"password": PASSWORD}, follow=True)


def test_an_admin_deletes_the_club_with_his_password_and_takes_it_back(
    client: Client, club: Club, admin: Player
) -> None:
    signed_in(client, admin)
    page = request_deletion(client, club)
    assert page.redirect_chain[-1][0] == reverse("league:club-delete", args=[club.slug])
    club.refresh_from_db()
    assert club.delete_at is not None
    assert b"will be deleted on" in client.get(club.get_absolute_url()).content
    back = client.post(reverse("league:club-keep", args=[club.slug]), follow=True)
    assert "Les Ombres stays" in back.content.decode()
    club.refresh_from_db()
    assert club.delete_at is None


def test_a_wrong_password_deletes_nothing(client: Client, club: Club, admin: Player) -> None:
    signed_in(client, admin)
    answer = client.post(reverse("league:club-delete", args=[club.slug]))
    client.post(answer.headers["Location"], {"password": "wrong"}, follow=True)
    club.refresh_from_db()
    assert club.delete_at is None


def test_from_then_on_its_admins_alone_see_it(club: Club, admin: Player) -> None:
    evening = an_evening(a_season(club))
    table = a_table(evening)
    deal = a_deal(table)
    watched = fragments.LiveTokenContent(evening.pk, "en-gb", shows_member_names=False, viewer_id=None, version=0)
    people = [a_member(club, role) for role in (Role.GUEST, Role.MEMBER, Role.TREASURER, Role.SECRETARY)]
    calendars = {person: renew_calendar_key(user_of(person)) for person in (*people, admin)}
    addresses = [
        reverse("league:club", args=[club.slug]),
        *(model.get_absolute_url() for model in (evening, evening.season, table, deal)),
        reverse("league:embed-evenings", args=[club.slug]),
        reverse("league:live", args=[fragments.sign_live_token(watched)]),
        reverse("league:screen", args=[fragments.hall_screen_code(evening.pk, evening.entry_key)]),
        f"/api/v1/clubs/{club.slug}",
    ]
    code = reverse("league:at-table", args=[table_codes.code_of_table(table)])
    invitation = reverse(
        "league:join", args=[sign_invitation(Invitation(club=club.pk, key=club.invite_key, invited_by=None))]
    )

    def statuses(reader: Player | None, *found: str) -> set[int]:
        client = signed_in(Client(), reader) if reader else Client()
        return {client.get(address).status_code for address in found}

    assert statuses(None, *addresses, code, invitation) == {200}
    club_deletion.request_deletion(club, by=user_of(admin), now=NOW)
    cache.clear()  # viewers of the screen see the change within ten seconds
    for reader in (None, a_member(a_club(), Role.ADMIN), *people):
        assert statuses(reader, *addresses) == {404}
        assert statuses(reader, code, invitation) <= {404, 410}
        assert (club.name in _home(reader)) is (reader in people)
        assert club.get_absolute_url() not in _home(reader)
    for person in people:
        assert not _dates(calendars[person])
    assert statuses(admin, *addresses[:5], reverse("league:club-settings", args=[club.slug])) == {200}
    assert club.name in _home(admin)
    assert _dates(calendars[admin])
    club_deletion.cancel_deletion(club, by=user_of(admin))
    cache.clear()
    assert statuses(None, *addresses, code) == {200}
    assert Evening.objects.filter(season__club=club).count() == 1


@pytest.mark.parametrize(("role", "leads"), [(Role.GUEST, False), (Role.MEMBER, False), (Role.ADMIN, True)])
def test_at_home_its_people_read_until_when_it_can_be_kept(
    client: Client, club: Club, admin: Player, role: Role, leads: bool
) -> None:
    reader = a_member(club, role)
    club = club_deletion.request_deletion(club, by=user_of(admin), now=NOW)
    assert club.delete_at is not None
    with timezone.override(club.zone):
        date = date_format(timezone.localtime(club.delete_at), "DATE_FORMAT")
    page = signed_in(client, reader).get(reverse("league:home")).content.decode()
    assert f"Les Ombres will be deleted on {date}. Until then its admins can keep it." in page
    assert (reverse("league:club-delete", args=[club.slug]) in page) is leads
    assert "You belong to no club yet" not in page
    club_deletion.cancel_deletion(club, by=user_of(admin))
    assert "will be deleted" not in client.get(reverse("league:home")).content.decode()


def test_each_of_its_pages_tells_an_admin(client: Client, club: Club, admin: Player) -> None:
    evening = an_evening(a_season(club))
    table = a_table(evening)
    rows = (club, evening.season, evening, table, a_deal(table))
    names = ("members", "settings", "audit", "runs")
    addresses = [reverse(f"league:{'club-' * (name == 'settings')}{name}", args=[club.slug]) for name in names]
    club_deletion.request_deletion(club, by=user_of(admin), now=NOW)
    signed_in(client, admin)
    for address in (*(row.get_absolute_url() for row in rows), *addresses):
        assert reverse("league:club-delete", args=[club.slug]) in client.get(address).content.decode(), address


def _home(reader: Player | None) -> str:
    client = signed_in(Client(), reader) if reader else Client()
    pages: list[Any] = [client.get(reverse(name)) for name in ("league:home", "league:clubs")]
    return "".join(page.content.decode() for page in pages)


def _dates(key: object) -> bool:
    return b"BEGIN:VEVENT" in Client().get(f"/calendar/{key}.ics").content
