"""The ranking of a tournament. It is not stored: computing it for a hundred units takes a few milliseconds.

A unit is a player, a pair or a team. Points in results are in the sign that the ranking compares, where more is better;
`Season.convert_points` converts from and to the sign on score sheets.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final, NamedTuple

from django.utils.formats import number_format

from league.models import Evening, Forfeit, Rest, Season, Seat, Tournament, TournamentUnit, UnitPlayer
from league.models.tournament import RankedBy
from league.pairing.ranking import points_by_round, rank_units
from league.pairing.results import Exemption, MatchPoints, RankingRules, Side
from league.pairing.results import Round as RoundResults
from league.tournaments.queries.playing_units import PlayingUnits, evening_of, playing_units, unit_player_ids

MATCH_POINTS: Final = MatchPoints(win=3, draw=2, loss=1, forfeit_win=2, forfeit=0)


class UnitRoundCell(NamedTuple):
    """The result of a unit (player, pair or team) in a round. `points` have the sign on score sheets.

    `points` are None if the table has no result. `table` is the id of the table, or None if the unit sat the round out.
    `forfeits`: the unit was absent. `other_forfeits`: another unit of the table was absent.
    """

    points: int | None
    table: int | None = None
    forfeits: bool = False
    other_forfeits: bool = False


@dataclass(frozen=True)
class RankedUnit:
    """A row of a tournament's ranking: a unit (player, pair or team), or one player of a team.

    `unit_player` is the player if team mates play at different tables, else None. `score` is the number that decides
    the rank: points, wins or match points. `score` (if it is points), `points` and `against` (the opponents' points)
    have the sign on score sheets. `won` and `lost` count tables; a draw is half of each. A rest may count as won.
    `decided_by` is the tie-break that decided the rank, or "". `cells` has a result for each round.
    """

    unit: TournamentUnit
    unit_player: UnitPlayer | None
    rank: int
    score: int | Fraction
    points: int
    against: int
    won: Fraction
    lost: Fraction
    decided_by: str
    cells: Sequence[UnitRoundCell | None]
    has_left: bool


def ranking_rules(tournament: Tournament, season: Season) -> RankingRules:
    points = None if tournament.exempt_points is None else season.convert_points(tournament.exempt_points)
    return RankingRules(
        ranked_by=tournament.ranked_by,
        match_points=MATCH_POINTS,
        cap=tournament.cap,
        exempt=Exemption(points, tournament.exempt_wins),
        forfeit_points=season.convert_points(tournament.forfeit_points),
        ties=tuple(tournament.ties),
    )


class ChangedResult(NamedTuple):
    """A corrected result of a table: points by seat number, None if they do not change, and the ids of absent units.

    A unit is a player, pair or team.
    """

    points: Mapping[int, int] | None
    absent: Collection[int]


def ranking(
    tournament: Tournament,
    season: Season,
    playing: PlayingUnits,
    results: Sequence[RoundResult],
    changes: Mapping[int, ChangedResult] | None = None,
) -> list[RankedUnit]:
    """Rank the checked-in units by the results of the rounds (see `read_results`). Rounds of the finals do not count.

    A unit is a player, pair or team. If team mates play at different tables, each player has a row. The points of a
    unit that sat a round out count only after all tables of the round have a result. `changes` are corrected results by
    table id, which replace the stored results.
    """
    competitors = _competitors_by_key(tournament, playing)
    played = [_PlayedRound(result, playing, changes or {}) for result in results if result.number <= tournament.rounds]
    key_by_player = {player: key for key, competitor in competitors.items() for player in competitor.players}
    rules, rounds = ranking_rules(tournament, season), [round_.round_results(key_by_player) for round_ in played]
    rows = rank_units(rules, list(competitors), rounds)
    counted_points = points_by_round(rules, list(competitors), rounds)
    return [
        RankedUnit(
            unit=competitor.unit,
            unit_player=competitor.unit_player,
            rank=row.rank,
            score=convert_score(tournament, season, row.score),
            points=season.convert_points(row.points),
            against=season.convert_points(row.against),
            won=row.won,
            lost=row.lost,
            decided_by=row.decided_by,
            cells=[
                round_.result_cell(season, competitor.players[0], counted_points[row.unit].get(index))
                for index, round_ in enumerate(played)
            ],
            has_left=playing.has_left(competitor.unit),
        )
        for row, competitor in ((row, competitors[row.unit]) for row in rows)
    ]


def current_ranking(tournament: Tournament) -> tuple[Season, list[RankedUnit]]:
    """Return the tournament's season and its current ranking. The tournament must have started."""
    evening = evening_of(tournament)
    season: Season = evening.season
    return season, ranking(tournament, season, playing_units(tournament, evening), read_results(evening))


def convert_score(tournament: Tournament, season: Season, score: int | Fraction) -> int | Fraction:
    """Convert a score between the sign on score sheets and the sign that the ranking compares, in both directions."""
    return season.convert_points(score) if tournament.ranked_by == RankedBy.POINTS else score


def number_for_file(score: int | Fraction) -> int | float:
    """Return a score, which may be 2½, as a number for a cell of a spreadsheet."""
    return int(score) if score == int(score) else float(score)


def written_score(score: int | Fraction) -> str:
    """Return a score as text in the viewer's language: "2", "2.5" or "2,5"."""
    return number_format(number_for_file(score), use_l10n=True)


class _Competitor(NamedTuple):
    """A unit (player, pair or team) with the ids of its players.

    If team mates play at different tables, each player of a team is a competitor.
    """

    unit: TournamentUnit
    unit_player: UnitPlayer | None
    players: Sequence[int]


def _competitors_by_key(tournament: Tournament, playing: PlayingUnits) -> dict[str, _Competitor]:
    """Return the competitors, by a key of digits that sorts them by the number of the player, pair or team."""
    if not tournament.plays_apart:
        return {f"{unit.number:04}": _Competitor(unit, None, unit_player_ids(unit)) for unit in playing.units}
    return {
        f"{unit.number:04}-{entry.position}": _Competitor(unit, entry, [entry.player_id])
        for unit in playing.units
        for entry in unit.members
        if entry.player_id is not None
    }


class SeatResult(NamedTuple):
    """The result of a seat: seat number, player id, and points, which are None if the table has no result."""

    number: int
    player: int
    points: int | None


@dataclass
class TableResult:
    """The result of a table (id `pk`): the points of its seats, or the units (players, pairs or teams) that forfeit."""

    pk: int
    number: int
    seats: list[SeatResult] = field(default_factory=list)
    absent: Collection[int] = ()  # ids of the units that forfeit

    @property
    def is_decided(self) -> bool:
        return bool(self.absent) or all(seat.points is not None for seat in self.seats)

    def with_change(self, change: ChangedResult) -> TableResult:
        """Return a copy of the result with the values of a correction."""
        points = change.points
        seats = self.seats if points is None else [seat._replace(points=points[seat.number]) for seat in self.seats]
        return TableResult(self.pk, self.number, seats, set(change.absent))


@dataclass
class RoundResult:
    """The results of an accepted round: its tables by id, and the players who sat it out."""

    number: int
    tables: dict[int, TableResult] = field(default_factory=dict)
    resting: set[int] = field(default_factory=set)  # ids of players


def read_results(evening: Evening) -> list[RoundResult]:
    """Return the results of all accepted rounds, in order, including rounds of the finals. Four queries."""
    rounds = {
        pk: RoundResult(number)
        for pk, number in evening.rounds.accepted().order_by("number").values_list("pk", "number")
    }
    seats = Seat.objects.filter(round__in=rounds).order_by("table__number", "number")
    for pk, table, table_number, complete, number, player, points in seats.values_list(
        "round", "table", "table__number", "table__complete", "number", "player", "points"
    ):
        result = rounds[pk].tables.setdefault(table, TableResult(table, table_number))
        result.seats.append(SeatResult(number, player, points if complete else None))
    for pk, player in Rest.objects.filter(round__in=rounds).values_list("round", "player"):
        rounds[pk].resting.add(player)
    forfeits = Forfeit.objects.filter(table__round__in=rounds)
    for pk, table, unit in forfeits.values_list("table__round", "table", "unit"):
        result = rounds[pk].tables[table]
        result.absent = {*result.absent, unit}
    return list(rounds.values())


class _PlayedRound:
    """The results of a round after corrections (`changes`, by table id), with the table and seat of each player."""

    def __init__(self, round_: RoundResult, playing: PlayingUnits, changes: Mapping[int, ChangedResult]) -> None:
        self.tables = [
            table.with_change(changes[table.pk]) if table.pk in changes else table for table in round_.tables.values()
        ]
        self.resting = round_.resting
        self.seats = {seat.player: (table, seat) for table in self.tables for seat in table.seats}
        self.absent_players = {
            player
            for player, (table, _seat) in self.seats.items()
            if table.absent and player in playing.by_player and playing.by_player[player].pk in table.absent
        }

    def round_results(self, key_by_player: Mapping[int, str]) -> RoundResults:
        tables = [self._sides(table, key_by_player) for table in self.tables]
        exempt = dict.fromkeys(key_by_player[player] for player in self.resting if player in key_by_player)
        is_complete = all(table.is_decided for table in self.tables)
        return RoundResults([sides for sides in tables if len(sides) > 1], list(exempt) if is_complete else [])

    def _sides(self, table: TableResult, key_by_player: Mapping[int, str]) -> list[Side]:
        """Return the points of each competitor at a table; [] if the table has no result."""
        sides: dict[str, Side] = {}
        has_forfeit = bool(table.absent)
        for seat in table.seats:
            key = key_by_player.get(seat.player)
            if key is not None and key not in sides and (has_forfeit or seat.points is not None):
                sides[key] = Side(key, None if has_forfeit else seat.points, seat.player in self.absent_players)
        return list(sides.values())

    def result_cell(self, season: Season, player: int, ranking_points: int | None) -> UnitRoundCell | None:
        """Return the player's result in the round; None if the player had no seat and did not rest.

        `ranking_points` are the points that the ranking counts.
        """
        counted_points = None if ranking_points is None else season.convert_points(ranking_points)
        if player in self.resting:
            return UnitRoundCell(counted_points)
        if player not in self.seats:
            return None
        table, seat = self.seats[player]
        if table.absent:
            is_absent = player in self.absent_players
            return UnitRoundCell(counted_points, table.pk, forfeits=is_absent, other_forfeits=not is_absent)
        return UnitRoundCell(None if seat.points is None else season.convert_points(seat.points), table.pk)
