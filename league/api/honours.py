from __future__ import annotations

from collections.abc import Collection
from datetime import date
from typing import Any

from django.utils import translation
from ninja import Schema

from league.api.people import PlayerOut
from league.models import Season
from league.seasons.queries.honours import Record, RecordHolder, largest_rating_gain, records
from players.models import Player
from players.models.person import Viewer
from players.rating.expectation import MICRO_POINTS_PER_POINT


class HolderOut(Schema):
    """A holder of a record. Fields that do not apply are null.

    `evening`, `table` and `deal` are the ids of the source. A run of several evenings began at the evening with the id
    `since`.
    """

    player: PlayerOut | None
    evening: int | None
    since: int | None
    table: int | None
    deal: int | None


class RecordOut(Schema):
    """A record of some seasons, such as the most points in a deal.

    `unit` is "number", "points", or "apart" (a difference in points). `others` is the number of holders that are not
    listed.
    """

    name: str
    label: str
    unit: str
    value: int
    holders: list[HolderOut]
    others: int


class JumpOut(Schema):
    """The largest gain of a rating in one evening, in points."""

    player: PlayerOut
    date: date
    gain: float


class RecordsOut(Schema):
    """Records of some seasons of one game."""

    records: list[RecordOut]


class HonoursOut(RecordsOut):
    """Records of some seasons of one game, and the largest gain of a rating in them."""

    biggest_jump: JumpOut | None


def honours_out(game: str, seasons: Collection[Season], viewer: Viewer) -> dict[str, Any]:
    """Return the values of `HonoursOut` for the seasons of a game."""
    pks = [season.pk for season in seasons]
    jump = largest_rating_gain(game, pks, viewer)
    gain = jump and {"player": jump.step.player, "date": jump.step.date, "gain": jump.gain / MICRO_POINTS_PER_POINT}
    return {**records_out(game, pks), "biggest_jump": gain}


def records_out(game: str, seasons: Collection[int]) -> dict[str, Any]:
    """Return the values of `RecordsOut` for the seasons (ids) of a game."""
    return {"records": [_record_fields(name, record) for name, record in records(game, seasons).items()]}


def _record_fields(name: str, record: Record) -> dict[str, Any]:
    return {
        "name": name,
        "label": translation.gettext(record.label),
        "unit": record.unit,
        "value": record.value,
        "holders": [_holder_fields(holder) for holder in record.holders],
        "others": max(record.others, 0),
    }


def _holder_fields(holder: RecordHolder) -> dict[str, Any]:
    return {
        "player": Player(pk=holder.player, names=holder.name) if holder.player else None,
        "evening": holder.evening.pk if holder.evening else None,
        "since": holder.since.pk if holder.since else None,
        "table": holder.table.pk if holder.table else None,
        "deal": holder.deal.pk if holder.deal else None,
    }
