"""Standings rules as a file: JSON with the version of its format, for another club or another installation."""

from __future__ import annotations

import json
from typing import Any

from league.standings import fields
from league.standings.fields import Key
from league.standings.rules import StandingsRules, read_rules, written_rules
from scoring import json_lines
from scoring.rules import reading

VERSION = 1


def file_of(rules: StandingsRules) -> str:
    """Return the rules as the text of a file."""
    return json.dumps({"version": VERSION, "rules": written_rules(rules)}, indent=2) + "\n"


def read_file(text: str) -> StandingsRules:
    """Return the rules of a file's text. Raises IllegalDeal on their field."""
    value = json_lines.parse(text.encode(), fields.path_of)
    read: dict[str, Any] = fields.keyed(value, "", {"version": Key(_version), "rules": Key(read_rules)})
    rules: StandingsRules = read["rules"]
    return rules


def _version(value: object, field: str) -> int:
    return reading.integer(value, field, minimum=VERSION, maximum=VERSION)
