"""Cards on the home page of a user: rank, last evening and next evening of each open season."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from league.evenings.queries.evening_ranking import RankingRow, find_player_row, rankings
from league.models import Club, Deal, Evening, Intention, Score, Season, Seat, Standing
from league.models.evening import EveningQuerySet, EveningState
from league.standings.season import ExactNumber
from players.models import Player, Rating, RatingStep
from players.naming import Names
from players.rating.expectation import MICRO_POINTS_PER_POINT

RATING_LINE_DATES = 24  # number of dates in the line of a rating
PAST_EVENINGS_LISTED = timedelta(days=1)  # a planned evening is still listed for this time after its date


class PlayerDeal(NamedTuple):
    """A deal at one of the player's tables.

    `points` are the player's points, or None if the page does not need them.
    """

    pk: int
    round: int
    number: int | None
    points: int | None


@dataclass(frozen=True)
class LastEvening:
    """A player's last closed evening of a season. `best` is the player's best deal, `players` the number of players."""

    evening: Evening
    own_row: RankingRow | None  # None if no table of the player was complete
    players: int
    best: PlayerDeal | None
    corrected: tuple[PlayerDeal, ...]  # deals that were changed after the first closing
    is_shared: bool = False  # another player has the same rank


@dataclass(frozen=True)
class UpcomingEvening:
    """An announced evening.

    `comes` is the player's answer (None: no answer). `coming` is the number of players who come.
    """

    evening: Evening
    comes: bool | None
    coming: int


class PointsBehind(NamedTuple):
    """The next better rank in the standings: the name of its player, and its lead on the user in points."""

    rank: int
    name: Names
    points: ExactNumber


@dataclass(frozen=True, kw_only=True)
class MemberCard:
    """The card of one season. `ranked` is the number of ranked players."""

    season: Season
    standing: Standing | None
    ranked: int
    is_shared: bool  # another player has the player's rank
    above: PointsBehind | None
    last: LastEvening | None
    next: UpcomingEvening | None
    rating: Rating | None
    history: tuple[float, ...]  # latest ratings in points, oldest first


class MemberHome(NamedTuple):
    """The cards of a user's seasons, and the open evenings (`tonight`) of the user's clubs."""

    cards: tuple[MemberCard, ...]
    tonight: tuple[Evening, ...]


def member_home(player: Player, clubs: Collection[Club], *, now: datetime) -> MemberHome:
    """Return the cards of the player's seasons in these clubs, the most recently played season first."""
    seasons = list(_seasons(player, clubs))
    evenings = list(_evenings(player, seasons, clubs, now))
    ratings = {rating.game: rating for rating in _ratings(player)}
    closed = [evening for evening in evenings if evening.state == EveningState.CLOSED]
    ranked = rankings(closed)
    last = {evening.season_id: _last_evening(evening, ranked[evening.pk], player) for evening in closed}
    upcoming = {evening.season_id: evening for evening in evenings if evening.state == EveningState.PLANNED}
    cards = [_member_card(season, player, last.get(season.pk), upcoming.get(season.pk), ratings) for season in seasons]
    cards.sort(key=lambda card: card.last.evening.date if card.last else date.min, reverse=True)
    return MemberHome(tuple(cards), tuple(evening for evening in evenings if evening.state == EveningState.OPEN))


def with_intentions(evenings: EveningQuerySet, player: Player | None) -> EveningQuerySet:
    """Annotate evenings with `comes` (the player's answer to "I come") and `coming` (the number of people of the club
    who answered that they come).
    """
    in_club = Q(player__memberships__club=OuterRef("season__club"))
    intentions = Intention.objects.filter(in_club, evening=OuterRef("pk")).order_by()
    coming = intentions.filter(comes=True).values("evening").annotate(count=Count("pk")).values("count")
    return evenings.annotate(
        comes=Subquery(intentions.filter(player=player).values("comes")[:1]),
        coming=Subquery(coming[:1]),
    )


def _seasons(player: Player, clubs: Collection[Club]) -> QuerySet[Any, Any]:
    """Return the open seasons of the clubs, annotated for `_member_card`.

    `own` is the player's row of the standings, `above` the row of the next better rank, `ranked` the number of ranked
    players, and `is_shared` is True if another player has the player's rank.
    """
    rows = Standing.objects.filter(season=OuterRef("pk")).order_by()
    fields = ("rank", "rank_before", "numerator", "denominator", "evenings", "guest", "missing", "missing_partners")
    own_row = rows.filter(player=player)
    above = rows.filter(rank__lt=OuterRef("own_rank")).order_by("-rank", "player__sort_key")
    same_rank = rows.filter(rank=OuterRef("own_rank")).exclude(player=player)
    ranked = rows.filter(rank__isnull=False).values("season").annotate(count=Count("pk")).values("count")
    above_fields = JSONObject(**{name: name for name in fields[:4]}, name="player__names")
    seasons = Season.objects.without_tournaments().running().filter(club__in=clubs).with_club()
    return seasons.annotate(own_rank=Subquery(own_row.values("rank"))).annotate(
        own=Subquery(own_row.values(row=JSONObject(**{name: name for name in fields}))),
        is_shared=Exists(same_rank),
        above=Subquery(above.values(row=above_fields)[:1]),
        ranked=Subquery(ranked[:1]),
    )


def _evenings(
    player: Player, seasons: Collection[Season], clubs: Collection[Club], now: datetime
) -> QuerySet[Any, Any]:
    """Return all open evenings of the clubs, and two evenings of each season: the player's last closed evening, and the
    next planned evening.
    """
    played = Seat.objects.filter(player=player).values("round__evening")
    last = Evening.objects.closed().filter(season__in=seasons, pk__in=played).order_by("season_id", "-date", "-pk")
    upcoming = Evening.objects.planned().filter(season__in=seasons, date__gte=(now - PAST_EVENINGS_LISTED).date())
    rows = Evening.objects.filter(
        Q(state=EveningState.OPEN, season__club__in=clubs)
        | Q(pk__in=last.distinct("season_id").values("pk"))
        | Q(pk__in=upcoming.order_by("season_id", "date", "pk").distinct("season_id").values("pk"))
    )
    return _with_deals(with_intentions(rows.with_season(), player), player).order_by("date", "pk")


def _with_deals(evenings: EveningQuerySet, player: Player) -> QuerySet[Any, Any]:
    """Annotate evenings with `best` (the player's best deal) and `corrected` (deals that changed after the first
    closing).
    """
    scores = Score.objects.filter(
        seat__player=player, seat__round__evening=OuterRef("pk"), seat__table__complete=True, points__gt=0
    )
    best = JSONObject(pk="deal", round="seat__round__number", number="deal__number", points="points")
    public = (
        apps.get_model("league", "EveningEvent")
        .objects.filter(pgh_obj=OuterRef("pk"), state=EveningState.CLOSED)
        .order_by("pgh_id")
    )
    public_versions = apps.get_model("league", "DealEvent").objects.filter(
        pgh_obj=OuterRef("pk"), pgh_created_at__lte=OuterRef(OuterRef("public_at"))
    )
    own_deals = Deal.objects.filter(table__round__evening=OuterRef("pk"), table__seats__player=player).order_by("pk")
    public_version = Subquery(public_versions.order_by("-pgh_id").values("version")[:1])
    corrected = own_deals.annotate(public_version=public_version).exclude(version=F("public_version"))
    deal_fields = JSONObject(pk="pk", round="table__round__number", number="number", points=None)
    return evenings.annotate(
        public_at=Subquery(public.values("pgh_created_at")[:1]),
        best=Subquery(scores.order_by("-points", "deal").values(row=best)[:1]),
        corrected=ArraySubquery(corrected.values(row=deal_fields)),
    )


def _ratings(player: Player) -> QuerySet[Any, Any]:
    steps = RatingStep.objects.filter(player=player, game=OuterRef("game")).order_by("-date")
    return Rating.objects.filter(player=player).annotate(steps=ArraySubquery(steps.values("micro")[:RATING_LINE_DATES]))


def _last_evening(evening: Any, ranking_rows: Sequence[RankingRow], player: Player) -> LastEvening:
    own_row, is_shared = find_player_row(ranking_rows, player)
    return LastEvening(
        evening=evening,
        own_row=own_row,
        is_shared=is_shared,
        players=len(ranking_rows),
        best=PlayerDeal(**evening.best) if evening.best else None,
        corrected=tuple(PlayerDeal(**row) for row in evening.corrected) if evening.public_at else (),
    )


def _member_card(
    season: Any, player: Player, last: LastEvening | None, upcoming: Any, ratings: Mapping[str, Any]
) -> MemberCard:
    standing = Standing(season=season, player=player, **season.own) if season.own else None
    rating = ratings.get(season.game_key)
    above = None
    if standing and season.above:
        name = Names(*season.above.pop("name"))
        above_row = Standing(**season.above)
        above = PointsBehind(above_row.rank or 0, name, above_row.total - standing.total)
    return MemberCard(
        season=season,
        standing=standing,
        ranked=season.ranked or 0,
        is_shared=season.is_shared,
        above=above,
        last=last,
        next=UpcomingEvening(upcoming, upcoming.comes, upcoming.coming or 0) if upcoming else None,
        rating=rating,
        history=tuple(micro / MICRO_POINTS_PER_POINT for micro in reversed(rating.steps)) if rating else (),
    )
