"""Render the fragments of an evening's live pages: the changing part of its page, and the hall's screen.

Rendering needs no request: nothing depends on the viewer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _

from league.evenings.queries.evening_page import EveningPage
from league.evenings.queries.evening_ranking import RankingRow, ranking
from league.evenings.queries.played_rounds import PlayedRound, played_rounds
from league.evenings.queries.seat_plan import PlanTable, seat_plan
from league.evenings.queries.slams import recent_slams
from league.evenings.views.live.fragments import Fragment, make_fragment
from league.evenings.views.live.ranking_columns import render_ranking
from league.models import Evening, Rest
from league.models.evening import UNFINISHED_STATES, EveningState
from league.tournaments.queries.hall import ROWS_PER_COLUMN, TABLES_PER_PAGE, hall_pages, part_words, split_evenly


class ScreenPage(NamedTuple):
    """A page of the screen in the hall: rows of the ranking in columns, or the tables and rests of the next round."""

    key: str  # the same after a reload, so that the screen stays on its page
    title: str
    part: str  # "1 of 3", or empty for a single page
    columns: Sequence[Sequence[RankingRow]] = ()
    tables: Sequence[PlanTable] = ()
    rests: tuple[Rest, ...] = ()


def render_evening_fragment(evening: Evening, page: EveningPage) -> Fragment:
    """Render the part of the evening's page that changes while the evening is played."""
    context = {
        "evening": evening,
        "page": page,
        "ranking": render_ranking(evening, page.rows, page.rounds),
        "uncounted": page.incomplete_table_count if evening.state == EveningState.CLOSED else 0,
    }
    return make_fragment(render_to_string("league/evenings/_evening.html", context), is_over=_is_over(evening))


def render_screen_fragment(evening: Evening) -> Fragment:
    """Render all pages of the screen in the hall, which shows the evening or the tournament."""
    if evening.season.tournament is not None:
        context = {"evening": evening, "tournament": evening.season.tournament, "pages": hall_pages(evening)}
        context |= {"slams": recent_slams(evening, timezone.now())}
        return make_fragment(render_to_string("league/tournaments/_screen.html", context), is_over=_is_over(evening))
    pages = [*_seating_pages(played_rounds(evening)), *_ranking_pages(evening)]
    context = {"evening": evening, "pages": pages, "slams": recent_slams(evening, timezone.now())}
    return make_fragment(render_to_string("league/evenings/_screen.html", context), is_over=_is_over(evening))


def _is_over(evening: Evening) -> bool:
    return evening.state not in UNFINISHED_STATES


def _seating_pages(rounds: Sequence[PlayedRound]) -> Iterator[ScreenPage]:
    """Yield the pages of the rounds in which nothing is recorded yet."""
    for played_round in rounds:
        if not played_round.tables_with_seats or any(sheet.table.deals for sheet in played_round.tables_with_seats):
            continue
        parts = split_evenly(seat_plan(sheet.table for sheet in played_round.tables_with_seats), TABLES_PER_PAGE)
        for number, tables in enumerate(parts, 1):
            yield ScreenPage(
                key=f"round-{played_round.round.number}-{number}",
                title=str(played_round.round),
                part=part_words(number, len(parts)),
                tables=tables,
                rests=played_round.rests if number == len(parts) else (),
            )


def _ranking_pages(evening: Evening) -> Iterator[ScreenPage]:
    parts = split_evenly(ranking(evening), 2 * ROWS_PER_COLUMN)
    title = _("Ranking") if evening.state == EveningState.CLOSED else _("Ranking so far")
    for number, rows in enumerate(parts, 1):
        columns = split_evenly(rows, ROWS_PER_COLUMN)
        yield ScreenPage(f"ranking-{number}", title, part_words(number, len(parts)), columns=columns)
