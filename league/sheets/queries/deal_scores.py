"""The points of recorded deals, under their evening's house rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from league.models import Deal, Evening, Score, Seat, Table
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Played


def table_rests(table: Table, number: int) -> list[int]:
    """Return the dealer by default, seat after seat."""
    return [(number - 1) % table.size] if table.one_rests else []


def check_rests(deal: Deal) -> None:
    """Raise IllegalDeal."""
    table = deal.table
    resting = table.size - table.playing
    if len(set(deal.rests)) != resting or any(not 0 <= seat < table.size for seat in deal.rests):
        raise IllegalDeal("rests", "wrong_rests", {"allowed": resting})


class PlayedDeal(NamedTuple):
    """A scored deal, with the house rules and the previous deals of the table that it was scored with."""

    played: Played
    options: Any
    earlier: Sequence[Any]


def play_deal(deal: Deal, earlier: Sequence[Mapping[str, Any]] | None = None) -> PlayedDeal:
    """Score a deal under its evening's house rules. Raises IllegalDeal.

    `earlier` has the facts of the table's previous deals; by default they are fetched if the rules need them.
    """
    table = deal.table
    evening = table.round.evening
    rules = registry.rules(evening.season.game)
    options = rules.read_options(evening.house_rules)
    previous = earlier_deals(table, deal.number, earlier)
    return PlayedDeal(rules.play(table.playing, deal.facts, options, previous), options, previous)


def earlier_deals(table: Table, number: int | None, facts: Sequence[Mapping[str, Any]] | None = None) -> Sequence[Any]:
    """Return the table's standing deals before that number as `play` takes them; () if the rules do not need them.

    Raises IllegalDeal on "earlier.INDEX.FIELD". `facts` are those of the deals, if they were fetched already.
    """
    if not needs_earlier(table.round.evening):
        return ()
    rules = registry.rules(table.round.evening.season.game)
    return rules.read_earlier(table.playing, earlier_facts(table, number) if facts is None else list(facts))


def play_deals(
    table: Table, deals: Sequence[Deal], earlier: Sequence[Any] = ()
) -> Iterator[tuple[Deal, Played | IllegalDeal]]:
    """Score successive deals of a table, after those in `earlier`, under its evening's house rules.

    A deal that can't be read has its IllegalDeal; so has each later deal whose result may depend on it.
    """
    evening = table.round.evening
    rules = registry.rules(evening.season.game)
    facts = ((table.playing, deal.facts) for deal in deals)
    yield from zip(deals, rules.play_table(facts, rules.read_options(evening.house_rules), earlier), strict=True)


def deals_carry(evening: Evening) -> bool:
    """The points of a deal may depend on earlier deals."""
    rules = registry.rules(evening.season.game)
    return rules.carries(rules.read_options(evening.house_rules))


def earlier_facts(table: Table, number: int | None) -> list[Mapping[str, Any]]:
    """Return [] for a voided deal, which has no number."""
    if number is None:
        return []
    standing = Deal.objects.filter(table=table).standing()
    return list(standing.filter(number__lt=number).order_by("number").values_list("facts", flat=True))


def needs_earlier(evening: Evening) -> bool:
    """A deal's points or warnings may depend on earlier deals."""
    rules = registry.rules(evening.season.game)
    return rules.needs_earlier(rules.read_options(evening.house_rules))


def read_facts(table: Table, deal: Deal) -> Any:
    """Return None if the rules no longer accept them, after a repair by hand or a change of the rules."""
    rules = registry.rules(table.round.evening.season.game)
    try:
        return rules.read_earlier(table.size - len(deal.rests), [deal.facts])[0]
    except IllegalDeal:
        return None


def is_readable(table: Table, deal: Deal) -> bool:
    return read_facts(table, deal) is not None


class DerivedDeal(NamedTuple):
    """The stored results of a deal: whether the rules have warnings, and its scores, unsaved."""

    doubted: bool
    scores: list[Score]


def derived_deal(deal: Deal, seats: Sequence[Seat], played: Played) -> DerivedDeal:
    playing = [seat for seat in seats if seat.number not in deal.rests]
    scores = [
        Score(deal=deal, seat=seat, role=role, points=points)
        for seat, role, points in zip(playing, played.roles, played.points, strict=True)
    ]
    return DerivedDeal(bool(played.warnings), scores)
