"""Actions on the day of a tournament: start, check units in, draw and delete rounds, forfeits, countdown, finish.

A unit is a player, a pair or a team. Each action locks the tournament's row first, then its evening.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext_lazy as _

from league.actions import audit, evenings, rounds, webhooks
from league.actions.attendance import add_attendances, lock_unfinished_evening, next_round_number
from league.actions.player_names import apply_club_name_defaults
from league.actions.refusals import WrongState
from league.actions.seating import has_points
from league.actions.tournament_ranks import update_final_ranks
from league.actions.tournaments import lock_tournament
from league.draw.draw_types import Seating
from league.messages import announce_evening_change
from league.models import (
    Attendance,
    ClubGame,
    Evening,
    Finals,
    Forfeit,
    Round,
    Season,
    Table,
    Tournament,
    TournamentUnit,
    UnitPlayer,
)
from league.models.audit_entry import AuditEvent
from league.models.club_game import TOTALS
from league.models.evening import EveningState
from league.models.rights import Role
from league.models.round import RoundState
from league.models.season import SeasonState
from league.models.tournament import TournamentState, UnitState
from league.tournaments.queries.format import (
    can_seat_units,
    club_game_of,
    default_club_game,
    game_before_start,
    season_fields,
)
from league.tournaments.queries.playing_units import (
    evening_of,
    is_decided,
    players_in_rounds,
    playing_units,
    rounds_of,
    unit_player_ids,
)
from players.accounts import add_player
from players.models import Player
from players.names import split_name
from players.naming import NameStyle


@transaction.atomic
def start(tournament_id: int, *, now: datetime) -> Tournament:
    """Start a tournament: create its season and its open evening, so that players can check in. Raise WrongState."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.RUNNING:
        return tournament
    if tournament.state == TournamentState.FINISHED:
        raise WrongState(_("The tournament is finished."))
    game = game_before_start(tournament)
    if not can_seat_units(tournament, game):
        raise WrongState(_("The game has no tables of two such units. Change who registers, or the game."))
    club_game = None if game.slug == tournament.game and not game.definition else _get_or_create_club_game(tournament)
    season = Season.objects.create(
        club=tournament.club,
        tournament=tournament,
        game=TOTALS if club_game else tournament.game,
        club_game=club_game,
        state=SeasonState.OPEN,
        house_rules=club_game.options if club_game else tournament.house_rules,
        **season_fields(tournament, game),
    )
    Evening.objects.create(
        season=season,
        date=min(tournament.date, now.astimezone(tournament.club.zone).date()),
        name=tournament.name,
        place=tournament.place,
        begins_at=tournament.begins_at,
        state=EveningState.OPEN,
        opened_at=now,
    )
    tournament.state = TournamentState.RUNNING
    tournament.save(update_fields=["state"])
    audit.log_tournament(AuditEvent.TOURNAMENT_STARTED, tournament)
    return tournament


def _get_or_create_club_game(tournament: Tournament) -> ClubGame:
    """Return the tournament's game among the club's own games, or create a game with the name of the tournament.

    Raise WrongState if the club has a different game with this name.
    """
    club_game = club_game_of(tournament)
    if club_game is not None:
        return club_game
    new = default_club_game(tournament)
    same_name: ClubGame | None = tournament.club.games.filter(name__iexact=new.name).first()
    if same_name is None:
        new.save()
        return new
    if not set(same_name.sizes) >= set(new.sizes) or same_name.two_sides != new.two_sides:
        raise WrongState(_("The club has another game with the name of this tournament. Choose it, or rename one."))
    return same_name


@transaction.atomic
def check_in(tournament_id: int, unit_ids: Collection[int]) -> list[TournamentUnit]:
    """Check units (players, pairs or teams) in: each gets a number and plays from the next round on.

    Return the units that are newly checked in. Units of the waiting list get a place, without an email since they are
    in the hall. Players who are not in the club become guests. Rounds that are drawn but not accepted are deleted.
    Raise WrongState.
    """
    tournament, evening = lock_running_tournament(tournament_id)
    units = list(tournament.units.filter(pk__in=unit_ids, number=None).order_by("registered_at", "pk").with_players())
    for unit in units:
        if unit.state not in (UnitState.REGISTERED, UnitState.WAITING):
            raise WrongState(_("%(unit)s has no place: %(state)s.") % {"unit": unit.title, "state": _state_label(unit)})
        if len(unit.members) != tournament.unit_size:
            raise WrongState(_("%(unit)s is not complete.") % {"unit": unit.title})
    _add_guests(tournament, [entry for unit in units for entry in unit.members if entry.player_id is None])
    _add_guests_of_clubs(tournament, [entry for unit in units if unit.by_club for entry in unit.members])
    players = [entry.player_id for unit in units for entry in unit.members if entry.player_id is not None]
    present = set(evening.attendances.values_list("player_id", flat=True))
    if len(set(players)) < len(players) or present & set(players):
        raise WrongState(_("A player of these units is checked in with another unit."))
    add_attendances(evening, players, from_round=next_round_number(evening))
    if tournament.unit_size == 2 and not tournament.plays_apart:
        _store_partners(evening, units)
    last = tournament.units.aggregate(last=Max("number"))["last"] or 0
    for number, unit in enumerate(units, last + 1):
        unit.number, unit.state = number, UnitState.REGISTERED
    TournamentUnit.objects.bulk_update(units, ["number", "state"])
    _store_guest_naming(units)
    if units:
        evening.rounds.planned().delete()
        audit.log_tournament(AuditEvent.UNIT_CHECKED_IN, tournament, count=len(units))
        announce_evening_change(evening.pk)
    return units


def _state_label(unit: TournamentUnit) -> str:
    return str(unit.get_state_display()).lower()


def _add_guests(tournament: Tournament, entries: Sequence[UnitPlayer]) -> None:
    """Create a player and a guest membership for each entry of a registration that has no player."""
    for entry in entries:
        entry.player = add_player(*split_name(entry.name))
        entry.added_as_guest = True
        tournament.club.memberships.create(player=entry.player, role=Role.GUEST)
    UnitPlayer.objects.bulk_update(entries, ["player", "added_as_guest"])
    apply_club_name_defaults([entry.player_id for entry in entries if entry.player_id is not None])


def _add_guests_of_clubs(tournament: Tournament, entries: Sequence[UnitPlayer]) -> None:
    """Add members of invited clubs as guests of the tournament's club. How their names are shown does not change."""
    entry_of = {entry.player_id: entry for entry in entries if entry.player_id is not None}
    known_players = set(tournament.club.memberships.filter(player__in=entry_of).values_list("player", flat=True))
    guests = {player: entry for player, entry in entry_of.items() if player not in known_players}
    for player, entry in guests.items():
        tournament.club.memberships.create(player_id=player, role=Role.GUEST)
        entry.added_as_guest = True
    UnitPlayer.objects.bulk_update(guests.values(), ["added_as_guest"])
    apply_club_name_defaults(guests)


def _store_guest_naming(units: Sequence[TournamentUnit]) -> None:
    """Store how the names of new guests are shown to the public: in full if they agreed, else with an initial."""
    guests = []
    for unit in units:
        for entry in () if unit.by_club else unit.members:
            if entry.added_as_guest and entry.player is not None:
                guest = entry.player
                guest.public_choice = NameStyle.FULL if unit.names_public else NameStyle.INITIAL
                guest.update_names()
                guests.append(guest)
    Player.objects.bulk_update(guests, [*Player.NAME_FIELDS, "public_choice"])


def _store_partners(evening: Evening, units: Sequence[TournamentUnit]) -> None:
    """Store the two players of each pair as partners in their attendances."""
    partners = {}
    for unit in units:
        first, second = unit_player_ids(unit)
        partners[first], partners[second] = second, first
    rows = list(evening.attendances.filter(player__in=partners))
    for row in rows:
        row.partner_id = partners[row.player_id]
    Attendance.objects.bulk_update(rows, ["partner"])


@transaction.atomic
def check_out(unit_id: int) -> TournamentUnit:
    """Undo the check-in of a unit (player, pair or team), and delete rounds that are drawn but not accepted.

    Raise WrongState if the unit has a seat in a round, or sat it out and has points for it.
    """
    tournament, evening, unit = _lock_checked_in_unit(unit_id)
    players = unit_player_ids(unit)
    if not players_in_rounds(evening).isdisjoint(players):
        raise WrongState(_("The unit was drawn in a round. It can leave instead."))
    evening.rounds.planned().delete()
    evening.attendances.filter(player__in=players).delete()
    unit.number = None
    unit.save(update_fields=["number"])
    audit.log_tournament(AuditEvent.UNIT_CHECKED_OUT, tournament, unit=unit.pk)
    announce_evening_change(evening.pk)
    return unit


@transaction.atomic
def set_leaving(unit_id: int, *, leaves: bool) -> TournamentUnit:
    """Store whether a unit (player, pair or team) leaves the tournament.

    A unit that leaves plays no further round, and stays in the ranking. Rounds that are drawn but not accepted are
    deleted. Raise WrongState, for example if the unit would leave before its first round.
    """
    tournament, evening, unit = _lock_checked_in_unit(unit_id)
    rows = list(evening.attendances.filter(player__in=unit_player_ids(unit)))
    last_round = next_round_number(evening) - 1
    if leaves and any(row.from_round > last_round for row in rows):
        raise WrongState(_("%(unit)s has not played yet: undo the check-in instead.") % {"unit": unit.title})
    for row in rows:
        row.to_round = last_round if leaves else None
    Attendance.objects.bulk_update(rows, ["to_round"])
    evening.rounds.planned().delete()
    audit.log_tournament(AuditEvent.UNIT_LEFT, tournament, unit=unit.pk, leaves=leaves)
    announce_evening_change(evening.pk)
    return unit


@transaction.atomic
def store_round(
    tournament_id: int, seating: Seating, *, seed: int, drawn_attendances: Collection[tuple[int, int, int | None]]
) -> Round:
    """Store a drawn round in the state "planned", and delete other planned rounds.

    `drawn_attendances` are the attendances at the time of the draw, from `attendances_for_draw`. Raise WrongState if
    they have changed since, the round is not the next one, or the finals have started.
    """
    tournament, evening = lock_running_tournament(tournament_id)
    if Finals.objects.filter(tournament=tournament).exists():
        raise WrongState(_("The finals have started: draw their tables on their page."))
    if seating.number != next_round_number(evening) or attendances_for_draw(evening) != set(drawn_attendances):
        raise WrongState(_("Units came or left meanwhile. Draw again."))
    evening.rounds.planned().delete()
    round_ = rounds.create_round(evening, seating, seed)
    audit.log_tournament(AuditEvent.ROUND_DRAWN, tournament, round=round_.number)
    return round_


def attendances_for_draw(evening: Evening) -> set[tuple[int, int, int | None]]:
    """Return the player id, first round and last round (or None) of each attendance of the evening."""
    return set(evening.attendances.values_list("player_id", "from_round", "to_round"))


@transaction.atomic
def begin_round(round_id: int) -> Round:
    """Accept a planned round, and end the countdown of the previous round. Raise WrongState."""
    tournament, evening = lock_running_tournament(Tournament.objects.get(season__evenings__rounds=round_id).pk)
    if evening.rounds.planned().filter(pk=round_id).exists():
        tournament.clock_ends_at = tournament.clock_left = None
        tournament.save(update_fields=["clock_ends_at", "clock_left"])
    return rounds.accept(round_id)


@transaction.atomic
def take_back_round(round_id: int) -> Evening:
    """Delete the last round of a tournament. Raise WrongState if it is not the last, or has results.

    A forfeit is a result. Forfeits of units that are absent in this round are not: the draw of finals stores them.
    """
    round_ = Round.objects.get(pk=round_id)
    tournament, evening = lock_running_tournament(Tournament.objects.get(season__evenings__rounds=round_id).pk)
    last = evening.rounds.order_by("-number").first()
    if last is None or last.pk != round_id:
        raise WrongState(_("A later round is drawn. Take that one back first."))
    tables = Table.objects.select_for_update(of=("self",)).filter(round=round_id).with_seats().order_by("pk")
    present_units = playing_units(tournament, evening).present_units(round_.number)
    has_forfeits = Forfeit.objects.filter(table__round=round_id, unit__in=present_units).exists()
    if has_forfeits or any(has_points(table, table.seats.all()) or table.dealt.exists() for table in tables):
        raise WrongState(_("Results of this round are entered: it can’t be taken back."))
    Round.objects.filter(pk=round_id).delete()
    audit.log_tournament(AuditEvent.ROUND_UNDONE, tournament, round=round_.number)
    announce_evening_change(evening.pk)
    return evening


@transaction.atomic
def set_forfeits(table_id: int, unit_ids: Collection[int]) -> None:
    """Store which units (players, pairs or teams) forfeit at a table. Raise WrongState.

    An empty `unit_ids` deletes the forfeits of the table.
    """
    table = Table.objects.select_related("round").get(pk=table_id)
    tournament, evening = lock_running_tournament(Tournament.objects.get(season__evenings__rounds__tables=table_id).pk)
    seated = set(table.seats.values_list("player_id", flat=True))
    units = tournament.units.filter(pk__in=unit_ids, players__player__in=seated).distinct()
    if set(unit_ids) != {unit.pk for unit in units}:
        raise WrongState(_("This unit does not sit at the table."))
    if table.round.state == RoundState.PLANNED:
        raise WrongState(_("This round is only planned. Accept its draw first."))
    Forfeit.objects.filter(table=table).exclude(unit__in=unit_ids).delete()
    Forfeit.objects.bulk_create([Forfeit(table=table, unit=unit) for unit in units], ignore_conflicts=True)
    audit.log_tournament(
        AuditEvent.FORFEIT_CHANGED, tournament, round=table.round.number, table=table.number, count=len(unit_ids)
    )
    announce_evening_change(evening.pk)


@transaction.atomic
def finish(tournament_id: int, *, now: datetime) -> Tournament:
    """Finish a tournament: close its evening, store the final ranks. Raise WrongState if a table has no result."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.FINISHED:
        return tournament
    if tournament.state != TournamentState.RUNNING:
        raise WrongState(_("The tournament has not started."))
    evening = evening_of(tournament)
    for round_ in rounds_of(evening):
        open_tables = [table for table in round_.tables.all() if not is_decided(table)]
        if round_.state == RoundState.ACCEPTED and open_tables:
            raise WrongState(
                _("Table %(table)s of round %(round)s has no result.")
                % {"table": open_tables[0].number, "round": round_.number}
            )
    _close_tournament(tournament, now)
    return tournament


def _close_tournament(tournament: Tournament, now: datetime) -> None:
    """Close the evening and store the final ranks, also if tables have no result."""
    evenings.store_closed(evening_of(tournament).pk, now=now)
    tournament.state = TournamentState.FINISHED
    tournament.clock_ends_at = tournament.clock_left = None
    tournament.save(update_fields=["state", "clock_ends_at", "clock_left"])
    update_final_ranks([tournament.pk])
    audit.log_tournament(AuditEvent.TOURNAMENT_FINISHED, tournament)
    webhooks.record_results_published(tournament, now=now)


@transaction.atomic
def finish_forgotten_tournament(tournament_id: int, *, now: datetime) -> None:
    """Finish a running tournament that nobody has finished. Tables without a result do not count."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.RUNNING:
        _close_tournament(tournament, now)


@transaction.atomic
def resume(tournament_id: int, *, now: datetime) -> Tournament:
    """Open a finished tournament again, for a correction. Raise WrongState."""
    tournament = lock_tournament(tournament_id)
    if tournament.state == TournamentState.FINISHED:
        evenings.store_reopened(evening_of(tournament).pk, now=now)
        tournament.state = TournamentState.RUNNING
        tournament.save(update_fields=["state"])
        update_final_ranks([tournament.pk])
        audit.log_tournament(AuditEvent.TOURNAMENT_RESUMED, tournament)
    return tournament


@transaction.atomic
def set_countdown(tournament_id: int, *, left: int | None, runs: bool, now: datetime) -> None:
    """Set the countdown that the hall's screen shows. Raise WrongState.

    `left` are the remaining seconds, None to end the countdown. `runs` is False for a paused countdown.
    """
    tournament, evening = lock_running_tournament(tournament_id)
    tournament.clock_ends_at = now + timedelta(seconds=left) if runs and left is not None else None
    tournament.clock_left = None if runs else left
    tournament.save(update_fields=["clock_ends_at", "clock_left"])
    audit.log_tournament(AuditEvent.CLOCK_CHANGED, tournament)
    announce_evening_change(evening.pk)


def lock_running_tournament(tournament_id: int) -> tuple[Tournament, Evening]:
    """Lock a tournament and its evening, and return both. Raise WrongState if the tournament is not being played."""
    tournament = lock_tournament(tournament_id)
    if tournament.state != TournamentState.RUNNING:
        raise WrongState(_("The tournament is not being played now."))
    return tournament, lock_unfinished_evening(evening_of(tournament).pk)


def _lock_checked_in_unit(unit_id: int) -> tuple[Tournament, Evening, TournamentUnit]:
    """Lock the tournament and the evening of a unit (player, pair or team), and return them with the unit.

    Raise WrongState if the unit is not checked in.
    """
    tournament, evening = lock_running_tournament(
        TournamentUnit.objects.values_list("tournament", flat=True).get(pk=unit_id)
    )
    unit: TournamentUnit = tournament.units.with_players().get(pk=unit_id)
    if unit.number is None:
        raise WrongState(_("The unit is not checked in."))
    return tournament, evening, unit
