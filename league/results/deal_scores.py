"""What a recorded deal gives each seat: its facts, read and scored under its season's house rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from league.models import Deal, Score, Seat, Table
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


def read_and_score(deal: Deal) -> tuple[EngineScore, tuple[str, ...]]:
    """Return score and roles of a deal under its season's house rules. Raises IllegalDeal."""
    season, seats = deal.table.round.evening.season, deal.table.playing
    rules = registry.rules(season.game)
    options = rules.read_options(season.house_rules)
    read = rules.read(seats, deal.facts)
    before = earlier_facts(deal.table, deal.number) if rules.carries(options) else []
    earlier = rules.read_earlier(seats, before)
    return rules.score(read, options, *rules.carried(earlier, options)), rules.roles(read)


def earlier_facts(table: Table, number: int | None) -> list[Mapping[str, Any]]:
    """Return the facts of the table's deals that stand before that number, in order; none before a voided deal's."""
    if number is None:
        return []
    standing = Deal.objects.filter(table=table).standing()
    return list(standing.filter(number__lt=number).order_by("number").values_list("facts", flat=True))


def is_suspicious(deal: Deal) -> bool:
    """Return whether the rules allow the deal's facts and doubt them. Raises IllegalDeal."""
    score, _roles = read_and_score(deal)
    return bool(score.warnings)


def is_readable(table: Table, deal: Deal) -> bool:
    """Return whether the rules that stand still take the deal's facts.

    Not so after a repair by hand, or a change of rules.
    """
    try:
        registry.rules(table.round.evening.season.game).read(table.size - len(deal.rests), deal.facts)
    except IllegalDeal:
        return False
    return True


def expected_scores(deal: Deal, seats: Sequence[Seat]) -> list[Score]:
    """Return the rows, unsaved, that follow from a deal's facts; none when it is voided. Raises IllegalDeal."""
    if deal.voided_at is not None:
        return []
    score, roles = read_and_score(deal)
    playing = [seat for seat in seats if seat.number not in deal.rests]
    return [
        Score(deal=deal, seat=seat, role=role, points=points)
        for seat, role, points in zip(playing, roles, score.points, strict=True)
    ]
