"""docs/adding-a-game.md, followed to the letter: its game passes its own tests and is played on every page."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import polib
import pytest
from django.conf import settings
from django.test import Client, override_settings
from django.urls import reverse

import scoring.__main__
import scoring.games
from league.demo import club as demo_club
from league.models import Deal, Season, Table
from league.models.rights import Role
from scoring import registry, rulebook
from scoring.game import find_game
from tests import build, messages

ROOT = Path(__file__).parents[1]
PLUGGED = ROOT / "scoring" / "tests" / "plugged"
FOLDER = PLUGGED / "little_barbu"
GUIDE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
BLOCKS: dict[str, str] = dict(re.findall(r"^### `([^`]+)`\n\n```\w+\n(.*?)^```$", GUIDE, re.M | re.S))
CATALOGUE = str(messages.CATALOGUE)
GENERATED = (".git", ".venv", "var", "build", "__pycache__", ".*_cache", ".hypothesis", "test-results")
TRICKS, DOUBLED = [0, 1, 3, 0], [False, True, False, False]
QUEENS: dict[str, Any] = {"contract": "queens", "dealer": 0, "taken": TRICKS, "doubled": DOUBLED}
TYPED = {"contract": "queens", "dealer": "0", "doubled.1": "on", **{f"taken.{n}": str(t) for n, t in enumerate(TRICKS)}}


def test_guide_shows_the_files_as_they_are() -> None:
    files = {str(path.relative_to(FOLDER)): path for path in FOLDER.rglob("*.*") if "__pycache__" not in path.parts}
    texts = {name: text for name, path in files.items() if (text := path.read_text("utf-8"))}
    texts[CATALOGUE] = (PLUGGED / "little_barbu.po").read_text("utf-8")
    assert set(BLOCKS) == set(texts)
    for name, text in texts.items():
        assert BLOCKS[name] == text, name


# Followed to the letter, in a copy of the project


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of the project in which somebody did what the guide says, and nothing else."""
    root = tmp_path_factory.mktemp("followed") / "league"
    shutil.copytree(ROOT, root, ignore=shutil.ignore_patterns(*GENERATED))
    folder = root / "scoring" / "games" / FOLDER.name
    for name, text in BLOCKS.items():
        if name != CATALOGUE:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
    for package in (folder, folder / "tests"):
        (package / "__init__.py").touch()
    [folders_line] = re.findall(r"^    (FOLDERS = .*)$", GUIDE, re.M)
    registered = root / "scoring" / "registry.py"
    registered.write_text(re.sub(r"^FOLDERS = .*$", folders_line, registered.read_text("utf-8"), flags=re.M), "utf-8")
    _translate(root)
    return root


def _translate(root: Path) -> None:
    """Gather the words, and fill in the guide's French for what has none."""
    messages.gather(root)
    entries = {entry.msgid: entry for entry in polib.pofile(BLOCKS[CATALOGUE])}
    catalogue = polib.pofile(str(root / CATALOGUE), wrapwidth=10**9)
    for entry in catalogue:
        is_translated = all(entry.msgstr_plural.values()) if entry.msgid_plural else bool(entry.msgstr)
        if entry.fuzzy or not is_translated:
            entry.msgstr, entry.msgstr_plural = entries[entry.msgid].msgstr, entries[entry.msgid].msgstr_plural
            entry.flags = [flag for flag in entry.flags if flag != "fuzzy"]
            entry.previous_msgid = entry.previous_msgid_plural = None
    catalogue.save()
    messages.compile_catalogue(root)


def commands(program: str) -> list[str]:
    """Return the guide's commands of that program."""
    return re.findall(rf"^    (?:.*\| )?\.venv/bin/python -m ({program}.*)$", GUIDE, re.M)


def run(root: Path, command: str, entries: str = "") -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        input=entries,
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


@pytest.mark.faults
@pytest.mark.xdist_group("followed")
def test_engine_answers_as_the_guide_says(followed: Path) -> None:
    [(response, answer)] = re.findall(r"^    echo '(.*)' \| .*\n\n    (.*)$", GUIDE, re.M)
    [command] = commands("scoring")
    process = run(followed, command, response + "\n")
    assert (process.stdout, process.stderr) == (answer + "\n", "")


@pytest.mark.faults
@pytest.mark.xdist_group("followed")
def test_the_guides_own_commands_pass(followed: Path) -> None:
    """The folder's tests are part of what the last command runs."""
    own_tests, everything = commands("pytest")
    assert set(own_tests.split()) <= set(everything.split())
    process = run(followed, everything)
    assert process.returncode == 0, process.stdout + process.stderr


# Played on the pages of this project


@pytest.fixture
def _plugged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder in its place and its word in the list, for one test."""
    monkeypatch.setattr(scoring.games, "__path__", [*scoring.games.__path__, str(PLUGGED)])
    monkeypatch.setattr(registry, "FOLDERS", [*registry.FOLDERS, FOLDER.name])
    monkeypatch.setattr(scoring.__main__, "GAMES", tuple(registry.slugs()))  # which it reads when it starts
    [engine] = settings.TEMPLATES
    folders = {"DIRS": [*settings.BASE_DIR.glob("templates"), FOLDER / "templates"]}
    with override_settings(TEMPLATES=[{**engine, **folders}]):
        yield
    for function in (registry.rules, registry.play, find_game):
        function.cache_clear()
    for name in [name for name in sys.modules if name.startswith(f"scoring.games.{FOLDER.name}")]:
        del sys.modules[name]


pages = pytest.mark.usefixtures("_plugged", "db")


@pytest.fixture
def table(_plugged: None, db: None) -> Table:
    """Return a table of four in a season of the game."""
    season = build.a_season(build.a_club(), "little-barbu", table_sizes=[4])
    return build.a_table(build.an_evening(season))


@pytest.fixture
def secretary(table: Table, client: Client) -> Client:
    return build.sign_in(client, build.a_member(table.round.evening.season.club, Role.SECRETARY))


def record_page(table: Table) -> str:
    return reverse("league:deal-record", args=[table.pk])


@pages
def test_rules_and_calculator(client: Client) -> None:
    assert "Little Barbu" in client.get(reverse("league:games")).content.decode()
    rules = client.get(reverse("league:rules", args=["little-barbu"])).content.decode()
    assert 'id="L5.1"' in rules
    for example in rulebook.examples(find_game("little-barbu")):
        assert example.title in rules
        assert list(example.explanation.points) == list(example.points)
    calculator = reverse("league:calculator", args=["little-barbu"])
    page = client.post(calculator, {**TYPED, "house-double": "2"}).content.decode()
    assert "Player 2, Player 1: the dealer was doubled, and the difference of 4 is paid 2 times more." in page
    assert "paid once more" in client.post(calculator, TYPED).content.decode()
    page = client.post(calculator, {**TYPED, "taken.2": "1"}).content.decode()
    assert "2 were taken; a deal has 4." in page


@pages
def test_a_season_has_its_usual_sizes_end_and_house_rule(client: Client) -> None:
    club = build.a_club()
    admin = build.sign_in(client, build.a_member(club, Role.ADMIN))
    page = reverse("league:season-found", args=[club.slug]) + "?game=little-barbu"
    form = admin.get(page).context["form"]
    assert (form.initial["table_sizes"], form.initial["end"], form.initial["end_number"]) == ((4,), "deals", 12)
    assert "fifth_rests" not in form.fields
    typed = {"name": "Winter", "table_sizes": ["3", "4"], "end": "deals", "end_number": "9", "contest_hours": "48"}
    typed |= {"rounds": "2", "draw": "meet", "leavers": "ranked", "rest_score": "none", "house-double": "2"}
    assert admin.post(page, typed).status_code == 302
    assert Season.objects.get().house_rules == {"double": 2}


def test_deals_are_recorded_in_turn_and_a_contract_named_again_is_asked_about(table: Table, secretary: Client) -> None:
    page = secretary.get(record_page(table))
    assert page.context["form"]["dealer"].value() == 0
    sent = {**TYPED, "client_key": str(uuid4()), "number": "1"}
    assert secretary.post(record_page(table), sent).status_code == 302
    deal = Deal.objects.get()
    assert deal.facts == QUEENS
    assert list(deal.scores.order_by("seat__number").values_list("points", flat=True)) == [4, -8, -12, 0]
    assert "is paid once more" in secretary.get(deal.get_absolute_url()).content.decode()

    assert secretary.get(record_page(table)).context["form"]["dealer"].value() == 1
    repeated = {**TYPED, "client_key": str(uuid4()), "number": "2"}
    response = secretary.post(record_page(table), repeated)
    assert "has named this contract before: No queens." in response.content.decode()
    assert Deal.objects.count() == 1
    confirmed = {**repeated, "confirmed": response.context["entry"].fingerprint}
    assert secretary.post(record_page(table), confirmed).status_code == 302
    # A deal is no reason to doubt itself, nor is a later one.
    revised = secretary.get(reverse("league:deal-revise", args=[deal.pk]))
    sent = {**TYPED, "seen_version": "1", "client_key": str(uuid4())}
    assert revised.context["form"]["dealer"].value() == 0
    assert secretary.post(reverse("league:deal-revise", args=[deal.pk]), sent).status_code == 302


def test_the_grid_asks_about_it_too(table: Table, secretary: Client) -> None:
    cells = {
        "dealer": "1",
        "contract": "q",
        "taken.0": "0",
        "taken.1": "1",
        "taken.2": "3",
        "taken.3": "0",
        "doubled": "2",
    }
    row = {f"cell_{name}": text for name, text in cells.items()}
    address = reverse("league:grid-row", args=[table.pk])
    first = secretary.post(address, {**row, "client_key": str(uuid4()), "record": "1"})
    assert first.status_code == 200, first.content.decode()
    assert Deal.objects.get().facts == QUEENS
    is_translated = secretary.post(address, {**row, "client_key": str(uuid4())}).json()
    assert is_translated["points"] == [4, -8, -12, 0]
    named_doubt, same = is_translated["doubts"]
    assert "has named this contract before" in named_doubt
    assert "Deal 1 is the same" in same
    wrong = secretary.post(address, {**row, "cell_taken.2": "2", "client_key": str(uuid4())}).json()
    assert wrong["refused"] == ["3 were taken; a deal has 4."]


def test_totals_that_can_not_be_are_refused(table: Table, secretary: Client) -> None:
    page = reverse("league:table-totals", args=[table.pk])
    typed = {"seat_0": "-8", "seat_1": "-8", "seat_2": "-8", "seat_3": "-7", "deals": "2"}
    answer = secretary.post(page, {**typed, "seen_version": "0", "client_key": str(uuid4())})
    assert answer.status_code == 422
    assert "The totals add up to −31; 2 deals add up to −32." in answer.content.decode()


@pytest.mark.faults
@pages
def test_the_demo_plays_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FOLDERS", [FOLDER.name])
    monkeypatch.setattr(demo_club, "EVENING_COUNT", 1)
    demo_club.make_demo_club(build.TODAY)
    rules = registry.rules("little-barbu")
    for table in Table.objects.filter(complete=True):
        facts = Deal.objects.filter(table=table).order_by("number").values_list("facts", flat=True)
        deals = rules.read_earlier(table.size, list(facts))
        assert [deal.dealer for deal in deals] == [number % table.size for number in range(len(deals))]
        assert len({(deal.dealer, deal.contract) for deal in deals}) == len(deals)
