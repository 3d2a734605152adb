"""What a recorded deal gives each seat: its facts, read and scored under its season's house rules."""

from __future__ import annotations

from collections.abc import Sequence

from league.models import Deal, Score, Seat, Table
from scoring import registry
from scoring.rules.errors import IllegalDeal
from scoring.rules.score import Score as EngineScore


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
    season = deal.table.round.evening.season
    rules = registry.rules(season.game)
    read = rules.read(deal.table.playing, deal.facts)
    return rules.score(read, rules.read_options(season.house_rules)), rules.roles(read)


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
