"""What `python -m league.standings --help` says, and the refusal of arguments. Loaded for them alone."""

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any

from league.standings.choice import CHOICES
from league.standings.examples import examples
from league.standings.extras import EXTRAS
from league.standings.minimum import MINIMUMS
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.worth import WORTHS

DESCRIPTION = """\
Ranks seasons: one JSON request a line on standard input, one JSON answer a line on standard output, in order.

  request  {"rules": {...}, "evenings": [...], "adjustments": [...]}          rules and adjustments may be left out
  answer   {"rows": [{"player": ..., "rank": ..., "total": ..., "counted": [...], "dropped": [...], ...}]}
  or       {"error": {"field": ..., "message": ...}}

Totals are exact: whole numbers, or [numerator, denominator]. Each row has its reasons: what its evenings are worth,
which of them count and which are dropped, and the tie-break that decided. A line that is no request is answered with an
error that names the field, and the next line follows: the exit status is 0 when every line was answered.
docs/standings.md explains the rules, with examples.
"""


class Usage(argparse.ArgumentParser):
    """The parser of a command with no arguments; `answer` works out the example at the end of its help."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        super().__init__(
            prog="python -m league.standings",
            usage="%(prog)s < seasons.jsonl > standings.jsonl",
            description=DESCRIPTION,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.answer = answer

    def format_help(self) -> str:
        """Return the usual help, the rules by name, and a request with its answer."""
        request = json.dumps(next(each for each in examples() if each.preset == "best").request, ensure_ascii=False)
        parts = (
            super().format_help(),
            *_named('An evening is worth, {"worth": {"by": ...}}', WORTHS),
            *_named('What counts, {"counts": {"which": ...}}', CHOICES),
            *_named('To be ranked, {"minimum": {...}}', MINIMUMS),
            *_named("On top", EXTRAS),
            *_named('Ties, {"ties": [...]}', TIE_BREAKS),
            "A request and its answer:",
            f"  {request}",
            f"  {self.answer(request.encode()).decode()}",
        )
        return "\n".join(parts)


def _named(heading: str, rules: Mapping[str, Any]) -> list[str]:
    return [f"{heading}:", *(f"  {name:<16}{rule.words}" for name, rule in rules.items()), ""]
