"""The worked examples of examples.toml: seasons as JSON input for the standings, with the expected rows."""

import datetime
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from league.standings.presets import PRESETS

FIRST_TUESDAY = datetime.date(2026, 9, 8)
ABSENT_MARK = "-"


class WorkedExample(NamedTuple):
    """A season whose standings were computed by hand. `request` is the JSON input for `python -m league.standings`."""

    title: str
    text: str
    preset: str
    request: Mapping[str, Any]
    partners: Mapping[str, int]  # numbers of different partners by player; a request has no partners
    rows: Sequence[Mapping[str, Any]]  # relevant fields of the expected rows


@cache
def examples() -> tuple[WorkedExample, ...]:
    raw = tomllib.loads(Path(__file__).with_name("examples.toml").read_text(encoding="utf-8"))
    return tuple(_example(example) for example in raw["example"])


def _example(raw: Mapping[str, Any]) -> WorkedExample:
    presets = {preset.name: preset.rules for preset in PRESETS}
    name = raw.get("preset", "")
    request = {
        "rules": presets[name] if name else raw["rules"],
        "evenings": _evenings(raw["results"], raw.get("evenings", {})),
    }
    if "adjustments" in raw:
        request["adjustments"] = [{"player": player, "points": n} for player, n in raw["adjustments"].items()]
    rows = [{**row, "rank": None if row["rank"] == ABSENT_MARK else row["rank"]} for row in raw["rows"]]
    return WorkedExample(raw["title"], raw["text"].strip(), name, request, raw.get("partners", {}), rows)


def _evenings(results: Mapping[str, Sequence[Any]], extra_fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    columns = zip(*results.values(), strict=True)
    return [
        {
            "id": f"e{number}",
            "date": (FIRST_TUESDAY + datetime.timedelta(weeks=number - 1)).isoformat(),
            **extra_fields.get(f"e{number}", {}),
            "results": [
                {"player": player, **(result if isinstance(result, dict) else {"points": result})}
                for player, result in zip(results, column, strict=True)
                if result != ABSENT_MARK
            ],
        }
        for number, column in enumerate(columns, start=1)
    ]
