"""The start of a tournament's finals: the possible kinds and sizes, and the players, pairs or teams that can play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from league.models import Evening, Season, Tournament
from league.models.finals import FinalsKind
from league.pairing.finals import MAX_UNITS, BracketPlan, ImpossibleFinals, check_plan
from league.seasons.queries.season_game import game_of_season
from league.tournaments.queries.format import seats_of_units
from league.tournaments.queries.playing_units import PlayingUnits
from league.tournaments.queries.ranking import RankedUnit, RoundResult, ranking


class FinalsPlan(NamedTuple):
    """The organiser's choices at the start of the finals: the kind (`FinalsKind`), the number of units (players,
    pairs or teams), and the extra matches.
    """

    kind: str
    unit_count: int
    third_place: bool = False
    consolation: bool = False


def possible_finals_kinds(tournament: Tournament, evening: Evening) -> list[FinalsKind]:
    """Return the kinds of finals that are possible with the game's table sizes.

    Knockout and pools need tables of two units (players, pairs or teams); a final table needs a table of three or more
    single players.
    """
    has_matches = bool(seats_of_units(tournament, game_of_season(evening.season), evening.house_rules))
    kinds = [FinalsKind.KNOCKOUT, FinalsKind.POOLS] if has_matches else []
    return [*kinds, FinalsKind.TABLE] if final_table_sizes(tournament, evening) else kinds


def final_table_sizes(tournament: Tournament, evening: Evening) -> list[int]:
    """Return the possible sizes of a final table: tables of three or more single players; [] for pairs and teams."""
    if tournament.unit_size > 1:
        return []
    game = game_of_season(evening.season)
    options = game.rules.read_options(evening.house_rules)
    return [
        size
        for size in game.sizes
        if 2 < size <= MAX_UNITS and all(len(side) == 1 for side in game.rules.sides(size, options))
    ]


def check_finals(plan: FinalsPlan, tournament: Tournament, evening: Evening) -> None:
    """Raise ImpossibleFinals if the game's table sizes or the number of units do not allow these finals, or if the
    extra matches do not fit the kind.
    """
    if plan.kind not in possible_finals_kinds(tournament, evening):
        raise ImpossibleFinals("form", "unknown")
    if plan.kind == FinalsKind.TABLE:
        if plan.unit_count not in final_table_sizes(tournament, evening):
            raise ImpossibleFinals("units", "table_size")
        if plan.third_place:
            raise ImpossibleFinals("third_place", "final_table")
        if plan.consolation:
            raise ImpossibleFinals("consolation", "final_table")
        return
    check_plan(BracketPlan(plan.unit_count, plan.kind == FinalsKind.POOLS, plan.third_place, plan.consolation))


def reason_not_to_start(tournament: Tournament, played: Sequence[RoundResult]) -> Any:
    """Return the reason why the finals cannot start yet, as a sentence: rounds or results are missing. Return "" if
    they can start. `played` are the results of the accepted rounds.
    """
    if len(played) < tournament.rounds:
        return _("Rounds drawn: %(played)s of %(rounds)s. Play them, or change the number of rounds.") % {
            "played": len(played),
            "rounds": tournament.rounds,
        }
    for round_ in played:
        for table in round_.tables.values():
            if not table.is_decided:
                return _("Table %(table)s of round %(round)s has no result.") % {
                    "table": table.number,
                    "round": round_.number,
                }
    return ""


def finals_ranking(
    tournament: Tournament, season: Season, playing: PlayingUnits, played: Sequence[RoundResult]
) -> list[RankedUnit]:
    """Return the ranking without the units (players, pairs or teams) that have left the tournament."""
    return [row for row in ranking(tournament, season, playing, played) if not row.has_left]
