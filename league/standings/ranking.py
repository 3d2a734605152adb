"""The standings of a season by its rules: each row with its reasons. Exact: integers and fractions, nothing rounded."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import mul
from typing import Any, NamedTuple, cast

from league.standings.choice import CHOICES, Final
from league.standings.extras import EXTRAS, compensated
from league.standings.minimum import MINIMUMS
from league.standings.rules import StandingsRules
from league.standings.season import Exact, Id, PointsGiven, SeasonEvening, exact
from league.standings.tie_breaks import TIE_BREAKS, Level, Numbers, PlayerSeason, SeasonEvenings
from league.standings.worth import WORTHS, common_denominator


class StandingRow(NamedTuple):
    """A player's row, and what it is made of.

    total = the sum of `worth` over `counted` (the weighted mean where the rules say so) + `extras` + `adjustment`.
    `evenings` are those attended, `worth` the values of those that have one; lists of evenings are in order of time.
    `tie_break` is the last one that split a group of equal totals which held this row. Evenings and partners that are
    `missing` leave a row without a rank; so does being no `member` on any evening.
    """

    player: Id
    rank: int | None
    total: Exact
    evenings: int
    counted: tuple[Id, ...]
    dropped: tuple[Id, ...]
    worth: Mapping[Id, Exact]
    extras: Mapping[str, int]
    adjustment: int
    tie_break: str
    missing: int
    missing_partners: int
    deals: int
    member: bool


class _Total(NamedTuple):
    """What a player's season adds up to, over the season's denominator; and why it has no rank, if it has none."""

    season: PlayerSeason
    total: int | Fraction
    extras: Mapping[str, int]
    adjustment: int
    is_member: bool
    missing: int
    missing_partners: int

    @property
    def is_ranked(self) -> bool:
        return self.is_member and not self.missing and not self.missing_partners


class _Ranked(NamedTuple):
    rank: int | None
    tie_break: str
    total: _Total


class _Ranking(NamedTuple):
    """A season worked out: its evenings in order of time, the denominator of its values, and everyone in order."""

    evenings: Sequence[SeasonEvening]
    denominator: int
    ranked: Sequence[_Ranked]


def standings(
    rules: StandingsRules,
    evenings: Iterable[SeasonEvening],
    adjustments: Iterable[PointsGiven] = (),
    partners: Mapping[Id, int] | None = None,
) -> list[StandingRow]:
    """Return a season's rows: by rank, then those without one by total; of equal ones by player.

    `partners` are how many different ones each player has had, for rules that ask for a minimum of them.
    """
    held = _in_time(evenings)
    return list(_rows(_ranking(rules, held, *_played(rules, held), adjustments, partners or {})))


def standings_since(
    rules: StandingsRules,
    evenings: Iterable[SeasonEvening],
    adjustments: Sequence[PointsGiven] = (),
    partners: Mapping[Id, int] | None = None,
    partners_before: Mapping[Id, int] | None = None,
) -> tuple[list[StandingRow], dict[Id, int | None]]:
    """Return `standings`, and everyone's rank without the newest evening, which is left out of `partners_before`."""
    held = _in_time(evenings)
    denominator, played = _played(rules, held)
    earlier = {player: season for player, each in played.items() if (season := each.before(len(held) - 1)).at}
    before = _ranking(rules, held[:-1], denominator, earlier, adjustments, partners_before or {})
    rows = list(_rows(_ranking(rules, held, denominator, played, adjustments, partners or {})))
    return rows, {each.total.season.player: each.rank for each in before.ranked}


class TieBreakNumbers(NamedTuple):
    """A tie-break among players who were still level, with the numbers of each."""

    name: str
    numbers: Mapping[Id, Numbers]


def tie_break_numbers(
    rules: StandingsRules,
    evenings: Iterable[SeasonEvening],
    adjustments: Iterable[PointsGiven] = (),
    partners: Mapping[Id, int] | None = None,
    *,
    player: Id,
) -> list[TieBreakNumbers]:
    """Return each tie-break that was applied to the group of a ranked player, as the group then stood."""
    held = _in_time(evenings)
    ranking = _ranking(rules, held, *_played(rules, held), adjustments, partners or {})
    ranked = {each.total.season.player: each.total for each in ranking.ranked if each.rank is not None}
    if player not in ranked:
        return []
    group = [each.season for each in ranked.values() if each.total == ranked[player].total]
    found = []
    for name in rules.ties:
        if len(group) < 2:
            break
        keys = TIE_BREAKS[name].keys(group, SeasonEvenings(held))
        numbers = [TIE_BREAKS[name].numbers(key, ranking.denominator) for key in keys]
        players = [each.player for each in group]
        found.append(TieBreakNumbers(name, dict(zip(players, numbers, strict=True))))
        own = keys[players.index(player)]
        group = [season for season, key in zip(group, keys, strict=True) if key == own]
    return found


def _in_time(evenings: Iterable[SeasonEvening]) -> list[SeasonEvening]:
    return sorted(evenings, key=lambda evening: (evening.date, evening.id))


def _ranking(
    rules: StandingsRules,
    held: Sequence[SeasonEvening],
    denominator: int,
    played: dict[Id, PlayerSeason],
    adjustments: Iterable[PointsGiven],
    partners: Mapping[Id, int],
) -> _Ranking:
    given = Counter[Id]()
    for each in adjustments:
        given[each.player] += each.points
    for player in given:
        played.setdefault(player, PlayerSeason(player))
    totals = _totals(rules, held, denominator, list(played.values()), given, partners)
    return _Ranking(held, denominator, list(_in_order(rules, held, totals)))


def _played(rules: StandingsRules, held: Sequence[SeasonEvening]) -> tuple[int, dict[Id, PlayerSeason]]:
    """Return a common denominator of all values, and each player's evenings with their values over it."""
    worth, options = WORTHS[rules.worth.name].worths, dict(rules.worth.options)
    is_mean = CHOICES[rules.counts.name].mean
    all_results = [compensated(evening.results, rules.rests) for evening in held]
    worths = [worth(results, **options) for results in all_results]
    denominator = common_denominator({each.denominator for each in worths})
    played: dict[Id, PlayerSeason] = {}
    for at, (evening, results, (numerators, of)) in enumerate(zip(held, all_results, worths, strict=True)):
        factor = denominator // of * (1 if is_mean else evening.weight)
        for result, numerator in zip(results, numerators, strict=True):
            season = played.get(result.player)
            if season is None:
                season = played[result.player] = PlayerSeason(result.player)
            season.at.append(at)
            season.results.append(result)
            season.values.append(None if numerator is None else numerator * factor)
    return denominator, played


def _totals(
    rules: StandingsRules,
    held: Sequence[SeasonEvening],
    denominator: int,
    seasons: Sequence[PlayerSeason],
    adjustments: Mapping[Id, int],
    partners: Mapping[Id, int],
) -> Iterator[_Total]:
    """Everyone's total, with the choice of the evenings that count."""
    ((minimum, said),) = rules.minimum.options
    least = MINIMUMS[minimum].least(len(held), said)
    final = next((at for at, evening in enumerate(held) if evening.final), None) if rules.final else None
    weights = [evening.weight for evening in held]
    for season in seasons:
        _choose(rules, season, final)
        extras = {name: EXTRAS[name].points(season.results, each) for name, each in rules.extras}
        adjustment = adjustments.get(season.player, 0)
        yield _Total(
            season,
            _value(rules, season, weights) + (sum(extras.values()) + adjustment) * denominator,
            extras,
            adjustment,
            any(result.member for result in season.results),
            max(0, least - len(season.at)),
            max(0, rules.partners - partners.get(season.player, 0)),
        )


def _choose(rules: StandingsRules, season: PlayerSeason, final: int | None) -> None:
    """Write down which of a player's evenings count, and which don't."""
    there = season.at.index(final) if final in season.at else None
    always = None if there is None or season.values[there] is None else there
    choice = CHOICES[rules.counts.name]
    season.counted += choice.choose(season.values, Final(final is not None, always), **dict(rules.counts.options))
    if len(season.counted) < len(season.values):
        counted = set(season.counted)
        season.dropped += [at for at, value in enumerate(season.values) if value is not None and at not in counted]


def _value(rules: StandingsRules, season: PlayerSeason, weights: Sequence[int]) -> int | Fraction:
    """Return what the evenings that count come to: their sum, or their mean, each with its evening's weight."""
    every = len(season.counted) == len(season.values)
    values = cast("list[int]", season.values if every else [season.values[at] for at in season.counted])
    if not CHOICES[rules.counts.name].mean:
        return sum(values)
    weighs = [weights[season.at[at]] for at in season.counted]
    weight = sum(weighs)
    return Fraction(sum(map(mul, values, weighs)), weight) if weight else 0


def _in_order(rules: StandingsRules, held: Sequence[SeasonEvening], totals: Iterable[_Total]) -> Iterator[_Ranked]:
    """Everyone, ranked first; equal totals as the tie-breaks decide."""
    order = sorted(totals, key=lambda each: (-each.total, each.season.player))
    ranked = {each.season.player: each for each in order if each.is_ranked}
    season = SeasonEvenings(held)
    rank = 1
    for equal in _level([each.season for each in ranked.values()], [each.total for each in ranked.values()]):
        groups, tie_breaks = _split(equal, rules.ties, season)
        for group in groups:
            for each in group:
                yield _Ranked(rank, tie_breaks.get(each.player, ""), ranked[each.player])
            rank += len(group)
    for total in order:
        if not total.is_ranked:
            yield _Ranked(None, "", total)


def _split(level: Level, ties: Sequence[str], season: SeasonEvenings) -> tuple[list[Level], dict[Id, str]]:
    """Split those who are level by each tie-break in turn, and name the last one that split each player's group."""
    groups, decided = [level], dict[Id, str]()
    for name in ties:
        finer: list[Level] = []
        for group in groups:
            parts = _level(group, TIE_BREAKS[name].keys(group, season)) if len(group) > 1 else [group]
            if len(parts) > 1:
                decided.update({each.player: name for each in group})
            finer += parts
        groups = finer
    return groups, decided


def _level(seasons: Level, keys: Sequence[Any]) -> list[Level]:
    """Return who has an equal key, the highest first, each group in the order given."""
    groups: dict[Any, list[PlayerSeason]] = {}
    for season, key in zip(seasons, keys, strict=True):
        groups.setdefault(key, []).append(season)
    return [groups[key] for key in sorted(groups, reverse=True)]


def _rows(ranking: _Ranking) -> Iterator[StandingRow]:
    ids = [evening.id for evening in ranking.evenings]
    known: dict[int, Exact] = {}  # a season has few different values
    whole = ranking.denominator == 1
    for rank, tie_break, (season, total, extras, adjustment, member, missing, missing_partners) in ranking.ranked:
        there = [ids[at] for at in season.at]
        every = len(season.counted) == len(there)
        yield StandingRow(
            season.player,
            rank,
            exact(total, ranking.denominator),
            len(there),
            tuple(there) if every else tuple([there[at] for at in season.counted]),
            tuple([there[at] for at in season.dropped]),
            dict(zip(there, cast("list[int]", season.values), strict=True))
            if whole and every
            else {
                id_: known[value] if value in known else known.setdefault(value, exact(value, ranking.denominator))
                for id_, value in zip(there, season.values, strict=True)
                if value is not None
            },
            extras,
            adjustment,
            tie_break,
            missing,
            missing_partners,
            sum([result.deals for result in season.results]),
            member,
        )
