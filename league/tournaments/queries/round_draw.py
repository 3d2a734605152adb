"""The draw of a tournament's next round.

If two units (players, pairs or teams) meet at a table, `league.pairing` pairs them; else players are drawn as at an
evening of a season.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from league.draw.draw_types import ImpossibleDraw, Pair, Seating, ordered_pair
from league.draw.plan import plan_rounds
from league.evenings.queries.draw_input import read_draw_input
from league.models import Evening, Round, Separation, Tournament, TournamentUnit
from league.models.round import RoundState
from league.models.tournament import Pairing
from league.pairing.pairing import Constraints, pair_by_lot, pair_by_movement, pair_by_ranking
from league.seasons.queries.season_game import game_of_season
from league.tournaments.queries.format import seats_of_units
from league.tournaments.queries.playing_units import PlayingUnits, resting_units, unit_player_ids, units_at
from league.tournaments.queries.ranking import ranking, read_results


def accepted_rounds(rounds: Sequence[Round]) -> list[Round]:
    return [round_ for round_ in rounds if round_.state == RoundState.ACCEPTED]


def next_round_number(rounds: Sequence[Round]) -> int:
    return 1 + max((round_.number for round_ in accepted_rounds(rounds)), default=0)


def draw_next_round(
    tournament: Tournament, evening: Evening, playing: PlayingUnits, rounds: Sequence[Round], *, seed: int
) -> Seating:
    """Draw the next round for the units (players, pairs or teams) that are present, and return its seating.

    `rounds` are all rounds of the evening; rounds that are only planned are ignored. Raise ImpossibleDraw if too few
    units are present.
    """
    number = next_round_number(rounds)
    seats = seats_of_units(tournament, game_of_season(evening.season), evening.house_rules)
    if not seats:
        return _draw_players(tournament, evening, playing, rounds, number, seed)
    present = playing.present_units(number)
    if len(present) < 2:
        raise ImpossibleDraw("too_few", number)
    if tournament.pairing == Pairing.MOVEMENT:
        units = list(playing.units)
        pairing = pair_by_movement([unit in present for unit in units], number)
    else:
        units = _units_in_order(tournament, evening, playing, present, by_ranking=number > 1)
        constraints = _pairing_constraints(tournament, units, playing, rounds)
        by_ranking = tournament.pairing == Pairing.RANKING and number > 1
        pairing = pair_by_ranking(constraints, seed) if by_ranking else pair_by_lot(constraints, seed)
    pairs = [(units[first], units[second]) for first, second in pairing.tables]
    return seating_of_pairs(number, pairs, [] if pairing.resting_unit is None else [units[pairing.resting_unit]], seats)


def seating_of_pairs(
    number: int,
    pairs: Sequence[tuple[TournamentUnit, TournamentUnit]],
    resting: Sequence[TournamentUnit],
    seats: Sequence[Sequence[int]],
    table_numbers: Sequence[int] = (),
) -> Seating:
    """Return the seating of a round: the players of each table, in the order of the seats.

    Two units (players, pairs or teams) play at each table. `seats` are the seat numbers of the first and of the second
    unit. `resting` are the units that sit the round out. `table_numbers` are 1, 2, 3 … by default.
    """
    return Seating(
        number,
        tuple(_players_by_seat(pair, seats) for pair in pairs),
        exempt=tuple(player for unit in resting for player in unit_player_ids(unit)),
        table_numbers=tuple(table_numbers),
    )


def _players_by_seat(pair: tuple[TournamentUnit, TournamentUnit], seats: Sequence[Sequence[int]]) -> tuple[int, ...]:
    players = {
        seat: player
        for unit, side in zip(pair, seats, strict=True)
        for seat, player in zip(side, unit_player_ids(unit), strict=True)
    }
    return tuple(players[seat] for seat in sorted(players))


def _units_in_order(
    tournament: Tournament,
    evening: Evening,
    playing: PlayingUnits,
    present: Sequence[TournamentUnit],
    *,
    by_ranking: bool,
) -> list[TournamentUnit]:
    """Return the present units (players, pairs or teams) by rank, or by number if not `by_ranking`."""
    if not by_ranking:
        return list(present)
    rows = ranking(tournament, evening.season, playing, read_results(evening))
    return [row.unit for row in rows if row.unit in present]


def _pairing_constraints(
    tournament: Tournament, units: Sequence[TournamentUnit], playing: PlayingUnits, rounds: Sequence[Round]
) -> Constraints:
    index = {unit: number for number, unit in enumerate(units)}
    met_pairs, rests = set[Pair](), Counter[int]()
    for round_ in accepted_rounds(rounds):
        for table in round_.tables.all():
            at_table = [index[unit] for unit in units_at(table, playing.by_player) if unit in index]
            met_pairs |= {ordered_pair(*pair) for pair in combinations(at_table, 2)}
        rests.update(index[unit] for unit in resting_units(round_, playing.by_player) if unit in index)
    separated = {
        ordered_pair(index[first], index[second])
        for first, second in _separated_units(tournament, playing)
        if first in index and second in index
    }
    return Constraints(met_pairs, separated, [rests[number] for number in range(len(units))])


def _separated_units(tournament: Tournament, playing: PlayingUnits) -> list[tuple[TournamentUnit, TournamentUnit]]:
    """Return pairs of units (players, pairs or teams) that must not meet at a table, because a player of the first unit
    must not share a table with a player of the second.
    """
    players = list(playing.by_player)
    rows = Separation.objects.filter(club=tournament.club_id, first__in=players, second__in=players)
    pairs = [
        (playing.by_player[first], playing.by_player[second]) for first, second in rows.values_list("first", "second")
    ]
    return [(first, second) for first, second in pairs if first != second]


def _draw_players(
    tournament: Tournament, evening: Evening, playing: PlayingUnits, rounds: Sequence[Round], number: int, seed: int
) -> Seating:
    """Draw tables of single players, as at an evening of a season; team mates share a table only if unavoidable."""
    inputs = read_draw_input(evening, rounds)
    team_mates = {
        ordered_pair(*pair)
        for unit in playing.units
        if tournament.plays_apart
        for pair in combinations(unit_player_ids(unit), 2)
    }
    wishes = replace(inputs.wishes, separations=inputs.wishes.separations | team_mates)
    [drawn_round] = plan_rounds(
        inputs.people, range(number, number + 1), wishes, played=inputs.played_seatings, seed=seed
    ).rounds
    return drawn_round
