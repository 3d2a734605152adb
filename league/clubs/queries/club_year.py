"""Data for the page of a club's year: evenings, attendance, wins, champions, new members, records, rating gains."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject

from league.evenings.queries.evening_ranking import RankingRow, rankings
from league.models import Club, Evening, Membership, Round, Season, Seat, Standing, Table, visible
from league.models.rights import Right, roles_with_right
from league.models.round import RoundState
from league.models.season import SeasonState
from league.seasons.queries.honours import Record, records_of_months
from league.standings.podium import PODIUM_RANKS
from players.models import Player, RatingStep
from players.models.person import Viewer
from players.naming import Names
from players.rating.reference import START_RATING

FIRST_SEASON_MONTH: Final = 9  # September, when the seasons of most clubs begin
LISTED_PLAYERS: Final = 5  # players in the lists of most evenings and most wins
LISTED_RATING_GAINS: Final = 3  # players per game
MEDAL_ROWS: Final = 8  # players in the list of medals


class YearPeriod(NamedTuple):
    """A year of a club: the calendar year `number`, or with `autumn` from September of `number` to August of the
    next year.
    """

    number: int
    autumn: bool = False

    @classmethod
    def from_key(cls, key: str) -> Self | None:
        """Return the year for a key from the URL, such as "2026" or "2026-2027" (with `autumn`); None for another
        text.
        """
        first, dash, second = key.partition("-")
        if not (first.isascii() and first.isdecimal() and len(first) == 4 and 1000 <= int(first) < 9999):
            return None
        return cls(int(first), autumn=bool(dash)) if not dash or second == str(int(first) + 1) else None

    @classmethod
    def season_year_of(cls, day: date) -> Self:
        """Return the year from September to August that contains the day."""
        return cls(day.year - (day.month < FIRST_SEASON_MONTH), autumn=True)

    @property
    def key(self) -> str:
        """Return the text for URLs, which `from_key` reads."""
        return f"{self.number}-{self.number + 1}" if self.autumn else str(self.number)

    @property
    def label(self) -> str:
        return self.key.replace("-", "–")

    @property
    def first_day(self) -> date:
        return date(self.number, FIRST_SEASON_MONTH if self.autumn else 1, 1)

    @property
    def last_day(self) -> date:
        return date(self.number + 1, FIRST_SEASON_MONTH - 1, 31) if self.autumn else date(self.number, 12, 31)


class PlayerCount(NamedTuple):
    player: int
    name: Names
    evenings: int


class PlayerMedals(NamedTuple):
    """The numbers of a player's evenings with rank 1 (gold), 2 (silver) and 3 (bronze)."""

    player: int
    name: Names
    gold: int
    silver: int
    bronze: int


class ClosedEveningCounts(NamedTuple):
    """A closed evening with its numbers of players, tables and deals."""

    evening: int
    date: date
    players: int
    tables: int
    deals: int


class MonthOfYear(NamedTuple):
    first: date  # the first day of the month
    evenings: int
    players: int  # average per evening, rounded
    tables: int
    deals: int


class Champion(NamedTuple):
    season: Season
    player: int
    name: Names


class RatingGain(NamedTuple):
    """A player's gain of rating in a year, and the rating at its end (`micro`), in micro-points (millionths of a
    point).

    The first rating of a new player counts as a gain from 1000 points.
    """

    player: Player
    change: int
    micro: int


@dataclass(frozen=True, kw_only=True)
class ClubYear:
    """The data of a club's year. `players` is the number of different players at complete tables.

    `records` and `movers` (largest gains of rating) are by game.
    """

    evenings: int
    players: int
    tables: int
    deals: int
    most_evenings: list[PlayerCount]
    medals: list[PlayerMedals]
    closed_evenings: list[ClosedEveningCounts]  # oldest first
    champions: list[Champion]
    new_members: list[Membership]
    records: Mapping[str, Mapping[str, Record]]
    movers: Mapping[str, list[RatingGain]]

    @property
    def largest_evening(self) -> ClosedEveningCounts | None:
        return max(self.closed_evenings, key=lambda evening: evening.players, default=None)

    @property
    def average_players(self) -> int:
        return _average_players(self.closed_evenings)

    @property
    def months(self) -> list[MonthOfYear]:
        by_month: dict[date, list[ClosedEveningCounts]] = defaultdict(list)
        for evening in self.closed_evenings:
            by_month[evening.date.replace(day=1)].append(evening)
        return [
            MonthOfYear(
                first,
                len(evenings),
                _average_players(evenings),
                sum(evening.tables for evening in evenings),
                sum(evening.deals for evening in evenings),
            )
            for first, evenings in by_month.items()
        ]


def club_year(club: Club, year: YearPeriod, viewer: Viewer) -> ClubYear:
    """Return the data of a club's year, as far as the viewer may see them."""
    evenings: list[Any] = list(_evenings(club, year))
    seasons = {evening.season_id: evening.season for evening in evenings}
    games = {season.game_key for season in seasons.values()}
    rankings_by_evening = rankings(evenings)
    rows = [row for ranking in rankings_by_evening.values() for row in ranking if row.tables]
    new_members = Membership.objects.filter(
        club=club, role__in=roles_with_right(Right.READ), since__date__range=(year.first_day, year.last_day)
    ).exclude(Exists(_played_before(club, year)))
    return ClubYear(
        evenings=len(evenings),
        players=len({row.player for row in rows}),
        tables=sum(evening.tables for evening in evenings),
        deals=sum(evening.deals for evening in evenings),
        most_evenings=_most_evenings(rows),
        medals=_medals(rankings_by_evening.values()),
        closed_evenings=[
            ClosedEveningCounts(
                evening.pk,
                evening.date,
                sum(row.tables > 0 for row in rankings_by_evening[evening.pk]),
                evening.tables,
                evening.deals,
            )
            for evening in evenings
        ],
        champions=_champions(evenings),
        new_members=list(new_members.select_related("player").order_by("player__sort_key")),
        records=records_of_months(list(seasons), year.first_day, year.last_day),
        movers=_largest_gains(games, {row.player for row in rows}, year, viewer),
    )


def _played_before(club: Club, year: YearPeriod) -> QuerySet[Seat]:
    """Return a subquery for memberships: the player's seats in closed evenings of the club before the year.

    Membership dates are not used, because results can be older than the membership.
    """
    earlier = Evening.objects.closed().filter(season__club=club, date__lt=year.first_day)
    return Seat.objects.filter(player=OuterRef("player"), round__evening__in=earlier, round__state=RoundState.ACCEPTED)


def _evenings(club: Club, year: YearPeriod) -> QuerySet[Any, Any]:
    """Return the year's closed evenings.

    They are annotated with `tables` (number of complete tables), `deals` (number of deals there), `continues` (True if
    the season has a closed evening after the year) and `champions` (the players with rank 1 in the season's standings).
    """
    closed = Evening.objects.closed()
    rounds = Round.objects.accepted().filter(evening=OuterRef(OuterRef("pk")))
    tables = Table.objects.filter(round__in=rounds.values("pk"), complete=True).order_by().values("complete")
    champions = Standing.objects.filter(season=OuterRef("season"), rank=1).order_by("player__sort_key")
    of_year = closed.filter(season__club=club, date__range=(year.first_day, year.last_day)).select_related("season")
    annotated = of_year.annotate(
        tables=Coalesce(Subquery(tables.annotate(number=Count("pk")).values("number")), 0),
        deals=Coalesce(Subquery(tables.annotate(number=Sum("deals")).values("number")), 0),
        continues=Exists(closed.filter(season=OuterRef("season"), date__gt=year.last_day)),
        champions=ArraySubquery(champions.values(row=JSONObject(player="player", name="player__names"))),
    )
    return annotated.order_by("date", "pk")


def _champions(evenings: Iterable[Any]) -> list[Champion]:
    """Return the champions of closed seasons whose last evening was in the year."""
    champions = {evening.season: evening.champions for evening in evenings if not evening.continues}
    return [
        Champion(season, row["player"], Names(*row["name"]))
        for season, rows in champions.items()
        if season.state == SeasonState.CLOSED
        for row in rows
    ]


def _most_evenings(rows: Iterable[RankingRow]) -> list[PlayerCount]:
    """Return the five players with the most evenings, and other players with the same number as the fifth.

    If that is more than ten players, return only five.
    """
    names: dict[int, Names] = {}
    counts = Counter[int]()
    for row in rows:
        names[row.player] = row.name
        counts[row.player] += 1
    players = [PlayerCount(player, names[player], count) for player, count in counts.items()]
    players.sort(key=lambda player: (-player.evenings, str(player.name)))
    minimum = players[min(LISTED_PLAYERS, len(players)) - 1].evenings if players else 0
    first = [player for player in players if player.evenings >= minimum]
    return first if len(first) <= 2 * LISTED_PLAYERS else first[:LISTED_PLAYERS]


def _medals(rankings_of_evenings: Iterable[Sequence[RankingRow]]) -> list[PlayerMedals]:
    names: dict[int, Names] = {}
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for ranking in rankings_of_evenings:
        for row in ranking:
            if row.rank <= PODIUM_RANKS and row.tables:
                names[row.player] = row.name
                counts[row.player][row.rank] += 1
    medals = [
        PlayerMedals(pk, names[pk], *(count[rank] for rank in range(1, PODIUM_RANKS + 1)))
        for pk, count in counts.items()
    ]
    medals.sort(key=lambda row: (-row.gold, -row.silver, -row.bronze, str(row.name)))
    return medals[:MEDAL_ROWS]


def _average_players(evenings: Sequence[ClosedEveningCounts]) -> int:
    return round(sum(evening.players for evening in evenings) / len(evenings)) if evenings else 0


def _largest_gains(
    games: Collection[str], players: Collection[int], year: YearPeriod, viewer: Viewer
) -> dict[str, list[RatingGain]]:
    steps = visible.rating_steps(viewer).filter(game__in=games, player__in=players)
    before = RatingStep.objects.filter(player=OuterRef("player"), game=OuterRef("game"), date__lt=year.first_day)
    of_year = steps.filter(date__range=(year.first_day, year.last_day))
    last = of_year.order_by("game", "player_id", "-date").distinct("game", "player_id")
    start = Subquery(before.order_by("-date").values("micro")[:1])
    movers: dict[str, list[RatingGain]] = defaultdict(list)
    for step in last.annotate(start=Coalesce(start, START_RATING)).select_related("player"):
        if step.micro > step.start:
            movers[step.game].append(RatingGain(step.player, step.micro - step.start, step.micro))
    return {
        game: sorted(rows, key=lambda mover: (-mover.change, mover.player.sort_key))[:LISTED_RATING_GAINS]
        for game, rows in movers.items()
    }
