"""The desk at which a deal is written: the forms of one request and what they come to, and the way through the door.

Recording, revising and looking ahead at a correction go this way. Knows no pages.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from league.actions import deals
from league.actions.deals import SentBefore
from league.actions.refusals import WrongState
from league.entry.forms.entry import DealDeskForm
from league.entry.forms.grid import RowForm
from league.entry.sheet import explanation, playing_names
from league.models import Deal, Table
from league.models.deal import Source
from league.results.deal_scores import earlier_facts, table_rests
from scoring.entry import DealReader, Entry, read_entry, refuse
from scoring.facts_form import FactsForm
from scoring.game import Game, find_game
from scoring.rules.errors import IllegalDeal

MOST_DIGITS = 5  # of a deal's number


class Desk(NamedTuple):
    """One request's forms for one table: the desk's own fields, the game's, and what they came to."""

    table: Table
    game: Game
    names: list[str]
    own: DealDeskForm
    form: FactsForm
    entry: Entry | None


def desk_of(request: HttpRequest, table: Table, deal: Deal | None, place: int | None) -> Desk:
    """The forms of a new deal as number `place` (None: the last), or of one that is revised, and what they come to."""
    season = table.round.evening.season
    game = find_game(season.game)
    seats = list(table.seats.select_related("player"))
    own = DealDeskForm(
        request.POST or None,
        seats=seats,
        rests=deal.rests if deal else table_rests(table, place or table.recorded + 1),
        reason_needed=table.wants_reason,
        seen_version=deal.version if deal else None,
    )
    names = playing_names(seats, own.resting)
    number = deal.number if deal else place or table.recorded + 1
    earlier = earlier_facts(table, number) if game.looks_back else []
    facts = deal.facts if deal else game.known_facts(len(names), earlier)
    form = game.deal_form(names, request.POST or None, facts=facts)
    doubts = doubts_of(table, deal)
    entry = read_entry(game, form, names, season.house_rules, doubts, earlier) if form.is_bound else None
    if deal is not None and not form.is_bound:
        entry = Entry(deal.facts, explanation(deal, seats), (), "", confirmed=True)  # as it stands
    return Desk(table, game, names, own, form, entry)


def is_sent(request: HttpRequest) -> bool:
    """Whether this is meant to be written: no live preview, and not the preview's button."""
    return request.method == "POST" and not request.headers.get("HX-Request") and "preview" not in request.POST


def doubts_of(table: Table, deal: Deal | None) -> list[str]:
    """What the desk itself asks about before a deal is written; `deal` is the one to revise.

    A sheet that was handed in by its totals may be completed deal by deal at any time.
    """
    return [_("The table was complete already.")] if table.complete and table.recorded and deal is None else []


def place_of(asked: str, table: Table) -> int | None:
    """The number before which a deal is to be inserted, as an address or field says it; None: as the last one."""
    known = asked.isdecimal() and len(asked) <= MOST_DIGITS and 0 < int(asked) <= table.recorded
    return int(asked) if known else None


def record(
    table: Table,
    own: DealDeskForm | RowForm,
    facts: Mapping[str, Any],
    *,
    place: int | None = None,
    source: Source = Source.DESK,
) -> Deal:
    """A new deal through the door, as a valid form of the desk says. Raises what the door does."""
    return deals.record(
        table.pk,
        facts,
        client_key=own.key,
        now=timezone.now(),
        rests=own.resting or None,
        number=place,
        reason=own.why,
        source=source,
    )


def revise(deal: Deal, own: DealDeskForm | RowForm, facts: Mapping[str, Any], *, source: Source = Source.DESK) -> Deal:
    """A correction through the door, as a valid form of the desk says. Raises what the door does."""
    return deals.revise(
        deal.pk,
        facts,
        client_key=own.key,
        seen_version=own.cleaned_data["seen_version"] or 0,
        now=timezone.now(),
        rests=own.resting or None,
        reason=own.why,
        source=source,
    )


def was_recorded(table: Table, own: DealDeskForm | RowForm, entry: Entry | None) -> bool:
    """Whether this very deal is recorded already: its answer was lost on the way, so it was sent again.

    The desk may doubt by now what it recorded, or the evening be closed.
    """
    if entry is None or not own.is_valid():
        return False
    return Deal.objects.is_recorded(table, own.key, entry.facts, own.resting or None)


def record_deal(desk: Desk, place: int | None, source: Source = Source.DESK) -> bool:
    """Whether the deal is recorded; if not, why stands on the forms, or what has to be confirmed."""
    done = _written(desk, lambda facts: record(desk.table, desk.own, facts, place=place, source=source))
    return done or was_recorded(desk.table, desk.own, desk.entry)


def revise_deal(desk: Desk, deal: Deal, source: Source = Source.DESK) -> bool:
    """Whether the correction is written; if not, why stands on the forms. Raises StaleVersion."""
    return _written(desk, lambda facts: revise(deal, desk.own, facts, source=source))


def _written(desk: Desk, write: Callable[[Mapping[str, Any]], Deal]) -> bool:
    """Through the door with a legal and confirmed deal's facts; on refusal the reason stands on the forms."""
    if not desk.own.is_valid() or desk.entry is None or not desk.entry.confirmed:
        return False
    facts = desk.entry.facts
    return goes_through(lambda: write(facts), desk.game, desk.own, desk.form, desk.names)


def goes_through(
    write: Callable[[], Deal], game: Game, own: DealDeskForm | RowForm, form: DealReader, names: Sequence[str]
) -> bool:
    """Whether a write through a door is done; if not, why stands on the form. Raises StaleVersion.

    `own` holds the write's key: where that was used for another deal, the form gets a new one.
    """
    try:
        write()
    except IllegalDeal as illegal:
        refuse(game, form, names, illegal)
    except WrongState as wrong:
        form.add_error(None, str(wrong))
        if isinstance(wrong, SentBefore):
            own.renew()
    else:
        return True
    return False
