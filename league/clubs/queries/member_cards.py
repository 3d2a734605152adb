"""What a member wants to know of each running season: where he stands, what he did last, when they play again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from django.apps import apps
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Count, Exists, F, Model, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import JSONObject

from league.evenings.queries.evening_ranking import Ranked, rankings
from league.models import Club, Deal, Evening, Intention, Score, Season, Seat, Standing
from league.models.evening import EveningQuerySet, EveningState
from league.standings.season import Exact
from players.models import Player, Rating, RatingStep
from players.naming import Names

STEPS = 24  # dates of a rating's line
STALE = timedelta(days=1)  # an evening that is planned for longer ago was forgotten


class OwnDeal(NamedTuple):
    """A deal at one of the player's tables, by where it stands; `points` are the player's, None where he has none."""

    pk: int
    round: int
    number: int | None
    points: int | None


@dataclass(frozen=True)
class LastEvening:
    """The newest closed evening at which the player sat.

    `place` is None where he sat at incomplete tables only, `shared` if others have the same; `corrected` are deals at
    his tables that were changed since the results were public.
    """

    evening: Evening
    place: Ranked | None
    players: int
    best: OwnDeal | None
    corrected: tuple[OwnDeal, ...]
    shared: bool = False


@dataclass(frozen=True)
class EveningToCome:
    """An evening to come: what the player said of it, None if nothing, and how many mean to come."""

    evening: Evening
    comes: bool | None
    coming: int


class Gap(NamedTuple):
    """Who is placed next above, and by how many points more."""

    rank: int
    name: Names
    points: Exact


@dataclass(frozen=True, kw_only=True)
class MemberCard:
    """A season as its player sees it; `history` is the rating after its latest dates, in points, oldest first.

    `shared` says that others have the player's rank.
    """

    season: Season
    standing: Standing | None
    ranked: int
    shared: bool
    above: Gap | None
    last: LastEvening | None
    next: EveningToCome | None
    rating: Rating | None
    history: tuple[float, ...]


class MemberHome(NamedTuple):
    """The cards, and the evenings that are open now in the player's clubs."""

    cards: tuple[MemberCard, ...]
    tonight: tuple[Evening, ...]


def member_home(player: Player, clubs: Collection[Club], *, now: datetime) -> MemberHome:
    """Return what the player's clubs have for him, what he played last first.

    Four queries, however many seasons run.
    """
    seasons = list(_seasons(player, clubs))
    evenings = list(_evenings(player, seasons, clubs, now))
    ratings = {rating.game: rating for rating in _ratings(player)}
    closed = [evening for evening in evenings if evening.state == EveningState.CLOSED]
    ranked = rankings(closed)
    last = {evening.season_id: _last(evening, ranked[evening.pk], player) for evening in closed}
    coming = {each.season_id: each for each in evenings if each.state == EveningState.PLANNED}
    cards = [_card(each, player, last.get(each.pk), coming.get(each.pk), ratings) for each in seasons]
    cards.sort(key=lambda card: card.last.evening.date if card.last else date.min, reverse=True)
    return MemberHome(tuple(cards), tuple(each for each in evenings if each.state == EveningState.OPEN))


def with_intentions(evenings: EveningQuerySet, player: Player | None) -> EveningQuerySet:
    """Annotate what the player said of each evening as `comes`, and how many mean to come as `coming`."""
    said = Intention.objects.filter(evening=OuterRef("pk")).order_by()
    coming = said.filter(comes=True).values("evening").annotate(count=Count("pk")).values("count")
    return evenings.annotate(
        comes=Subquery(said.filter(player=player).values("comes")[:1]),
        coming=Subquery(coming[:1]),
    )


def _seasons(player: Player, clubs: Collection[Club]) -> QuerySet[Any, Any]:
    """Return the running seasons with the player's row as `own`, `ranked` and the row next above as `above`."""
    rows = Standing.objects.filter(season=OuterRef("pk")).order_by()
    fields = ("rank", "rank_before", "numerator", "denominator", "evenings", "guest", "missing", "missing_partners")
    own = rows.filter(player=player)
    above = rows.filter(rank__lt=OuterRef("own_rank")).order_by("-rank", "player__sort_key")
    level = rows.filter(rank=OuterRef("own_rank")).exclude(player=player)
    ranked = rows.filter(rank__isnull=False).values("season").annotate(count=Count("pk")).values("count")
    named = JSONObject(**{name: name for name in fields[:4]}, name="player__names")
    found = Season.objects.running().filter(club__in=clubs).with_club().annotate(own_rank=Subquery(own.values("rank")))
    return found.annotate(
        own=Subquery(own.values(row=JSONObject(**{name: name for name in fields}))),
        shared=Exists(level),
        above=Subquery(above.values(row=named)[:1]),
        ranked=Subquery(ranked[:1]),
    )


def _evenings(
    player: Player, seasons: Collection[Season], clubs: Collection[Club], now: datetime
) -> QuerySet[Any, Any]:
    """Return the clubs' open evenings, and of each season the next one and the last at which the player sat."""
    played = Seat.objects.filter(player=player).values("round__evening")
    last = Evening.objects.closed().filter(season__in=seasons, pk__in=played).order_by("season_id", "-date", "-pk")
    coming = Evening.objects.planned().filter(season__in=seasons, date__gte=(now - STALE).date())
    rows = Evening.objects.filter(
        Q(state=EveningState.OPEN, season__club__in=clubs)
        | Q(pk__in=last.distinct("season_id").values("pk"))
        | Q(pk__in=coming.order_by("season_id", "date", "pk").distinct("season_id").values("pk"))
    )
    return _with_deals(with_intentions(rows.with_season(), player), player).order_by("date", "pk")


def _with_deals(evenings: EveningQuerySet, player: Player) -> QuerySet[Any, Any]:
    """Annotate the player's `best` deal, and the deals at his tables that were `corrected` since they were public."""
    scores = Score.objects.filter(
        seat__player=player, seat__round__evening=OuterRef("pk"), seat__table__complete=True, points__gt=0
    )
    best = JSONObject(pk="deal", round="seat__round__number", number="deal__number", points="points")
    public = _events("EveningEvent").filter(pgh_obj=OuterRef("pk"), state=EveningState.CLOSED).order_by("pgh_id")
    told = _events("DealEvent").filter(pgh_obj=OuterRef("pk"), pgh_created_at__lte=OuterRef(OuterRef("public_at")))
    own = Deal.objects.filter(table__round__evening=OuterRef("pk"), table__seats__player=player).order_by("pk")
    changed = own.annotate(told=Subquery(told.order_by("-pgh_id").values("version")[:1])).exclude(version=F("told"))
    where = JSONObject(pk="pk", round="table__round__number", number="number", points=None)
    return evenings.annotate(
        public_at=Subquery(public.values("pgh_created_at")[:1]),
        best=Subquery(scores.order_by("-points", "deal").values(row=best)[:1]),
        corrected=ArraySubquery(changed.values(row=where)),
    )


def _events(name: str) -> QuerySet[Any, Any]:
    """Return a history's rows; its models are made by `tracked` and have no module."""
    history: type[Model] = apps.get_model("league", name)
    return history._default_manager.all()


def _ratings(player: Player) -> QuerySet[Any, Any]:
    steps = RatingStep.objects.filter(player=player, game=OuterRef("game")).order_by("-date")
    return Rating.objects.filter(player=player).annotate(steps=ArraySubquery(steps.values("micro")[:STEPS]))


def _last(evening: Any, places: Sequence[Ranked], player: Player) -> LastEvening:
    own = next((place for place in places if place.player == player.pk), None)
    return LastEvening(
        evening=evening,
        place=own,
        shared=own is not None and sum(place.rank == own.rank for place in places) > 1,
        players=len(places),
        best=OwnDeal(**evening.best) if evening.best else None,
        corrected=tuple(_deals(evening.corrected)) if evening.public_at else (),
    )


def _deals(rows: Iterable[Mapping[str, Any]]) -> list[OwnDeal]:
    return [OwnDeal(**row) for row in rows]


def _card(season: Any, player: Player, last: LastEvening | None, coming: Any, ratings: Mapping[str, Any]) -> MemberCard:
    own = Standing(season=season, player=player, **season.own) if season.own else None
    rating = ratings.get(season.game)
    above = None
    if own and season.above:
        name = Names(*season.above.pop("name"))
        other = Standing(**season.above)
        above = Gap(season.above["rank"], name, other.total - own.total)
    return MemberCard(
        season=season,
        standing=own,
        ranked=season.ranked or 0,
        shared=season.shared,
        above=above,
        last=last,
        next=EveningToCome(coming, coming.comes, coming.coming or 0) if coming else None,
        rating=rating,
        history=tuple(micro / 1_000_000 for micro in reversed(rating.steps)) if rating else (),
    )
