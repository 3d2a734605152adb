"""Held points: points of a disputed deal, which the winner of the table's next deal gets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from league.models import Deal, Evening, Table
from league.sheets.queries.deal_scores import is_last_deal
from scoring import registry
from scoring.rules.errors import IllegalDeal


def held_points(table: Table, facts: Sequence[Mapping[str, Any]]) -> int:
    """Return the points that the winner of the table's next deal gets in addition.

    `facts` are the facts of all deals of the table. Return 0 if a deal is unreadable, because the sheet shows that.
    Fetch the table with its evening.
    """
    evening = table.round.evening
    rules = registry.rules(evening.season.game)
    last = rules.last_deal_kwargs(bool(facts) and is_last_deal(table, len(facts), facts[:-1]))
    try:
        deals = rules.read_earlier(table.players_of_deal, list(facts))
        return rules.held_points(deals, rules.read_options(evening.house_rules), **last)
    except IllegalDeal:
        return 0


def can_have_held_points(evening: Evening) -> bool:
    """Return whether a deal of this evening may leave points to the next deal.

    Return False for unreadable house rules, because recording a deal reports them.
    """
    rules = registry.rules(evening.season.game)
    try:
        return rules.holds_points(rules.read_options(evening.house_rules))
    except IllegalDeal:
        return False


def tables_with_lost_points(evening: Evening) -> list[tuple[Table, int]]:
    """Return the complete tables with held points, and these points. They are lost, because there is no next deal.

    Call it only if `can_have_held_points` is True: for other evenings it would read all deals for nothing.
    """
    facts: dict[int, list[Mapping[str, Any]]] = {}
    complete = Deal.objects.filter(table__round__evening=evening, table__complete=True).not_voided()
    for table, of_deal in complete.order_by("table", "number").values_list("table", "facts"):
        facts.setdefault(table, []).append(of_deal)
    tables = Table.objects.with_club().filter(pk__in=facts).order_by("round__number", "number")
    return [(table, points) for table in tables if (points := held_points(table, facts[table.pk]))]
