"""What a recorded deal gives each seat: its facts, read and scored under its evening's house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from league.models import Deal, Evening, Score, Seat, Table
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.score import EngineScore


def table_rests(table: Table, number: int) -> list[int]:
    """Return the seats that sit the table's deal of that number out by default: the dealer's, seat after seat."""
    return [(number - 1) % table.size] if table.one_rests else []


def check_rests(deal: Deal) -> None:
    """Refuse rests that aren't seats of the table, or not as many as the table rests. Raises IllegalDeal."""
    table = deal.table
    resting = table.size - table.playing
    if len(set(deal.rests)) != resting or any(not 0 <= seat < table.size for seat in deal.rests):
        raise IllegalDeal("rests", "wrong_rests", {"allowed": resting})


def read_and_score(
    deal: Deal, earlier: Sequence[Mapping[str, Any]] | None = None
) -> tuple[EngineScore, tuple[str, ...]]:
    """Return score and roles of a deal under its evening's house rules. Raises IllegalDeal.

    `earlier` are the facts of the table's deals before it; they are fetched, where they matter, if they aren't given.
    """
    evening, seats = deal.table.round.evening, deal.table.playing
    rules = registry.rules(evening.season.game)
    options = rules.read_options(evening.house_rules)
    read = rules.read(seats, deal.facts)
    if not rules.carries(options):
        earlier = ()
    elif earlier is None:
        earlier = earlier_facts(deal.table, deal.number)
    carried = rules.carried(rules.read_earlier(seats, list(earlier)), options)
    return rules.score(read, options, *carried), rules.roles(read)


def deals_carry(evening: Evening) -> bool:
    """Return whether by an evening's house rules a deal may hand something on to the later ones of its table."""
    rules = registry.rules(evening.season.game)
    return rules.carries(rules.read_options(evening.house_rules))


def earlier_facts(table: Table, number: int | None) -> list[Mapping[str, Any]]:
    """Return the facts of the table's deals that stand before that number, in order; none before a voided deal's."""
    if number is None:
        return []
    standing = Deal.objects.filter(table=table).standing()
    return list(standing.filter(number__lt=number).order_by("number").values_list("facts", flat=True))


def is_readable(table: Table, deal: Deal) -> bool:
    """Return whether the rules that stand still take the deal's facts.

    Not so after a repair by hand, or a change of rules.
    """
    try:
        registry.rules(table.round.evening.season.game).read(table.size - len(deal.rests), deal.facts)
    except IllegalDeal:
        return False
    return True


class DerivedDeal(NamedTuple):
    """What is stored of a deal beside its facts: whether the rules doubt them, and its scores, unsaved."""

    doubted: bool
    scores: list[Score]


def derived_deal(deal: Deal, seats: Sequence[Seat], earlier: Sequence[Mapping[str, Any]] | None = None) -> DerivedDeal:
    """Return what follows from the facts of a deal that stands, and of those before it. Raises IllegalDeal."""
    score, roles = read_and_score(deal, earlier)
    playing = [seat for seat in seats if seat.number not in deal.rests]
    scores = [
        Score(deal=deal, seat=seat, role=role, points=points)
        for seat, role, points in zip(playing, roles, score.points, strict=True)
    ]
    return DerivedDeal(bool(score.warnings), scores)
