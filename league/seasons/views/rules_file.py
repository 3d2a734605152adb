"""Standings rules as a JSON file, for use in another club or installation. The file has a format version."""

from __future__ import annotations

import json

from league.standings import fields
from league.standings.fields import JsonKey
from league.standings.rules import StandingsRules
from scoring import json_lines
from scoring.rules import reading

FORMAT_VERSION = 1


def rules_to_text(rules: StandingsRules) -> str:
    return json.dumps({"version": FORMAT_VERSION, "rules": rules.to_json()}, indent=2) + "\n"


def rules_from_text(text: str) -> StandingsRules:
    """Parse a text that `rules_to_text` has written. Raise IllegalDeal with the name of the wrong field."""
    value = json_lines.parse(text.encode(), fields.dotted_path)
    values = fields.read_object(
        value, "", {"version": JsonKey(_read_version), "rules": JsonKey(StandingsRules.from_json)}
    )
    rules: StandingsRules = values["rules"]
    return rules


def _read_version(value: object, field: str) -> int:
    return reading.integer(value, field, minimum=FORMAT_VERSION, maximum=FORMAT_VERSION)
