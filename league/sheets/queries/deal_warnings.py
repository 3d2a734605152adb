"""Warnings about a new deal, in addition to the warnings of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from league.models import Deal, Table
from league.seasons.queries.season_game import game_with_evening_rules
from league.sheets.queries.deal_scores import is_readable


def new_deal_warnings(table: Table, number: int, facts: Mapping[str, Any], rests: Sequence[int]) -> Iterator[str]:
    """Yield warnings about a legal deal that would get this number: the table is complete, or a neighbouring deal is
    equal.

    Two successive equal deals are possible, but usually a row was entered twice. A table that is complete by totals
    without deals gets no warning, because its deals may be entered later.
    """
    if table.complete and table.recorded:
        yield _("The table was complete already.")
    row = _row_cells(table, facts, rests)
    neighbours = Deal.objects.filter(table=table, number__in=(number - 1, number)).not_voided().order_by("number")
    for neighbour in neighbours:
        if is_readable(table, neighbour) and _row_cells(table, neighbour.facts, neighbour.rests) == row:
            yield _("Deal %(number)s is the same. Is this another one?") % {"number": neighbour.number}


def _row_cells(table: Table, facts: Mapping[str, Any], rests: Sequence[int]) -> dict[str, str]:
    playing = [seat + 1 for seat in range(table.size) if seat not in rests]
    return game_with_evening_rules(table.round.evening).row.translated_cells(facts, playing)
