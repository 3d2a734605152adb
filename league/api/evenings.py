from __future__ import annotations

from datetime import date, datetime
from typing import Any

from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Field, Query, Router, Schema

from league.api.authentication import ApiRequest
from league.api.paging import PageOfItems, PageParameters, page_of
from league.api.people import PlayerOut
from league.evenings.queries.evening_ranking import RankingRow, ranking
from league.evenings.queries.played_rounds import played_rounds
from league.models import Evening, Rest, Seat, Table
from league.sheets.queries.missing_deals import missing_text
from league.web.lookups import visible_or_404
from players.models import Player

router = Router(tags=["evenings"])


class EveningOut(Schema):
    """An evening of a season. `state` is "planned", "open", "closed" or "cancelled".

    `final`: deals can no longer be contested. `counts_times` is the factor of the evening's points in the season.
    """

    id: int = Field(validation_alias="pk")
    season: int = Field(validation_alias="season_id")
    date: date
    name: str
    state: str
    place: str = Field(validation_alias="where")
    begins: datetime | None
    counts_times: int = Field(validation_alias="weight")
    final: bool
    page: str = Field(validation_alias="get_absolute_url")

    @staticmethod
    def resolve_final(evening: Evening) -> bool:
        return evening.is_final(timezone.now())


class RestOut(Schema):
    """A player who sits out a round. `kind` is "resting" or "exempt". The points count in the evening.

    `score` is the season's setting for such a round: "none", "fixed", "mean" or "catch_up". `deals` is 0 until the
    round is complete.
    """

    player: PlayerOut
    kind: str
    score: str
    points: int
    deals: int

    @staticmethod
    def resolve_points(rest: Rest) -> int:
        return rest.round.evening.season.convert_points(rest.points)


class RoundOut(Schema):
    """A round: its number, the number of its tables, the number of its incomplete tables, and the players who sit it
    out.
    """

    number: int
    tables: int
    incomplete: int
    rests: list[RestOut]


class EveningRoundsOut(EveningOut):
    """An evening with its rounds."""

    rounds: list[RoundOut]

    @staticmethod
    def resolve_rounds(evening: Evening) -> list[dict[str, Any]]:
        return [
            {
                "number": played_round.round.number,
                "tables": len(played_round.tables_with_seats),
                "incomplete": sum(bool(sheet.missing_text) for sheet in played_round.tables_with_seats),
                "rests": played_round.rests,
            }
            for played_round in played_rounds(evening)
        ]


class EveningRankOut(Schema):
    """A player's rank in an evening, with the sums of points, deals and tables.

    In some seasons, players who left early have the last ranks. A player who sat out all rounds is `rested`.
    """

    rank: int
    player: PlayerOut
    guest: bool
    points: int
    deals: int
    tables: int
    left_early: bool
    rested: bool

    @staticmethod
    def resolve_player(row: RankingRow) -> Player:
        return Player(pk=row.player, names=row.name)


class SeatOut(Schema):
    """A seat of a table, with the player's points and number of deals. Seats are counted from 0."""

    number: int
    player: PlayerOut
    points: int
    deals: int

    @staticmethod
    def resolve_points(seat: Seat) -> int:
        return seat.table.round.evening.season.convert_points(seat.points)


class TableOut(Schema):
    """A table of a round. `missing` is the reason why the table is incomplete, or ""."""

    id: int = Field(validation_alias="pk")
    number: int
    complete: bool
    missing: str
    seats: list[SeatOut]

    @staticmethod
    def resolve_missing(table: Table) -> str:
        return missing_text(table, table.round.evening.season)


@router.get(
    "/evenings/{int:evening_id}", response=EveningRoundsOut, summary=_("An evening and its rounds"), url_name="evening"
)
def evening(request: ApiRequest, evening_id: int) -> Evening:
    return visible_or_404(Evening.objects.with_season(), request.auth, pk=evening_id)


@router.get(
    "/evenings/{int:evening_id}/ranking",
    response=PageOfItems[EveningRankOut],
    summary=_("An evening’s ranking, as far as it is recorded"),
    url_name="evening-ranking",
)
def evening_ranking(request: ApiRequest, evening_id: int, parameters: Query[PageParameters]) -> dict[str, Any]:
    evening_row = visible_or_404(Evening.objects.with_season(), request.auth, pk=evening_id)
    return page_of(request, ranking(evening_row), parameters)


@router.get(
    "/evenings/{int:evening_id}/rounds/{int:number}/tables",
    response=PageOfItems[TableOut],
    summary=_("The tables of a round, and who sits where"),
    url_name="round-tables",
)
def round_tables(
    request: ApiRequest, evening_id: int, number: int, parameters: Query[PageParameters]
) -> dict[str, Any]:
    evening_row = visible_or_404(Evening.objects.with_season(), request.auth, pk=evening_id)
    played_round = get_object_or_404(evening_row.rounds.accepted(), number=number)
    return page_of(request, played_round.tables.with_seats(), parameters)
