"""Score recorded deals by the house rules of their evening."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from league.models import Deal, Evening, Score, Season, Seat, Table
from league.models.season import TableEnd
from league.sheets.queries.table_end import deals_needed
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.interface import ScoredDeal


def default_resting_seats(table: Table, number: int) -> list[int]:
    """Return the numbers of the seats that rest in this deal by default: the dealer, a different seat in each deal.

    Return [] if nobody rests at this table.
    """
    return [(number - 1) % table.size] if table.one_rests else []


def check_rests(deal: Deal) -> None:
    """Raise IllegalDeal on the field "rests" if too few or too many seats rest, or a seat does not exist."""
    table = deal.table
    resting = table.size - table.players_of_deal
    if len(set(deal.rests)) != resting or any(not 0 <= seat < table.size for seat in deal.rests):
        raise IllegalDeal("rests", "wrong_rests", {"allowed": resting})


class DealScoring(NamedTuple):
    """A scored deal, with its house rules (`options`) and the earlier deals on which its score depends."""

    scored: ScoredDeal
    options: Any
    earlier: Sequence[Any]


def score_deal(deal: Deal, earlier: Sequence[Mapping[str, Any]] | None = None) -> DealScoring:
    """Score a deal by its evening's house rules.

    `earlier` are the facts (JSON) of the table's earlier deals. By default they are fetched if the rules need them.
    Raise IllegalDeal if this deal is illegal, or an earlier deal on which its score depends.
    """
    table = deal.table
    evening = table.round.evening
    rules = registry.rules(evening.season.game)
    options = rules.read_options(evening.house_rules)
    previous = earlier_deals(table, deal.number, earlier)
    last = deal.number is not None and remaining_deals(table, deal.number, previous) == 1
    return DealScoring(rules.play(table.players_of_deal, deal.facts, options, previous, last), options, previous)


def earlier_deals(table: Table, number: int | None, facts: Sequence[Mapping[str, Any]] | None = None) -> Sequence[Any]:
    """Return the table's deals before the deal `number`, without voided deals, for the argument `earlier` of
    `Rules.play`; () if the rules do not need them.

    If the `facts` of these deals are already fetched, pass them. If a deal is unreadable, raise IllegalDeal with the
    field "earlier.INDEX.FIELD".
    """
    if not needs_earlier_deals(table.round.evening):
        return ()
    rules = registry.rules(table.round.evening.season.game)
    return rules.read_earlier(table.players_of_deal, earlier_facts(table, number) if facts is None else list(facts))


def score_deals(
    table: Table, deals: Sequence[Deal], earlier: Sequence[Any] = ()
) -> Iterator[tuple[Deal, ScoredDeal | IllegalDeal]]:
    """Score successive deals of a table by its evening's house rules.

    `earlier` are the deals before them, as `earlier_deals` returns them. Yield each deal with its score. For an
    unreadable deal, and each later deal that may depend on it, yield an IllegalDeal instead of the score.
    """
    evening = table.round.evening
    rules = registry.rules(evening.season.game)
    results = rules.play_table(
        ((table.players_of_deal, deal.facts) for deal in deals),
        rules.read_options(evening.house_rules),
        earlier,
        remaining=remaining_deals(table, deals[0].number, earlier) if deals and deals[0].number is not None else None,
        count_passed=evening.season.count_passed,
    )
    yield from zip(deals, results, strict=True)


def deals_per_table(table: Table, season: Season) -> int | None:
    """Return the number of deals after which the table ends; None if the season ends its tables by another rule."""
    if season.end != TableEnd.DEALS or season.end_number is None:
        return None
    return deals_needed(season.end_number, table.size, one_player_rests=table.one_rests)


def remaining_deals(table: Table, number: int, earlier: Sequence[Any]) -> int | None:
    """Return the number of deals until the table ends, including the deal `number`: 1 if this is the table's last deal.

    `earlier` are the deals before it, as `earlier_deals` returns them. Return None if the season does not end its
    tables after a number of deals, or if the rules score the last deal like the other deals.
    """
    evening = table.round.evening
    needed = deals_per_table(table, evening.season)
    if needed is None or not scores_last_deal_differently(evening):
        return None
    if evening.season.count_passed:
        return needed - (number - 1)
    rules = registry.rules(evening.season.game)
    options = rules.read_options(evening.house_rules)
    return needed - sum(not rules.may_be_dealt_again(deal, options) for deal in earlier)


def scores_last_deal_differently(evening: Evening) -> bool:
    """Return whether the rules may score the last deal of a table in another way than the other deals.

    Return False if the season does not end its tables after a number of deals.
    """
    rules = registry.rules(evening.season.game)
    return evening.season.end == TableEnd.DEALS and rules.depends_on_last_deal(rules.read_options(evening.house_rules))


def is_last_deal(table: Table, number: int | None, earlier: Sequence[Mapping[str, Any]]) -> bool:
    """Return whether deal `number` is the last one of the table. A few games score the last deal differently.

    `earlier` are the facts of the deals before it. Return False if one of them is unreadable, because the scoring of
    the deal reports that.
    """
    if number is None:
        return False
    try:
        return remaining_deals(table, number, earlier_deals(table, number, earlier)) == 1
    except IllegalDeal:
        return False


def depends_on_earlier_deals(evening: Evening) -> bool:
    """Return whether the points of a deal may depend on the table's earlier deals."""
    rules = registry.rules(evening.season.game)
    return rules.uses_earlier_points(rules.read_options(evening.house_rules))


def earlier_facts(table: Table, number: int | None) -> list[Mapping[str, Any]]:
    """Return the facts (JSON) of the deals before `number`, in order and without voided deals.

    Return [] for a voided deal, which has no number.
    """
    if number is None:
        return []
    deals = Deal.objects.filter(table=table).not_voided()
    return list(deals.filter(number__lt=number).order_by("number").values_list("facts", flat=True))


def needs_earlier_deals(evening: Evening) -> bool:
    """Return whether the points or warnings of a deal may depend on earlier deals."""
    rules = registry.rules(evening.season.game)
    return rules.needs_earlier(rules.read_options(evening.house_rules)) or last_deal_depends_on_earlier_deals(evening)


def last_deal_depends_on_earlier_deals(evening: Evening) -> bool:
    """Return whether the earlier deals are needed to know whether a deal is the table's last one.

    They are needed if the rules score the last deal in another way, and deals that are dealt again do not count.
    """
    return not evening.season.count_passed and scores_last_deal_differently(evening)


def counted_deals(table: Table, season: Season, recorded: int) -> int:
    """Return how many of the table's deals count towards its end. `recorded` is the number of all its deals.

    Deals that are dealt again do not count. An unreadable deal counts.
    """
    if season.count_passed or season.end != TableEnd.DEALS:
        return recorded
    rules = registry.rules(season.game)
    if not rules.has_passed_deals:
        return recorded
    try:
        options = rules.read_options(table.round.evening.house_rules)
    except IllegalDeal:
        return recorded
    deals = Deal.objects.filter(table=table).not_voided()
    values = (read_facts(table, deal) for deal in deals)
    return recorded - sum(deal is not None and rules.may_be_dealt_again(deal, options) for deal in values)


def read_facts(table: Table, deal: Deal) -> Any:
    """Return the facts of the deal as an object of the game's rules. The database stores them as JSON.

    Return None for facts that the rules no longer accept, for example after a repair or a change of the rules.
    """
    rules = registry.rules(table.round.evening.season.game)
    try:
        return rules.read_earlier(table.size - len(deal.rests), [deal.facts])[0]
    except IllegalDeal:
        return None


def is_readable(table: Table, deal: Deal) -> bool:
    """Return whether the game's rules still accept the facts of the deal."""
    return read_facts(table, deal) is not None


class DealResults(NamedTuple):
    """The results of a deal for the database: unsaved scores, and `doubted`: True if the rules have warnings."""

    doubted: bool
    scores: list[Score]


def results_of_deal(deal: Deal, seats: Sequence[Seat], scored: ScoredDeal) -> DealResults:
    """Return the results of a scored deal. `seats` are all seats of the table."""
    playing = [seat for seat in seats if seat.number not in deal.rests]
    scores = [
        Score(deal=deal, seat=seat, role=role, points=points)
        for seat, role, points in zip(playing, scored.roles, scored.points, strict=True)
    ]
    return DealResults(bool(scored.warnings), scores)
