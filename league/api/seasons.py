from __future__ import annotations

from datetime import date
from fractions import Fraction
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from ninja import Field, Query, Router, Schema

from league.api.authentication import ApiRequest
from league.api.evenings import EveningOut
from league.api.honours import HonoursOut, honours_out
from league.api.paging import BoundedDate, PageOfItems, PageParameters, page_of
from league.api.people import PlayerOut
from league.models import Evening, Season, Standing
from league.models.season import SeasonState
from league.seasons.queries.rules_summary import season_rules_sentence
from league.seasons.queries.season_evenings import UnreadableRules
from league.seasons.queries.season_standings import standings_on, stored_standings
from league.seasons.queries.standing_reasons import StandingReasons, TargetAbove, explain_standing
from league.seasons.queries.unranked_reason import unranked_reason
from league.standings.season import ExactNumber
from league.web.lookups import visible_or_404
from scoring.numbers import round_to_decimals

router = Router(tags=["seasons"])


class SeasonOut(Schema):
    """A season of one game. `state` is "draft", "open" or "closed"."""

    id: int = Field(validation_alias="pk")
    club: str = Field(validation_alias="club.slug")
    name: str
    game: str = Field(validation_alias="game_key")
    state: str
    page: str = Field(validation_alias="get_absolute_url")


class SeasonRulesOut(SeasonOut):
    """A season with its rules: the game's options, and the standings rules as data and as a sentence."""

    house_rules: dict[str, Any]
    standings_rules: dict[str, Any]
    standings_rules_said: str

    @staticmethod
    def resolve_standings_rules_said(season: Season) -> str:
        return season_rules_sentence(season, season.evenings.all())


class StandingOut(Schema):
    """A player's row in the standings of a season. `unranked` is the reason why the player has no rank, or "".

    `rank_before` is the rank before the last evening.
    """

    rank: int | None
    rank_before: int | None
    player: PlayerOut
    points: float
    evenings: int
    deals: int
    guest: bool
    unranked: str


class EveningPartOut(Schema):
    """The worth of an evening (its points in the standings) for one player, and whether it counts."""

    evening: int
    date: date
    worth: float
    counts: bool


class ExtraOut(Schema):
    """Extra points in the standings. `rule` is the name of the rule that gives them."""

    rule: str
    points: int


class AdjustmentOut(Schema):
    """Points that an admin added to or subtracted from a player's total, with the reason."""

    points: int
    reason: str


class NextTargetOut(Schema):
    """The player of the next higher rank, and the result of the next evening that is enough to pass this player.

    `worth` is the smallest worth of the evening that is enough; null if no result is enough, or if every result is
    enough. In this case `any_result` is true. `place` is the worst rank that is enough; null if ranks give no points.
    """

    player: PlayerOut
    worth: float | None
    any_result: bool
    place: int | None


class ReasonsOut(StandingOut):
    """A row of the standings with the parts of its total.

    `counted` is the sum of the evenings that count, or their mean if `is_mean`. `ranked` is the number of ranked
    players. `above` and `below` are the players of the neighbouring rows.
    """

    ranked: int
    counted: float
    is_mean: bool
    parts: list[EveningPartOut]
    extras: list[ExtraOut]
    adjustments: list[AdjustmentOut]
    tie_break: str
    above: PlayerOut | None
    below: PlayerOut | None
    ahead: NextTargetOut | None


class SeasonHonoursOut(HonoursOut):
    """The result of a closed season: the first three ranks, and its records."""

    podium: list[StandingOut]


class StandingsParameters(PageParameters):
    """`on` is the date of the standings. Without a date, or with a future date, they are the standings of today."""

    on: BoundedDate | None = None


def _standing_fields(row: Standing) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "rank_before": row.rank_before,
        "player": row.player,
        "points": _rounded_number(row.written_total),
        "evenings": row.evenings,
        "deals": row.deals,
        "guest": row.guest,
        "unranked": unranked_reason(row),
    }


def _rounded_number(number: ExactNumber) -> float:
    return float(round_to_decimals(Fraction(number)))


@router.get("/seasons/{int:season_id}", response=SeasonRulesOut, summary=_("A season and its rules"), url_name="season")
def season(request: ApiRequest, season_id: int) -> Season:
    return visible_or_404(Season.objects.with_club(), request.auth, pk=season_id)


@router.get(
    "/seasons/{int:season_id}/standings",
    response=PageOfItems[StandingOut],
    summary=_("A season’s standings, today’s or as of a past date"),
    url_name="standings",
)
def season_standings(request: ApiRequest, season_id: int, parameters: Query[StandingsParameters]) -> dict[str, Any]:
    season_row = visible_or_404(Season.objects.with_club(), request.auth, pk=season_id)
    is_past = parameters.on is not None and parameters.on < timezone.localdate(timezone=season_row.club.zone)
    rows = standings_on(season_row, parameters.on) if parameters.on and is_past else stored_standings(season_row)
    return page_of(request, rows, parameters, _standing_fields)


@router.get(
    "/seasons/{int:season_id}/standings/{int:player_id}",
    response=ReasonsOut,
    summary=_("Why a player has this place: the evenings that count, and what comes on top"),
    url_name="standing",
)
def standing(request: ApiRequest, season_id: int, player_id: int) -> dict[str, Any]:
    season_row = visible_or_404(Season.objects.with_club(), request.auth, pk=season_id)
    row = get_object_or_404(Standing.objects.select_related("player"), season=season_row, player=player_id)
    row.season = season_row
    try:
        return {**_standing_fields(row), "tie_break": row.tie_break, **_reason_fields(explain_standing(row))}
    except UnreadableRules:  # shown on the season's page
        raise Http404 from None


def _reason_fields(standing_reasons: StandingReasons) -> dict[str, Any]:
    season = standing_reasons.standing.season
    return {
        "ranked": standing_reasons.ranked_count,
        "counted": _rounded_number(season.convert_total(standing_reasons.counted_total)),
        "is_mean": standing_reasons.is_mean,
        "parts": [
            {
                "evening": part.evening.pk,
                "date": part.evening.date,
                "worth": _rounded_number(season.convert_total(part.value)),
                "counts": part.counts,
            }
            for part in standing_reasons.parts
        ],
        "extras": [{"rule": name, "points": season.convert_total(points)} for name, points in standing_reasons.extras],
        "adjustments": [
            {"points": season.convert_total(adjustment.points), "reason": adjustment.reason}
            for adjustment in standing_reasons.adjustments
        ],
        "above": standing_reasons.above.player if standing_reasons.above else None,
        "below": standing_reasons.below.player if standing_reasons.below else None,
        "ahead": _target_fields(standing_reasons.target) if standing_reasons.target else None,
    }


def _target_fields(target: TargetAbove) -> dict[str, Any]:
    return {
        "player": target.standing.player,
        "worth": None
        if target.any_is_enough or target.value is None
        else _rounded_number(target.standing.season.convert_total(target.value)),
        "any_result": target.any_is_enough,
        "place": target.place,
    }


@router.get(
    "/seasons/{int:season_id}/evenings",
    response=PageOfItems[EveningOut],
    summary=_("A season’s evenings, the latest first"),
    url_name="season-evenings",
)
def season_evenings(request: ApiRequest, season_id: int, parameters: Query[PageParameters]) -> dict[str, Any]:
    season_row = visible_or_404(Season.objects.with_club(), request.auth, pk=season_id)
    return page_of(request, Evening.objects.filter(season=season_row).with_season(), parameters)


@router.get(
    "/seasons/{int:season_id}/honours",
    response=SeasonHonoursOut,
    summary=_("A closed season’s champions and records"),
    url_name="season-honours",
)
def season_honours(request: ApiRequest, season_id: int) -> dict[str, Any]:
    season_row = visible_or_404(Season.objects.with_club(), request.auth, pk=season_id)
    if season_row.state != SeasonState.CLOSED:
        raise Http404
    podium = season_row.standings.filter(rank__lte=3).select_related("player")
    return {
        **honours_out(season_row.game_key, [season_row], request.auth),
        "podium": [_standing_fields(row) for row in podium],
    }
