"""Simulate the tables of the demo club: cards are dealt and played by simple players."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from league.demo.seasons import MAX_SIMULATED_DEALS
from league.models import Season, Table
from league.sheets.queries.deal_scores import deals_per_table, default_resting_seats
from league.sheets.queries.table_end import is_complete
from scoring import registry


class TableNeverEnds(RuntimeError):
    """The simulated deals of a game do not reach the target that ends its tables."""


class SimulatedTable(NamedTuple):
    """A simulated table: the facts (JSON) of its deals, and each seat's points and number of deals."""

    facts: list[dict[str, Any]]
    points: list[int]
    deals: list[int]


def play_table(rng: Random, season: Season, table: Table, skills: Sequence[float]) -> SimulatedTable:
    """Simulate deals until the table is complete. `skills` are by seat, from 0 to 1. Nothing is stored."""
    rules, play = registry.rules(season.game), registry.play(season.game)
    options = rules.read_options(season.house_rules)
    sheet: list[dict[str, Any]] = []
    dealt: list[Any] = []
    totals, deals = [0] * table.size, [0] * table.size
    needed, deal_count = deals_per_table(table, season), 0
    while not is_complete(
        season.end,
        season.end_number,
        one_player_rests=table.one_rests,
        deals=len(sheet),
        points=totals,
        sides=rules.sides(table.size, options),
        by_totals=False,
        finished=False,
        counted_deals=deal_count,
    ):
        if len(sheet) == MAX_SIMULATED_DEALS:
            raise TableNeverEnds(
                f"{season.game}: after {MAX_SIMULATED_DEALS} deals a table of {table.size} has not ended: the highest "
                f"total is {max(totals)}, the end of the season is {season.end} {season.end_number} (`ends` in game.py)"
            )
        playing = [seat for seat in range(table.size) if seat not in default_resting_seats(table, len(sheet) + 1)]
        levels = [skills[seat] for seat in playing]
        sheet.append(dict(play(rng, len(playing), levels, season.house_rules, dealt).facts))
        played = rules.play(len(playing), sheet[-1], options, dealt, deal_count + 1 == needed)
        dealt.append(played.deal)
        deal_count += season.count_passed or not rules.may_be_dealt_again(played.deal, options)
        for seat, points in zip(playing, played.points, strict=True):
            totals[seat] += points
            deals[seat] += 1
    return SimulatedTable(sheet, totals, deals)
