"""The help of the command `python -m scoring`. Imported only for `--help` and for wrong arguments."""

import argparse
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

from scoring import registry

DESCRIPTION = """\
Scores deals: one JSON request a line on standard input, one JSON answer a line on standard output, in order.

  request  {"game": ..., "seats": ..., "facts": {...}, "options": {...}, "earlier": [{...}],
            "last": true}
  answer   {"points": [...], "lines": [{"reason": ..., "points": [...]}], "warnings": [{"field": ..., "message": ...}]}
  or       {"error": {"field": ..., "message": ...}}

Options are house rules; earlier are the facts of the table's deals before this one, in order; last says that this is
the table's last deal. All three may be left out.
points[i] belongs to seat i; the lines are the reasons, and add up to the points. A warning names a
fact that is probably a mistake. The answer to a line that is not a request, or whose deal is impossible, is an error
that names the field; the next lines are still answered. The exit status is 0 when every line was answered. Each game's
RULES.md explains its points.
"""


class Parser(argparse.ArgumentParser):
    """The argument parser of a command that takes no arguments. Its help ends with an example for each game.

    `answer` computes the answers of the examples when the help is shown.
    """

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        super().__init__(
            prog="python -m scoring",
            usage="%(prog)s < deals.jsonl > scores.jsonl",
            description=DESCRIPTION,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.answer = answer

    def format_help(self) -> str:
        games = [f"  {slug}: {registry.rules(slug).seats} seats" for slug in registry.slugs()]
        examples = list(self._examples())
        return "\n".join((super().format_help(), "Games:", *games, "", "Requests and their answers:", *examples))

    def _examples(self) -> Iterator[str]:
        games = Path(__file__).parent / "games"
        for slug, folder in zip(registry.slugs(), registry.FOLDERS, strict=True):
            example = tomllib.loads((games / folder / "examples.toml").read_text(encoding="utf-8"))["example"][0]
            line = json.dumps({"game": slug, "seats": example["seats"], "facts": example["facts"]}, ensure_ascii=False)
            yield f"  {line}\n  {self.answer(line.encode()).decode()}"
