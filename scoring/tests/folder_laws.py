"""Properties of every game's folder: its files are there, its French is set well, and the demo can play it."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Any

from scoring import registry
from scoring.game import Game
from scoring.rulebook import LANGUAGES

NARROW = "\u202f"  # the space that never breaks a line, before ; : ! ? » and after «
NOT_FRENCH = re.compile(rf"[^{NARROW}\W][;!?»]|[^{NARROW}\d\W]:(?!//)|[ \u00a0][;:!?»]|«[^{NARROW}]|[“”']|\.\.\.")
CODE = re.compile(r"`[^`\n]*`")  # in Markdown
MAX_DEALS = 100  # of a table that plays to the usual target, far more than any club plays

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


def check_target(game: Game) -> None:
    """If a target is the end that the demo plays to, the game's play.py reaches it: the demo's tables end."""
    end, target = game.automatic_end or ("", 0)
    rules, play = game.rules, registry.play(game.slug)
    options = rules.read_options({})
    for size in game.sizes if end == "target" else ():
        rng, totals = Random(1), [0] * size
        dealt: list[Any] = []
        while max(totals) < target:
            assert len(dealt) < MAX_DEALS, (
                f"game.py: after {MAX_DEALS} deals of play.py no player of {size} has the {target} points of `ends`; "
                f"the highest total is {max(totals)}. Name a lower target, or `deals` before it."
            )
            played = rules.play(size, dict(play(rng, size, [0.5] * size, {}, dealt).facts), options, dealt)
            dealt.append(played.deal)
            totals = [total + points for total, points in zip(totals, played.points, strict=True)]
