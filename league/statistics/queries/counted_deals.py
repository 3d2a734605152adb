"""The deals of seasons' closed evenings, read one after the other: what statistics and records are made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from league.models import Deal, Evening, Round, Score, Season, Table
from league.statistics.queries.among import among
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules


class CountedDeal(NamedTuple):
    """A deal of a complete table: who got which points, by the engine's seat, and what the rules read.

    `read` and `options` are None where its facts or its house rules can't be read.
    """

    pk: int
    evening: Evening
    table: int
    given: Sequence[tuple[int, int]]  # player and points
    read: Any
    options: Any


def counted_deals(seasons: Collection[Season]) -> Iterator[CountedDeal]:
    """Read the deals in the order of their ids; four queries, one where all seasons have totals only."""
    closed = Evening.objects.closed().filter(season__in=seasons).order_by()
    rounds = Round.objects.accepted().filter(among("evening", closed.values("pk"))).order_by()
    tables = Table.objects.filter(among("round", rounds.values("pk")), complete=True, recorded__gt=0).order_by()
    evening_of = dict(tables.values_list("pk", "round__evening"))
    if not evening_of:
        return
    evenings = Evening.objects.filter(pk__in=set(evening_of.values())).select_related("season")
    played = {evening.pk: _Played(evening, registry.rules(evening.season.game)) for evening in evenings}
    deals = Deal.objects.filter(table__in=list(evening_of), voided_at=None)
    given: dict[int, list[tuple[int, int]]] = defaultdict(list)
    scores = Score.objects.filter(deal__in=deals.order_by()).order_by("deal", "seat__number")
    for deal, player, points in scores.values_list("deal", "seat__player", "points"):
        given[deal].append((player, points))
    for pk, facts, table in deals.order_by("pk").values_list("pk", "facts", "table"):
        there = played[evening_of[table]]
        yield CountedDeal(pk, there.evening, table, given[pk], *there.read(facts, len(given[pk])))


class _Played:
    """An evening with what its deals are read by."""

    def __init__(self, evening: Evening, rules: Rules) -> None:
        self.evening = evening
        self.rules = rules
        self.options = None
        with suppress(IllegalDeal):
            self.options = rules.read_options(evening.house_rules)

    def read(self, facts: object, seats: int) -> tuple[Any, Any]:
        """Return a deal and its options, both None where one of them can't be read."""
        if self.options is not None:
            with suppress(IllegalDeal):  # the list of sheets and `verify` tell of it
                return self.rules.play(seats, facts, self.options).deal, self.options
        return None, None
