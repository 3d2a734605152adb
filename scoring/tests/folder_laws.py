"""Properties of every game's folder: its files are there, and its French is set well."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from scoring.rulebook import LANGUAGES

NARROW = "\u202f"  # the space that never breaks a line, before ; : ! ? » and after «
NOT_FRENCH = re.compile(rf"[^{NARROW}\W][;!?»]|[^{NARROW}\d\W]:(?!//)|[ \u00a0][;:!?»]|«[^{NARROW}]|[“”']|\.\.\.")
CODE = re.compile(r"`[^`\n]*`")  # in Markdown

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


def misprints(folder: Path) -> Iterator[str]:
    """Yield the lines of the French files that break the typography of docs/translating.md."""
    rules = CODE.sub("", (folder / "RULES.fr.md").read_text("utf-8"))
    examples = tomllib.loads((folder / "examples.fr.toml").read_text("utf-8"))["example"]
    texts = {"RULES.fr.md": [rules], "examples.fr.toml": [text for words in examples for text in words.values()]}
    for name, parts in texts.items():
        yield from (f"{name}: {line}" for part in parts for line in part.splitlines() if NOT_FRENCH.search(line))
