"""Every public page has a title, a description, an address and a picture for programs that show links (OpenGraph)."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.utils import translation

from league.models.rights import Role
from tests.build import a_club, a_member
from tests.test_access import ROWS, places
from tests.test_every_page import ENGLISH, NO_PAGES, NOT_OURS

pytestmark = pytest.mark.django_db
SITE = "http://testserver"
PROPERTY = re.compile(r'<meta property="og:(title|description|url|image)" content="([^"]*)">')
# Nobody shares a link to them: parts of other sites' pages, paper, the hall's screen, a page without a network.
NOT_SHARED = ("/embed/", "/paper", "/final-table", "/screen", "/offline")

OWN_LANGUAGE = "/live/"  # the link itself names the language


def addresses() -> list[str]:
    """Return the addresses of pages that a visitor may see, in a public club or of the site."""
    return [
        row.address
        for row in ROWS
        if row.method == "GET"
        and row.club in ("public", "any")
        and row.expected["anonymous"] == "200"
        and not row.address.split("?")[0].endswith(NO_PAGES)
        and not row.address.startswith("/api")
        and not any(part in row.address for part in NOT_SHARED)
    ]


def faults(client: Client, address: str, language: str) -> list[str]:
    response = client.get(address, headers={"Accept-Language": language})
    text = response.content.decode()
    found = [(name, unescape(value)) for name, value in PROPERTY.findall(text)]
    if Counter(name for name, _value in found) != Counter(("title", "description", "url", "image")):
        return [f"{address}: {found}"]
    tags = dict(found)
    image = tags["image"].removeprefix(SITE)
    faults = [
        *(["no text"] if not tags["title"].strip() or not tags["description"].strip() else []),
        *(["another address"] if tags["url"] != SITE + address.split("?")[0] else []),
        *(["no whole address"] if image == tags["image"] else []),
        *(["no picture"] if not _is_picture(client, image) else []),
    ]
    if address.startswith(OWN_LANGUAGE):
        pass
    elif f'<html lang="{language}"' not in text:
        faults.append("another language")
    elif language == "fr":
        words = ENGLISH.findall(NOT_OURS.sub("", f"{tags['title']} {tags['description']}"))
        faults += [f"English: {words}"] if words else []
    return [f"{address}, {language}: {fault}: {tags}" for fault in faults]


def _is_picture(client: Client, address: str) -> bool:
    if address.startswith("/static/"):
        return finders.find(address.removeprefix("/static/")) is not None
    return client.get(address).headers["Content-Type"] == "image/png"


@pytest.mark.parametrize("language", ["en-gb", pytest.param("fr", marks=pytest.mark.faults)])
def test_each_public_page_describes_itself_for_links(client: Client, language: str) -> None:
    club = a_club(public=True, language=language)
    words = places(club, a_member(club, Role.GUEST))
    with translation.override(None):
        found = [fault for address in addresses() for fault in faults(client, address.format(**words), language)]
    assert found == []
