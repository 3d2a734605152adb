"""Only a club's members read who recorded, changed or contested a deal: each address of the matrix is asked."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import unescape
from typing import Any
from uuid import uuid4

import pghistory
import pytest
from django.core.cache import cache
from django.db import transaction
from pytest_django import DjangoDbBlocker

from league.actions import deals
from league.models import Contest, Deal
from tests.build import NOW, TAKE, a_player, a_user
from tests.test_access import ROWS, World, a_world

pytestmark = [pytest.mark.django_db, pytest.mark.xdist_group("authors of changes")]

AUTHOR, RAISER = "Rédactrice Discrète", "Plaignante Discrète"


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    """A public club with a deal that was revised, another that was voided, and one that is contested."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield a_world_with_authors()
        transaction.set_rollback(True)
        cache.clear()


def a_world_with_authors() -> World:
    # Neither is in the club, so no list of its people names them.
    author = a_user(is_superuser=True).player
    author.given_name, author.family_name = AUTHOR.split()
    author.update_names()
    author.save()
    raiser = a_player(*RAISER.split())
    world = a_world(public=True)
    deal, other = (Deal.objects.get(pk=str(world.places[name])) for name in ("deal", "guests_deal"))
    with pghistory.context(user=author.user_id, reason="The paper says 52"):
        version, facts = deal.version, {**TAKE, "points": 52}
        deals.revise(deal.pk, facts, client_key=uuid4(), seen_version=version, now=NOW)
        deals.void(other.pk, client_key=uuid4(), seen_version=other.version, now=NOW)
    Contest.objects.filter(pk=str(world.places["contest"])).update(player=raiser)
    return world


def addresses_that_name(world: World, role: str) -> set[str]:
    """Return the addresses of the matrix at which the role reads one of the names."""
    found = set()
    for row in ROWS:
        if row.method != "GET" or row.address.startswith(("/static/", "/account/")):
            continue
        address = row.address.format(**world.places)
        with transaction.atomic():
            token = world.tokens.get(role) if address.startswith("/api/") else None
            headers = {"Authorization": f"Bearer {token}"} if token else {}
            answer: Any = world.clients[role].get(address, headers=headers)
            body = answer.getvalue()
            transaction.set_rollback(True)
        text = unescape(body.decode("utf-8", "ignore"))
        if any(name in text or json.dumps(name)[1:-1] in text for name in (AUTHOR, RAISER)):
            found.add(row.address)
    return found


@pytest.mark.parametrize("role", ["anonymous", "stranger", "guest", "other_admin"])
def test_nobody_outside_the_club_reads_who_changed_or_contested_a_deal(world: World, role: str) -> None:
    assert addresses_that_name(world, role) == set()


def test_members_read_who_changed_and_contested_a_deal(world: World) -> None:
    assert {"/deals/{deal}/", "/api/v1/deals/{deal}"} <= addresses_that_name(world, "member")
