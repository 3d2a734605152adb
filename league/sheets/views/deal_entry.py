"""From a request to a recorded deal: parse the game's form or a row of codes, then write the deal.

Used to record and revise deals, for entry by phone, and for the effects of a correction. This module renders no pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from django.http import HttpRequest, QueryDict
from django.utils import timezone

from league.actions import deals
from league.actions.deals import ClientKeyReused
from league.actions.refusals import StaleVersion, WrongState
from league.models import Deal, Seat, Table
from league.models.deal import DealSource
from league.seasons.queries.season_game import game_with_evening_rules
from league.sheets.forms.row import RowForm
from league.sheets.forms.sheet_write import DealWriteForm
from league.sheets.queries.deal_scores import (
    DealScoring,
    default_resting_seats,
    earlier_facts,
    is_last_deal,
    is_readable,
    needs_earlier_deals,
)
from league.sheets.queries.deal_warnings import new_deal_warnings
from league.sheets.queries.score_sheet import explanation, playing_names
from league.web.htmx import HtmxRequest
from scoring.entry import Entry, add_refusal, make_entry, read_entry
from scoring.facts_form import FactsForm
from scoring.game import Game
from scoring.phrases import explain_scored_deal
from scoring.rules.errors import IllegalDeal

MAX_DIGITS = 5  # digits of a deal's number

FormT = TypeVar("FormT", bound=FactsForm | RowForm)


class RequestedDeal(NamedTuple):
    """The deal of a request before its form is parsed: which table, which number, and the deal to revise."""

    table: Table
    game: Game
    seats: list[Seat]
    deal: Deal | None  # to revise; if missing, a new deal is recorded
    deal_number: int
    earlier: list[Mapping[str, Any]]  # facts of the table's deals before it, if the game needs them


class DealForms(NamedTuple, Generic[FormT]):
    """The parsed forms of a deal.

    If a deal is entered as a row of short codes, one form is both `write_form` and `form`.
    """

    write_form: DealWriteForm | RowForm  # idempotency key, version, reason, resting seat
    form: FormT  # the facts of the deal
    names: list[str]  # of the players who do not rest, by seat


FormParser = Callable[[QueryDict | None, RequestedDeal], DealForms[FormT]]


class UnconfirmedWarnings(Exception):
    """The deal has warnings that the user has not confirmed."""


@dataclass
class DealEntryRequest(Generic[FormT]):
    """A request to record or revise one deal of a table, with its parsed forms."""

    table: Table
    game: Game
    seats: list[Seat]
    deal: Deal | None  # to revise; if missing, a new deal is recorded
    deal_number: int
    is_insertion: bool  # True: insert the deal before the present deal of this number
    write_form: DealWriteForm | RowForm
    form: FormT
    names: list[str]
    earlier: Sequence[Mapping[str, Any]]

    @cached_property
    def entry(self) -> Entry | None:
        """The scored deal of the form; None if the form is unsent or has errors."""
        if not self.form.is_bound:
            return None
        house_rules = self.table.round.evening.house_rules
        last = is_last_deal(self.table, self.deal_number, self.earlier)
        return read_entry(self.game, self.form, self.names, house_rules, self.earlier, self._page_warnings, last=last)

    def check_confirmed(self, scoring: DealScoring) -> None:
        """Set `entry` from a scored deal. Raise UnconfirmedWarnings if the user has not confirmed its warnings."""
        explanation = explain_scored_deal(self.game, scoring.scored, self.names, scoring.options, scoring.earlier)
        self.entry = make_entry(self.form, explanation, self._page_warnings())
        if not self.entry.confirmed:
            raise UnconfirmedWarnings

    def add_error(self, message: str) -> None:
        """Add an error to the game's form. `entry` stays, so that the page still shows the points."""
        entry = self.entry
        self.form.add_error(None, message)
        self.entry = entry

    def _page_warnings(self) -> Iterator[str]:
        if self.deal is None:
            yield from new_deal_warnings(self.table, self.deal_number, self.form.facts(), self.write_form.resting_seats)


class EntryOutcome(NamedTuple):
    """The result of writing a deal.

    `conflicting_deal` is the stored deal if another user has changed it in the meantime.
    """

    is_written: bool
    conflicting_deal: Deal | None = None


def parse_deal_form(data: QueryDict | None, requested_deal: RequestedDeal) -> DealForms[FactsForm]:
    """Parse the fields that all games have, and the form of the game. An empty POST counts as an unsent form."""
    data = data or None
    table, deal = requested_deal.table, requested_deal.deal
    write_form = DealWriteForm(
        data,
        seats=requested_deal.seats,
        resting_seats=deal.rests if deal else default_resting_seats(table, requested_deal.deal_number),
        reason_needed=table.requires_reason,
        seen_version=deal.version if deal else None,
    )
    names = playing_names(requested_deal.seats, write_form.resting_seats)
    facts: Mapping[str, Any] | None
    if deal is None:
        facts = requested_deal.game.known_facts(len(names), requested_deal.earlier)
    else:
        facts = deal.facts if is_readable(table, deal) else None
    return DealForms(write_form, requested_deal.game.deal_form(names, data, facts=facts), names)


def parse_deal_row(data: QueryDict | None, requested_deal: RequestedDeal) -> DealForms[RowForm]:
    """Parse a row of short codes, which has the fields that all games have, and the codes of the game."""
    form = RowForm(
        data,
        game=requested_deal.game,
        table=requested_deal.table,
        seats=requested_deal.seats,
        deal_number=requested_deal.deal_number,
        deal=requested_deal.deal,
    )
    return DealForms(form, form, form.playing_names)


def parse_deal_request(
    request: HttpRequest, parser: FormParser[FormT], table: Table, *, deal: Deal | None = None, number: str = ""
) -> DealEntryRequest[FormT]:
    """Parse the request: a revision of `deal`, or a new deal.

    A new deal is inserted before the deal `number` (text from the request), or appended if this number is invalid.
    `parser` is `parse_deal_form` or `parse_deal_row`. Fetch the table with its club.
    """
    evening = table.round.evening
    game = game_with_evening_rules(evening)
    insert_number = None if deal else _parse_insert_number(number, table)
    deal_number = insert_number or table.recorded + 1
    if deal is not None:
        deal_number = deal.number or 0
    seats = list(table.seats.select_related("player"))
    is_needed = game.needs_earlier(evening.house_rules) or needs_earlier_deals(evening)
    earlier = earlier_facts(table, deal_number) if is_needed else []
    data = request.POST if request.method == "POST" else None
    write_form, form, names = parser(data, RequestedDeal(table, game, seats, deal, deal_number, earlier))
    return DealEntryRequest(
        table, game, seats, deal, deal_number, insert_number is not None, write_form, form, names, earlier
    )


def _parse_insert_number(number: str, table: Table) -> int | None:
    is_number = number.isdecimal() and len(number) <= MAX_DIGITS and 0 < int(number) <= table.recorded
    return int(number) if is_number else None


def entry_to_show(deal_request: DealEntryRequest[Any]) -> Entry | None:
    """Return the scored deal that the page shows: the deal of the sent form, or the stored deal before it is
    revised.
    """
    if deal_request.deal is None or deal_request.form.is_bound:
        return deal_request.entry
    stands = explanation(deal_request.deal, deal_request.seats)
    return None if stands is None else Entry(deal_request.deal.facts, stands, (), "", confirmed=True)


def is_final_submission(request: HtmxRequest) -> bool:
    """Return whether the user sent the form to store the deal, and not for a preview."""
    return request.method == "POST" and not request.htmx and "preview" not in request.POST


def write_deal(deal_request: DealEntryRequest[Any], source: DealSource = DealSource.DESK) -> EntryOutcome:
    """Record or revise the deal. If it is not written, the forms have errors, or the entry has unconfirmed warnings.

    If the same deal is sent again because the response was lost, the write succeeds, even if the deal would be refused
    now. After a conflict with another user, sending the same forms again overwrites the stored deal.
    """
    write_form, deal = deal_request.write_form, deal_request.deal
    if not deal_request.form.is_valid() or not write_form.is_valid():
        return EntryOutcome(is_written=False)
    try:
        _record_or_revise(deal_request, deal_request.form.facts(), source)
    except UnconfirmedWarnings:
        return EntryOutcome(is_written=False)
    except IllegalDeal as illegal:
        add_refusal(deal_request.game, deal_request.form, deal_request.names, illegal)
        deal_request.entry = None
    except WrongState as refusal:
        deal_request.add_error(str(refusal))
        if isinstance(refusal, ClientKeyReused):
            write_form.renew_key()
    except StaleVersion:
        assert deal is not None
        entry = deal_request.entry  # computed before the page adds errors to the form
        current = Deal.objects.get(pk=deal.pk)
        write_form.set_seen_version(current.version)
        deal_request.entry = entry
        return EntryOutcome(is_written=False, conflicting_deal=current)
    else:
        return EntryOutcome(is_written=True)
    return EntryOutcome(is_written=False)


def _record_or_revise(deal_request: DealEntryRequest[Any], facts: Mapping[str, Any], source: DealSource) -> None:
    write_form, now = deal_request.write_form, timezone.now()
    if deal_request.deal is None:
        deals.record(
            deal_request.table.pk,
            facts,
            client_key=write_form.idempotency_key,
            now=now,
            rests=write_form.resting_seats or None,
            number=deal_request.deal_number if deal_request.is_insertion else None,
            reason=write_form.typed_reason,
            source=source,
            check_confirmed=deal_request.check_confirmed,
        )
    else:
        deals.revise(
            deal_request.deal.pk,
            facts,
            client_key=write_form.idempotency_key,
            seen_version=write_form.cleaned_data["seen_version"] or 0,
            now=now,
            rests=write_form.resting_seats or None,
            reason=write_form.typed_reason,
            source=source,
            check_confirmed=deal_request.check_confirmed,
        )
