"""Redis or Valkey may be away: nothing that a reader does fails for it."""

from pathlib import Path

import pytest
from django.core.cache import caches
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from league.cache import FaultTolerantCache
from tests.build import PASSWORD, a_user


@pytest.fixture
def away(settings: Settings, tmp_path: Path) -> None:
    server = {**settings.CACHES["default"], "LOCATION": f"unix://{tmp_path}/nobody-listens"}
    settings.CACHES = {"default": server}


@pytest.mark.usefixtures("away")
def test_a_cache_that_is_away_is_an_empty_one() -> None:
    cache = caches["default"]
    cache.set("key", 1)
    assert cache.get("key", "default") == "default"
    assert cache.add("key", 1)
    assert not cache.has_key("key")
    assert not cache.delete("key")


@pytest.mark.usefixtures("away")
def test_a_cache_that_is_away_says_that_nothing_was_forgotten() -> None:
    cache = caches["default"]
    assert isinstance(cache, FaultTolerantCache)
    assert not cache.delete_all_keys()


def test_what_is_forgotten_is_ours_alone() -> None:
    cache, other = caches["default"], caches.create_connection("default")
    assert isinstance(cache, FaultTolerantCache)
    other.key_prefix = "other"
    for each in (cache, other):
        each.set("key", 1)
    assert cache.delete_all_keys()
    assert (cache.get("key"), other.get("key")) == (None, 1)


@pytest.mark.django_db
@pytest.mark.usefixtures("away")
def test_people_sign_in_and_out_without_it(client: Client) -> None:
    user = a_user()
    wrong = client.post(reverse("account_login"), {"login": user.email, "password": "no"})
    assert wrong.status_code == 200
    right = client.post(reverse("account_login"), {"login": user.email, "password": PASSWORD})
    assert right.status_code == 302
    assert client.get(reverse("account_email")).status_code == 200
    client.post(reverse("account_logout"))
    assert client.get(reverse("account_email")).status_code == 302
