"""From a request to a recorded deal: read by one of two readers (a game's form, a row of codes), then written.

Recording, revising, entry at the table and the look ahead at a correction all go this way. Knows no pages.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
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
from league.sheets.queries.deal_scores import earlier_facts, is_readable, table_rests
from league.sheets.queries.score_sheet import explanation, playing_names
from league.web.htmx import HtmxRequest
from scoring.entry import Entry, read_entry, refuse
from scoring.facts_form import FactsForm
from scoring.game import Game
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


class Desk(NamedTuple, Generic[FormT]):
    """One request for one deal of a table, and what it came to.

    `deal` is the one to revise, else a new one is recorded as number `place`; `inserted` where another has that number.
    `entry` is None while nothing was sent or it can't be read.
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
    entry: Entry | None


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
    earlier = earlier_facts(table, place) if game.looks_back(table.round.evening.house_rules) else []
    data = request.POST if request.method == "POST" else None
    own, form, names = reader(data, AskedDeal(table, game, seats, deal, place, earlier))
    entry = None
    if form.is_bound:
        doubts = _doubts(table, place, form, own.resting) if deal is None else ()
        entry = read_entry(game, form, names, table.round.evening.house_rules, doubts, earlier)
    return Desk(table, game, seats, deal, place, above is not None, own, form, names, entry)


def _place(number: str, table: Table) -> int | None:
    known = number.isdecimal() and len(number) <= MOST_DIGITS and 0 < int(number) <= table.recorded
    return int(number) if known else None


def _doubts(table: Table, place: int, form: FactsForm | RowForm, rests: Sequence[int]) -> Iterator[str]:
    """Give what the desk itself asks about a new deal, whatever the rules say. Read once the rules accept it.

    A sheet that was handed in by its totals may be completed deal by deal at any time. Two deals in succession may be
    the same, but more often one row of the sheet was entered twice.
    """
    if table.complete and table.recorded:
        yield _("The table was complete already.")
    row = _row(table, form.facts(), rests)
    for other in Deal.objects.filter(table=table, number__in=(place - 1, place)).standing().order_by("number"):
        if is_readable(table, other) and _row(table, other.facts, other.rests) == row:
            yield _("Deal %(number)s is the same. Is this another one?") % {"number": other.number}


def _row(table: Table, facts: Mapping[str, Any], rests: Sequence[int]) -> dict[str, str]:
    """Return a deal as a row of the sheet has it: by printed numbers, whoever rests."""
    playing = [seat + 1 for seat in range(table.size) if seat not in rests]
    return season_game(table.round.evening.season).row.written(facts, playing)


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
    """Record or revise the deal. Where that isn't done, the reasons stand on the forms, or the entry has doubts.

    A deal that is sent again, because its answer was lost, is done even if the desk would doubt or refuse it by now.
    After a conflict the forms, sent again, replace what stands.
    """
    own, entry, deal = desk.own, desk.entry, desk.deal
    if entry is None or not own.is_valid():
        return EntryOutcome(is_done=False)
    if deal is None and Deal.objects.is_recorded(desk.table, own.key, entry.facts, own.resting or None):
        return EntryOutcome(is_done=True)
    if not entry.confirmed:
        return EntryOutcome(is_done=False)
    try:
        _record_or_revise(desk, entry.facts, source)
    except IllegalDeal as illegal:
        refuse(desk.game, desk.form, desk.names, illegal)
    except WrongState as wrong:
        desk.form.add_error(None, str(wrong))
        if isinstance(wrong, SentBefore):
            own.renew()
    except StaleVersion:
        assert deal is not None
        current = Deal.objects.get(pk=deal.pk)
        own.saw(current.version)
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
        )
