"""docs/standings.md: a part written by hand, then the rules and examples from the code.

python -m league.standings.tests.standings_page    writes the second part again
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap
from typing import Any

from league.standings.counted_evenings import COUNTED_EVENINGS_RULES
from league.standings.examples import WorkedExample, examples
from league.standings.extras import EXTRAS
from league.standings.minimum import MINIMUM_RULES
from league.standings.presets import PRESETS
from league.standings.tie_breaks import TIE_BREAKS
from league.standings.worth import WORTH_RULES

PAGE = Path(__file__).parent.parent.parent.parent / "docs/standings.md"
MARKER = "<!-- From here on: python -m league.standings.tests.standings_page -->\n"
COLUMNS = ("rank", "player", "total", "counted", "dropped", "attendance", "adjustment")
IF_ANY = ("tie_break", "missing", "missing_partners")  # columns shown if any row has a value
WORDS = {"tie_break": "tie-break", "missing_partners": "missing partners"}


def page() -> str:
    by_hand, _marker, _old = PAGE.read_text(encoding="utf-8").partition(MARKER)
    return by_hand + MARKER + "\n" + "\n".join(_lines())


def _lines() -> Iterator[str]:
    yield "## The rules by name"
    yield ""
    yield from _rules('Worth of an evening: `"worth": {"by": …}`', WORTH_RULES, "worths")
    yield from _rules('Counted evenings: `"counts": {"which": …}`', COUNTED_EVENINGS_RULES, "choose")
    yield from _rules('Minimum for a rank: `"minimum": {…}`', MINIMUM_RULES, "compute")
    yield from _rules("Extra points", EXTRAS, "points")
    yield from _rules('Tie-breaks: `"ties": […]`', TIE_BREAKS, "keys")
    yield "## Presets"
    yield ""
    for preset in PRESETS:
        (example,) = (candidate for candidate in examples() if candidate.preset == preset.name)
        yield f"### {preset.title}"
        yield ""
        yield from wrap(str(preset.description), 120)
        yield ""
        yield from _example(example, "####")
    yield "## More examples"
    yield ""
    for example in examples():
        if not example.preset:
            yield from _example(example, "###")


def _rules(heading: str, rules: Mapping[str, Any], function: str) -> Iterator[str]:
    yield heading
    yield ""
    yield from _table(
        ["name", "in words", "exactly"],
        [
            [f"`{name}`", rule.description, _exactly(getattr(rule, function).__doc__ or "")]
            for name, rule in rules.items()
        ],
    )


def _exactly(docstring: str) -> str:
    text = " ".join(docstring.split()).removeprefix("Return ")
    return text[:1].upper() + text[1:]


def _example(example: WorkedExample, heading: str) -> Iterator[str]:
    yield f"{heading} {example.title}"
    yield ""
    yield f"    {json.dumps(example.request['rules'])}"
    yield ""
    evenings = example.request["evenings"]
    players = dict.fromkeys(result["player"] for evening in evenings for result in evening["results"])
    yield from _table(
        ["", *(_evening(evening) for evening in evenings)],
        [[player, *(_result(player, evening) for evening in evenings)] for player in players],
    )
    adjustments = example.request.get("adjustments", ())
    if adjustments:
        texts = [f"{adjustment['points']:+} for {adjustment['player']}" for adjustment in adjustments]
        yield f"Adjustments: {', '.join(texts)}."
        yield ""
    if example.partners:
        yield f"Partners: {', '.join(f'{player} {number}' for player, number in example.partners.items())}."
        yield ""
    yield from wrap(example.text, 120)
    yield ""
    columns = [key for key in COLUMNS if all(key in row for row in example.rows)]
    columns += [key for key in IF_ANY if any(row.get(key) for row in example.rows)]
    yield from _table(
        [WORDS.get(key, key) for key in columns], [[_cell(row.get(key, "")) for key in columns] for row in example.rows]
    )


def _evening(evening: Mapping[str, Any]) -> str:
    marks = [f"× {evening['weight']}"] if "weight" in evening else []
    marks += ["final"] if evening.get("final") else []
    return " ".join([evening["id"], *marks])


def _result(player: str, evening: Mapping[str, Any]) -> str:
    for result in evening["results"]:
        if result["player"] == player:
            return ", ".join([str(result["points"]), *_details(result)])
    return "–"


def _details(result: Mapping[str, Any]) -> Iterator[str]:
    if "deals" in result:
        yield f"{result['deals']} deals"
    for key in ("won", "lost", "exempt", "rests"):
        if key in result:
            yield f"{key} {result[key]}"
    for table in result.get("tables", ()):
        yield f"{table['before']} of {table['opponents']} behind" + (
            f", {table['level']} level" if table["level"] else ""
        )
    if not result.get("member", True):
        yield "guest"
    if result.get("left"):
        yield "left"


def _cell(value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, list):
        is_fraction = all(isinstance(number, int) for number in value) and len(value) == 2
        return "/".join(map(str, value)) if is_fraction else ", ".join(map(str, value))
    return str(value)


def _table(heads: list[str], rows: list[list[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield "|" + "---|" * len(heads)
    for row in rows:
        yield f"| {' | '.join(row)} |"
    yield ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
