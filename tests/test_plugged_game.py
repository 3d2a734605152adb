"""docs/adding-a-game.md, kept true: the game it builds is plugged in, and everything works without another change."""

from __future__ import annotations

import importlib
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

import scoring.__main__
import scoring.games
from league.models import Deal
from league.models.rights import Role
from scoring import registry, rulebook
from scoring.__main__ import answer
from scoring.game import find_game
from scoring.tests import form_laws, laws
from tests import build

PLUGGED = Path(__file__).parents[1] / "scoring" / "tests" / "plugged"
FOLDER = PLUGGED / "high_card"
GUIDE = Path(__file__).parents[1] / "docs" / "adding-a-game.md"
FIELDS = re.compile(r"seats|facts|cards(\.\d+)?|options(\.ace_beats_all)?")


@pytest.fixture(autouse=True)
def _high_card(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder in its place and its word in the list, for one test."""
    monkeypatch.setattr(scoring.games, "__path__", [*scoring.games.__path__, str(PLUGGED)])
    monkeypatch.setattr(registry, "FOLDERS", [*registry.FOLDERS, "high_card"])
    monkeypatch.setattr(scoring.__main__, "GAMES", tuple(registry.slugs()))  # which it reads when it starts
    [engine] = settings.TEMPLATES
    folders = {"DIRS": [*settings.BASE_DIR.glob("templates"), FOLDER / "templates"]}
    with override_settings(TEMPLATES=[{**engine, **folders}]):
        yield
    registry.rules.cache_clear()
    find_game.cache_clear()
    for name in [name for name in sys.modules if name.startswith("scoring.games.high_card")]:
        del sys.modules[name]


def test_guide_shows_the_files_as_they_are() -> None:
    shown = dict(re.findall(r"^#+ `([^`]+)`\n+```\w+\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.M | re.S))
    files = {
        str(path.relative_to(FOLDER)): path.read_text(encoding="utf-8")
        for path in FOLDER.rglob("*.*")
        if path.suffix in (".py", ".md", ".toml", ".html") and path.read_text(encoding="utf-8")
    }
    assert set(shown) == set(files)
    for name, text in files.items():
        assert shown[name] == text, name


def test_folder_looks_like_the_others() -> None:
    needed = {"__init__.py", "rules.py", "forms.py", "game.py", "RULES.md", "examples.toml", "templates"}
    for folder in (FOLDER, *(Path(scoring.games.__path__[0]) / name for name in registry.FOLDERS[:-1])):
        assert needed <= {path.name for path in folder.iterdir()}


def test_engine_answers() -> None:
    request = {"game": "high-card", "seats": 3, "facts": {"cards": [13, 7, 2]}}
    assert json.loads(answer(json.dumps(request).encode())) == {
        "points": [2, -1, -1],
        "lines": [
            {"reason": "seat 0 has the highest card, 13: 1 point from each other player.", "points": [2, -1, -1]}
        ],
        "warnings": [],
    }


def test_laws_hold() -> None:
    subject = laws.Subject(registry.rules("high-card"), FOLDER, FIELDS, formulas=False)
    for facts in ({"cards": [13, 7, 2]}, {"cards": [9, 9, 2]}, {"cards": [13, 13, 13]}):
        laws.check_deal(subject, 3, facts)
    laws.check_any_json(subject, 3, {"cards": [0, 14, "x"]})
    laws.check_words(subject)


def test_form() -> None:
    game = find_game("high-card")
    form_laws.check_template(game, 4)
    form_laws.check_house_rules(game)
    form_laws.check_round_trip(game, 3, {"cards": [9, 9, 2]}, {})
    form, entry = form_laws.entered(game, 2, {"cards.0": "14", "cards.1": "2"})
    assert entry is None
    assert list(form.errors) == ["cards.0"]


@pytest.mark.django_db
def test_games_rules_and_calculator(client: Client) -> None:
    assert "High card" in client.get(reverse("league:games")).content.decode()
    rules = client.get(reverse("league:rules", args=["high-card"])).content.decode()
    assert 'id="H1.3"' in rules
    for example in rulebook.examples(find_game("high-card")):
        assert example.title in rules
        assert list(example.explanation.points) == list(example.points)
    calculator = reverse("league:calculator", args=["high-card"]) + "?seats=3"
    assert "Card of Player 3" in client.get(calculator).content.decode()
    page = client.post(calculator, {"cards.0": "13", "cards.1": "7", "cards.2": "2"}).content.decode()
    assert "Player 1 has the highest card, 13" in page


@pytest.mark.django_db
def test_a_deal_is_recorded_through_its_page(client: Client) -> None:
    club = build.a_club()
    season = build.a_season(club, "high-card", table_sizes=[3])
    table = build.a_table(build.an_evening(season), size=3)
    secretary = build.a_member(club, Role.SECRETARY)
    assert secretary.user is not None
    client.force_login(secretary.user)
    address = reverse("league:deal-record", args=[table.pk])
    assert "Card of" in client.get(address).content.decode()
    answered = client.post(
        address, {"cards.0": "13", "cards.1": "7", "cards.2": "2", "client_key": str(uuid4()), "number": "1"}
    )
    assert answered.status_code == 302, answered.content.decode()
    deal = Deal.objects.get()
    assert deal.facts == {"cards": [13, 7, 2]}
    assert list(deal.scores.order_by("seat__number").values_list("points", flat=True)) == [2, -1, -1]
    assert "has the highest card, 13" in client.get(deal.get_absolute_url()).content.decode()


def test_importing_it_needs_nothing_but_its_folder() -> None:
    assert importlib.import_module("scoring.games.high_card.game").GAME.name == "High card"
