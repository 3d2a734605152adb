"""Points of deals in dispute that wait for the winner of a table's next deal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from league.models import Deal, Evening, Table
from scoring import registry
from scoring.rules.errors import IllegalDeal


def held_after(table: Table, facts: Sequence[Mapping[str, Any]]) -> int:
    """Return what the deals of a table that was fetched with its evening leave to each winner of the next one.

    It is 0 where a deal cannot be read: the sheet names such a deal itself.
    """
    evening = table.round.evening
    rules = registry.rules(evening.season.game)
    try:
        return rules.held_points(
            rules.read_earlier(table.playing, list(facts)), rules.read_options(evening.house_rules)
        )
    except IllegalDeal:
        return 0


def can_hold(evening: Evening) -> bool:
    """Return whether the evening's house rules let a deal leave points to the winner of the next one.

    Not if they cannot be read: recording a deal refuses them by name.
    """
    rules = registry.rules(evening.season.game)
    try:
        return rules.holds_points(rules.read_options(evening.house_rules))
    except IllegalDeal:
        return False


def tables_with_lost_points(evening: Evening) -> list[tuple[Table, int]]:
    """Return the complete tables whose last deals left points to nobody, with these points; two queries at most."""
    if not can_hold(evening):
        return []
    facts: dict[int, list[Mapping[str, Any]]] = {}
    complete = Deal.objects.filter(table__round__evening=evening, table__complete=True).standing()
    for table, of_deal in complete.order_by("table", "number").values_list("table", "facts"):
        facts.setdefault(table, []).append(of_deal)
    tables = Table.objects.with_club().filter(pk__in=facts).order_by("round__number", "number")
    return [(table, held) for table in tables if (held := held_after(table, facts[table.pk]))]
