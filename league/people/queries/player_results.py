"""A player's results, evening by evening, with the place among those who were there, and what they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db.models import OuterRef, Q, QuerySet
from django.db.models.functions import JSONArray

from league.evenings.queries.evening_ranking import Ranked, ranking_in, with_ranking
from league.evenings.queries.json_rows import json_rows
from league.models import Adjustment, Evening, Rest, Round, Season, Seat, Standing
from league.models.club import visible_to, withheld_from
from league.models.evening import EveningQuerySet, EveningState
from league.models.round import RoundState
from league.standings.season import Exact
from league.statistics.queries.among import among
from players.models import Player

if TYPE_CHECKING:
    from players.models.person import Reader


class OwnTable(NamedTuple):
    """What a player brought home from a table, given by its id; one that is not complete may not count yet."""

    table: int
    complete: bool
    round: int
    points: int
    deals: int


@dataclass(frozen=True)
class EveningResult:
    """What a player brought home from an evening. `place` is None until there is something to rank."""

    evening: Evening
    tables: tuple[OwnTable, ...]
    place: Ranked | None
    ranked: int  # how many are

    @property
    def is_over(self) -> bool:
        """Whether the evening is closed: only then it counts in the season."""
        return self.evening.state == EveningState.CLOSED

    @property
    def points(self) -> int:
        """What it gives in the season."""
        return self.place.points * self.evening.weight if self.place else 0


@dataclass(frozen=True)
class SeasonSum:
    """What a player's closed evenings of a season add up to, and the total that the standings have of him, if any.

    Where the season has rules of its own, the total follows from these; else from the sum and the adjustments, which
    `points` have among them.
    """

    evenings: int
    deals: int
    points: int
    adjustments: list[Adjustment]
    total: Exact | None
    by_rules: bool

    @property
    def is_corrected(self) -> bool:
        """Whether the standings have another sum, as something was corrected since the last run."""
        return not self.by_rules and self.total is not None and self.total != self.points


def evenings_at(player: Player) -> EveningQuerySet:
    """Return all evenings at which the player sat, newest first, whoever may see them."""
    return _evenings_of_rounds(Seat.objects.filter(player=player).order_by().values("round"))


def evenings_attended(player: Player) -> EveningQuerySet:
    """Return all evenings at which the player sat or rested, newest first, whoever may see them."""
    sat = Seat.objects.filter(player=player).order_by().values("round")
    rested = Rest.objects.filter(player=player).order_by().values("round")
    return _evenings_of_rounds(sat.union(rested, all=True))


def _evenings_of_rounds(some: QuerySet[Any, Any]) -> EveningQuerySet:
    # By the player's rounds: the database would rather look through all of the installation's.
    rounds = Round.objects.accepted().filter(among("pk", some))
    evenings = Evening.objects.filter(among("pk", rounds.order_by().values("evening")))
    return evenings.not_cancelled()


def evenings_of(player: Player, reader: Reader) -> EveningQuerySet:
    """Return evenings at which the player sat, newest first.

    Those of clubs that the reader may see, and all of one's own but those of clubs that have not agreed to the login.
    """
    return _seen_by(reader, player, evenings_at(player))


def evenings_attended_of(player: Player, reader: Reader) -> EveningQuerySet:
    """Return evenings at which the player sat or rested, as `evenings_of`."""
    return _seen_by(reader, player, evenings_attended(player))


def _seen_by(reader: Reader, player: Player, evenings: EveningQuerySet) -> EveningQuerySet:
    if reader.is_authenticated and player.user_id == reader.pk:
        agreed = ~Q(season__club__in=withheld_from(reader))
        return evenings.filter(agreed | visible_to(reader, "season__club"))
    return evenings.filter(visible_to(reader, "season__club"))


def season_sum(player: Player, season: Season, found: Sequence[EveningResult]) -> SeasonSum:
    """Return the sum of all the player's closed evenings of the season; two queries."""
    by_rules = bool(season.standings_rules)
    adjustments = [] if by_rules else list(Adjustment.objects.filter(player=player, season=season))
    standing = Standing.objects.filter(player=player, season=season).first()
    placed = [result.place for result in found if result.place]
    points = sum(result.points for result in found) + sum(given.points for given in adjustments)
    deals = sum(place.deals for place in placed)
    return SeasonSum(len(placed), deals, points, adjustments, standing.total if standing else None, by_rules)


def results(player: Player, evenings: EveningQuerySet) -> list[EveningResult]:
    """Return the player's result at each of the evenings, in their order. One query, however many."""
    rows = with_ranking(evenings).with_season().annotate(sat=json_rows(_sat(player)))
    return [_result(player, evening) for evening in rows]


def _sat(player: Player) -> QuerySet[Any, Any]:
    seats = Seat.objects.filter(player=player, round__evening=OuterRef("pk"), round__state=RoundState.ACCEPTED)
    row = JSONArray("table", "table__complete", "round__number", "points", "deals")
    return seats.order_by("round__number").annotate(row=row)


def _result(player: Player, evening: Any) -> EveningResult:
    places = ranking_in(evening)
    return EveningResult(
        evening=evening,
        tables=tuple(OwnTable(*row) for row in evening.sat),
        place=next((place for place in places if place.player == player.pk), None),
        ranked=len(places),
    )
