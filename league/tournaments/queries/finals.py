"""The state of a tournament's finals: matches, the games of each match, their results, and the next possible steps.

A seed is the number of a unit (player, pair or team) in the finals, from 1 for the best.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from django.db.models import Prefetch

from league.models import Finals, FinalsGame, FinalsUnit, Season, Table, Tournament, TournamentUnit
from league.models.finals import BracketKind, FinalsKind
from league.pairing.finals import (
    BracketPlan,
    Match,
    MatchKey,
    MatchResult,
    Seed,
    compute_matches,
    final_rank_groups,
    playable_matches,
)
from league.tournaments.queries.playing_units import unit_player_ids
from league.tournaments.queries.ranking import ChangedResult

FINAL_TABLE_KEY: Final = MatchKey(BracketKind.TABLE, 1, 0)


@dataclass(frozen=True)
class MatchGame:
    """A game of a match of the finals, played at one table by units (players, pairs or teams).

    `seeds` are the numbers of its units in the finals, by their rank at the start; `absent` are the seeds of absent
    units. `points` are by seed, in the sign that the ranking uses: more points are better.
    """

    row: FinalsGame
    seeds: Sequence[Seed]
    points: Mapping[Seed, int]
    absent: frozenset[Seed]
    is_complete: bool  # the table has its points

    @property
    def table(self) -> Table:
        return self.row.table

    @property
    def is_decided(self) -> bool:
        """Whether the table has a result: points, or an absent unit (player, pair or team). The result may be a tie."""
        return self.is_complete or bool(self.absent)

    @property
    def is_recorded(self) -> bool:
        """Whether deals, totals or a forfeit are entered at the table. Then its players must not change."""
        has_totals = any(seat.written is not None for seat in self.table.seats.all())
        return bool(self.table.recorded or has_totals or self.table.forfeits.all())

    @property
    def leaders(self) -> list[Seed]:
        """The seeds (numbers in the finals) of the present units that have the most points.

        A unit is a player, pair or team. Without points, these are all present units. If all units are absent, they
        count as present.
        """
        present = [seed for seed in self.seeds if seed not in self.absent] or list(self.seeds)
        if not self.is_complete:
            return present
        top = max((self.points[seed] for seed in present), default=0)
        return [seed for seed in present if self.points[seed] == top]

    @property
    def winner(self) -> Seed | None:
        """The seed (number in the finals) of the player, pair or team with the most points.

        After a tie, the seed that the organiser chose. None if there is no result, or no choice after a tie.
        """
        if not self.is_decided:
            return None
        leaders = self.leaders
        if len(leaders) == 1:
            return leaders[0]
        decided_for = self.row.decided_for
        return decided_for.seed if decided_for is not None and decided_for.seed in leaders else None

    @property
    def is_tied(self) -> bool:
        """Whether several units (players, pairs or teams) have the most points in the table's result."""
        return self.is_decided and len(self.leaders) > 1


class MatchToReseat(NamedTuple):
    """A match with a table whose units (players, pairs or teams) change after a correction of earlier results."""

    match: Match
    game: MatchGame


@dataclass(frozen=True)
class FinalsState:
    """The finals of a tournament with their units (players, pairs or teams), and with the games of each match.

    Each unit has a seed: its number in the finals, by its rank at the start. Finals are a knockout, pools, or one final
    table; a final table has no `matches`, and its game has the key FINAL_TABLE_KEY. `forfeit_points` are the points of
    a unit whose opponent is absent.
    """

    finals: Finals
    units: Mapping[Seed, FinalsUnit]
    games: Mapping[MatchKey, Sequence[MatchGame]]
    forfeit_points: int

    @property
    def plan(self) -> BracketPlan:
        finals = self.finals
        return BracketPlan(len(self.units), finals.form == FinalsKind.POOLS, finals.third_place, finals.consolation)

    @cached_property
    def matches(self) -> list[Match]:
        if self.finals.form == FinalsKind.TABLE:
            return []
        results = {key: self._match_result(games) for key, games in self.games.items() if len(games[0].seeds) == 2}
        return compute_matches(self.plan, results)

    def _match_result(self, games: Sequence[MatchGame]) -> MatchResult:
        first, second = games[0].seeds
        wins = {seed: sum(game.winner == seed for game in games) for seed in (first, second)}
        winner = next((seed for seed, count in wins.items() if count >= self.finals.games_to_win), None)
        points = tuple(sum(self._game_points(game, seed) for game in games) for seed in (first, second))
        return MatchResult((first, second), winner, (points[0], points[1]))

    def _game_points(self, game: MatchGame, seed: Seed) -> int:
        if not game.is_decided:
            return 0
        if game.absent:
            return 0 if seed in game.absent else self.forfeit_points
        return game.points[seed]

    @property
    def match_games(self) -> list[MatchGame]:
        return [game for games in self.games.values() for game in games]

    @property
    def final_table(self) -> MatchGame | None:
        games = self.games.get(FINAL_TABLE_KEY)
        return games[0] if games else None

    @property
    def undecided_games(self) -> list[MatchGame]:
        return [game for game in self.match_games if not game.is_decided]

    @property
    def ties(self) -> list[MatchGame]:
        """The tied games whose winner the organiser has not chosen yet."""
        return [game for game in self.match_games if game.is_tied and game.winner is None]

    @property
    def next_matches(self) -> list[Match]:
        """The matches that can be drawn now. [] while a game has no result, or has a tie without a chosen winner."""
        if self.undecided_games or self.ties:
            return []
        return playable_matches(self.matches)

    @property
    def can_draw(self) -> bool:
        if self.finals.form == FinalsKind.TABLE:
            return self.final_table is None
        return bool(self.next_matches)

    @property
    def is_over(self) -> bool:
        if self.finals.form == FinalsKind.TABLE:
            return self.final_table is not None and self.final_table.is_decided and not self.ties
        return all(match.is_bye or match.winner is not None for match in self.matches)

    @property
    def last_round_id(self) -> int | None:
        """The id of the last drawn round of the finals, or None."""
        rounds = {game.table.round.number: game.table.round_id for game in self.match_games}
        return rounds[max(rounds)] if rounds else None

    @property
    def can_take_back(self) -> bool:
        """Whether the last round of the finals, or the finals without a round, can be deleted: it has no result."""
        return not any(game.is_recorded for game in self.match_games if game.table.round_id == self.last_round_id)

    @cached_property
    def misseated_matches(self) -> list[MatchToReseat]:
        """The drawn matches with wrong units: by the current results, other units must play them.

        Matches are left out as long as one of their right units is not known.
        """
        return [
            MatchToReseat(match, self.games[match.key][-1])
            for match in self.matches
            if match.result is not None
            and None not in match.expected_units
            and set(match.expected_units) != set(match.result.units)
        ]

    @cached_property
    def reseatings(self) -> list[MatchToReseat]:
        """The matches of `misseated_matches` whose units can be replaced.

        This is possible in the first game of a match, if no result is entered, and if no unit would get two tables in
        the round.
        """
        rows = [
            row for row in self.misseated_matches if len(self.games[row.match.key]) == 1 and not row.game.is_recorded
        ]
        while clashing_rows := [row for row in rows if self._clashes_with_other_table(row, rows)]:
            rows = [row for row in rows if row not in clashing_rows]
        return rows

    def _clashes_with_other_table(self, row: MatchToReseat, rows: Sequence[MatchToReseat]) -> bool:
        """Return whether an expected unit of the match sits at another table of the round that does not change.

        `rows` are the matches whose tables change.
        """
        changing_tables = {reseating.game.table.pk for reseating in rows}
        round_id = row.game.table.round_id
        other_games = [
            game
            for game in self.match_games
            if game.table.round_id == round_id and game.table.pk not in changing_tables
        ]
        return any(seed in game.seeds for game in other_games for seed in row.match.expected_units)

    @property
    def rank_groups(self) -> list[list[Seed]]:
        """The seeds (numbers in the finals) of the ranked players, pairs or teams, best first.

        The list has only the ranks that are decided. Tied seeds are one group.
        """
        if self.finals.form != FinalsKind.TABLE:
            return final_rank_groups(self.matches)
        game = self.final_table
        if game is None or not game.is_decided:
            return []
        winners = [] if game.winner is None else [game.winner]
        losers = [seed for seed in game.seeds if seed not in winners]
        scores = {seed: (seed not in game.absent, game.points[seed]) for seed in losers}
        groups = [[seed for seed in losers if scores[seed] == score] for score in sorted(set(scores.values()))[::-1]]
        return [winners, *groups] if winners else groups


def read_finals(
    tournament: Tournament, season: Season, changes: Mapping[int, ChangedResult] | None = None
) -> FinalsState | None:
    """Return the state of the tournament's finals, or None if there are no finals; one query, or seven.

    `changes` are corrected results by table id, which are used instead of the stored results.
    """
    finals = Finals.objects.filter(tournament=tournament).first()
    if finals is None:
        return None
    units = Prefetch("unit", TournamentUnit.objects.with_players())
    rows = list(FinalsUnit.objects.filter(finals=finals).prefetch_related(units))
    seed_by_player = {player: row.seed for row in rows for player in unit_player_ids(row.unit)}
    games: dict[MatchKey, list[MatchGame]] = {}
    game_rows = FinalsGame.objects.filter(finals=finals).order_by("table__round__number", "table__number")
    game_rows = game_rows.select_related("table__round", "decided_for")
    for row in game_rows.prefetch_related("table__seats", "table__forfeits"):
        key = MatchKey(row.bracket, row.stage, row.index)
        change = (changes or {}).get(row.table_id)
        games.setdefault(key, []).append(
            _match_game(row, seed_by_player, {entry.unit_id: entry.seed for entry in rows}, change)
        )
    forfeit_points = season.convert_points(tournament.forfeit_points)
    return FinalsState(finals, {row.seed: row for row in rows}, games, forfeit_points)


def _match_game(
    row: FinalsGame, seed_by_player: Mapping[int, Seed], seed_by_unit: Mapping[int, Seed], change: ChangedResult | None
) -> MatchGame:
    absent = {forfeit.unit_id for forfeit in row.table.forfeits.all()} if change is None else set(change.absent)
    changed_points = None if change is None else change.points
    points: dict[Seed, int] = {}
    for seat in row.table.seats.all():
        if seat.player_id in seed_by_player:
            seat_points = seat.points if changed_points is None else changed_points[seat.number]
            points.setdefault(seed_by_player[seat.player_id], seat_points)
    return MatchGame(
        row,
        list(points),
        points,
        frozenset(seed_by_unit[unit] for unit in absent if unit in seed_by_unit),
        is_complete=row.table.complete or changed_points is not None,
    )
