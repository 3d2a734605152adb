"""The deals of closed evenings, one by one. Statistics and records are computed from them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from league.models import Deal, Evening, Round, Score, Season, Table
from league.statistics.queries.array_filter import equals_any
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import Rules


class CountedDeal(NamedTuple):
    """A deal at a complete table of a closed evening. `scores` are (player id, points) in the order of the seats in
    this deal.

    `parsed_deal` is the game's own value for the deal's facts, `options` are the house rules that apply. Both are None
    if facts or house rules are invalid.
    """

    pk: int
    evening: Evening
    table: int
    scores: Sequence[tuple[int, int]]
    parsed_deal: Any
    options: Any


def counted_deals(seasons: Collection[Season]) -> Iterator[CountedDeal]:
    """Yield the deals of complete tables in closed evenings, by id. Four queries, or one if no season has deals."""
    closed = Evening.objects.closed().filter(season__in=seasons).order_by()
    rounds = Round.objects.accepted().filter(equals_any("evening", closed.values("pk"))).order_by()
    tables = Table.objects.filter(equals_any("round", rounds.values("pk")), complete=True, recorded__gt=0).order_by()
    evening_of = dict(tables.values_list("pk", "round__evening"))
    if not evening_of:
        return
    evenings = Evening.objects.filter(pk__in=set(evening_of.values())).select_related("season")
    parsers = {evening.pk: _DealParser(evening, registry.rules(evening.season.game)) for evening in evenings}
    deals = Deal.objects.filter(table__in=list(evening_of), voided_at=None)
    scores_by_deal: dict[int, list[tuple[int, int]]] = defaultdict(list)
    scores = Score.objects.filter(deal__in=deals.order_by()).order_by("deal", "seat__number")
    for deal, player, points in scores.values_list("deal", "seat__player", "points"):
        scores_by_deal[deal].append((player, points))
    for pk, facts, table in deals.order_by("pk").values_list("pk", "facts", "table"):
        parser = parsers[evening_of[table]]
        scores_of_deal = scores_by_deal[pk]
        yield CountedDeal(pk, parser.evening, table, scores_of_deal, *parser.parse_deal(facts, len(scores_of_deal)))


class _DealParser:
    def __init__(self, evening: Evening, rules: Rules) -> None:
        self.evening = evening
        self.rules = rules
        self.options = None
        with suppress(IllegalDeal):
            self.options = rules.read_options(evening.house_rules)

    def parse_deal(self, facts: object, seats: int) -> tuple[Any, Any]:
        """Return the deal as the game's own value, and the options; (None, None) for invalid facts or house rules."""
        if self.options is not None:
            with suppress(IllegalDeal):  # reported by the list of sheets and by `verify`
                return self.rules.play(seats, facts, self.options).deal, self.options
        return None, None
