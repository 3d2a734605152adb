"""The finals of a tournament as rows of text for pages, paper and the hall's screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from league.models import Season, Table, TournamentUnit
from league.models.finals import BracketKind
from league.pairing.finals import (
    CONSOLATION,
    MAIN,
    POOL_STAGES,
    POOLS,
    THIRD_PLACE,
    Match,
    MatchKey,
    Seed,
    pool_ranking,
    pool_units,
)
from league.tournaments.queries.finals import FinalsState, MatchGame, MatchToReseat
from scoring.numbers import localise

STAGE_TITLES: Final[dict[int, Any]] = {  # by the number of matches in the stage
    1: pgettext_lazy("match", "Final"),
    2: gettext_lazy("Semi-finals"),
    4: gettext_lazy("Quarter-finals"),
    8: gettext_lazy("Last sixteen"),
    16: gettext_lazy("Last thirty-two"),
}


class SideRow(NamedTuple):
    """A unit (player, pair or team) in a match of the finals, or at the final table.

    `seed` (the number in the finals) and `unit` are None if the unit is not known yet, or for a bye. `score` is the
    number of points, or the number of games won if a match has several games. `points` has the points of each game.
    `wins`: the unit has won.
    """

    seed: Seed | None
    unit: TournamentUnit | None
    names: Sequence[str]  # empty if the viewer may not read them
    score: str = ""
    points: Sequence[str] = ()
    wins: bool = False
    is_absent: bool = False

    @property
    def unit_number(self) -> int | None:
        return None if self.unit is None else self.unit.number

    @property
    def label(self) -> str:
        if self.unit is None:
            return _("not known yet")
        if not self.names:
            return _("Number %(number)s") % {"number": self.unit_number}
        return f"{self.unit_number} {' – '.join(self.names)}"


class MatchRow(NamedTuple):
    """A match of the finals as text. `tie` is its tied game whose winner the organiser must choose, or None."""

    key: MatchKey
    sides: tuple[SideRow, SideRow]
    tables: Sequence[Table]
    is_bye: bool
    tie: MatchGame | None


class StageRows(NamedTuple):
    title: str
    matches: Sequence[MatchRow]


class PoolRowInWords(NamedTuple):
    """A unit's row in the ranking of its pool, as text. `advances`: the unit will play the main bracket."""

    side: SideRow
    wins: int
    points: str
    advances: bool


class PoolRows(NamedTuple):
    title: str
    units: Sequence[PoolRowInWords]
    stages: Sequence[StageRows]
    is_decided: bool


class BracketRows(NamedTuple):
    kind: str
    title: str
    stages: Sequence[StageRows]


class TableToReseat(NamedTuple):
    """A drawn match that has wrong units (players, pairs or teams) after a correction of results.

    `seated` are the units that must leave the table, `expected` the units that must replace them. `can_change`: the
    units can be replaced now, since no result is entered and no unit would get two tables.
    """

    title: str
    table: Table
    seated: Sequence[SideRow]
    expected: Sequence[SideRow]
    can_change: bool


@dataclass(frozen=True)
class FinalsRows:
    """The finals as rows of text. Without `shows_names`, units that did not agree to be named are shown by number."""

    state: FinalsState
    season: Season
    shows_names: bool

    def side_row(self, seed: Seed | None) -> SideRow:
        if seed is None:
            return SideRow(None, None, ())
        unit = self.state.units[seed].unit
        return SideRow(seed, unit, unit_names(unit) if self.shows_names or unit.names_public else ())

    def match_row(self, match: Match) -> MatchRow:
        games = self.state.games.get(match.key, []) if match.result is not None else []
        first, second = (self._match_side_row(match, seed, games) for seed in match.units)
        tie = next((game for game in games if game.is_tied and game.winner is None), None)
        return MatchRow(match.key, (first, second), [game.table for game in games], match.is_bye, tie)

    def _match_side_row(self, match: Match, seed: Seed | None, games: Sequence[MatchGame]) -> SideRow:
        side = self.side_row(seed)
        if seed is None or not games:
            return side._replace(wins=match.is_bye and seed is not None)
        points = [self._points_text(game, seed) for game in games if game.is_decided]
        wins = sum(game.winner == seed for game in games)
        score = str(wins) if self.state.finals.games_to_win > 1 else "".join(points)
        absent = seed in games[-1].absent
        return side._replace(score=score, points=points, wins=match.winner == seed, is_absent=absent)

    def _points_text(self, game: MatchGame, seed: Seed) -> str:
        if seed in game.absent:
            return _("absent")
        if not game.is_complete:
            return "–"
        return localise(self.season.convert_points(game.points[seed]))

    @property
    def brackets(self) -> list[BracketRows]:
        """The main draw, then the consolation draw, each with its stages. The match for third place is not included."""
        titles = {MAIN: BracketKind.MAIN.label, CONSOLATION: BracketKind.CONSOLATION.label}
        return [
            BracketRows(kind, str(title), stages)
            for kind, title in titles.items()
            if (stages := self._stage_rows(kind))
        ]

    def _stage_rows(self, bracket: str) -> list[StageRows]:
        matches = [match for match in self.state.matches if match.key.bracket == bracket]
        numbers = sorted({match.key.stage for match in matches})
        stages = [[match for match in matches if match.key.stage == number] for number in numbers]
        return [
            StageRows(str(STAGE_TITLES[len(stage)]), [self.match_row(match) for match in stage]) for stage in stages
        ]

    @property
    def third_place(self) -> StageRows | None:
        matches = [self.match_row(match) for match in self.state.matches if match.key.bracket == THIRD_PLACE]
        return StageRows(str(BracketKind.THIRD_PLACE.label), matches) if matches else None

    @property
    def pools(self) -> list[PoolRows]:
        if not self.state.plan.pools:
            return []
        return [self._pool_rows(number, pool) for number, pool in enumerate(pool_units(len(self.state.units)))]

    def _pool_rows(self, number: int, pool: Sequence[Seed]) -> PoolRows:
        matches = [
            match for match in self.state.matches if match.key.bracket == POOLS and match.key.index // 2 == number
        ]
        is_decided = all(match.winner is not None for match in matches)
        units = [
            PoolRowInWords(
                self.side_row(row.unit),
                row.wins,
                localise(self.season.convert_points(row.points)),
                is_decided and rank < 2,
            )
            for rank, row in enumerate(pool_ranking(pool, matches))
        ]
        stages = [
            StageRows(
                _("Match %(number)s") % {"number": stage},
                [self.match_row(match) for match in matches if match.key.stage == stage],
            )
            for stage in range(1, len(POOL_STAGES) + 1)
        ]
        return PoolRows(_("Pool %(letter)s") % {"letter": chr(ord("A") + number)}, units, stages, is_decided)

    @property
    def table_units(self) -> list[SideRow]:
        """The players of the final table, ordered by points; before the table is drawn, by seed."""
        game = self.state.final_table
        if game is None:
            return [self.side_row(seed) for seed in self.state.units]
        order = [seed for group in self.state.rank_groups for seed in group] or list(game.seeds)
        return [
            self.side_row(seed)._replace(
                score=self._points_text(game, seed) if game.is_decided else "",
                wins=game.winner == seed,
                is_absent=seed in game.absent,
            )
            for seed in order
        ]

    # Each row of the next three lists begins with the title of the match.

    @property
    def next_matches(self) -> list[tuple[str, MatchRow]]:
        return [(self.match_title(match.key), self.match_row(match)) for match in self.state.next_matches]

    @property
    def undecided_games(self) -> list[tuple[str, MatchGame, list[SideRow]]]:
        return [
            (self.match_title(_match_key(game)), game, [self.side_row(seed) for seed in game.seeds])
            for game in self.state.undecided_games
        ]

    @property
    def ties(self) -> list[tuple[str, MatchGame, list[SideRow]]]:
        return [
            (self.match_title(_match_key(game)), game, [self.side_row(seed) for seed in game.leaders])
            for game in self.state.ties
        ]

    @property
    def reseatings(self) -> list[TableToReseat]:
        changeable_keys = {row.match.key for row in self.state.reseatings}
        return [self._table_to_reseat(row, row.match.key in changeable_keys) for row in self.state.misseated_matches]

    def _table_to_reseat(self, row: MatchToReseat, can_change: bool) -> TableToReseat:
        seated, expected = row.match.units, row.match.expected_units
        return TableToReseat(
            self.match_title(row.match.key),
            row.game.table,
            [self.side_row(seed) for seed in seated if seed not in expected],
            [self.side_row(seed) for seed in expected if seed not in seated],
            can_change,
        )

    def match_title(self, key: MatchKey) -> str:
        """Return the name of a match: its stage ("Semi-finals", "Consolation draw: semi-finals"), its pool ("Pool A"),
        or the match for third place or the final table.
        """
        if key.bracket in (BracketKind.THIRD_PLACE, BracketKind.TABLE):
            return str(BracketKind(key.bracket).label)
        if key.bracket == POOLS:
            return _("Pool %(letter)s") % {"letter": chr(ord("A") + key.index // 2)}
        count = sum(match.key.bracket == key.bracket and match.key.stage == key.stage for match in self.state.matches)
        stage = str(STAGE_TITLES[count])
        if key.bracket == MAIN:
            return stage
        return _("%(bracket)s: %(stage)s") % {"bracket": BracketKind.CONSOLATION.label, "stage": stage}


def _match_key(game: MatchGame) -> MatchKey:
    return MatchKey(game.row.bracket, game.row.stage, game.row.index)


def unit_names(unit: TournamentUnit) -> list[str]:
    """Return the name of the team, or the names of its players."""
    return [unit.name] if unit.name else [str(member) for member in unit.members]
