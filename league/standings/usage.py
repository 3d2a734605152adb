"""The help of the command `python -m league.standings`. Imported only for `--help` and for wrong arguments."""

import argparse
import json
from collections.abc import Callable, Mapping
from typing import Any

from league.standings.counted_evenings import COUNTED_EVENINGS_RULES
from league.standings.examples import examples
from league.standings.extras import EXTRAS
from league.standings.minimum import MINIMUM_RULES
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.worth import WORTH_RULES

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


class UsageParser(argparse.ArgumentParser):
    """The argument parser of a command without arguments. Its help ends with an example, computed with `answer`."""

    def __init__(self, answer: Callable[[bytes], bytes]) -> None:
        super().__init__(
            prog="python -m league.standings",
            usage="%(prog)s < seasons.jsonl > standings.jsonl",
            description=DESCRIPTION,
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        self.answer = answer

    def format_help(self) -> str:
        request = json.dumps(
            next(example for example in examples() if example.preset == "best").request, ensure_ascii=False
        )
        parts = (
            super().format_help(),
            *_rule_lines('An evening is worth, {"worth": {"by": ...}}', WORTH_RULES),
            *_rule_lines('What counts, {"counts": {"which": ...}}', COUNTED_EVENINGS_RULES),
            *_rule_lines('To be ranked, {"minimum": {...}}', MINIMUM_RULES),
            *_rule_lines("Extra points", EXTRAS),
            *_rule_lines('Ties, {"ties": [...]}', TIE_BREAKS),
            "A request and its answer:",
            f"  {request}",
            f"  {self.answer(request.encode()).decode()}",
        )
        return "\n".join(parts)


def _rule_lines(heading: str, rules: Mapping[str, Any]) -> list[str]:
    return [f"{heading}:", *(f"  {name:<16}{rule.description}" for name, rule in rules.items()), ""]
