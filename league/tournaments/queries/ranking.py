"""The ranking of a tournament, computed from its rounds each time: a hundred units take a few milliseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from league.models import Round, Season, Table, Tournament, TournamentUnit, UnitPlayer
from league.models.round import RoundState
from league.models.tournament import RankedBy
from league.pairing.ranking import rank
from league.pairing.results import Exemption, MatchPoints, RankingRules, Side
from league.pairing.results import Round as RoundResults
from league.tournaments.queries.playing_units import PlayingUnits, is_decided, players_of

MATCH_POINTS: Final = MatchPoints(win=3, draw=2, loss=1, forfeit_win=2, forfeit=0)


class RoundCell(NamedTuple):
    """A unit's result in a round. `points` are as the sheets write them; None at a table without a result.

    `table` is None for a rest.
    """

    points: int | None
    table: Table | None = None
    forfeits: bool = False


@dataclass(frozen=True)
class RankedUnit:
    """A row of the ranking. `entry` is the player if team mates play apart, else None.

    `score`, `points` and `against` are as the sheets write them.
    """

    unit: TournamentUnit
    entry: UnitPlayer | None
    rank: int
    score: int | Fraction
    points: int
    against: int
    won: Fraction
    lost: Fraction
    decided_by: str
    cells: Sequence[RoundCell | None]
    has_left: bool


def ranking_rules(tournament: Tournament, season: Season) -> RankingRules:
    points = None if tournament.exempt_points is None else season.convert_points(tournament.exempt_points)
    return RankingRules(
        by=tournament.ranked_by,
        match_points=MATCH_POINTS,
        cap=tournament.cap,
        exempt=Exemption(points, tournament.exempt_wins),
        forfeit_points=season.convert_points(tournament.forfeit_points),
        ties=tuple(tournament.ties),
    )


def ranking(tournament: Tournament, season: Season, playing: PlayingUnits, rounds: Sequence[Round]) -> list[RankedUnit]:
    """Rank the checked-in units after the accepted rounds; final rounds are left out.

    Team mates who play apart have a row each.
    """
    competitors = _competitors(tournament, playing)
    played = [
        _PlayedRound(round_, playing)
        for round_ in rounds
        if round_.state == RoundState.ACCEPTED and round_.number <= tournament.rounds
    ]
    key_of_player = {player: key for key, competitor in competitors.items() for player in competitor.players}
    rows = rank(
        ranking_rules(tournament, season), list(competitors), [round_.results(key_of_player) for round_ in played]
    )
    return [
        RankedUnit(
            unit=competitor.unit,
            entry=competitor.entry,
            rank=row.rank,
            score=season.convert_points(row.score) if tournament.ranked_by == RankedBy.POINTS else row.score,
            points=season.convert_points(row.points),
            against=season.convert_points(row.against),
            won=row.won,
            lost=row.lost,
            decided_by=row.decided_by,
            cells=[round_.cell(season, competitor.players[0]) for round_ in played],
            has_left=playing.has_left(competitor.unit),
        )
        for row, competitor in ((row, competitors[row.unit]) for row in rows)
    ]


class _Competitor(NamedTuple):
    """A row's unit with its players; team mates who play apart are a competitor each."""

    unit: TournamentUnit
    entry: UnitPlayer | None
    players: Sequence[int]


def _competitors(tournament: Tournament, playing: PlayingUnits) -> dict[str, _Competitor]:
    """Return the competitors by a key that sorts by number."""
    if not tournament.plays_apart:
        return {f"{unit.number:04}": _Competitor(unit, None, players_of(unit)) for unit in playing.units}
    return {
        f"{unit.number:04}-{entry.position}": _Competitor(unit, entry, [entry.player_id])
        for unit in playing.units
        for entry in unit.members
        if entry.player_id is not None
    }


class _PlayedRound:
    def __init__(self, round_: Round, playing: PlayingUnits) -> None:
        self.tables = list(round_.tables.all())
        self.seats = {seat.player_id: (table, seat) for table in self.tables for seat in table.seats.all()}
        self.resting = {rest.player_id for rest in round_.rests.all()}
        self.absent_players = {
            seat.player_id
            for table in self.tables
            for forfeit in table.forfeits.all()
            for seat in table.seats.all()
            if (unit := playing.by_player.get(seat.player_id)) and unit.pk == forfeit.unit_id
        }

    def results(self, key_of_player: Mapping[int, str]) -> RoundResults:
        tables = [self._sides(table, key_of_player) for table in self.tables if is_decided(table)]
        exempt = dict.fromkeys(key_of_player[player] for player in self.resting if player in key_of_player)
        return RoundResults([sides for sides in tables if len(sides) > 1], list(exempt))

    def _sides(self, table: Table, key_of_player: Mapping[int, str]) -> list[Side]:
        """Return a side for each competitor; partners have the same points."""
        sides: dict[str, Side] = {}
        has_forfeit = bool(table.forfeits.all())
        for seat in table.seats.all():
            key = key_of_player.get(seat.player_id)
            if key is not None and key not in sides:
                forfeits = seat.player_id in self.absent_players
                sides[key] = Side(key, None if has_forfeit else seat.points, forfeits)
        return list(sides.values())

    def cell(self, season: Season, player: int) -> RoundCell | None:
        if player in self.resting:
            return RoundCell(None)
        if player not in self.seats:
            return None
        table, seat = self.seats[player]
        if table.forfeits.all():
            return RoundCell(None, table, forfeits=player in self.absent_players)
        return RoundCell(season.convert_points(seat.points) if table.complete else None, table)
