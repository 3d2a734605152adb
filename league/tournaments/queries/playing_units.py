"""The units (players, pairs or teams) of a running tournament, and their tables in each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

from django.utils.translation import pgettext

from league.evenings.queries.played_rounds import with_tables_and_rests
from league.models import Attendance, Evening, Rest, Round, Seat, Table, Tournament, TournamentUnit, UnitPlayer


@dataclass(frozen=True)
class PlayingUnits:
    """The checked-in units (players, pairs or teams) of a tournament, and the attendances of their players.

    The units are in order of their numbers. Units that have left the tournament are included.
    """

    units: Sequence[TournamentUnit]
    attendances: Mapping[int, Attendance]  # by player id

    @cached_property
    def by_player(self) -> dict[int, TournamentUnit]:
        return {player: unit for unit in self.units for player in unit_player_ids(unit)}

    @cached_property
    def labels(self) -> dict[int, str]:
        """The unit (player, pair or team) of each player in words, "no. 4", by player id."""
        return {player: unit_label(unit) for player, unit in self.by_player.items()}

    @cached_property
    def by_number(self) -> dict[int, TournamentUnit]:
        return {unit.number: unit for unit in self.units if unit.number is not None}

    def present_units(self, round_number: int) -> list[TournamentUnit]:
        """Return the units (players, pairs or teams) whose players are all present in the round."""
        return [unit for unit in self.units if self.is_present(unit, round_number)]

    def is_present(self, unit: TournamentUnit, round_number: int) -> bool:
        rows = [self.attendances[player] for player in unit_player_ids(unit)]
        return all(row.from_round <= round_number <= (row.to_round or round_number) for row in rows)

    def was_checked_in_before(self, unit: TournamentUnit, round_number: int) -> bool:
        """Return whether the unit (player, pair or team) was checked in for a round before this one."""
        return all(self.attendances[player].from_round < round_number for player in unit_player_ids(unit))

    def has_left(self, unit: TournamentUnit) -> bool:
        return any(self.attendances[player].to_round is not None for player in unit_player_ids(unit))


def unit_label(unit: TournamentUnit) -> str:
    return pgettext("unit", "no. %(number)s") % {"number": unit.number}


def unit_player_ids(unit: TournamentUnit) -> list[int]:
    """Return the ids of the players of a checked-in unit (player, pair or team), in the order of its entries."""
    return [entry.player_id for entry in unit.members if entry.player_id is not None]


def unit_numbers(tournament_id: int | None) -> dict[int, int]:
    """Return the number of each checked-in player's pair or team, by player id; {} without a tournament.

    A single player has a number of their own. One query, or none.
    """
    if tournament_id is None:
        return {}
    players = UnitPlayer.objects.filter(unit__tournament=tournament_id, unit__number__isnull=False)
    rows = players.exclude(player=None).values_list("player", "unit__number")
    return {player: number for player, number in rows if player is not None and number is not None}


def evening_of(tournament: Tournament) -> Evening:
    """Return the tournament's evening, with season, club and club game. The tournament must have started."""
    evening: Evening = Evening.objects.select_related("season__club", "season__club_game").get(
        season__tournament=tournament
    )
    return evening


def playing_units(tournament: Tournament, evening: Evening) -> PlayingUnits:
    """Return the checked-in units (players, pairs or teams) of the tournament. Three queries."""
    attendances = {row.player_id: row for row in evening.attendances.all()}
    rows = tournament.units.registered().exclude(number=None).select_related("plays_for")
    units = list(rows.order_by("number").with_players())
    present = [unit for unit in units if unit.members and all(row.player_id in attendances for row in unit.members)]
    return PlayingUnits(present, attendances)


def players_in_rounds(evening: Evening) -> set[int]:
    """Return the ids of the players who have a seat in an accepted round, or sit it out; one query."""
    accepted = evening.rounds.accepted()
    seated, resting = (model._default_manager.filter(round__in=accepted).order_by() for model in (Seat, Rest))
    return set(
        seated.values_list("player_id").union(resting.values_list("player_id")).values_list("player_id", flat=True)
    )


def rounds_of(evening: Evening, *, with_players: bool = False) -> list[Round]:
    """Return the rounds of a tournament's evening, in order, with their tables, seats, forfeits, and players who rest.

    With `with_players`, the players of the seats are fetched too.
    """
    rounds = evening.rounds.order_by("number")
    related = with_tables_and_rests(rounds) if with_players else rounds.prefetch_related("tables__seats", "rests")
    return list(related.prefetch_related("tables__forfeits"))


def units_at(table: Table, by_player: Mapping[int, TournamentUnit]) -> list[TournamentUnit]:
    """Return the units (players, pairs or teams) at a table, in the order of their first seats.

    `by_player` maps player ids to units.
    """
    units = [by_player[seat.player_id] for seat in table.seats.all() if seat.player_id in by_player]
    return list(dict.fromkeys(units))


def is_decided(table: Table) -> bool:
    """Return whether the table has a result: it is complete, or a unit (player, pair or team) forfeits."""
    return bool(table.complete) or bool(table.forfeits.all())


def resting_units(round_: Round, by_player: Mapping[int, TournamentUnit]) -> list[TournamentUnit]:
    """Return the units (players, pairs or teams) that sit the round out. `by_player` maps player ids to units."""
    units = [by_player[rest.player_id] for rest in round_.rests.all() if rest.player_id in by_player]
    return list(dict.fromkeys(units))


def units_met_again(rounds: Sequence[Round], playing: PlayingUnits) -> dict[int, list[str]]:
    """Return the opponents that a player meets in the last round and has met in an earlier round, by player id.

    The opponents (players, pairs or teams) are in words, "no. 4".
    """
    met_pairs = {
        (unit, other_unit)
        for round_ in rounds[:-1]
        for table in round_.tables.all()
        for unit, other_unit in permutations(units_at(table, playing.by_player), 2)
    }
    meetings: dict[int, list[str]] = {}
    for table in rounds[-1].tables.all():
        for unit, other_unit in permutations(units_at(table, playing.by_player), 2):
            if (unit, other_unit) in met_pairs:
                for player in unit_player_ids(unit):
                    meetings.setdefault(player, []).append(unit_label(other_unit))
    return meetings
