"""What watchers see: an evening's ranking and tables, as a part of its page and as the pages of a projector.

Rendered without a request: nothing depends on who looks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple, TypeVar

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from league.evenings.queries.evening_board import SatRound, TableState, sat_rounds
from league.evenings.queries.evening_page import EveningPage
from league.evenings.queries.evening_ranking import Ranked, ranking
from league.evenings.views.live.fragments import Fragment, fragment
from league.evenings.views.live.ranking_columns import drawn
from league.models import Evening, Rest
from league.models.evening import NOT_OVER, EveningState

PLACES = 10  # a page of the ranking: as many rows as can be read across a hall
SEATS = 30  # a page of tables: as many names

T = TypeVar("T")


class ScreenPage(NamedTuple):
    """What the projector shows at one time: places of the ranking, or tables of a round about to be played.

    `key` stays the same while the evening goes on, so that a screen stays on its page.
    """

    key: str
    title: str
    part: str  # "1 of 3", or empty where there is one
    places: tuple[Ranked, ...] = ()
    sheets: tuple[TableState, ...] = ()
    rests: tuple[Rest, ...] = ()


def evening_part(evening: Evening, page: EveningPage) -> Fragment:
    """Return the part of the evening's page that changes while it is watched."""
    context = {
        "evening": evening,
        "page": page,
        "ranking": drawn(evening, page.rows, page.rounds),
        "uncounted": page.incomplete if evening.state == EveningState.CLOSED else 0,
    }
    return fragment(render_to_string("league/evenings/_evening.html", context), over=_is_over(evening))


def screen_part(evening: Evening) -> Fragment:
    """Return the projector's pages."""
    pages = [*_tables(sat_rounds(evening)), *_places(evening)]
    return fragment(
        render_to_string("league/evenings/_screen.html", {"evening": evening, "pages": pages}), over=_is_over(evening)
    )


def _is_over(evening: Evening) -> bool:
    return evening.state not in NOT_OVER


def _tables(sittings: Sequence[SatRound]) -> Iterator[ScreenPage]:
    """The tables of each round of which no deal is there yet: where to sit now."""
    for sitting in sittings:
        if not sitting.sheets or any(sheet.table.deals for sheet in sitting.sheets):
            continue
        many = max(1, SEATS // max(len(sheet.seats) + 1 for sheet in sitting.sheets))
        parts = _parted(sitting.sheets, many)
        for number, sheets in enumerate(parts, 1):
            yield ScreenPage(
                key=f"round-{sitting.round.number}-{number}",
                title=str(sitting.round),
                part=_part(number, len(parts)),
                sheets=sheets,
                rests=sitting.rests if number == len(parts) else (),
            )


def _places(evening: Evening) -> Iterator[ScreenPage]:
    parts = _parted(ranking(evening), PLACES)
    title = _("Ranking") if evening.state == EveningState.CLOSED else _("Ranking so far")
    for number, places in enumerate(parts, 1):
        yield ScreenPage(f"ranking-{number}", title, _part(number, len(parts)), places=places)


def _parted(things: Sequence[T], most: int) -> list[tuple[T, ...]]:
    """Cut them, in their order, into parts of about equal length."""
    count = -(-len(things) // most)
    size = -(-len(things) // count) if count else 1
    return [tuple(things[start : start + size]) for start in range(0, len(things), size)]


def _part(number: int, count: int) -> str:
    return _("%(number)s of %(count)s") % {"number": number, "count": count} if count > 1 else ""
