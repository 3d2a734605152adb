"""Endpoints that record deals and totals."""

from __future__ import annotations

from http import HTTPStatus
from typing import Annotated, Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from ninja import Field, Router, Schema, Status

from league.actions import deals, totals
from league.api.problems import RequestError, RequestRefused
from league.api.writing import (
    CONFIRMED_DESCRIPTION,
    REASON_DESCRIPTION,
    IdempotencyKey,
    Reason,
    WriteRequest,
    WriteToken,
    check_reason,
    recordable_row,
    unconfirmed_refusal,
    write_for_token,
)
from league.models import Deal, Seat, Table
from league.models.api_token import Scope
from league.models.table_limits import MAX_TABLE_DEALS, MAX_TABLE_POINTS
from league.seasons.queries.season_game import game_of_season, game_with_evening_rules
from league.sheets.queries.deal_scores import DealScoring, default_resting_seats
from league.sheets.queries.deal_warnings import new_deal_warnings
from league.sheets.queries.score_sheet import playing_names
from league.sheets.queries.totals_check import sums_by_seat, totals_fingerprint, totals_questions
from scoring.entry import fingerprint_of
from scoring.phrases import explain_scored_deal, refusal_text
from scoring.rules.errors import IllegalDeal

router = Router(tags=["tables"])
RECORD_AUTH = WriteToken(Scope.RECORD)

SeatNumber = Annotated[int, Field(ge=0, le=99)]


class DealFacts(Schema):
    """The facts of a deal: JSON with the field names of the game's rules.

    `rests` has the number of the seat that rests, at a table where one player rests in each deal. The default is the
    dealer's seat; for a correction, the seat that rested before.
    """

    facts: dict[str, Any]
    rests: list[SeatNumber] | None = Field(None, max_length=1)
    reason: Reason = Field("", description=REASON_DESCRIPTION)
    confirmed: str = Field("", max_length=64, description=CONFIRMED_DESCRIPTION)


class NewDeal(DealFacts):
    """A new deal.

    Without `number` it becomes the table's last deal. With `number` it is inserted before the deal of this number.
    """

    number: int | None = Field(None, ge=1, le=MAX_TABLE_DEALS)


class RevisedDeal(DealFacts):
    """The corrected facts of a deal. `version` is the version of the deal that the client has read."""

    version: int = Field(ge=0, le=2**31 - 1)


class VoidedDeal(Schema):
    """The cancellation of a deal. `version` is the version of the deal that the client has read."""

    version: int = Field(ge=0, le=2**31 - 1)
    reason: Reason = Field("", description=REASON_DESCRIPTION)


class StoredDealOut(Schema):
    """The deal as stored by the write: its new version, and its points by seat (null for a seat that rests).

    `complete`: the table needs no more deals. `page` is the path of the deal's page.
    """

    id: int
    table: int
    number: int | None
    version: int
    points: list[int | None]
    complete: bool
    page: str


class TableTotals(Schema):
    """The totals of a table by seat, and its number of deals.

    `version` is the table's version that the client has read.
    """

    totals: list[Annotated[int, Field(ge=-MAX_TABLE_POINTS, le=MAX_TABLE_POINTS)]] = Field(max_length=100)
    deals: int = Field(ge=1, le=MAX_TABLE_DEALS)
    version: int = Field(ge=0, le=2**31 - 1)
    reason: Reason = Field("", description=REASON_DESCRIPTION)
    confirmed: str = Field("", max_length=1500, description=CONFIRMED_DESCRIPTION)


class StoredTotalsOut(Schema):
    """The table whose totals were stored, with its new version."""

    table: int
    version: int
    complete: bool
    page: str


class DealEntry:
    """A deal that a program sends. Its methods check the warnings before the deal is written, and describe errors."""

    def __init__(self, table: Table, body: DealFacts, *, deal: Deal | None = None, number: int | None = None) -> None:
        self.table, self.body, self.deal = table, body, deal
        self.game = game_with_evening_rules(table.round.evening)
        self.seats = list(table.seats.select_related("player"))
        self.number = deal.number or 0 if deal else number or table.recorded + 1
        default = deal.rests if deal else default_resting_seats(table, self.number)
        self.rests: list[int] = default if body.rests is None else body.rests
        self.names = playing_names(self.seats, self.rests)

    def check_confirmed(self, scoring: DealScoring) -> None:
        """Raise RequestRefused if the scored deal has warnings that the client has not confirmed."""
        explanation = explain_scored_deal(self.game, scoring.scored, self.names, scoring.options, scoring.earlier)
        warnings = [warning.text for warning in explanation.warnings]
        if self.deal is None:
            warnings += new_deal_warnings(self.table, self.number, self.body.facts, self.rests)
        fingerprint = fingerprint_of(warnings)
        if fingerprint != self.body.confirmed and warnings:
            raise unconfirmed_refusal(warnings, fingerprint)

    def explain_error(self, illegal: IllegalDeal) -> RequestError:
        """Return the error for illegal facts or seats that rest, with the name of the field in the request."""
        is_of_facts = illegal.field not in ("facts", "rests") and not illegal.field.startswith("earlier")
        return RequestError(
            name=f"facts.{illegal.field}" if is_of_facts else illegal.field,
            detail=refusal_text(self.game, illegal, self.names),
            given=str(illegal.params.get("given", "")),
            allowed=str(illegal.params.get("allowed", "")),
        )


@router.post(
    "/tables/{int:table_id}/deals",
    response={201: StoredDealOut},
    auth=RECORD_AUTH,
    summary=_("Record a deal"),
    url_name="deals",
)
def record(request: WriteRequest, table_id: int, body: NewDeal, key: IdempotencyKey) -> Status[dict[str, Any]]:
    table = recordable_row(request, Table.objects.with_club(), pk=table_id)
    if not game_of_season(table.round.evening.season).has_deals:
        raise RequestRefused(HTTPStatus.CONFLICT, gettext("Only totals are recorded in this game."))
    entry = DealEntry(table, body, number=body.number)

    def write(client_key: UUID) -> dict[str, Any]:
        _check_number(table, body.number)
        reason = check_reason(body.reason, is_required=table.requires_reason)
        deal = deals.record(
            table.pk,
            body.facts,
            client_key=client_key,
            now=timezone.now(),
            rests=body.rests,
            number=body.number,
            reason=reason,
            check_confirmed=entry.check_confirmed,
        )
        return _deal_answer(deal, entry.seats)

    return Status(HTTPStatus.CREATED, write_for_token(request, key, write, explain_error=entry.explain_error))


@router.post(
    "/deals/{int:deal_id}/revise",
    response=StoredDealOut,
    auth=RECORD_AUTH,
    summary=_("Correct a deal"),
    url_name="deal-revise",
)
def revise(request: WriteRequest, deal_id: int, body: RevisedDeal, key: IdempotencyKey) -> dict[str, Any]:
    deal = recordable_row(request, Deal.objects.with_table(), pk=deal_id)
    entry = DealEntry(deal.table, body, deal=deal)

    def write(client_key: UUID) -> dict[str, Any]:
        reason = check_reason(body.reason, is_required=deal.table.requires_reason)
        revised = deals.revise(
            deal.pk,
            body.facts,
            client_key=client_key,
            seen_version=body.version,
            now=timezone.now(),
            rests=body.rests,
            reason=reason,
            check_confirmed=entry.check_confirmed,
        )
        return _deal_answer(revised, entry.seats)

    return write_for_token(
        request, key, write, current=lambda: _current_deal(deal.pk), explain_error=entry.explain_error
    )


@router.post(
    "/deals/{int:deal_id}/void",
    response=StoredDealOut,
    auth=RECORD_AUTH,
    summary=_("Cancel a deal"),
    url_name="deal-void",
)
def void(request: WriteRequest, deal_id: int, body: VoidedDeal, key: IdempotencyKey) -> dict[str, Any]:
    deal = recordable_row(request, Deal.objects.with_table(), pk=deal_id)

    def write(client_key: UUID) -> dict[str, Any]:
        reason = check_reason(body.reason, is_required=deal.table.requires_reason)
        voided = deals.void(
            deal.pk, client_key=client_key, seen_version=body.version, now=timezone.now(), reason=reason
        )
        return _deal_answer(voided, list(deal.table.seats.all()))

    return write_for_token(request, key, write, current=lambda: _current_deal(deal.pk))


@router.post(
    "/tables/{int:table_id}/totals",
    response=StoredTotalsOut,
    auth=RECORD_AUTH,
    summary=_("Record a table’s totals"),
    url_name="totals",
)
def record_totals(request: WriteRequest, table_id: int, body: TableTotals, key: IdempotencyKey) -> dict[str, Any]:
    table = recordable_row(request, Table.objects.with_club(), pk=table_id)
    if len(body.totals) != table.size:
        error = RequestError(
            name="totals",
            detail=gettext("Each seat needs one total."),
            given=str(len(body.totals)),
            allowed=str(table.size),
        )
        raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, errors=[error])
    season = table.round.evening.season

    def explain_error(illegal: IllegalDeal) -> RequestError:
        names = [str(seat.player) for seat in table.seats.select_related("player")]
        return RequestError(name=illegal.field, detail=refusal_text(game_of_season(season), illegal, names))

    def write(client_key: UUID) -> dict[str, Any]:
        reason = check_reason(body.reason, is_required=table.requires_reason)
        questions = totals_questions(table, body.totals, body.deals)
        fingerprint = totals_fingerprint(body.totals, body.deals)
        if questions and body.confirmed != fingerprint:
            raise unconfirmed_refusal(questions, fingerprint)
        recorded = totals.record(
            table.pk,
            sums_by_seat(table, body.totals, body.deals),
            client_key=client_key,
            seen_version=body.version,
            now=timezone.now(),
            reason=reason,
        )
        page = recorded.get_absolute_url()
        return {"table": recorded.pk, "version": recorded.version, "complete": recorded.complete, "page": page}

    return write_for_token(request, key, write, current=lambda: _current_totals(table.pk), explain_error=explain_error)


def _check_number(table: Table, number: int | None) -> None:
    """Raise RequestRefused if the table has too few deals for a deal of this number."""
    if number is not None and number > table.recorded + 1:
        error = RequestError(
            name="number",
            detail=gettext("The table has fewer deals."),
            given=str(number),
            allowed=f"1, …, {table.recorded + 1}",
        )
        raise RequestRefused(HTTPStatus.UNPROCESSABLE_ENTITY, errors=[error])


def _deal_answer(deal: Deal, seats: list[Seat]) -> dict[str, Any]:
    """Return the response to a write. It contains no names, because it is stored for repeated requests."""
    points = dict(deal.scores.values_list("seat", "points"))
    return {
        "id": deal.pk,
        "table": deal.table_id,
        "number": deal.number,
        "version": deal.version,
        "points": [points.get(seat.pk) for seat in seats],
        "complete": deal.table.complete,
        "page": deal.get_absolute_url(),
    }


def _current_deal(deal_id: int) -> dict[str, Any]:
    deal = Deal.objects.get(pk=deal_id)
    voided = deal.voided_at is not None
    return {"version": deal.version, "voided": voided, "facts": deal.facts, "rests": deal.rests}


def _current_totals(table_id: int) -> dict[str, Any]:
    table = Table.objects.get(pk=table_id)
    return {
        "version": table.version,
        "totals": list(table.seats.values_list("written", flat=True)),
        "deals": table.deals,
    }
