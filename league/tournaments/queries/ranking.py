"""The ranking of a tournament, computed from its rounds each time: a hundred units take a few milliseconds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, NamedTuple

from django.utils.formats import number_format

from league.models import Round, Season, Seat, Table, Tournament, TournamentUnit, UnitPlayer
from league.models.round import RoundState
from league.models.tournament import RankedBy
from league.pairing.ranking import points_by_round, rank
from league.pairing.results import Exemption, MatchPoints, RankingRules, Side
from league.pairing.results import Round as RoundResults
from league.tournaments.queries.playing_units import PlayingUnits, evening_of, players_of, playing_units, rounds_of

MATCH_POINTS: Final = MatchPoints(win=3, draw=2, loss=1, forfeit_win=2, forfeit=0)


class RoundCell(NamedTuple):
    """A unit's result in a round. `points` are as the sheets write them; None at a table without a result.

    `table` is None for a rest. `forfeits` means that the unit is absent; `other_forfeits`, that another unit is.
    """

    points: int | None
    table: Table | None = None
    forfeits: bool = False
    other_forfeits: bool = False


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


class ChangedResult(NamedTuple):
    """Another result of a table: points by seat number, None if they stay, and the ids of units that forfeit."""

    points: Mapping[int, int] | None
    absent: Collection[int]


def ranking(
    tournament: Tournament,
    season: Season,
    playing: PlayingUnits,
    rounds: Sequence[Round],
    changes: Mapping[int, ChangedResult] | None = None,
) -> list[RankedUnit]:
    """Rank the checked-in units after the accepted rounds; final rounds are left out.

    Team mates who play apart have a row each. With `changes`, by table, it is the ranking after a correction.
    """
    competitors = _competitors(tournament, playing)
    played = [
        _PlayedRound(round_, playing, changes or {})
        for round_ in rounds
        if round_.state == RoundState.ACCEPTED and round_.number <= tournament.rounds
    ]
    key_of_player = {player: key for key, competitor in competitors.items() for player in competitor.players}
    rules, results = ranking_rules(tournament, season), [round_.results(key_of_player) for round_ in played]
    rows = rank(rules, list(competitors), results)
    counted = points_by_round(rules, list(competitors), results)
    return [
        RankedUnit(
            unit=competitor.unit,
            entry=competitor.entry,
            rank=row.rank,
            score=convert_score(tournament, season, row.score),
            points=season.convert_points(row.points),
            against=season.convert_points(row.against),
            won=row.won,
            lost=row.lost,
            decided_by=row.decided_by,
            cells=[
                round_.cell(season, competitor.players[0], counted[row.unit].get(index))
                for index, round_ in enumerate(played)
            ],
            has_left=playing.has_left(competitor.unit),
        )
        for row, competitor in ((row, competitors[row.unit]) for row in rows)
    ]


def current_ranking(tournament: Tournament) -> tuple[Season, list[RankedUnit]]:
    """Return the season and the present ranking of a tournament that has started."""
    evening = evening_of(tournament)
    season: Season = evening.season
    return season, ranking(tournament, season, playing_units(tournament, evening), rounds_of(evening))


def convert_score(tournament: Tournament, season: Season, score: int | Fraction) -> int | Fraction:
    """Return a score as the sheets write it, or a written one as the ranking compares it: more is better."""
    return season.convert_points(score) if tournament.ranked_by == RankedBy.POINTS else score


def number_for_file(score: int | Fraction) -> int | str:
    """Return a number that may have a half as files write it: 2 or "2.5"."""
    return int(score) if score == int(score) else f"{float(score):.1f}"


def written_score(score: int | Fraction) -> str:
    """Return a score that may have a half as the viewer's language writes it: "2.5" or "2,5"."""
    return number_format(number_for_file(score), use_l10n=True)


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
    def __init__(self, round_: Round, playing: PlayingUnits, changes: Mapping[int, ChangedResult]) -> None:
        self.changes = changes
        self.tables = list(round_.tables.all())
        self.seats = {seat.player_id: (table, seat) for table in self.tables for seat in table.seats.all()}
        self.resting = {rest.player_id for rest in round_.rests.all()}
        self.absent_units = {table.pk: self._absent_units(table) for table in self.tables}
        self.absent_players = {
            player
            for player, (table, _seat) in self.seats.items()
            if player in playing.by_player and playing.by_player[player].pk in self.absent_units[table.pk]
        }

    def _absent_units(self, table: Table) -> set[int]:
        change = self.changes.get(table.pk)
        return {forfeit.unit_id for forfeit in table.forfeits.all()} if change is None else set(change.absent)

    def _points(self, table: Table, seat: Seat) -> int | None:
        """Return the points of a seat; None while the table has no result."""
        change = self.changes.get(table.pk)
        if change is not None and change.points is not None:
            return change.points[seat.number]
        return int(seat.points) if table.complete else None

    def results(self, key_of_player: Mapping[int, str]) -> RoundResults:
        tables = [self._sides(table, key_of_player) for table in self.tables]
        exempt = dict.fromkeys(key_of_player[player] for player in self.resting if player in key_of_player)
        return RoundResults([sides for sides in tables if len(sides) > 1], list(exempt))

    def _sides(self, table: Table, key_of_player: Mapping[int, str]) -> list[Side]:
        """Return a side for each competitor, or none without a result; partners have the same points."""
        sides: dict[str, Side] = {}
        has_forfeit = bool(self.absent_units[table.pk])
        for seat in table.seats.all():
            points = self._points(table, seat)
            key = key_of_player.get(seat.player_id)
            if key is not None and key not in sides and (has_forfeit or points is not None):
                sides[key] = Side(key, None if has_forfeit else points, seat.player_id in self.absent_players)
        return list(sides.values())

    def cell(self, season: Season, player: int, counted: int | None) -> RoundCell | None:
        """`counted` are the points that the ranking counts in this round."""
        counted_points = None if counted is None else season.convert_points(counted)
        if player in self.resting:
            return RoundCell(counted_points)
        if player not in self.seats:
            return None
        table, seat = self.seats[player]
        if self.absent_units[table.pk]:
            is_absent = player in self.absent_players
            return RoundCell(counted_points, table, forfeits=is_absent, other_forfeits=not is_absent)
        points = self._points(table, seat)
        return RoundCell(None if points is None else season.convert_points(points), table)
