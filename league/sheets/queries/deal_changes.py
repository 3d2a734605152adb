"""What a change of a deal changed: in words, and for each seat, by the rules that stand now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from league.models import Deal, Seat, Table
from league.sheets.queries.deal_scores import deals_carry, play_deal
from league.sheets.queries.score_sheet import summary
from players.models import Player
from scoring.rules.errors import IllegalDeal


class Recorded(NamedTuple):
    """What one version of a deal says: its facts, and who sat it out."""

    facts: Mapping[str, Any]
    rests: Sequence[int]


class SeatChange(NamedTuple):
    """What a player got before and after; None for a deal that was not there."""

    player: Player
    before: int | None
    after: int | None


class DealChange(NamedTuple):
    """The deal in words before and after, empty where there was none; `seats` are those whose points changed."""

    before: str
    after: str
    seats: list[SeatChange]


def deal_change(
    table: Table, seats: Sequence[Seat], before: Recorded | None, after: Recorded | None = None
) -> DealChange:
    """Return what changed between two versions of a deal; without one it was recorded, or voided.

    Points are left out where a version can't be read any more, or depends on the deals before it.
    """
    held, given = _points(table, seats, before), _points(table, seats, after)
    moved: list[SeatChange] = []
    if held is not None and given is not None:
        both = [(seat, held.get(seat.number), given.get(seat.number)) for seat in seats]
        moved = [SeatChange(seat.player, one, other) for seat, one, other in both if one != other]
    return DealChange(_words(table, seats, before), _words(table, seats, after), moved)


def _deal(table: Table, version: Recorded) -> Deal:
    return Deal(table=table, facts=version.facts, rests=list(version.rests))


def _words(table: Table, seats: Sequence[Seat], version: Recorded | None) -> str:
    return summary(table, _deal(table, version), seats) if version else ""


def _points(table: Table, seats: Sequence[Seat], version: Recorded | None) -> dict[int, int] | None:
    """Return each seat's points by its number; none of a deal that is not there, None if they can't be told."""
    if version is None:
        return {}
    if deals_carry(table.round.evening):
        return None
    try:
        played = play_deal(_deal(table, version), earlier=()).played
    except IllegalDeal:
        return None
    playing = [seat.number for seat in seats if seat.number not in version.rests]
    return dict(zip(playing, played.points, strict=False))
