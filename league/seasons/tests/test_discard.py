"""Discarding a draft deletes what was planned for it, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse

from league.actions import club_deletion, seasons
from league.actions.refusals import WrongState
from league.models import Club, Evening, Intention, Season
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.season import SeasonState
from tests.build import NOW, TODAY, a_club, a_member, a_season, an_evening
from tests.readers import signed_in

pytestmark = pytest.mark.django_db


def a_draft(club: Club) -> Season:
    """Return a draft copied from a season, with an evening and an intention to come."""
    season = a_season(club, name="This year")
    evening = an_evening(season, EveningState.PLANNED, on=TODAY + timedelta(days=7))
    draft, _new = seasons.copy_for_next_year(season.pk, name="By mistake", evening_ids=[evening.pk])
    Intention.objects.create(evening=draft.evenings.get(), player=a_member(club), comes=True)
    return draft


def test_an_admin_discards_a_draft_and_the_club_keeps_all_else(client: Client) -> None:
    club = a_club()
    draft = a_draft(club)
    admin = signed_in(client, a_member(club, Role.ADMIN))
    address = reverse("league:season-discard", args=[draft.pk])
    assert f'href="{address}"' in admin.get(draft.get_absolute_url()).content.decode()
    assert "The evening that is planned for it goes too" in admin.get(address).content.decode()
    answer = admin.post(address, follow=True)
    assert "The draft “By mistake” is gone." in answer.content.decode()
    assert [season.name for season in club.seasons.all()] == ["This year"]
    assert Evening.objects.count() == 1
    audit = admin.get(reverse("league:audit", args=[club.slug]))
    assert audit.status_code == 200
    assert "Deleted a season" in audit.content.decode()
    assert admin.post(address).status_code == 404, "sent twice"


@pytest.mark.parametrize("state", [SeasonState.OPEN, SeasonState.CLOSED])
def test_a_season_that_began_is_not_discarded(client: Client, state: SeasonState) -> None:
    season = a_season(a_club(), state=state)
    admin = signed_in(client, a_member(season.club, Role.ADMIN))
    address = reverse("league:season-discard", args=[season.pk])
    assert address not in admin.get(season.get_absolute_url()).content.decode()
    assert admin.get(address)["Location"] == season.get_absolute_url()
    admin.post(address)
    assert Season.objects.filter(pk=season.pk).exists()


def test_a_draft_with_results_is_not_discarded() -> None:
    season = a_season(a_club())
    an_evening(season)
    Season.objects.filter(pk=season.pk).update(state=SeasonState.DRAFT)
    with pytest.raises(WrongState, match="were held"):
        seasons.discard(season.pk)


def test_what_history_knows_of_a_discarded_draft_goes_with_its_club() -> None:
    club = a_club()
    seasons.discard(a_draft(club).pk)
    club_deletion.delete_club(club.pk, now=NOW)
    for name in ("SeasonEvent", "EveningEvent", "IntentionEvent"):
        assert not apps.get_model("league", name)._default_manager.exists(), name
