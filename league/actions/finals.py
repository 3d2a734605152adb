"""Actions on the finals of a tournament: start, draw the stages, decide ties, correct seats.

Each action locks the tournament's row first, then its evening. `tournament_play.take_back_round` deletes the last
round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from league.actions import audit
from league.actions.attendance import next_round_number
from league.actions.refusals import WrongState
from league.actions.rounds import create_round
from league.actions.seating import store_players
from league.actions.tournament_play import lock_running_tournament
from league.draw.draw_types import Seating
from league.messages import announce_evening_change
from league.models import Evening, Finals, FinalsGame, FinalsUnit, Forfeit, Round, Seat, Tournament
from league.models.audit_entry import AuditEvent
from league.models.finals import FinalsKind
from league.models.round import RoundState
from league.pairing.finals import MatchKey
from league.seasons.queries.season_game import game_of_season
from league.tournaments.queries.finals import FINAL_TABLE_KEY, FinalsState, read_finals
from league.tournaments.queries.finals_plan import FinalsPlan, check_finals, finals_ranking, reason_not_to_start
from league.tournaments.queries.format import seats_of_units
from league.tournaments.queries.playing_units import PlayingUnits, playing_units, unit_player_ids
from league.tournaments.queries.ranking import read_results
from league.tournaments.queries.round_draw import seating_of_pairs


@transaction.atomic
def start(tournament_id: int, plan: FinalsPlan) -> Finals:
    """Create the finals of a tournament with its best units (players, pairs or teams) that are still present.

    The units are seeded by rank. Rounds that are drawn but not accepted are deleted. Raise WrongState or
    ImpossibleFinals.
    """
    tournament, evening = lock_running_tournament(tournament_id)
    if Finals.objects.filter(tournament=tournament).exists():
        raise WrongState(_("The finals have started already."))
    played = read_results(evening)
    if reason := reason_not_to_start(tournament, played):
        raise WrongState(reason)
    check_finals(plan, tournament, evening)
    rows = finals_ranking(tournament, evening.season, playing_units(tournament, evening), played)
    if len(rows) < plan.unit_count:
        raise WrongState(_("Only %(count)s units are present.") % {"count": len(rows)})
    finals = Finals.objects.create(
        tournament=tournament,
        form=plan.kind,
        third_place=plan.third_place,
        consolation=plan.consolation,
        games_to_win=1 if plan.kind == FinalsKind.TABLE else tournament.games_to_win,
    )
    FinalsUnit.objects.bulk_create(
        FinalsUnit(finals=finals, unit=row.unit, seed=seed) for seed, row in enumerate(rows[: plan.unit_count], 1)
    )
    evening.rounds.planned().delete()
    _log_and_announce(AuditEvent.FINALS_STARTED, tournament, evening, count=plan.unit_count)
    return finals


@transaction.atomic
def take_back(tournament_id: int) -> None:
    """Delete the finals of a tournament. Raise WrongState if tables of the finals are drawn."""
    tournament, evening = lock_running_tournament(tournament_id)
    if FinalsGame.objects.filter(finals__tournament=tournament).exists():
        raise WrongState(_("Tables of the finals are drawn. Take their rounds back first."))
    Finals.objects.filter(tournament=tournament).delete()
    _log_and_announce(AuditEvent.FINALS_UNDONE, tournament, evening)


@transaction.atomic
def draw_next_round(tournament_id: int) -> Round:
    """Create an accepted round with a table for each match of the finals that can be played now. Raise WrongState.

    A unit (player, pair or team) that has left the tournament forfeits its match.
    """
    tournament, evening, state = _lock_finals(tournament_id)
    if not state.can_draw:
        raise WrongState(_("No match can be drawn now: results or decisions are missing, or the finals are over."))
    evening.rounds.planned().delete()
    playing = playing_units(tournament, evening)
    number = next_round_number(evening)
    if state.finals.form == FinalsKind.TABLE:
        keys = [FINAL_TABLE_KEY]
        players = [player for row in state.units.values() for player in unit_player_ids(row.unit)]
        seats = Seating(number, (tuple(players),))
    else:
        matches = state.next_matches
        keys = [match.key for match in matches]
        pairs = [
            (state.units[first].unit, state.units[second].unit)
            for first, second in (match.units for match in matches)
            if first is not None and second is not None
        ]
        sides = seats_of_units(tournament, game_of_season(evening.season), evening.house_rules)
        seats = seating_of_pairs(number, pairs, [], sides)
    round_ = create_round(evening, seats, 0)
    round_.state = RoundState.ACCEPTED
    round_.save(update_fields=["state"])
    _add_games_and_forfeits(state, round_, keys, playing)
    _log_and_announce(AuditEvent.ROUND_DRAWN, tournament, evening, round=round_.number)
    return round_


def _add_games_and_forfeits(state: FinalsState, round_: Round, keys: Sequence[MatchKey], playing: PlayingUnits) -> None:
    """Store for each table of a new round the match that is played there, and the forfeits of absent units.

    `keys` are the keys of the matches, in the order of the tables.
    """
    tables = list(round_.tables.order_by("number").prefetch_related("seats"))
    FinalsGame.objects.bulk_create(
        FinalsGame(
            finals=state.finals,
            bracket=key.bracket,
            stage=key.stage,
            index=key.index,
            number=len(state.games.get(key, ())) + 1,
            table=table,
        )
        for key, table in zip(keys, tables, strict=True)
    )
    absent = {
        player: row.unit
        for row in state.units.values()
        if row.unit not in playing.units or not playing.is_present(row.unit, round_.number)
        for player in unit_player_ids(row.unit)
    }
    forfeits = {
        (table.pk, absent[seat.player_id].pk)
        for table in tables
        for seat in table.seats.all()
        if seat.player_id in absent
    }
    Forfeit.objects.bulk_create(Forfeit(table_id=table, unit_id=unit) for table, unit in sorted(forfeits))


@transaction.atomic
def decide_tie(game_id: int, seed: int) -> FinalsGame:
    """Store the secretary's choice of the winner of a tied match, or of a match whose players are all absent.

    `seed` is the winner's number in the finals. Raise WrongState.
    """
    tournament_id = Tournament.objects.values_list("pk", flat=True).get(finals__games=game_id)
    tournament, evening, state = _lock_finals(tournament_id)
    game = next((game for game in state.match_games if game.row.pk == game_id), None)
    if game is None:
        raise WrongState(_("The tables of this match were taken back meanwhile."))
    if not game.is_tied or seed not in game.leaders:
        raise WrongState(_("The table’s result decides this match."))
    row = game.row
    row.decided_for = state.units[seed]
    row.save(update_fields=["decided_for"])
    unit = state.units[seed].unit
    _log_and_announce(AuditEvent.FINALS_DECIDED, tournament, evening, table=game.table.number, unit=unit.pk)
    return row


@transaction.atomic
def reseat_units(tournament_id: int) -> int:
    """After a correction of results, change the players at tables whose match now has other players.

    Tables with results are left unchanged. Return the number of changed tables. Raise WrongState if no table changes.
    """
    tournament, evening, state = _lock_finals(tournament_id)
    rows = state.reseatings
    if not rows:
        raise WrongState(_("No table of the finals can change its units."))
    sides = seats_of_units(tournament, game_of_season(evening.season), evening.house_rules)
    seats: list[Seat] = []
    for row in rows:
        units = [state.units[seed].unit for seed in row.match.expected_units if seed is not None]
        [players] = seating_of_pairs(1, [(units[0], units[1])], [], sides).tables
        for seat, player in zip(row.game.table.seats.all(), players, strict=True):
            seat.player_id = player
            seats.append(seat)
    FinalsGame.objects.filter(pk__in=[row.game.row.pk for row in rows]).update(decided_for=None)
    store_players(seats)
    _log_and_announce(AuditEvent.FINALS_CORRECTED, tournament, evening, count=len(rows))
    return len(rows)


def _lock_finals(tournament_id: int) -> tuple[Tournament, Evening, FinalsState]:
    tournament, evening = lock_running_tournament(tournament_id)
    state = read_finals(tournament, evening.season)
    if state is None:
        raise WrongState(_("The finals have not started."))
    return tournament, evening, state


def _log_and_announce(event: AuditEvent, tournament: Tournament, evening: Evening, **params: Any) -> None:
    audit.log_tournament(event, tournament, **params)
    announce_evening_change(evening.pk)
