"""From a request to a recorded deal: read by one of two readers (a game's form, a row of codes), then written.

Recording, revising, entry at the table and the look ahead at a correction all go this way. Knows no pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, NamedTuple, TypeVar

from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import deals
from league.actions.deals import SentBefore
from league.actions.refusals import StaleVersion, WrongState
from league.models import Deal, Seat, Table
from league.models.deal import Source
from league.seasons.queries.season_game import season_game
from league.sheets.forms.desk import DealDeskForm
from league.sheets.forms.row import RowForm
from league.sheets.queries.deal_scores import PlayedDeal, earlier_facts, is_readable, table_rests
from league.sheets.queries.score_sheet import explanation, playing_names
from league.web.htmx import HtmxRequest
from scoring.entry import Entry, make_entry, read_entry, refuse
from scoring.facts_form import FactsForm
from scoring.game import Game
from scoring.phrases import explain_played
from scoring.rules.errors import IllegalDeal

MOST_DIGITS = 5  # of a deal's number

FormT = TypeVar("FormT", bound=FactsForm | RowForm)


class AskedDeal(NamedTuple):
    """Which deal is read, and what is known of it before anything is typed.

    `deal` is the one to revise, else a new one is recorded as number `place`. `earlier` are the facts of the table's
    deals before it, where the game looks at them.
    """

    table: Table
    game: Game
    seats: list[Seat]
    deal: Deal | None
    place: int
    earlier: list[Mapping[str, Any]]


class Fields(NamedTuple, Generic[FormT]):
    """The fields of one deal, as a reader finds them in a request.

    `own` has the desk's: key, version, reason, who rests. `form` has the game's; a row is both. `names` are those who
    play, by the engine's seat.
    """

    own: DealDeskForm | RowForm
    form: FormT
    names: list[str]


Reader = Callable[[QueryDict | None, AskedDeal], Fields[FormT]]


class Unconfirmed(Exception):
    """The deal has warnings that the user has not confirmed."""


@dataclass
class Desk(Generic[FormT]):
    """One request for one deal of a table.

    `deal` is the deal to revise; without it, a new deal is recorded as number `place`, before the deal that has this
    number if `inserted`.
    """

    table: Table
    game: Game
    seats: list[Seat]
    deal: Deal | None
    place: int
    inserted: bool
    own: DealDeskForm | RowForm
    form: FormT
    names: list[str]
    earlier: Sequence[Mapping[str, Any]]

    @cached_property
    def entry(self) -> Entry | None:
        """The scored deal of the form; None while nothing was sent, or if the form has errors."""
        if not self.form.is_bound:
            return None
        house_rules = self.table.round.evening.house_rules
        return read_entry(self.game, self.form, self.names, house_rules, self.earlier, self._page_warnings)

    def confirm(self, result: PlayedDeal) -> None:
        """Raise Unconfirmed if the deal, which is about to be written, has warnings that the form did not confirm."""
        explanation = explain_played(self.game, result.played, self.names, result.options, result.earlier)
        self.entry = make_entry(self.form, explanation, self._page_warnings())
        if not self.entry.confirmed:
            raise Unconfirmed

    def add_error(self, message: str) -> None:
        """Add an error to the form as a whole; its preview stays visible."""
        entry = self.entry
        self.form.add_error(None, message)
        self.entry = entry

    def _page_warnings(self) -> Iterator[str]:
        """Yield the desk's own warnings about a new deal.

        A sheet that was entered by its totals may be completed deal by deal at any time. Two successive deals may be
        the same, but more often a row of the sheet was entered twice.
        """
        if self.deal is not None:
            return
        table, place = self.table, self.place
        if table.complete and table.recorded:
            yield _("The table was complete already.")
        row = _row(table, self.form.facts(), self.own.resting)
        for other in Deal.objects.filter(table=table, number__in=(place - 1, place)).standing().order_by("number"):
            if is_readable(table, other) and _row(table, other.facts, other.rests) == row:
                yield _("Deal %(number)s is the same. Is this another one?") % {"number": other.number}


class EntryOutcome(NamedTuple):
    """How a write ended. `current` is what stands instead, where someone else changed the deal meanwhile."""

    is_done: bool
    current: Deal | None = None


def form_reader(data: QueryDict | None, asked: AskedDeal) -> Fields[FactsForm]:
    """Read a game's own form; one that was sent empty is not filled in yet."""
    data = data or None
    table, deal = asked.table, asked.deal
    own = DealDeskForm(
        data,
        seats=asked.seats,
        rests=deal.rests if deal else table_rests(table, asked.place),
        reason_needed=table.wants_reason,
        seen_version=deal.version if deal else None,
    )
    names = playing_names(asked.seats, own.resting)
    facts: Mapping[str, Any] | None
    if deal is None:
        facts = asked.game.known_facts(len(names), asked.earlier)
    else:
        facts = deal.facts if is_readable(table, deal) else None
    return Fields(own, asked.game.deal_form(names, data, facts=facts), names)


def row_reader(data: QueryDict | None, asked: AskedDeal) -> Fields[RowForm]:
    """Read a row of the grid, a cell a code."""
    form = RowForm(data, game=asked.game, table=asked.table, seats=asked.seats, place=asked.place, deal=asked.deal)
    return Fields(form, form, form.names)


def read_desk(
    request: HttpRequest, reader: Reader[FormT], table: Table, *, deal: Deal | None = None, number: str = ""
) -> Desk[FormT]:
    """Read a new deal, or the revision of `deal`; with `number` a new one goes in above the one that has that number.

    `table` was fetched with its club.
    """
    season = table.round.evening.season
    game = season_game(season)
    above = None if deal else _place(number, table)
    place = above or table.recorded + 1
    if deal is not None:
        place = deal.number or 0
    seats = list(table.seats.select_related("player"))
    earlier = earlier_facts(table, place) if game.needs_earlier(table.round.evening.house_rules) else []
    data = request.POST if request.method == "POST" else None
    own, form, names = reader(data, AskedDeal(table, game, seats, deal, place, earlier))
    return Desk(table, game, seats, deal, place, above is not None, own, form, names, earlier)


def _place(number: str, table: Table) -> int | None:
    known = number.isdecimal() and len(number) <= MOST_DIGITS and 0 < int(number) <= table.recorded
    return int(number) if known else None


def _row(table: Table, facts: Mapping[str, Any], rests: Sequence[int]) -> dict[str, str]:
    """Return a deal as a row of the sheet has it: by printed numbers, whoever rests."""
    playing = [seat + 1 for seat in range(table.size) if seat not in rests]
    return season_game(table.round.evening.season).row.cells(facts, playing)


def shown_entry(desk: Desk[Any]) -> Entry | None:
    """Return what a form shows beside it: what was read or, before anything is sent, the deal as it stands."""
    if desk.deal is None or desk.form.is_bound:
        return desk.entry
    stands = explanation(desk.deal, desk.seats)
    return None if stands is None else Entry(desk.deal.facts, stands, (), "", confirmed=True)


def is_sent(request: HtmxRequest) -> bool:
    """Return whether this is meant to be written: no live preview, and not the preview's button."""
    return request.method == "POST" and not request.htmx and "preview" not in request.POST


def write(desk: Desk[Any], source: Source = Source.DESK) -> EntryOutcome:
    """Record or revise the deal. If that fails, the forms have the errors, or the entry has unconfirmed warnings.

    A deal that is sent again because its answer was lost counts as done, even if the desk would refuse it by now.
    After a conflict the forms, sent again, overwrite the current deal.
    """
    own, deal = desk.own, desk.deal
    if not desk.form.is_valid() or not own.is_valid():
        return EntryOutcome(is_done=False)
    try:
        _record_or_revise(desk, desk.form.facts(), source)
    except Unconfirmed:
        return EntryOutcome(is_done=False)
    except IllegalDeal as illegal:
        refuse(desk.game, desk.form, desk.names, illegal)
        desk.entry = None
    except WrongState as wrong:
        desk.add_error(str(wrong))
        if isinstance(wrong, SentBefore):
            own.renew()
    except StaleVersion:
        assert deal is not None
        entry = desk.entry  # computed before the page adds errors to the form
        current = Deal.objects.get(pk=deal.pk)
        own.saw(current.version)
        desk.entry = entry
        return EntryOutcome(is_done=False, current=current)
    else:
        return EntryOutcome(is_done=True)
    return EntryOutcome(is_done=False)


def _record_or_revise(desk: Desk[Any], facts: Mapping[str, Any], source: Source) -> None:
    own, now = desk.own, timezone.now()
    if desk.deal is None:
        deals.record(
            desk.table.pk,
            facts,
            client_key=own.key,
            now=now,
            rests=own.resting or None,
            number=desk.place if desk.inserted else None,
            reason=own.why,
            source=source,
            confirm=desk.confirm,
        )
    else:
        deals.revise(
            desk.deal.pk,
            facts,
            client_key=own.key,
            seen_version=own.cleaned_data["seen_version"] or 0,
            now=now,
            rests=own.resting or None,
            reason=own.why,
            source=source,
            confirm=desk.confirm,
        )
