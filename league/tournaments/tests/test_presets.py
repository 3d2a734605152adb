"""The club's own presets of tournaments: saved, chosen, renamed, deleted, exported."""

from __future__ import annotations

import io
import re
from datetime import time
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client
from django.urls import reverse

from league.actions import tournament_presets
from league.actions.refusals import WrongState
from league.actions.tests.test_rules_meanwhile import meanwhile
from league.imports.queries.club_file.export import write_club_file
from league.models import AuditEntry, Club, Tournament, TournamentPreset
from league.models.audit_entry import AuditEvent
from league.models.rights import Role
from league.models.tournament_preset import MAX_PRESETS, PRESET_FIELDS, are_preset_values
from league.tournaments.forms.tournaments import TIE_FIELDS, TournamentForm
from tests.build import a_club, a_member, a_tournament, a_tournament_preset, sign_in
from tests.hostile_files import packed, parts

pytestmark = pytest.mark.django_db


@pytest.fixture
def club() -> Club:
    return a_club()


@pytest.fixture
def secretary(client: Client, club: Club) -> Client:
    return sign_in(client, a_member(club, Role.SECRETARY))


def save_address(tournament: Tournament) -> str:
    return reverse("league:tournament-preset-save", args=[tournament.pk])


def create_address(club: Club) -> str:
    return reverse("league:tournament-create", args=[club.slug])


def test_a_new_tournament_begins_with_all_values_of_the_preset(secretary: Client, club: Club) -> None:
    values: dict[str, Any] = {
        "begins_at": time(14, 30),
        "place": "Village hall",
        "places": 40,
        "fee": 750,
        "notes": "A ham for each winner.",
        "unit_size": 3,
        "plays_apart": True,
        "minutes": 40,
        "ties": ["wins", "difference"],
        "exempt_points": 972,
    }
    tournament = a_tournament(club, **values)
    assert secretary.post(save_address(tournament), {"name": "Village contest"}).status_code == 302
    preset = club.tournament_presets.get()
    Tournament.objects.filter(pk=tournament.pk).update(place="Elsewhere")  # the preset is a copy

    form = secretary.get(create_address(club), {"own": preset.pk}).context["form"]
    initial = {field.name: field.value() for field in form}
    expected = {name: value for name, value in values.items() if name not in ("ties", "fee")}
    expected |= {"name": "Village contest", "fee": "7.50", "tie_1": "wins", "tie_2": "difference", "tie_3": ""}
    assert {name: initial.get(name) for name in expected} == expected


def test_own_presets_are_listed_first(secretary: Client, club: Club) -> None:
    a_tournament_preset(club)
    page = secretary.get(create_address(club)).content.decode()
    assert page.index("?own=") < page.index("?preset=") < page.index("?like=")


def test_another_preset_keeps_what_was_typed(secretary: Client, club: Club) -> None:
    """The page is sent as a browser sends it, with the hidden values that it was filled with."""

    def sent(answer: Any, **typed: str) -> dict[str, str]:
        form = answer.context["form"]
        hidden = dict(re.findall(r'name="(initial-[^"]+)" value="([^"]*)"', str(form.initial_values)))
        shown = {field.name: field.value() for field in form}
        values = {name: str(value) for name, value in shown.items() if value is not None and value is not False}
        return {**hidden, **values, **typed}

    first = secretary.get(create_address(club), {"preset": "belote-sum"})
    typed = {"name": "Open day", "places": "48", "date": "2026-12-24", "fee": "7.50"}
    second = secretary.post(f"{create_address(club)}?preset=tarot-single", sent(first, **typed, begin_with="1"))
    form = second.context["form"]
    assert (second.status_code, form["name"].value(), form["places"].value()) == (200, "Open day", "48")
    assert (form["game"].value(), form["unit_size"].value()) == ("tarot", 1)
    assert not club.tournaments.exists()
    answer = secretary.post(f"{create_address(club)}?preset=tarot-single", sent(second))
    assert answer.status_code == 302, answer.context["form"].errors
    created = club.tournaments.get()
    assert (created.name, created.places, created.fee, created.game) == ("Open day", 48, 750, "tarot")
    assert created.date.isoformat() == "2026-12-24"


def test_a_preset_has_every_field_of_the_form_but_name_date_and_end() -> None:
    fields = {name for name in TournamentForm.base_fields if name not in TIE_FIELDS} | {"ties", "house_rules"}
    assert fields - set(PRESET_FIELDS) == {"name", "date", "closes_at"}
    assert set(PRESET_FIELDS) <= fields


def test_a_name_is_used_once(secretary: Client, club: Club) -> None:
    tournament, changed = a_tournament(club), a_tournament(club, fee=100)
    for row, name, status in (tournament, "Village", 302), (tournament, "Village", 302), (changed, "VILLAGE", 422):
        assert secretary.post(save_address(row), {"name": name}).status_code == status
    assert AuditEntry.objects.filter(event=AuditEvent.PRESET_SAVED).count() == 1, "the same form twice saves once"
    second = a_tournament_preset(club)
    answer = secretary.post(second.get_absolute_url(), {"name": "village"})
    assert (answer.status_code, list(answer.context["form"].errors)) == (422, ["name"])


def test_a_preset_is_renamed_and_deleted(secretary: Client, club: Club) -> None:
    preset = a_tournament_preset(club)
    secretary.post(preset.get_absolute_url(), {"name": "Spring"})
    assert "Spring" in secretary.get(create_address(club)).content.decode()
    secretary.post(reverse("league:tournament-preset-delete", args=[preset.pk]))
    assert not club.tournament_presets.exists()
    assert club.tournaments.exists(), "the tournament stays"
    logged = AuditEntry.objects.filter(event__startswith="preset_", club=club).order_by("pk")
    assert list(logged.values_list("event", flat=True)) == ["preset_saved", "preset_renamed", "preset_deleted"]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("page", "status"), [("tournament-preset", 404), ("tournament-preset-delete", 302)])
def test_a_preset_that_another_user_deletes_meanwhile_is_not_an_error(
    secretary: Client, club: Club, page: str, status: int
) -> None:
    """A new name of a deleted preset was an error page; two deletions at once were two entries of the audit log."""
    preset = a_tournament_preset(club)
    address = reverse(f"league:{page}", args=[preset.pk])
    with transaction.atomic():
        tournament_presets.delete_preset(preset)
        answer = meanwhile(lambda: secretary.post(address, {"name": "Spring"}))
    assert answer.result().status_code == status
    assert AuditEntry.objects.filter(event=AuditEvent.PRESET_DELETED).count() == 1


def test_a_club_has_a_limited_number_of_presets(club: Club) -> None:
    TournamentPreset.objects.bulk_create(
        TournamentPreset(club=club, name=f"Preset number {number}") for number in range(MAX_PRESETS)
    )
    with pytest.raises(WrongState):
        tournament_presets.save_preset(a_tournament(club), "One more")


def test_a_secretary_of_another_club_neither_sees_nor_deletes_it(client: Client, club: Club) -> None:
    preset = a_tournament_preset(club)
    other_club = a_club()
    sign_in(client, a_member(other_club, Role.SECRETARY))
    assert client.post(reverse("league:tournament-preset-delete", args=[preset.pk])).status_code == 404
    form = client.get(create_address(other_club), {"own": preset.pk}).context["form"]
    assert not form["name"].value()
    assert club.tournament_presets.exists()


def test_a_preset_comes_in_again_with_the_club(client: Client, club: Club) -> None:
    preset = a_tournament_preset(club)
    copy = import_copy(client, club)
    assert [(row.name, row.typed_values) for row in copy.tournament_presets.all()] == [
        (preset.name, preset.typed_values)
    ]


def import_copy(client: Client, club: Club) -> Club:
    file = io.BytesIO()
    write_club_file(club, file)
    sign_in(client, a_member(club, Role.ADMIN))
    client.post(
        reverse("league:club-from-file"),
        {"file": SimpleUploadedFile("club.zip", packed(parts(file.getvalue()))), "once_more": "on"},
    )
    return Club.objects.exclude(pk=club.pk).get()


@pytest.mark.parametrize(
    "values",
    [
        [],
        {"name": "x"},
        {"places": "many"},
        {"places": 1e308},
        {"places": None},
        {"ties": "wins"},
        {"ties": ["age"]},
        {"begins_at": {}},
        {"pairing": "swiss"},
        {"public": "perhaps"},
    ],
)
def test_values_that_no_tournament_has_are_refused(values: object) -> None:
    assert are_preset_values({"places": 40, "ties": ["wins"], "begins_at": "14:30:00", "cap": None})
    assert not are_preset_values(values)
