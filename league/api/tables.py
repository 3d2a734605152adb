from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop as _
from ninja import Router, Schema

from league.api.authentication import ApiRequest
from league.api.evenings import SeatOut
from league.api.people import PlayerOut
from league.models import Contest, Deal, Table
from league.models.rights import Right
from league.sheets.queries.deal_changes import DealChange
from league.sheets.queries.deal_history import ChangeKind, HistoryEntry, deal_history
from league.sheets.queries.missing_deals import missing_text
from league.sheets.queries.score_sheet import SheetRow, deal_summary, explanation, read_sheet
from league.web.lookups import visible_or_404
from players.models import Player
from scoring.phrases import Explanation

router = Router(tags=["tables"])


class SheetDealOut(Schema):
    """A deal on a table's score sheet. `points` and `totals` are by seat. `points` is null for a player who rests."""

    id: int
    number: int | None
    summary: str
    points: list[int | None]
    totals: list[int]


class SheetOut(Schema):
    """A table's score sheet. If there are no deals, the points of the seats are totals that were entered without deals.

    `version` is the version of these totals, for the next write. `missing` is the reason why the table is incomplete,
    or "".
    """

    id: int
    version: int
    evening: int
    round: int
    number: int
    complete: bool
    missing: str
    seats: list[SeatOut]
    deals: list[SheetDealOut]
    page: str


class PlayerPointsOut(Schema):
    """The points of one player for one reason (see `LineOut`)."""

    player: str
    points: int


class LineOut(Schema):
    """A reason for points in words, its clause in the game's rules, and the points of each player.

    If house rules change the result, `clause` also lists their clauses: `C4.3, C5.8`.
    """

    text: str
    clause: str
    given: list[PlayerPointsOut]


class DealSeatOut(Schema):
    """The points of one player in a deal. `formula` is the computation, if the lines do not explain it completely."""

    player: PlayerOut
    role: str
    points: int
    formula: str


class ContestOut(Schema):
    """A contest (a player's objection to a deal) and its answer. For users outside the club, `player` is null."""

    player: PlayerOut | None
    reason: str
    raised_at: datetime
    answer: str
    answered_at: datetime | None


class SeatChangeOut(Schema):
    """A player's points before and after a change of a deal. Null if the player had no points then."""

    player: PlayerOut
    before: int | None
    after: int | None


class ChangeOut(Schema):
    """A change of a deal. `before` and `after` describe the deal in words, empty if there was no deal.

    `by` is the user who made the change; null for users outside the club.
    """

    at: datetime
    what: ChangeKind
    by: str | None
    reason: str
    before: str
    after: str
    seats: list[SeatChangeOut]


class DealOut(Schema):
    """A deal with its points and the reasons for them. `seats` and `lines` are empty if the deal is no longer readable.

    `version` is the version of the deal, for the next write.
    """

    id: int
    version: int
    table: int
    number: int | None
    voided: bool
    summary: str
    facts: dict[str, Any]
    resting: list[PlayerOut]
    seats: list[DealSeatOut]
    lines: list[LineOut]
    warnings: list[str]
    contests: list[ContestOut]
    history: list[ChangeOut]
    page: str


@router.get("/tables/{int:table_id}", response=SheetOut, summary=_("A table’s sheet with its deals"), url_name="table")
def table(request: ApiRequest, table_id: int) -> dict[str, Any]:
    table_row = visible_or_404(Table.objects.with_club(), request.auth, pk=table_id)
    sheet = read_sheet(table_row)
    return {
        "id": table_row.pk,
        "version": table_row.version,
        "evening": table_row.round.evening_id,
        "round": table_row.round.number,
        "number": table_row.number,
        "complete": table_row.complete,
        "missing": missing_text(table_row, table_row.round.evening.season),
        "seats": sheet.seats,
        "deals": [_sheet_deal_fields(row) for row in sheet.rows],
        "page": table_row.get_absolute_url(),
    }


def _sheet_deal_fields(row: SheetRow) -> dict[str, Any]:
    return {
        "id": row.deal.pk,
        "number": row.deal.number,
        "summary": row.summary,
        "points": [cell.points for cell in row.cells],
        "totals": [cell.total for cell in row.cells],
    }


@router.get(
    "/deals/{int:deal_id}", response=DealOut, summary=_("A deal, and why it gives these points"), url_name="deal"
)
def deal(request: ApiRequest, deal_id: int) -> dict[str, Any]:
    deal_row = visible_or_404(Deal.objects.with_table(), request.auth, pk=deal_id)
    seats = list(deal_row.table.seats.select_related("player"))
    playing = [seat.player for seat in seats if seat.number not in deal_row.rests]
    explained = explanation(deal_row, seats)
    contests = deal_row.contests.select_related("player")
    is_member = Right.READ in deal_row.table.round.evening.season.club.rights_of(request.auth)
    return {
        "id": deal_row.pk,
        "version": deal_row.version,
        "table": deal_row.table_id,
        "number": deal_row.number,
        "voided": deal_row.voided_at is not None,
        "summary": deal_summary(deal_row.table, deal_row, seats),
        "facts": deal_row.facts,
        "resting": [seat.player for seat in seats if seat.number in deal_row.rests],
        **(_explanation_fields(explained, playing) if explained else {"seats": [], "lines": [], "warnings": []}),
        "contests": [_contest_fields(contest, is_member=is_member) for contest in contests],
        "history": [_change_fields(change, is_member=is_member) for change in deal_history(deal_row, seats)],
        "page": deal_row.get_absolute_url(),
    }


def _explanation_fields(reasons: Explanation, playing: list[Player]) -> dict[str, Any]:
    return {
        "seats": [
            {"player": player, "role": seat.role, "points": seat.points, "formula": seat.formula}
            for player, seat in zip(playing, reasons.seats, strict=True)
        ],
        "lines": [
            {
                "text": line.text,
                "clause": ", ".join(line.clauses),
                "given": [{"player": name, "points": points} for name, points in line.points],
            }
            for line in reasons.lines
        ],
        "warnings": [warning.text for warning in reasons.warnings],
    }


def _change_fields(change: HistoryEntry, *, is_member: bool) -> dict[str, Any]:
    deal_change = change.change or DealChange("", "", [])
    return {
        "at": change.time,
        "what": change.kind,
        "by": change.author if is_member else None,
        "reason": change.reason,
        "before": deal_change.before,
        "after": deal_change.after,
        "seats": deal_change.seats,
    }


def _contest_fields(contest: Contest, *, is_member: bool) -> dict[str, Any]:
    return {
        "player": contest.player if is_member else None,
        "reason": contest.reason,
        "raised_at": contest.raised_at,
        "answer": contest.answer,
        "answered_at": contest.answered_at,
    }
