"""Why a player stands where he stands: his row of the standings opened. Adds up what the row says, and nothing else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from django.db.models import Count, Max, OuterRef, QuerySet, Subquery, Sum

from league.models import Adjustment, Evening, Rest, Round, Season, Standing
from league.models.round import RestKind, RoundState
from league.models.season import SeasonState
from league.seasons.queries.season_evenings import facts_of, rules_of
from league.standings.choice import CHOICES
from league.standings.choice import Final as SeasonFinal
from league.standings.extras import EXTRAS
from league.standings.next_evening import EveningLimits, SeasonSoFar, next_evening_target, possible_values
from league.standings.rules import StandingsRules
from league.standings.season import Exact, PlayerEvening, exact
from league.standings.season_ranking import season_tie_breaks
from league.standings.tie_breaks import Numbers
from players.models import Player
from scoring import registry

BY_TABLE: Final[Collection[str]] = ("wins", "opponents")  # worths that grow with an evening's tables
LEVEL = 20  # of those with the same total, at most so many are named


class EveningPart(NamedTuple):
    """An evening attended: what it is worth, and whether that counts.

    Of its rounds so many were sat out: `exempt` ones gave what `for_exempt` lists, `rests` gave `for_rests`.
    """

    evening: Evening
    value: Exact
    counts: bool
    exempt: int = 0
    for_exempt: Sequence[int] = ()
    rests: int = 0
    for_rests: int = 0


class AppliedTieBreak(NamedTuple):
    """A tie-break by its name in the rules, and the players between whom it decided with their numbers, best first."""

    name: str
    players: Sequence[tuple[Player, Numbers]]


class Ahead(NamedTuple):
    """What the next evening has to bring to pass whoever is placed next above, and which evenings then drop out.

    `value` is in the season's own measure; None when no evening is enough. `any` is true when attending is enough.
    `place` is the last place that gives as much, where places give points.
    """

    standing: Standing
    value: Exact | None
    any: bool
    place: int | None
    drops: list[Evening]


@dataclass
class StandingReasons:
    """A row of the standings opened. `counted` is the sum, or the mean, of the evenings that count."""

    standing: Standing
    rules: StandingsRules
    ranked: int
    parts: list[EveningPart]
    counted: Exact
    is_mean: bool
    extras: list[tuple[str, int]]
    adjustments: list[Adjustment]
    above: Standing | None = None
    below: Standing | None = None
    level: list[Standing] = field(default_factory=list)
    tie_breaks: list[AppliedTieBreak] = field(default_factory=list)
    ahead: Ahead | None = None

    @property
    def without_worth(self) -> int:
        """How many evenings were attended and are worth nothing by the rules, as those without a deal."""
        return self.standing.evenings - len(self.parts)


def reasons(standing: Standing) -> StandingReasons:
    """Return what a row is made of, and its neighbours; seven queries. Raises UnreadableRules.

    Where others have the same total and tie-breaks decide, the season's facts are read as well. The row comes with its
    season.
    """
    season = standing.season
    rules = rules_of(season)
    is_mean = CHOICES[rules.counts.name].is_mean
    counted, worths = set(standing.counted), standing.worths
    evenings = list(_with_rests(season.evenings.closed(), standing.player_id).order_by("date", "pk"))
    parts = [_part(each, worths[each.pk], each.pk in counted, rules) for each in evenings if each.pk in worths]
    found = StandingReasons(
        standing=standing,
        rules=rules,
        ranked=season.standings.filter(rank__isnull=False).count(),
        parts=parts,
        counted=_counted(parts, is_mean=is_mean),
        is_mean=is_mean,
        extras=[(name, points) for name, points in standing.extras.items() if points],
        adjustments=list(season.adjustments.filter(player=standing.player_id)),
    )
    others = season.standings.select_related("player")
    if standing.rank is not None:
        found.above = above = others.filter(rank__lt=standing.rank).order_by("-rank", "player__sort_key").first()
        found.below = others.filter(rank__gt=standing.rank).order_by("rank", "player__sort_key").first()
        same = others.filter(rank__isnull=False, numerator=standing.numerator, denominator=standing.denominator)
        found.level = list(same.exclude(pk=standing.pk).order_by("rank", "player__sort_key")[:LEVEL])
        found.tie_breaks = _tie_breaks(found) if found.level and rules.ties else []
        if above is not None and season.state == SeasonState.OPEN:
            found.ahead = _ahead(found, above, evenings)
    return found


def _tie_breaks(found: StandingReasons) -> list[AppliedTieBreak]:
    """Return the tie-breaks between the row and the named rows of the same total; long lists of numbers are cut."""
    standing = found.standing
    facts = facts_of([standing.season])[standing.season_id]
    rows = sorted([standing, *found.level], key=lambda row: (row.rank or 0, row.player.sort_key))
    shown = []
    for name, numbers in season_tie_breaks(*facts, player=standing.player_id):
        end = _differing(list(numbers.values())) + 1
        players = [(row.player, numbers[row.player_id][:end]) for row in rows if row.player_id in numbers]
        shown.append(AppliedTieBreak(name, players))
    return shown


def _differing(lists: Sequence[Numbers]) -> int:
    """Return the last place up to which the lists have to be read to tell each from all others."""
    together = max(map(len, lists))
    different = len(set(lists))
    return next((at for at in range(together) if len({each[: at + 1] for each in lists}) == different), together)


def _with_rests(evenings: QuerySet[Evening], player: int) -> QuerySet[Evening]:
    """Annotate evenings with what a player sat out: exempt rounds, their points, and rounds rested."""
    sat_out = Rest.objects.filter(round__evening=OuterRef("pk"), player=player, round__state=RoundState.ACCEPTED)
    of_evening = sat_out.order_by().values("round__evening")
    exempt, rested = (of_evening.filter(kind=kind) for kind in (RestKind.EXEMPT, RestKind.RESTING))
    return evenings.annotate(
        exempt=Subquery(exempt.annotate(number=Count("pk")).values("number")),
        exempt_points=Subquery(exempt.annotate(sum=Sum("points")).values("sum")),
        rests=Subquery(rested.annotate(number=Count("pk")).values("number")),
    )


def _part(evening: Any, value: Exact, counts: bool, rules: StandingsRules) -> EveningPart:
    """Return an evening's part of the row; the evening has its rests."""
    exempt, rests = evening.exempt or 0, evening.rests or 0
    options = dict(rules.worth.options)
    for_tables = [options["exempt"] * exempt] if rules.worth.name == "wins" else []
    points = [evening.exempt_points or 0] if rules.worth.name != "wins" or options["plus_points"] else []
    given = [each for each in (*for_tables, *points) if each] if exempt else []
    return EveningPart(evening, value, counts, exempt, given, rests, rules.rests * rests)


def _counted(parts: list[EveningPart], *, is_mean: bool) -> Exact:
    counting = [part for part in parts if part.counts]
    if not is_mean:
        return sum((part.value for part in counting), start=0)
    weight = sum(part.evening.weight for part in counting)
    return exact(sum(part.value * part.evening.weight for part in counting), weight) if weight else 0


def _ahead(found: StandingReasons, above: Standing, evenings: list[Evening]) -> Ahead:
    """Return what is enough, if the one above gets nothing more and the next evening counts once."""
    standing, rules = found.standing, found.rules
    final = next((each.pk for each in evenings if each.season_final), None) if rules.final else None
    at = next((at for at, part in enumerate(found.parts) if part.evening.pk == final), None)
    unvalued = [None] * found.without_worth
    attended = [PlayerEvening(0, 0)] * (standing.evenings + 1)
    own = SeasonSoFar(
        [*(part.value for part in found.parts), *unvalued],
        [*(part.evening.weight for part in found.parts), *(1 for _one in unvalued)],
        SeasonFinal(final is not None, at),
        standing.adjustment + sum(EXTRAS[name].points(attended, each) for name, each in rules.extras),
    )
    possible = possible_values(rules, _next_evening(standing.season, rules))
    enough = next_evening_target(rules, own, above.total, possible)
    if enough is None:
        return Ahead(above, None, any=False, place=None, drops=[])
    drops = [found.parts[at].evening for at in enough.drops]
    if rules.worth.name != "places":
        return Ahead(above, enough.value, any=enough.value == possible.value(0), place=None, drops=drops)
    points, rest = (dict(rules.worth.options)[name] for name in ("points", "rest"))
    place = max((place for place, each in enumerate(points, 1) if each >= enough.value), default=None)
    is_any = enough.value <= (points[-1] if rest is None else rest)
    return Ahead(above, enough.value if place or is_any else None, any=is_any, place=place, drops=drops)


def _next_evening(season: Season, rules: StandingsRules) -> EveningLimits:
    """Return what is known of the season's next evening; a query where its number of tables matters."""
    game = registry.rules(season.game)
    tables = season.rounds
    if rules.worth.name in BY_TABLE:
        played = Round.objects.accepted().filter(evening__season=season).aggregate(most=Max("number"))["most"]
        tables = max(tables, played or 0)
    opponents = {
        size - len(side)
        for size in season.table_sizes
        for side in game.sides(size) or tuple((at,) for at in range(size))
    }
    return EveningLimits(tables, sorted(opponents), game.never_negative)
