"""A club's year in numbers: its evenings, who came and won, champions, new members, records, who moved in rating."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, NamedTuple, Self

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce, JSONObject

from league.evenings.queries.evening_ranking import Ranked, rankings
from league.models import Club, Evening, Membership, Round, Season, Seat, Standing, Table, visible
from league.models.rights import Right, roles_with
from league.models.round import RoundState
from league.models.season import SeasonState
from league.seasons.queries.honours import Record, records_of_months
from players.models import Player, RatingStep
from players.models.person import Reader
from players.naming import Names
from players.rating.reference import START

SEASON_BEGINS: Final = 9  # the month in which clubs' seasons begin, after their summer
FIRST: Final = 5  # of those who came most, who won most
MOVERS: Final = 3  # of a game


class Year(NamedTuple):
    """A calendar year, or with `autumn` from September of that year to August of the next."""

    number: int
    autumn: bool = False

    @classmethod
    def of(cls, key: str) -> Self | None:
        """Return the year of an address: "2026", or "2025-2026"; None where it is neither."""
        first, dash, second = key.partition("-")
        if not (first.isascii() and first.isdecimal() and len(first) == 4 and 1000 <= int(first) < 9999):
            return None
        return cls(int(first), autumn=bool(dash)) if not dash or second == str(int(first) + 1) else None

    @classmethod
    def around(cls, day: date) -> Self:
        """Return the year from September to August in which a day is."""
        return cls(day.year - (day.month < SEASON_BEGINS), autumn=True)

    @property
    def key(self) -> str:
        """The year in an address."""
        return f"{self.number}-{self.number + 1}" if self.autumn else str(self.number)

    @property
    def label(self) -> str:
        """The year as people write it."""
        return self.key.replace("-", "–")

    @property
    def first(self) -> date:
        """Its first day."""
        return date(self.number, SEASON_BEGINS if self.autumn else 1, 1)

    @property
    def last(self) -> date:
        """Its last day."""
        return date(self.number + 1, SEASON_BEGINS - 1, 31) if self.autumn else date(self.number, 12, 31)


class Often(NamedTuple):
    """A player and how often he came, or won."""

    player: int
    name: Names
    times: int


class Champion(NamedTuple):
    """The first of a season that ended in the year."""

    season: Season
    player: int
    name: Names


class Mover(NamedTuple):
    """By how many micro-points a player's rating rose in the year, from where everyone starts if he is new."""

    player: Player
    change: int
    micro: int


@dataclass(frozen=True, kw_only=True)
class ClubYear:
    """All that the page tells."""

    evenings: int
    players: int
    tables: int
    deals: int
    came: list[Often]
    won: list[Often]
    champions: list[Champion]
    joined: list[Membership]
    records: Mapping[str, Mapping[str, Record]]
    movers: Mapping[str, list[Mover]]


def club_year(club: Club, year: Year, reader: Reader) -> ClubYear:
    """Return the year as it stands; five queries."""
    evenings: list[Any] = list(_evenings(club, year))
    seasons = {evening.season_id: evening.season for evening in evenings}
    games = {season.game for season in seasons.values()}
    places = [place for ranking in rankings(evenings).values() for place in ranking if place.tables]
    joined = Membership.objects.filter(
        club=club, role__in=roles_with(Right.READ), since__date__range=(year.first, year.last)
    ).exclude(Exists(_played_before(club, year)))
    return ClubYear(
        evenings=len(evenings),
        players=len({place.player for place in places}),
        tables=sum(evening.tables for evening in evenings),
        deals=sum(evening.deals for evening in evenings),
        came=_most(places),
        won=_most(place for place in places if place.rank == 1),
        champions=_champions(evenings),
        joined=list(joined.select_related("player").order_by("player__sort_key")),
        records=records_of_months(list(seasons), year.first, year.last),
        movers=_movers(games, {place.player for place in places}, year, reader),
    )


def _played_before(club: Club, year: Year) -> QuerySet[Seat]:
    """Return seats of a member at evenings before the year: results may be older than the record of a membership."""
    earlier = Evening.objects.closed().filter(season__club=club, date__lt=year.first)
    return Seat.objects.filter(player=OuterRef("player"), round__evening__in=earlier, round__state=RoundState.ACCEPTED)


def _evenings(club: Club, year: Year) -> QuerySet[Any, Any]:
    """Return the year's closed evenings with their seasons, how many tables and deals, and the seasons' champions."""
    closed = Evening.objects.closed()
    rounds = Round.objects.accepted().filter(evening=OuterRef(OuterRef("pk")))
    tables = Table.objects.filter(round__in=rounds.values("pk"), complete=True).order_by().values("complete")
    champions = Standing.objects.filter(season=OuterRef("season"), rank=1).order_by("player__sort_key")
    found = closed.filter(season__club=club, date__range=(year.first, year.last)).select_related("season")
    counted = found.annotate(
        tables=Coalesce(Subquery(tables.annotate(number=Count("pk")).values("number")), 0),
        deals=Coalesce(Subquery(tables.annotate(number=Sum("deals")).values("number")), 0),
        goes_on=Exists(closed.filter(season=OuterRef("season"), date__gt=year.last)),
        champions=ArraySubquery(champions.values(row=JSONObject(player="player", name="player__names"))),
    )
    return counted.order_by("date", "pk")


def _champions(evenings: Iterable[Any]) -> list[Champion]:
    """Return the champions of seasons that are closed and had their last evening in the year."""
    ended = {each.season: each.champions for each in evenings if not each.goes_on}
    over = {season: rows for season, rows in ended.items() if season.state == SeasonState.CLOSED}
    return [Champion(season, row["player"], Names(*row["name"])) for season, rows in over.items() for row in rows]


def _most(places: Iterable[Ranked]) -> list[Often]:
    """Return who is there most often, the first few and who shares the last of their numbers."""
    names: dict[int, Names] = {}
    times = Counter[int]()
    for place in places:
        names[place.player] = place.name
        times[place.player] += 1
    often = sorted((Often(player, names[player], number) for player, number in times.items()), key=_order)
    least = often[min(FIRST, len(often)) - 1].times if often else 0
    shown = [each for each in often if each.times >= least]
    return shown if len(shown) <= 2 * FIRST else shown[:FIRST]


def _order(each: Often) -> tuple[int, str]:
    return -each.times, str(each.name)


def _movers(games: Collection[str], players: Collection[int], year: Year, reader: Reader) -> dict[str, list[Mover]]:
    steps = visible.rating_steps(reader).filter(game__in=games, player__in=players)
    before = RatingStep.objects.filter(player=OuterRef("player"), game=OuterRef("game"), date__lt=year.first)
    of_year = steps.filter(date__range=(year.first, year.last))
    last = of_year.order_by("game", "player_id", "-date").distinct("game", "player_id")
    held = Subquery(before.order_by("-date").values("micro")[:1])
    found: dict[str, list[Mover]] = defaultdict(list)
    for step in last.annotate(held=Coalesce(held, START)).select_related("player"):
        if step.micro > step.held:
            found[step.game].append(Mover(step.player, step.micro - step.held, step.micro))
    return {game: _largest(movers) for game, movers in found.items()}


def _largest(movers: Sequence[Mover]) -> list[Mover]:
    return sorted(movers, key=lambda mover: (-mover.change, mover.player.sort_key))[:MOVERS]
