"""What a run did, board by board: what was due for a season's standings or a game's ratings, beside who moved there.

A run computes a board once for all that was due for it: no share of a move is claimed for a reason. Only reads, and
only what the reader may: the installation's admin all of it, a club's admin his club's seasons and players.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeAlias

from django.db.models import Case, Count, DecimalField, F, Q, QuerySet, When, Window
from django.db.models.functions import Abs, Coalesce, RowNumber
from django.urls import reverse

from league.models import Club, Due, Evening, Movement, Run, Season
from players.models import Player
from players.rating.reference import START
from scoring import registry
from scoring.game import find_game
from scoring.numbers import rounded

if TYPE_CHECKING:
    from players.models.person import Reader

FIRST = 25  # of those who moved, before the rest has pages of its own
# By rank, and where a board has none, whoever moved most first; who is no longer there comes last.
NUMBER = DecimalField(max_digits=30, decimal_places=6)
NOTHING = Case(When(game="", then=0), default=START, output_field=NUMBER)
ORDER = (
    F("rank_after").asc(nulls_last=True),
    Abs(F("after") - Coalesce("before", NOTHING)).desc(nulls_last=True),
    F("pk").asc(),
)
WHY = dict(Due.Why.choices)

Key: TypeAlias = int | str  # of a board: a season's id, or a game's slug


class DueReason(NamedTuple):
    """Why a board was due: for a game from a date on, unless that is not the reader's; and how often it was marked."""

    since: date | None
    why: str
    times: int


class Move(NamedTuple):
    """Someone who moved: ranks where the board has them, points or micro-points; None where no row was, or is."""

    player: Player
    rank_before: int | None
    rank_after: int | None
    before: int | Decimal | None
    after: int | Decimal | None
    difference: int | Decimal | None


@dataclass(frozen=True)
class Board:
    """A season's standings or a game's ratings, as far as the reader may see them.

    `counted` is the run's own row: `places` or `tables` and `players`, and `changed`; empty before the run is done.
    """

    name: str
    club: str = ""
    address: str = ""  # of the board; none for a season that is no more
    game: str = ""
    season: int | None = None
    due: list[DueReason] = field(default_factory=list)
    elsewhere: int = 0  # reasons in other clubs, which are only counted
    counted: dict[str, Any] = field(default_factory=dict)
    failed: bool = False
    error: str = ""  # with which it failed, for the superuser alone
    moved: int = 0
    moves: list[Move] = field(default_factory=list)

    @property
    def more(self) -> bool:
        """Whether more have moved than are told here."""
        return self.moved > len(self.moves)

    @property
    def key(self) -> str:
        """What the board is called in an address."""
        return self.game or str(self.season)


class Sight:
    """A run as one reader sees it: which boards of it he may see, and what is on each."""

    def __init__(self, run: Run, reader: Reader) -> None:
        self.run = run
        self.whole = reader.is_superuser
        managed = [] if self.whole else list(Club.objects.managed_by(reader))
        self.own = {club.pk for club in managed}
        named = {row["club"] for row in (*run.seasons, *run.due)}
        self.clubs = [club for club in managed if club.pk in named]  # whose part the reader sees
        self.seasons = {row["season"]: row for row in run.seasons if self._mine(row)}
        self.games = {row["game"]: row for row in run.games}
        self.failed: dict[Key, str] = {row["game"] or row["season"]: row["error"] for row in run.failed}
        self.due: dict[Key, list[dict[str, Any]]] = {}
        for row in run.due:
            if row["game"] or self._mine(row):
                self.due.setdefault(row["game"] or row["season"], []).append(row)

    @property
    def anything(self) -> bool:
        """Whether the run was about anything of the reader's: a season of his clubs; all is the superuser's."""
        return self.whole or bool(self.seasons) or any(isinstance(key, int) for key in self.due)

    def moved(self) -> dict[Key, int]:
        """Return the boards in the order of the page, seasons first, each with how many moved there.

        A club's admin sees a game when somebody of his clubs moved, or an evening of theirs was a reason.
        """
        rows = self.movements().order_by().values_list("season", "game").annotate(Count("pk"))
        moved: dict[Key, int] = {game or season: number for season, game, number in rows if game or season}
        failed = [row["game"] or row["season"] for row in self.run.failed if row["game"] or self._mine(row)]
        seasons = [key for key in dict.fromkeys([*self.seasons, *self.due, *failed, *moved]) if isinstance(key, int)]
        games = {key for key in (*self.games, *self.due, *failed, *moved) if isinstance(key, str)}
        if not self.whole:
            games &= moved.keys() | {game for game, _day in self.own_dates}
        keys: list[Key] = [*seasons, *(slug for slug in registry.slugs() if slug in games)]
        return {key: moved.get(key, 0) for key in keys}

    def movements(self) -> QuerySet[Movement]:
        """Return who moved, as far as the reader is told."""
        found = self.run.movements.all()
        if self.whole:
            return found
        members = Player.objects.filter(memberships__club__in=self.own).values("pk")
        return found.filter(Q(season__club__in=self.own) | Q(season=None, player__in=members))

    def movements_on(self, key: Key) -> QuerySet[Movement]:
        """Return who moved on a board, in its order."""
        on = Q(season=key) if isinstance(key, int) else Q(game=key)
        return self.movements().filter(on).select_related("player").order_by(*ORDER)

    def boards(self, keys: Collection[Key], moved: dict[Key, int]) -> list[Board]:
        """Return some of the boards, with how many moved there and the first of them. Two queries."""
        seasons = [key for key in keys if isinstance(key, int)]
        names = {season.pk: season for season in Season.objects.filter(pk__in=seasons).select_related("club")}
        some = self.movements().filter(Q(season__in=seasons) | Q(game__in=[key for key in keys if key not in seasons]))
        number = Window(RowNumber(), partition_by=["season_id", "game"], order_by=ORDER)
        first = some.annotate(number=number).filter(number__lte=FIRST).select_related("player")
        moves: dict[Key, list[Move]] = defaultdict(list)
        for movement in first.order_by("number"):
            moves[movement.game or movement.season_id or 0].append(move(movement))
        return [
            self._season(key, names.get(key), moved[key], moves[key])
            if isinstance(key, int)
            else self._game(key, moved[key], moves[key])
            for key in keys
        ]

    def _season(self, pk: int, season: Season | None, moved: int, moves: list[Move]) -> Board:
        counted, due = self.seasons.get(pk, {}), self.due.get(pk, [])
        return Board(
            name=season.name if season else next((row["name"] for row in [counted, *due] if row), ""),
            club=season.club.name if season else "",
            address=season.get_absolute_url() if season else "",
            season=pk,
            due=_reasons((None, row["why"]) for row in due),
            counted=counted,
            failed=pk in self.failed,
            error=self.failed.get(pk, "") if self.whole else "",
            moved=moved,
            moves=moves,
        )

    def _game(self, slug: str, moved: int, moves: list[Move]) -> Board:
        told: list[tuple[date | None, str]] = []
        elsewhere = 0
        for row in self.due.get(slug, []):
            day = date.fromisoformat(row["date"])
            if self.whole or (slug, day) in self.own_dates:
                told.append((day, row["why"]))
            elif row["why"] == Due.Why.RATING_RULES:  # of all clubs; whose first evening the date is, is not told
                told.append((None, row["why"]))
            else:
                elsewhere += 1
        return Board(
            name=str(find_game(slug).name),
            address=reverse("league:leaderboard", args=[slug]),
            game=slug,
            due=_reasons(told),
            elsewhere=elsewhere,
            counted=self.games.get(slug, {}) if self.whole else {},
            failed=slug in self.failed,
            error=self.failed.get(slug, "") if self.whole else "",
            moved=moved,
            moves=moves,
        )

    @cached_property
    def own_dates(self) -> set[tuple[str, date]]:
        """Games and dates that were due, and on which clubs of the reader's played."""
        days = {row["date"] for row in self.run.due if row["game"]}
        evenings = Evening.objects.filter(season__club__in=self.own, date__in=days)
        return set(evenings.order_by().values_list("season__game", "date"))

    def _mine(self, row: dict[str, Any]) -> bool:
        return self.whole or row["club"] in self.own


def move(movement: Movement) -> Move:
    """Return a movement as it is read: whoever is new on a board came from nothing, or from the rating of beginners."""
    before, after = (None if each is None else rounded(each, DECIMALS) for each in (movement.before, movement.after))
    was = (START if movement.game else 0) if before is None else before
    return Move(
        player=movement.player,
        rank_before=movement.rank_before,
        rank_after=movement.rank_after,
        before=before,
        after=after,
        difference=None if after is None else after - was,
    )


def _reasons(due: Iterable[tuple[date | None, str]]) -> list[DueReason]:
    """Return each reason once."""
    counted = Counter((since, str(WHY.get(why, why))) for since, why in due)
    return [DueReason(since, why, times) for (since, why), times in counted.items()]


DECIMALS: Final = 6  # of a fraction of points
