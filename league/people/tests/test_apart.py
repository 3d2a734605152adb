"""Separations of players."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Separation
from league.models.rights import Role
from tests.build import a_club, a_member, sign_in

pytestmark = pytest.mark.django_db


def test_a_pair_is_kept_apart_once_however_it_is_named(client: Client) -> None:
    club = a_club()
    secretary = sign_in(client, a_member(club, Role.SECRETARY))
    first, second = (a_member(club, login=False) for _ in range(2))
    address = reverse("league:apart", args=[club.slug])
    for one_way, other_way in [(first, second), (second, first)]:
        secretary.post(address, {"first": one_way.pk, "second": other_way.pk})
    pair = Separation.objects.get()
    assert (pair.first, pair.second) == (first, second)
    assert set(secretary.post(address, {"first": first.pk, "second": first.pk}).context["form"].errors) == {"second"}
    stranger = a_member(a_club(), login=False)
    assert set(secretary.post(address, {"first": stranger.pk, "second": first.pk}).context["form"].errors) == {"first"}
    secretary.post(reverse("league:apart-remove", args=[pair.pk]))
    assert not Separation.objects.exists()
