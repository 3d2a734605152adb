"""The page of an evening that is played on a hall server: its file out, the evening's file back in."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from league.actions import attendance, people
from league.actions.club_import import import_club_for_user
from league.actions.roles import end_membership
from league.actions.tests.test_hall import played
from league.imports.forms.hall import MAX_UPLOAD, EveningReturnForm
from league.imports.queries.club_file.reading import read_club_file
from league.models import AuditEntry, Club, Evening
from league.models.audit_entry import AuditEvent
from league.models.evening import EveningState, HallState
from league.models.rights import Role
from players.models import Player
from tests.build import NOW, a_club, a_member, a_season, a_table, a_user, an_evening
from tests.readers import confirmed, signed_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def secretary() -> Player:
    club = a_club(name="Le Chien", fee_member=500)
    for _number in range(3):
        a_member(club, login=False)
    return a_member(club, Role.SECRETARY)


@pytest.fixture
def evening(secretary: Player) -> Evening:
    club = Club.objects.get(memberships__player=secretary)
    evening = an_evening(a_season(club), EveningState.PLANNED)
    attendance.check_in(evening.pk, [secretary.pk])
    return evening


def page_of(evening: Evening) -> str:
    return reverse("league:evening-hall", args=[evening.pk])


def downloaded(client: Client, evening: Evening) -> bytes:
    answer: Any = client.post(reverse("league:evening-hall-file", args=[evening.pk]))
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-store"
    return b"".join(answer.streaming_content)


def sent(client: Client, evening: Evening, data: bytes) -> Any:
    return client.post(page_of(evening), {"file": SimpleUploadedFile("evening.zip", data)})


def in_hall(data: bytes, secretary: Player) -> tuple[Evening, Player]:
    """Import the club for the first account of the laptop; return the evening there and the account's player."""
    names = {"given_name": secretary.given_name, "family_name": secretary.family_name}
    user = a_user(is_superuser=True)
    user.player.delete()
    user = type(user).objects.get(pk=user.pk)
    club = import_club_for_user(user, names, read_club_file(io.BytesIO(data)), now=NOW, allow_copy=True)
    return Evening.objects.with_season().get(season__club=club), Player.objects.get(user=user)


def test_an_evening_goes_to_the_hall_and_comes_back_by_its_page(
    client: Client, evening: Evening, secretary: Player
) -> None:
    data = downloaded(confirmed(client, secretary), evening)
    there, admin = in_hall(data, secretary)
    assert there.season.club.memberships.get(player=admin).role == Role.ADMIN
    assert there.season.club.memberships.count() == evening.season.club.memberships.count()
    assert "is played on a hall server" in client.get(evening.get_absolute_url()).content.decode()
    played(there)
    back = downloaded(signed_in(Client(), admin), there)
    preview = sent(client, evening, back)
    assert preview.status_code == 200
    shown = preview.content.decode()
    assert "Zoé Passage" in shown
    assert "are those of the file" in shown
    evening.refresh_from_db()
    assert evening.hall == HallState.OUT
    form = {"content": preview.context["form"].initial["content"]}
    answer = client.post(page_of(evening), form, follow=True)
    assert "The evening is here, as it was played in the hall." in answer.content.decode()
    evening.refresh_from_db()
    assert (evening.state, evening.hall) == (EveningState.CLOSED, HallState.NONE)
    assert "This file is here already." in client.post(page_of(evening), form, follow=True).content.decode()
    assert (
        "This file is here already."
        in client.post(
            page_of(evening), {"file": SimpleUploadedFile("evening.zip", back)}, follow=True
        ).content.decode()
    )
    assert AuditEntry.objects.filter(event=AuditEvent.EVENING_RETURNED).count() == 1


def test_questions_are_asked_beside_their_fields(client: Client, evening: Evening, secretary: Player) -> None:
    there, admin = in_hall(downloaded(confirmed(client, secretary), evening), secretary)
    played(there)
    back = downloaded(signed_in(Client(), admin), there)
    known = people.add_person(evening.season.club, "Zoé", "Passage", Role.GUEST)
    late = a_member(evening.season.club, login=False)
    attendance.check_in(evening.pk, [late.pk])
    preview = sent(client, evening, back)
    form = {"content": preview.context["form"].initial["content"]}
    [person] = [name for name in preview.context["form"].fields if name.startswith("person-")]
    answer = client.post(page_of(evening), form)
    assert answer.status_code == 422
    assert "Choose who it is." in answer.content.decode()
    answer = client.post(page_of(evening), form | {person: str(known.pk)})
    assert answer.status_code == 422
    assert "Tick this to store the evening" in answer.content.decode()
    answer = client.post(page_of(evening), form | {person: str(known.pk), "replaces": "on"})
    assert answer.status_code == 302
    assert evening.attendances.filter(player=known).exists()
    assert not evening.attendances.filter(player=late).exists()


def test_an_answer_that_names_a_player_who_left_meanwhile_is_explained(
    client: Client, evening: Evening, secretary: Player
) -> None:
    """Nobody else has a similar name, so no field asks again: the page came back without a reason."""
    there, admin = in_hall(downloaded(confirmed(client, secretary), evening), secretary)
    played(there)
    back = downloaded(signed_in(Client(), admin), there)
    known = people.add_person(evening.season.club, "Zoé", "Passage", Role.GUEST)
    preview = sent(client, evening, back)
    form = {"content": preview.context["form"].initial["content"]}
    [person] = [name for name in preview.context["form"].fields if name.startswith("person-")]
    end_membership(evening.season.club.memberships.get(player=known).pk)
    answer = client.post(page_of(evening), form | {person: str(known.pk)})
    assert answer.status_code == 422
    assert "Check who is new in the club." in answer.content.decode()
    assert not evening.rounds.exists()


def test_players_who_left_meanwhile_are_explained_once() -> None:
    """The same sentence stood above the form once for each of them."""
    form = EveningReturnForm({"content": ""})
    form.full_clean()
    form.add_missing_answer_errors([3, 5])
    assert len(form.non_field_errors()) == 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"no zip", "no zip file, or it is damaged"),
        (b"PK" + b"\0" * MAX_UPLOAD, "larger than 1 MB"),
    ],
)
def test_a_file_that_is_none_is_refused(
    client: Client, evening: Evening, secretary: Player, data: bytes, words: str
) -> None:
    answer = sent(signed_in(client, secretary), evening, data)
    assert answer.status_code == 422
    assert words in answer.content.decode()


@pytest.mark.parametrize("text", ["é", "AAAA", ""])
def test_a_confirmation_without_its_file_is_refused(
    client: Client, evening: Evening, secretary: Player, text: str
) -> None:
    answer = signed_in(client, secretary).post(page_of(evening), {"content": text})
    assert answer.status_code == 422


def test_the_evening_can_be_played_here_after_all(client: Client, evening: Evening, secretary: Player) -> None:
    downloaded(confirmed(client, secretary), evening)
    client.post(reverse("league:evening-hall-withdraw", args=[evening.pk]))
    page = client.get(evening.get_absolute_url()).content.decode()
    assert "is played on a hall server" not in page
    assert "Take to the hall" in page


def test_the_file_asks_for_the_password(client: Client, evening: Evening, secretary: Player) -> None:
    answer: Any = signed_in(client, secretary).post(reverse("league:evening-hall-file", args=[evening.pk]))
    assert "reauthenticate" in answer.headers["Location"]
    evening.refresh_from_db()
    assert evening.hall == HallState.NONE


def test_a_file_of_another_evening_is_refused_on_the_form_and_when_confirmed(
    client: Client, evening: Evening, secretary: Player
) -> None:
    there, admin = in_hall(downloaded(confirmed(client, secretary), evening), secretary)
    played(there)
    back = downloaded(signed_in(Client(), admin), there)
    other = an_evening(evening.season, EveningState.PLANNED, on=date(2024, 1, 2))
    confirmation = {"content": sent(client, evening, back).context["form"].initial["content"]}
    for answer in (sent(client, other, back), client.post(page_of(other), confirmation)):
        assert answer.status_code == 422
        assert "The file is of" in answer.content.decode()
    assert not other.rounds.exists()
    evening.refresh_from_db()
    assert evening.hall == HallState.OUT


def test_an_evening_with_a_round_is_not_taken_from_a_page_that_is_still_open(
    client: Client, evening: Evening, secretary: Player
) -> None:
    confirmed(client, secretary)
    a_table(evening)
    answer = client.post(reverse("league:evening-hall-file", args=[evening.pk]), follow=True)
    assert "The evening has 1 round here." in answer.content.decode()
    evening.refresh_from_db()
    assert evening.hall == HallState.NONE


def test_files_for_the_hall_are_limited(client: Client, evening: Evening, secretary: Player, settings: Any) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "club_file": "1/h/user"}
    downloaded(confirmed(client, secretary), evening)
    client.post(reverse("league:evening-hall-withdraw", args=[evening.pk]))
    answer = client.post(reverse("league:evening-hall-file", args=[evening.pk]), follow=True)
    assert "Please wait a little." in answer.content.decode()
    evening.refresh_from_db()
    assert evening.hall == HallState.NONE
