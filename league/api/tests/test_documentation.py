"""What docs/api.md and the page for people tell programs to ask has an answer."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

import pytest
from django.conf import settings
from django.test import Client

from league.api.schema import api
from league.api.tests.reading import a_token, a_writing_token
from league.models.rights import Role
from tests.build import a_club, a_deal, a_member, a_season, a_table, a_tournament, a_unit, an_evening

pytestmark = pytest.mark.django_db

SITE = "https://league.example"
TEXT = Path(settings.BASE_DIR, "docs/api.md").read_text(encoding="utf-8")
COMMANDS = re.findall(r"^ {4}(curl .+)$", re.sub(r" \\\n +", " ", TEXT), re.M)


class CurlCommand(NamedTuple):
    """A curl command."""

    address: str
    headers: dict[str, str]
    body: str  # "" for a GET


def command(line: str) -> CurlCommand:
    words = shlex.split(line)[1:]
    headers = dict(words[index + 1].split(": ", 1) for index, word in enumerate(words) if word == "-H")
    bodies = [words[index + 1] for index, word in enumerate(words) if word == "-d"]
    [address] = [word.removeprefix(SITE) for word in words if word.startswith(SITE)]
    return CurlCommand(address, headers, "".join(bodies))


@pytest.mark.parametrize("line", COMMANDS)
def test_each_example_has_an_answer(client: Client, line: str) -> None:
    club = a_club(public=True)
    season = a_season(club)
    deal = a_deal(table := a_table(an_evening(season)))
    unit = a_unit(tournament := a_tournament(club))
    request = command(line)
    secretary = a_member(club, Role.SECRETARY)
    token = a_writing_token(secretary) if request.body else a_token(secretary)
    address = request.address
    examples = (
        *(("clubs/a-club", club.slug), ("seasons/1", season.pk), ("deals/1", deal.pk), ("tables/1", table.pk)),
        *(("tournaments/1", tournament.pk), ("units/1", unit.pk)),
    )
    for example, pk in examples:
        address = re.sub(rf"{example}\b", f"{example.partition('/')[0]}/{pk}", address)
    headers = {name: value.replace("league_your-token", token) for name, value in request.headers.items()}
    if request.body:
        content_type = headers.pop("Content-Type")
        answer = client.post(address, request.body, content_type=content_type, headers=headers)
    else:
        answer = client.get(address, headers=headers)
    assert answer.status_code in (200, 201), answer.content
    assert answer.json()


def test_there_are_examples() -> None:
    assert len(COMMANDS) > 5


def test_the_page_names_every_address(client: Client) -> None:
    page = client.get("/api").content.decode()
    paths = api.get_openapi_schema()["paths"]
    assert len(paths) > 15
    assert all(f"<code>{path}</code>" in page for path in paths)
    assert client.get("/api/v1/openapi.json").json()["openapi"] == "3.1.0"
