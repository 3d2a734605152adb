"""Evenings: rankings, rounds and seats."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Query, Router, Schema

from league.api.paging import PageOfItems, PageParameters, page_of
from league.api.people import PlayerOut, named_player, player_out
from league.api.reader import ApiRequest
from league.evenings.queries.evening_ranking import RankingRow, ranking
from league.evenings.queries.played_rounds import played_rounds
from league.models import Evening, Rest, Season, Seat, Table
from league.sheets.queries.missing_deals import missing
from league.web.finding import seen

router = Router(tags=["evenings"])


class EveningOut(Schema):
    """An evening; `state` is planned, open, closed or cancelled. Once it is final nobody contests its deals."""

    id: int
    season: int
    date: date
    name: str
    state: str
    place: str
    begins: datetime | None
    counts_times: int
    final: bool
    page: str


class RestOut(Schema):
    """Who sits a round out, resting or exempt; an exempt player's points count in the evening."""

    player: PlayerOut
    kind: str
    points: int


class RoundOut(Schema):
    """A round: how many tables it has, how many of them lack something, and who sits out."""

    number: int
    tables: int
    incomplete: int
    rests: list[RestOut]


class EveningRoundsOut(EveningOut):
    """An evening with its rounds."""

    rounds: list[RoundOut]


class RankedOut(Schema):
    """A rank in an evening. Some seasons rank players who left early last; `rested` players sat out all rounds."""

    rank: int
    player: PlayerOut
    guest: bool
    points: int
    deals: int
    tables: int
    left_early: bool
    rested: bool


class SeatOut(Schema):
    """A place at a table, from 0, and what it got there."""

    number: int
    player: PlayerOut
    points: int
    deals: int


class TableOut(Schema):
    """A table of a round; `missing` says what its sheet still lacks."""

    id: int
    number: int
    complete: bool
    missing: str
    seats: list[SeatOut]


def evening_out(evening: Evening, now: datetime) -> dict[str, Any]:
    """The evening must have its season."""
    return {
        "id": evening.pk,
        "season": evening.season_id,
        "date": evening.date,
        "name": evening.name,
        "state": evening.state,
        "place": evening.where,
        "begins": evening.begins,
        "counts_times": evening.weight,
        "final": evening.is_final(now),
        "page": evening.get_absolute_url(),
    }


def seat_out(seat: Seat, season: Season) -> dict[str, Any]:
    """The seat must have its player."""
    return {
        "number": seat.number,
        "player": player_out(seat.player),
        "points": season.convert_points(seat.points),
        "deals": seat.deals,
    }


@router.get(
    "/evenings/{int:evening_id}", response=EveningRoundsOut, summary=_("An evening and its rounds"), url_name="evening"
)
def evening(request: ApiRequest, evening_id: int) -> dict[str, Any]:
    evening_row = seen(Evening.objects.with_season(), request.auth, pk=evening_id)
    rounds = [
        {
            "number": sitting.round.number,
            "tables": len(sitting.sheets),
            "incomplete": sum(bool(sheet.missing) for sheet in sitting.sheets),
            "rests": [_rest(rest, evening_row.season) for rest in sitting.rests],
        }
        for sitting in played_rounds(evening_row)
    ]
    return {**evening_out(evening_row, timezone.now()), "rounds": rounds}


def _rest(rest: Rest, season: Season) -> dict[str, Any]:
    return {"player": player_out(rest.player), "kind": rest.kind, "points": season.convert_points(rest.points)}


@router.get(
    "/evenings/{int:evening_id}/ranking",
    response=PageOfItems[RankedOut],
    summary=_("An evening’s ranking, as far as it is recorded"),
    url_name="evening-ranking",
)
def evening_ranking(request: ApiRequest, evening_id: int, parameters: Query[PageParameters]) -> dict[str, Any]:
    evening_row = seen(Evening.objects.with_season(), request.auth, pk=evening_id)
    return page_of(request, ranking(evening_row), parameters, _ranked)


def _ranked(place: RankingRow) -> dict[str, Any]:
    return {
        "rank": place.rank,
        "player": named_player(place.player, place.name),
        "guest": place.guest,
        "points": place.points,
        "deals": place.deals,
        "tables": place.tables,
        "left_early": place.left_early,
        "rested": place.rested,
    }


@router.get(
    "/evenings/{int:evening_id}/rounds/{int:number}/tables",
    response=PageOfItems[TableOut],
    summary=_("The tables of a round, and who sits where"),
    url_name="round-tables",
)
def round_tables(
    request: ApiRequest, evening_id: int, number: int, parameters: Query[PageParameters]
) -> dict[str, Any]:
    evening_row = seen(Evening.objects.with_season(), request.auth, pk=evening_id)
    played_round = get_object_or_404(evening_row.rounds.accepted(), number=number)
    tables = Table.objects.filter(round=played_round).with_seats()

    def serialize(table: Table) -> dict[str, Any]:
        return {
            "id": table.pk,
            "number": table.number,
            "complete": table.complete,
            "missing": missing(table, evening_row.season),
            "seats": [seat_out(seat, evening_row.season) for seat in table.seats.all()],
        }

    return page_of(request, tables, parameters, serialize)
