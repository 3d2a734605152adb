"""The explanation of a player's total and rank in a season: evenings, extra points, tie-breaks, next targets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, TypeAlias

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Max, OuterRef, QuerySet
from django.db.models.functions import JSONObject

from league.models import Adjustment, Evening, Rest, Round, Season, Standing
from league.models.round import RestKind, RoundState
from league.models.season import SeasonState
from league.seasons.queries.season_evenings import standings_inputs, standings_rules_of
from league.standings.counted_evenings import COUNTED_EVENINGS_RULES, SeasonFinal
from league.standings.extras import EXTRAS
from league.standings.next_evening import (
    EveningLimits,
    SeasonSoFar,
    next_evening_target,
    possible_values,
    total_after,
)
from league.standings.rules import StandingsRules
from league.standings.season import ExactNumber, PlayerEvening, exact_number
from league.standings.season_ranking import season_tie_breaks
from league.standings.tie_breaks import TIE_BREAKS, Numbers
from players.models import Player
from scoring import registry

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

WORTHS_BY_TABLES: Final[Collection[str]] = ("wins", "opponents")  # kinds of worth that grow with the number of tables
WORTHS_BY_POINTS: Final[Collection[str]] = ("points", "average", "places")  # kinds of worth that depend on the points
MAX_TIED_PLAYERS = 20  # players with the same total that are listed
PROJECTED_PLACES: Final = (1, 2, 3, 5, 8, 12, 20, 30)  # ranks on the next evening; the page shows a projection for each


class EveningPart(NamedTuple):
    """An evening of a player: its value by the standings rules, whether it counts, and the rounds without a seat."""

    evening: Evening
    value: ExactNumber
    counts: bool
    exempt_count: int = 0  # number of the player's exempt rounds
    exempt_points: Sequence[int] = ()  # points for these rounds
    rest_count: int = 0  # number of rounds that the player sat out
    rest_points: int = 0  # points for these rounds by the standings rules
    rest_scores: Sequence[int] = ()  # points for these rounds by the season's `rest_score`, which are part of `value`
    exempt_reasons: Sequence[StrPromise | str] = ()  # why exempt rounds have these points
    rest_reasons: Sequence[StrPromise | str] = ()  # why rests have these scores


class AppliedTieBreak(NamedTuple):
    """A tie-break, by its name in the standings rules, and the tied players with the numbers that it compares.

    The best player is first. Points have the sign on score sheets.
    """

    name: str
    players: Sequence[tuple[Player, Numbers]]


class TargetAbove(NamedTuple):
    """The result of the next evening that a player needs to pass the player above (`standing`)."""

    standing: Standing
    value: ExactNumber | None  # worth of the evening by the standings rules; None if no result is enough
    any_is_enough: bool  # any result is enough
    place: int | None  # the worst rank on the evening that is enough, if the rules give points for ranks
    dropped_evenings: list[Evening]  # evenings that would be dropped


SimilarEvening: TypeAlias = Literal["best", "middle", "worst"]  # of the player's earlier evenings


class Projection(NamedTuple):
    """A player's total and rank after one more evening, if no other player gets points. Tie-breaks are left out.

    `value` is the assumed result of this evening. `place` is the rank on this evening, if the rules give points for
    ranks; else `similar_evening` is the earlier evening of the player with this result. `rank` is the rank in the
    season.
    """

    place: int | None
    similar_evening: SimilarEvening | None
    value: ExactNumber
    total: ExactNumber
    rank: int


@dataclass
class StandingReasons:
    """The parts that explain a player's total and rank in a season.

    `ranked_count` is the number of ranked players. `counted_total` is the sum (or the mean, if `is_mean`) of the
    evenings that count. `extras` has (name, points) of each extra. `above` and `below` are the standings with the next
    better and the next worse rank, `tied_standings` the other standings with the same total.
    """

    standing: Standing
    rules: StandingsRules
    ranked_count: int
    parts: list[EveningPart]
    counted_total: ExactNumber
    is_mean: bool
    extras: list[tuple[str, int]]
    adjustments: list[Adjustment]
    above: Standing | None = None
    below: Standing | None = None
    tied_standings: list[Standing] = field(default_factory=list)
    tie_breaks: list[AppliedTieBreak] = field(default_factory=list)
    target: TargetAbove | None = None
    projections: list[Projection] = field(default_factory=list)

    @property
    def evenings_without_worth(self) -> int:
        return self.standing.evenings - len(self.standing.worth)


def explain_standing(standing: Standing) -> StandingReasons:
    """Return the parts that explain a player's total and rank. The standing must be fetched with its season.

    Raise UnreadableRules if the season's standings rules are invalid.
    """
    season = standing.season
    rules = standings_rules_of(season)
    is_mean = COUNTED_EVENINGS_RULES[rules.counts.name].is_mean
    counted_pks, worths = set(standing.counted), standing.worths
    evenings = list(_annotate_rests(season.evenings.closed(), standing.player_id).order_by("date", "pk"))
    parts = [
        _evening_part(evening, worths[evening.pk], evening.pk in counted_pks, rules)
        for evening in evenings
        if evening.pk in worths
    ]
    ranked = season.standings.filter(rank__isnull=False)
    numbers = ranked.exclude(pk=standing.pk).values_list("numerator", "denominator")
    other_totals = [exact_number(int(numerator), int(denominator)) for numerator, denominator in numbers]
    reasons = StandingReasons(
        standing=standing,
        rules=rules,
        ranked_count=len(other_totals) + (standing.rank is not None),
        parts=parts,
        counted_total=_counted_total(parts, is_mean=is_mean),
        is_mean=is_mean,
        extras=[(name, points) for name, points in standing.extras.items() if points],
        adjustments=list(season.adjustments.filter(player=standing.player_id)),
    )
    rows = season.standings.select_related("player")
    if standing.rank is not None:
        reasons.above = above = rows.filter(rank__lt=standing.rank).order_by("-rank", "player__sort_key").first()
        reasons.below = rows.filter(rank__gt=standing.rank).order_by("rank", "player__sort_key").first()
        tied = rows.filter(rank__isnull=False, numerator=standing.numerator, denominator=standing.denominator)
        reasons.tied_standings = list(
            tied.exclude(pk=standing.pk).order_by("rank", "player__sort_key")[:MAX_TIED_PLAYERS]
        )
        reasons.tie_breaks = _applied_tie_breaks(reasons) if reasons.tied_standings and rules.ties else []
        if season.state == SeasonState.OPEN:
            own_season = _season_so_far(reasons, evenings)
            reasons.projections = _projections(reasons, own_season, other_totals)
            if above is not None:
                reasons.target = _target_above(reasons, above, own_season)
    return reasons


def _applied_tie_breaks(reasons: StandingReasons) -> list[AppliedTieBreak]:
    """Return the tie-breaks that were applied to the players with the same total.

    A tie-break may compare several numbers of each player, one after another. Numbers after the last deciding number
    are left out.
    """
    standing = reasons.standing
    season = standing.season
    facts = standings_inputs([season])[season.pk]
    rows = sorted([standing, *reasons.tied_standings], key=lambda row: (row.rank or 0, row.player.sort_key))
    applied = []
    for name, numbers in season_tie_breaks(*facts, player=standing.player_id):
        end = _deciding_index(list(numbers.values())) + 1
        players = [
            (row.player, _written_numbers(name, numbers[row.player_id][:end], season))
            for row in rows
            if row.player_id in numbers
        ]
        applied.append(AppliedTieBreak(name, players))
    return applied


def _written_numbers(tie_break: str, numbers: Numbers, season: Season) -> Numbers:
    match TIE_BREAKS[tie_break].unit:
        case "points":
            return tuple(season.convert_points(number) for number in numbers)
        case "worth":
            return tuple(season.convert_total(number) for number in numbers)
    return numbers


def _deciding_index(lists: Sequence[Numbers]) -> int:
    """Return the index of the last number that is needed to distinguish all lists that are not equal."""
    longest = max(map(len, lists))
    different = len(set(lists))
    return next(
        (index for index in range(longest) if len({numbers[: index + 1] for numbers in lists}) == different), longest
    )


def _annotate_rests(evenings: QuerySet[Evening], player: int) -> QuerySet[Evening]:
    """Annotate `rest_rows`: the player's rests and exempt rounds of each evening."""
    sat_out = Rest.objects.filter(round__evening=OuterRef("pk"), player=player, round__state=RoundState.ACCEPTED)
    row = JSONObject(**{field: field for field in ("kind", "score", "points", "deals")})
    return evenings.annotate(rest_rows=ArraySubquery(sat_out.order_by("round__number").values(row=row)))


def _evening_part(evening: Any, value: ExactNumber, counts: bool, rules: StandingsRules) -> EveningPart:
    """Return a player's result of an evening with its parts. `evening` must be annotated by `_annotate_rests`."""
    rests = [Rest(**row) for row in evening.rest_rows]
    exempt = [rest for rest in rests if rest.kind == RestKind.EXEMPT]
    resting = [rest for rest in rests if rest.kind == RestKind.RESTING]
    options = dict(rules.worth.options)
    for_tables = [options["exempt"] * len(exempt)] if rules.worth.name == "wins" else []
    adds_points = rules.worth.name in WORTHS_BY_POINTS or bool(options.get("plus_points"))
    points = [sum(rest.points for rest in exempt)] if adds_points else []
    points_given = [points_value for points_value in (*for_tables, *points) if points_value] if exempt else []
    return EveningPart(
        evening,
        value,
        counts,
        len(exempt),
        points_given,
        len(resting),
        rules.rests * len(resting),
        rest_scores=[rest.points for rest in resting if rest.deals and adds_points],
        exempt_reasons=_rest_reasons(exempt) if adds_points else (),
        rest_reasons=_rest_reasons(resting) if adds_points else (),
    )


def _rest_reasons(rests: Iterable[Rest]) -> list[StrPromise | str]:
    return list(dict.fromkeys(rest.reason for rest in rests if rest.deals))


def _counted_total(parts: list[EveningPart], *, is_mean: bool) -> ExactNumber:
    counting = [part for part in parts if part.counts]
    if not is_mean:
        return sum((part.value for part in counting), start=0)
    weight = sum(part.evening.weight for part in counting)
    return exact_number(sum(part.value * part.evening.weight for part in counting), weight) if weight else 0


def _season_so_far(reasons: StandingReasons, evenings: list[Evening]) -> SeasonSoFar:
    standing, rules = reasons.standing, reasons.rules
    final = next((evening.pk for evening in evenings if evening.season_final), None) if rules.final else None
    index = next((index for index, part in enumerate(reasons.parts) if part.evening.pk == final), None)
    unvalued = [None] * reasons.evenings_without_worth
    attended = [PlayerEvening(0, 0)] * (standing.evenings + 1)
    return SeasonSoFar(
        [*(part.value for part in reasons.parts), *unvalued],
        [*(part.evening.weight for part in reasons.parts), *(1 for _number in unvalued)],
        SeasonFinal(final is not None, index),
        standing.adjustment + sum(EXTRAS[name].points(attended, points_each) for name, points_each in rules.extras),
    )


def _projections(
    reasons: StandingReasons, own_season: SeasonSoFar, other_totals: Collection[ExactNumber]
) -> list[Projection]:
    """Return the player's total and rank after one more evening, for several assumed results of this evening.

    The results are points for ranks, if the rules give such points; else the player's best, middle and worst results,
    if the player has at least three.
    """
    rules = reasons.rules
    evenings: list[tuple[int | None, SimilarEvening | None, ExactNumber]]
    if rules.worth.name == "places":
        points = dict(rules.worth.options)["points"]
        evenings = [(place, None, points[place - 1]) for place in PROJECTED_PLACES if place <= len(points)]
    else:
        values = sorted(
            exact_number(part.value, 1 if reasons.is_mean else part.evening.weight) for part in reasons.parts
        )
        if len(values) < 3:
            return []
        middle = values[len(values) // 2]
        evenings = [(None, "best", values[-1]), (None, "middle", middle), (None, "worst", values[0])]
    totals = [total_after(rules, own_season, value)[0] for _place, _similar, value in evenings]
    return [
        Projection(*evening, total, 1 + sum(other_total > total for other_total in other_totals))
        for evening, total in zip(evenings, totals, strict=True)
    ]


def _target_above(reasons: StandingReasons, above: Standing, own_season: SeasonSoFar) -> TargetAbove:
    """Return the result of the next evening that is needed to pass the player above.

    It is assumed that the player above gets no more points, and that the next evening has weight 1.
    """
    rules = reasons.rules
    possible = possible_values(rules, _next_evening_limits(reasons.standing.season, rules))
    enough = next_evening_target(rules, own_season, above.total, possible)
    if enough is None:
        return TargetAbove(above, None, any_is_enough=False, place=None, dropped_evenings=[])
    dropped_evenings = [reasons.parts[index].evening for index in enough.dropped_indexes]
    if rules.worth.name != "places":
        return TargetAbove(
            above,
            enough.value,
            any_is_enough=enough.value == possible.value(0),
            place=None,
            dropped_evenings=dropped_evenings,
        )
    points, rest = (dict(rules.worth.options)[name] for name in ("points", "rest"))
    place = max((place for place, place_points in enumerate(points, 1) if place_points >= enough.value), default=None)
    is_any = enough.value <= (points[-1] if rest is None else rest)
    return TargetAbove(
        above,
        enough.value if place or is_any else None,
        any_is_enough=is_any,
        place=place,
        dropped_evenings=dropped_evenings,
    )


def _next_evening_limits(season: Season, rules: StandingsRules) -> EveningLimits:
    game = registry.rules(season.game)
    options = game.read_options(season.house_rules)
    tables = season.rounds
    if rules.worth.name in WORTHS_BY_TABLES:
        played = Round.objects.accepted().filter(evening__season=season).aggregate(most=Max("number"))["most"]
        tables = max(tables, played or 0)
    opponents = {
        size - len(side)
        for size in season.table_sizes
        for side in game.sides(size, options) or tuple((seat,) for seat in range(size))
    }
    return EveningLimits(tables, sorted(opponents), game.never_negative)
