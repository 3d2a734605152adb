"""The difference between two versions of a deal: as words, and as points of each seat by the current rules."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from league.models import Deal, Seat, Table
from league.sheets.queries.deal_scores import depends_on_earlier_deals, score_deal, scores_last_deal_differently
from league.sheets.queries.score_sheet import deal_summary
from players.models import Player
from scoring.rules.errors import IllegalDeal


class DealVersion(NamedTuple):
    """A version of a deal: its facts (JSON of what happened at the table), and the numbers of the resting seats."""

    facts: Mapping[str, Any]
    rests: Sequence[int]


class SeatChange(NamedTuple):
    """A player's points before and after a change. None: the player did not play the deal, or there was no deal."""

    player: Player
    before: int | None
    after: int | None


class DealChange(NamedTuple):
    """The difference between two versions of a deal.

    `before` and `after` describe the deal in words, "" if there is no such version. `seats` are the seats whose points
    differ.
    """

    before: str
    after: str
    seats: list[SeatChange]


def deal_change(
    table: Table, seats: Sequence[Seat], before: DealVersion | None, after: DealVersion | None = None
) -> DealChange:
    """Return the difference between two versions of a deal. None stands for a deal that did not exist or is voided.

    `seats` of the result is empty if a version is unreadable, or if its points depend on other deals of the table.
    """
    old, new = _points_by_seat(table, seats, before), _points_by_seat(table, seats, after)
    changes: list[SeatChange] = []
    if old is not None and new is not None:
        pairs = [(seat, old.get(seat.number), new.get(seat.number)) for seat in seats]
        changes = [
            SeatChange(seat.player, old_points, new_points)
            for seat, old_points, new_points in pairs
            if old_points != new_points
        ]
    return DealChange(_summary(table, seats, before), _summary(table, seats, after), changes)


def _deal(table: Table, version: DealVersion) -> Deal:
    return Deal(table=table, facts=version.facts, rests=list(version.rests))


def _summary(table: Table, seats: Sequence[Seat], version: DealVersion | None) -> str:
    return deal_summary(table, _deal(table, version), seats) if version else ""


def _points_by_seat(table: Table, seats: Sequence[Seat], version: DealVersion | None) -> dict[int, int] | None:
    """Return {seat number: points}; None if the deal is unreadable or its points depend on other deals."""
    if version is None:
        return {}
    if depends_on_earlier_deals(table.round.evening) or scores_last_deal_differently(table.round.evening):
        return None
    try:
        played = score_deal(_deal(table, version), earlier=()).scored
    except IllegalDeal:
        return None
    playing = [seat.number for seat in seats if seat.number not in version.rests]
    return dict(zip(playing, played.points, strict=False))
