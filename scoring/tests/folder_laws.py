"""The files that a game's folder must have, each with its reason, which is part of the error message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from scoring.rulebook import LANGUAGES

NEEDED: Mapping[str, str] = {
    "__init__.py": "empty: importing the folder imports nothing",
    "RULES.md": "the rules in numbered clauses, for the rules page and for the lines that cite them",
    "examples.toml": "worked examples, for the rules page and the tests",
    "rules.py": "RULES, what the engine scores with",
    "play.py": "play(), how a plausible deal is played, for the demo and the tests",
    "forms.py": "the form of a deal",
    "row.py": "ROW, a deal as a row of short codes, for the grid",
    "game.py": "GAME, the game as pages know it",
    "tests/__init__.py": "empty",
    **{f"RULES.{language}.md": "the rules page in that language" for language in LANGUAGES},
    **{f"examples.{language}.toml": "titles and texts of the examples in that language" for language in LANGUAGES},
}


def missing(folder: Path) -> Iterator[str]:
    """Yield what a folder lacks, in words."""
    needed = {**NEEDED, f"templates/{folder.name}/deal.html": "the fields of the form"}
    yield from (f"{folder.name}/{name}: {reason}" for name, reason in needed.items() if not (folder / name).is_file())
    if not list((folder / "tests").glob("test_*.py")):
        yield f"{folder.name}/tests/test_….py: its examples, and the laws of scoring/tests"
