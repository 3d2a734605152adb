"""The leaderboards that a recompute run computed, for the pages about runs: their reasons and their rank changes.

Here a leaderboard is a season's standings or a game's ratings. A run computes each leaderboard only once, for all its
reasons together, so a rank change has no single reason. Superusers see everything; the admins of a club see its seasons
and players.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from django.db.models import Case, Count, DecimalField, F, Q, QuerySet, When, Window
from django.db.models.functions import Abs, Coalesce, RowNumber
from django.urls import reverse

from league.models import Club, Evening, PendingRecompute, RankChange, Run, Season
from league.seasons.queries.season_game import visible_games
from players.models import Player
from players.rating.reference import START_RATING
from scoring.game import Game
from scoring.numbers import round_to_decimals

if TYPE_CHECKING:
    from players.models.person import Viewer

RANK_CHANGES_PER_LEADERBOARD = 25  # on the page of the run; another page lists all rank changes of one leaderboard
POINT_DECIMALS: Final = 6  # decimals of fractional points
POINTS_FIELD = DecimalField(max_digits=30, decimal_places=POINT_DECIMALS)
# The points before the run, for a player whose row the run added: 0 in standings, the start rating in ratings.
START_POINTS = Case(When(game="", then=0), default=START_RATING, output_field=POINTS_FIELD)
# Sorted by the new rank; rows without a rank by the difference of points, largest first; removed players last.
RANK_CHANGE_ORDER = (
    F("rank_after").asc(nulls_last=True),
    Abs(F("after") - Coalesce("before", START_POINTS)).desc(nulls_last=True),
    F("pk").asc(),
)
REASON_LABELS = dict(PendingRecompute.Reason.choices)

LeaderboardKey: TypeAlias = int | str  # identifies a leaderboard: a season's id, or a game's slug


class RecomputeReason(NamedTuple):
    """A reason why a leaderboard had to be computed again. `reason` is its label.

    `since` is the first date from which a game's ratings were computed again. It is None for a season, or if the viewer
    may not know the date. `times` is the number of events with this reason.
    """

    since: date | None
    reason: str
    times: int


class RankChangeRow(NamedTuple):
    """A RankChange as the page shows it: a player's rank and points before and after a run.

    `before`, `after` and `difference` are points, or micro-points of a rating. `before` is None if the run added the
    player's row; `after` and `difference` are None if it removed the row. Ratings have no ranks.
    """

    player: Player
    rank_before: int | None
    rank_after: int | None
    before: int | Decimal | None
    after: int | Decimal | None
    difference: int | Decimal | None


@dataclass(frozen=True)
class RunLeaderboard:
    """A season's standings or a game's ratings in a run, as far as the viewer may see it.

    `summary` is the leaderboard's entry in `Run.seasons` or `Run.games`: numbers of rows, tables and players. It is
    empty until the run has ended.
    """

    name: str
    club: str = ""
    address: str = ""  # empty for a deleted season
    game: str = ""
    season: int | None = None
    reasons: list[RecomputeReason] = field(default_factory=list)
    hidden_reason_count: int = 0  # number of reasons from other clubs, which are not shown
    summary: dict[str, Any] = field(default_factory=dict)
    failed: bool = False
    error: str = ""  # shown to superusers only
    rank_change_count: int = 0
    rank_changes: list[RankChangeRow] = field(default_factory=list)

    @property
    def has_more(self) -> bool:
        return self.rank_change_count > len(self.rank_changes)

    @property
    def key(self) -> str:
        return self.game or str(self.season)


class VisibleRun:
    """A recompute run, as far as the viewer may see it.

    `due_rows` and `errors` are by LeaderboardKey: the leaderboard's entries in `Run.due`, and its error as text.
    """

    def __init__(self, run: Run, viewer: Viewer) -> None:
        self.run = run
        self.viewer = viewer
        self.sees_everything = viewer.is_superuser
        managed = [] if self.sees_everything else list(Club.objects.managed_by(viewer))
        self.managed_club_ids = {club.pk for club in managed}
        involved = {row["club"] for row in (*run.seasons, *run.due)}
        self.clubs = [club for club in managed if club.pk in involved]  # clubs of the run that the viewer manages
        self.seasons = {row["season"]: row for row in run.seasons if self._concerns_viewer(row)}
        self.games = {row["game"]: row for row in run.games}
        self.errors: dict[LeaderboardKey, str] = {row["game"] or row["season"]: row["error"] for row in run.failed}
        self.due_rows: dict[LeaderboardKey, list[dict[str, Any]]] = {}
        for row in run.due:
            if row["game"] or self._concerns_viewer(row):
                self.due_rows.setdefault(row["game"] or row["season"], []).append(row)

    @property
    def is_visible(self) -> bool:
        return self.sees_everything or bool(self.seasons) or any(isinstance(key, int) for key in self.due_rows)

    def rank_change_counts(self) -> dict[LeaderboardKey, int]:
        """Return the number of rank changes by leaderboard, in the order of the page: seasons first, then games.

        A club's admin sees a game if the rating of a member changed, or if an evening of the club was a reason.
        """
        rows = self.rank_changes().order_by().values_list("season", "game").annotate(Count("pk"))
        counts: dict[LeaderboardKey, int] = {game or season: number for season, game, number in rows if game or season}
        failed = [row["game"] or row["season"] for row in self.run.failed if row["game"] or self._concerns_viewer(row)]
        seasons = [
            key for key in dict.fromkeys([*self.seasons, *self.due_rows, *failed, *counts]) if isinstance(key, int)
        ]
        games = {key for key in (*self.games, *self.due_rows, *failed, *counts) if isinstance(key, str)}
        if not self.sees_everything:
            games &= counts.keys() | {game for game, _day in self.own_game_dates}
        keys: list[LeaderboardKey] = [*seasons, *visible_games(games, self.viewer)]
        return {key: counts.get(key, 0) for key in keys}

    def rank_changes(self) -> QuerySet[RankChange]:
        rows = self.run.rank_changes.all()
        if self.sees_everything:
            return rows
        members = Player.objects.filter(memberships__club__in=self.managed_club_ids).values("pk")
        return rows.filter(Q(season__club__in=self.managed_club_ids) | Q(season=None, player__in=members))

    def rank_changes_of(self, key: LeaderboardKey) -> QuerySet[RankChange]:
        condition = Q(season=key) if isinstance(key, int) else Q(game=key)
        return self.rank_changes().filter(condition).select_related("player").order_by(*RANK_CHANGE_ORDER)

    def leaderboards(
        self,
        keys: Collection[LeaderboardKey],
        counts: dict[LeaderboardKey, int],
        all_rank_changes: Mapping[LeaderboardKey, list[RankChangeRow]] | None = None,
    ) -> list[RunLeaderboard]:
        """Return the leaderboards for `keys`. `counts` is the result of `rank_change_counts`.

        Each has its first rank changes, or those in `all_rank_changes`.
        """
        seasons = [key for key in keys if isinstance(key, int)]
        names = {season.pk: season for season in Season.objects.filter(pk__in=seasons).select_related("club")}
        games = [key for key in keys if isinstance(key, str)]
        some = self.rank_changes().filter(Q(season__in=seasons) | Q(game__in=games))
        number = Window(RowNumber(), partition_by=["season_id", "game"], order_by=RANK_CHANGE_ORDER)
        first = some.annotate(number=number).filter(number__lte=RANK_CHANGES_PER_LEADERBOARD).select_related("player")
        rank_changes: dict[LeaderboardKey, list[RankChangeRow]] = defaultdict(list)
        for change in first.order_by("number"):
            rank_changes[change.game or change.season_id or 0].append(rank_change_row(change))
        rank_changes |= all_rank_changes or {}
        shown_games = visible_games(games, self.viewer)
        return [
            self._season_leaderboard(key, names.get(key), counts[key], rank_changes[key])
            if isinstance(key, int)
            else self._game_leaderboard(shown_games[key], counts[key], rank_changes[key])
            for key in keys
        ]

    def _season_leaderboard(
        self, pk: int, season: Season | None, rank_change_count: int, rank_changes: list[RankChangeRow]
    ) -> RunLeaderboard:
        summary, due_rows = self.seasons.get(pk, {}), self.due_rows.get(pk, [])
        return RunLeaderboard(
            name=season.name if season else next((row["name"] for row in [summary, *due_rows] if row), ""),
            club=season.club.name if season else "",
            address=season.get_absolute_url() if season else "",
            season=pk,
            reasons=_count_reasons((None, row["why"]) for row in due_rows),
            summary=summary,
            failed=pk in self.errors,
            error=self.errors.get(pk, "") if self.sees_everything else "",
            rank_change_count=rank_change_count,
            rank_changes=[_convert_to_sheet_points(row, season) for row in rank_changes] if season else rank_changes,
        )

    def _game_leaderboard(
        self, game: Game, rank_change_count: int, rank_changes: list[RankChangeRow]
    ) -> RunLeaderboard:
        slug = game.slug
        reasons: list[tuple[date | None, str]] = []
        hidden_reason_count = 0
        for row in self.due_rows.get(slug, []):
            day = date.fromisoformat(row["date"])
            if self.sees_everything or (slug, day) in self.own_game_dates:
                reasons.append((day, row["why"]))
            elif row["why"] == PendingRecompute.Reason.RATING_RULES:
                # This reason concerns all clubs. Its date could reveal another club's evening.
                reasons.append((None, row["why"]))
            else:
                hidden_reason_count += 1
        return RunLeaderboard(
            name=str(game.name),
            address=reverse("league:leaderboard", args=[slug]),
            game=slug,
            reasons=_count_reasons(reasons),
            hidden_reason_count=hidden_reason_count,
            summary=self.games.get(slug, {}) if self.sees_everything else {},
            failed=slug in self.errors,
            error=self.errors.get(slug, "") if self.sees_everything else "",
            rank_change_count=rank_change_count,
            rank_changes=rank_changes,
        )

    @cached_property
    def own_game_dates(self) -> set[tuple[str, date]]:
        """The pairs (game, date) that the run had to compute because of evenings of the viewer's clubs."""
        days = {row["date"] for row in self.run.due if row["game"]}
        evenings = Evening.objects.filter(season__club__in=self.managed_club_ids, date__in=days)
        return set(evenings.order_by().values_list("season__game_key", "date"))

    def _concerns_viewer(self, row: dict[str, Any]) -> bool:
        return self.sees_everything or row["club"] in self.managed_club_ids


def _convert_to_sheet_points(row: RankChangeRow, season: Season) -> RankChangeRow:
    """Return the row with points as the score sheets of the season have them.

    If the lowest total wins, stored points have the opposite sign.
    """
    before, after, difference = (
        None if number is None else season.convert_total(number) for number in (row.before, row.after, row.difference)
    )
    return row._replace(before=before, after=after, difference=difference)


def rank_change_row(change: RankChange) -> RankChangeRow:
    before, after = (
        None if number is None else round_to_decimals(number, POINT_DECIMALS)
        for number in (change.before, change.after)
    )
    was = (START_RATING if change.game else 0) if before is None else before
    return RankChangeRow(
        player=change.player,
        rank_before=change.rank_before,
        rank_after=change.rank_after,
        before=before,
        after=after,
        difference=None if after is None else after - was,
    )


def _count_reasons(reasons: Iterable[tuple[date | None, str]]) -> list[RecomputeReason]:
    counts = Counter((since, str(REASON_LABELS.get(reason, reason))) for since, reason in reasons)
    return [RecomputeReason(since, reason, times) for (since, reason), times in counts.items()]
