"""Check the totals of a table, for the form and for the API."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from django.utils.translation import gettext

from league.models import Table
from league.seasons.queries.season_game import game_of_season
from league.sheets.queries.deal_scores import deals_per_table, default_resting_seats
from league.sheets.queries.table_sums import PointsAndDeals
from scoring.phrases import refusal_text
from scoring.rules.errors import DoubtfulTotals


def totals_questions(table: Table, totals: Sequence[int], deals: int) -> list[str]:
    """Return questions about totals that are possible but unusual, as sentences.

    `totals` are by seat, with the sign of the score sheet. `deals` is the number of deals. Raise IllegalDeal for
    impossible totals.
    """
    season, questions = table.round.evening.season, []
    game = game_of_season(season)
    options = game.rules.read_options(table.round.evening.house_rules)
    try:
        game.rules.check_totals(totals, deals, options)
    except DoubtfulTotals as doubtful:
        questions.append(refusal_text(game, doubtful, ()))
    usual = deals_per_table(table, season)
    if usual is not None and deals > usual:
        text = gettext("A table ends after %(usual)s deals here; these are totals of %(deals)s deals.")
        questions.append(text % {"usual": usual, "deals": deals})
    return questions


def totals_fingerprint(totals: Sequence[int], deals: int) -> str:
    """Return totals and number of deals as text. A user's confirmation of the questions is valid for this text only."""
    return f"{','.join(map(str, totals))}/{deals}"


def sums_by_seat(table: Table, totals: Sequence[int], deals: int) -> dict[int, PointsAndDeals]:
    """Return {seat number: its total, and its number of deals}.

    If one player rests in each deal, seat 0 has rested in the first deal, seat 1 in the second, and so on.
    """
    rests = Counter(seat for deal in range(1, deals + 1) for seat in default_resting_seats(table, deal))
    return {number: PointsAndDeals(total, deals - rests[number]) for number, total in enumerate(totals)}
