"""The JSON Schema of the facts, which follows from the forms."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema_rs
import pytest

from scoring import registry
from scoring.game import find_game
from scoring.rulebook import numbered_players
from scoring.rules.errors import IllegalDeal
from scoring.tests.test_engine import vectors


@cache
def schema_of(slug: str, seats: int) -> dict[str, Any]:
    return find_game(slug).deal_form(numbered_players(seats)).facts_schema()


def test_legal_facts_fit_the_schema_of_their_game() -> None:
    """Catches a fact that a form lacks, or a value that its field does not offer.

    The vectors spell out absent facts as null, also those that a table of this size never has.
    """
    misfits = []
    for vector in vectors():
        request = vector["request"]
        if "points" in vector and request["seats"] in find_game(request["game"]).sizes:
            schema = schema_of(request["game"], request["seats"])
            names = schema["properties"]
            facts = {name: fact for name, fact in request["facts"].items() if fact is not None or name in names}
            if not jsonschema_rs.is_valid(schema, facts):
                misfits.append(request)
    assert misfits == []


@pytest.mark.parametrize("slug", registry.slugs())
def test_the_rules_read_each_name_of_the_schema(slug: str) -> None:
    """Catches an input of a form that is no fact, and was not left out of the schema."""
    game = find_game(slug)
    for seats in game.sizes:
        for name in schema_of(slug, seats)["properties"]:
            with pytest.raises(IllegalDeal) as refused:
                game.rules.read(seats, {"contract": None, name: "?"})
            assert (refused.value.field, refused.value.code) != (name, "unknown_key")
