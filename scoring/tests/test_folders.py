"""Every game's folder is complete; the missing files of an incomplete folder are listed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import scoring.games
from scoring import registry
from scoring.game import find_game
from scoring.tests.folder_laws import NARROW, check_target, misprints, missing


@pytest.mark.parametrize("slug", registry.slugs())
def test_every_folder_is_complete(slug: str) -> None:
    folder = find_game(slug).folder
    assert not list(missing(folder)), "a game's folder lacks (docs/adding-a-game.md):\n" + "\n".join(missing(folder))


@pytest.mark.parametrize("slug", registry.slugs())
def test_folder_gives_slug_and_template(slug: str) -> None:
    game = find_game(slug)
    assert game.slug == slug
    assert (game.folder / "templates" / game.template).is_file()


@pytest.mark.parametrize("slug", registry.slugs())
def test_french_files_have_french_typography(slug: str) -> None:
    lines = list(misprints(find_game(slug).folder))
    assert not lines, "U+202F before ; : ! ? and the apostrophe ’ (docs/translating.md):\n" + "\n".join(lines)


def test_a_misprint_is_listed_with_its_file(tmp_path: Path) -> None:
    """Code is no French text: a house rule's name or an address may stand in it."""
    (tmp_path / "RULES.fr.md").write_text(f"- **A1** L’as{NARROW}: `a;b`\n- **A2** L'as\n", "utf-8")
    (tmp_path / "examples.fr.toml").write_text('[[example]]\ntitle = "Un pli : 4"\ntext = "L’as."\n', "utf-8")
    assert list(misprints(tmp_path)) == ["RULES.fr.md: - **A2** L'as", "examples.fr.toml: Un pli : 4"]


@pytest.mark.parametrize("slug", registry.slugs())
def test_played_tables_reach_the_usual_target(slug: str) -> None:
    check_target(find_game(slug))


def test_a_target_out_of_reach_is_refused_in_words() -> None:
    game = replace(find_game("two-way-street"), ends={"hand": None, "target": 10**6, "deals": 10}, sizes=(4,))
    with pytest.raises(AssertionError, match="no player of 4 has the 1000000 points of `ends`"):
        check_target(game)


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The incomplete folder of a new game that is in the registry already."""
    folder = tmp_path / "only_begun"
    folder.mkdir()
    (folder / "__init__.py").touch()
    monkeypatch.setattr(scoring.games, "__path__", [*scoring.games.__path__, str(tmp_path)])
    monkeypatch.setattr(registry, "FOLDERS", [*registry.FOLDERS, "only_begun"])
    yield folder
    for name in [name for name in sys.modules if name.startswith("scoring.games.only_begun")]:
        del sys.modules[name]


@pytest.mark.parametrize(
    ("ask", "lacks"),
    [
        (registry.rules, "scoring/games/only_begun/rules.py is missing"),
        (registry.play, "scoring/games/only_begun/play.py is missing"),
        (find_game, "scoring/games/only_begun/game.py is missing"),
    ],
)
def test_a_missing_module_is_named(begun: Path, ask: Callable[[str], object], lacks: str) -> None:
    with pytest.raises(registry.IncompleteGame, match=lacks):
        ask("only-begun")


def test_a_module_without_its_value_is_named(begun: Path) -> None:
    (begun / "play.py").touch()
    with pytest.raises(registry.IncompleteGame, match=r"play\.py has no play"):
        registry.play("only-begun")


def test_an_error_inside_a_module_is_not_taken_for_its_absence(begun: Path) -> None:
    (begun / "play.py").write_text("import a_module_that_is_not_there\n")
    with pytest.raises(ModuleNotFoundError, match="a_module_that_is_not_there"):
        registry.play("only-begun")


def test_everything_that_is_missing_is_told(begun: Path) -> None:
    messages = "\n".join(missing(begun))
    for name in ("play.py", "RULES.fr.md", "examples.fr.toml", "templates/only_begun/deal.html"):
        assert name in messages


def test_a_slug_that_no_folder_has_is_unknown() -> None:
    for ask in (registry.rules, registry.play, find_game):
        with pytest.raises(registry.UnknownGame):
            ask("chess")
