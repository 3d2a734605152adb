"""Computes the ranking of a season by its rules, with the parts of each row. Numbers are integers and fractions,
without rounding.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from operator import mul
from typing import NamedTuple, cast

from league.standings.counted_evenings import COUNTED_EVENINGS_RULES, SeasonFinal
from league.standings.extras import EXTRAS, compensate_rests
from league.standings.minimum import MINIMUM_RULES
from league.standings.player_season import PlayerSeason, SeasonEvenings
from league.standings.rules import StandingsRules
from league.standings.season import ExactNumber, Id, PointsAdjustment, SeasonEvening, exact_number
from league.standings.tie_breaks import TIE_BREAKS, Numbers
from league.standings.tied_groups import group_by_key, split_tied_group
from league.standings.worth import WORTH_RULES, common_denominator


class RankingRow(NamedTuple):
    """A player's row in a season's ranking, with the parts of the total.

    total = sum of `worth` over the evenings in `counted` (or their weighted mean, by the rules) + `extras` +
    `adjustment`. `evenings` is the number of evenings attended. `worth` has, by evening id, the value (see
    `CountedEveningsRule`) of each evening with a worth. `counted` and `dropped` are ids of evenings in order of time.
    `tie_break` is the last tie-break that split the row's group of equal totals, or "". `missing` and
    `missing_partners` are the numbers of evenings and of partners that the player lacks for a rank. A row has no rank
    if one of them is not 0, or if the player was not a `member` on any evening. `rank_before` is the rank before the
    newest evening, if it was computed.
    """

    player: Id
    rank: int | None
    total: ExactNumber
    evenings: int
    counted: tuple[Id, ...]
    dropped: tuple[Id, ...]
    worth: Mapping[Id, ExactNumber]
    extras: Mapping[str, int]
    adjustment: int
    tie_break: str
    missing: int
    missing_partners: int
    deals: int
    member: bool
    rank_before: int | None = None


class _Total(NamedTuple):
    """A player's total, multiplied by the season's common denominator. The last three fields decide whether the player
    has a rank.
    """

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


class _RankedTotal(NamedTuple):
    rank: int | None
    tie_break: str
    total: _Total


class _RankedSeason(NamedTuple):
    """A ranked season: its evenings in order of time, the common denominator of its values, and the totals in order of
    rank, then those without a rank.
    """

    evenings: Sequence[SeasonEvening]
    denominator: int
    totals: Sequence[_RankedTotal]


def standings(
    rules: StandingsRules,
    evenings: Iterable[SeasonEvening],
    adjustments: Iterable[PointsAdjustment] = (),
    partners: Mapping[Id, int] | None = None,
) -> list[RankingRow]:
    """Return the rows of a season's ranking by rank, then the rows without a rank by total.

    Rows with the same rank are sorted by player id, and so are rows without a rank with the same total. `partners` has
    the number of different partners of each player, for rules that require a minimum of partners.
    """
    in_order = _sort_by_time(evenings)
    return list(
        _ranking_rows(_rank_season(rules, in_order, *_player_seasons(rules, in_order), adjustments, partners or {}))
    )


def standings_with_ranks_before(
    rules: StandingsRules,
    evenings: Iterable[SeasonEvening],
    adjustments: Sequence[PointsAdjustment] = (),
    partners: Mapping[Id, int] | None = None,
    partners_before: Mapping[Id, int] | None = None,
) -> list[RankingRow]:
    """Return the rows of `standings`; each row also has its rank before the newest evening.

    `partners` has the number of different partners of each player; `partners_before` has the numbers without the newest
    evening.
    """
    in_order = _sort_by_time(evenings)
    denominator, player_seasons = _player_seasons(rules, in_order)
    newest = len(in_order) - 1
    earlier = {
        player: earlier_season
        for player, season in player_seasons.items()
        if (earlier_season := season.without_newest_evening(newest)).indexes
    }
    earlier_ranking = _rank_season(rules, in_order[:-1], denominator, earlier, adjustments, partners_before or {})
    ranks_before = {row.total.season.player: row.rank for row in earlier_ranking.totals}
    ranking = _rank_season(rules, in_order, denominator, player_seasons, adjustments, partners or {})
    return list(_ranking_rows(ranking, ranks_before))


class TieBreakNumbers(NamedTuple):
    """A tie-break, and the numbers that it compared, by the id of each player who was still tied."""

    name: str
    numbers: Mapping[Id, Numbers]


def tie_break_numbers(
    rules: StandingsRules,
    evenings: Iterable[SeasonEvening],
    adjustments: Iterable[PointsAdjustment] = (),
    partners: Mapping[Id, int] | None = None,
    *,
    player: Id,
) -> list[TieBreakNumbers]:
    """Return the tie-breaks that were applied to the group of players with the same total as the player, in order.

    Each tie-break makes the group smaller; the list ends when the player is alone. The list is empty if the player has
    no rank, or if no other player has the same total.
    """
    in_order = _sort_by_time(evenings)
    ranking = _rank_season(rules, in_order, *_player_seasons(rules, in_order), adjustments, partners or {})
    ranked = {row.total.season.player: row.total for row in ranking.totals if row.rank is not None}
    if player not in ranked:
        return []
    group = [total.season for total in ranked.values() if total.total == ranked[player].total]
    tie_breaks = []
    for name in rules.ties:
        if len(group) < 2:
            break
        keys = TIE_BREAKS[name].keys(group, SeasonEvenings(in_order))
        numbers = [TIE_BREAKS[name].numbers(key, ranking.denominator) for key in keys]
        players = [season.player for season in group]
        tie_breaks.append(TieBreakNumbers(name, dict(zip(players, numbers, strict=True))))
        own_key = keys[players.index(player)]
        group = [season for season, key in zip(group, keys, strict=True) if key == own_key]
    return tie_breaks


def _sort_by_time(evenings: Iterable[SeasonEvening]) -> list[SeasonEvening]:
    return sorted(evenings, key=lambda evening: (evening.date, evening.id))


def _rank_season(
    rules: StandingsRules,
    in_order: Sequence[SeasonEvening],
    denominator: int,
    player_seasons: dict[Id, PlayerSeason],
    adjustments: Iterable[PointsAdjustment],
    partners: Mapping[Id, int],
) -> _RankedSeason:
    adjustment_sums = Counter[Id]()
    for adjustment in adjustments:
        adjustment_sums[adjustment.player] += adjustment.points
    for player in adjustment_sums:
        player_seasons.setdefault(player, PlayerSeason(player))
    totals = _totals(rules, in_order, denominator, list(player_seasons.values()), adjustment_sums, partners)
    return _RankedSeason(in_order, denominator, list(_rank_totals(rules, in_order, totals)))


def _player_seasons(rules: StandingsRules, in_order: Sequence[SeasonEvening]) -> tuple[int, dict[Id, PlayerSeason]]:
    """Return the common denominator of all values, and {player id: season}. `PlayerSeason.values` are numerators."""
    worth, options = WORTH_RULES[rules.worth.name].worths, dict(rules.worth.options)
    is_mean = COUNTED_EVENINGS_RULES[rules.counts.name].is_mean
    all_results = [compensate_rests(evening.results, rules.rests) for evening in in_order]
    worths = [worth(results, **options) for results in all_results]
    denominator = common_denominator({evening_worths.denominator for evening_worths in worths})
    player_seasons: dict[Id, PlayerSeason] = {}
    for index, (evening, results, (numerators, evening_denominator)) in enumerate(
        zip(in_order, all_results, worths, strict=True)
    ):
        factor = denominator // evening_denominator * (1 if is_mean else evening.weight)
        for result, numerator in zip(results, numerators, strict=True):
            season = player_seasons.get(result.player)
            if season is None:
                season = player_seasons[result.player] = PlayerSeason(result.player)
            season.indexes.append(index)
            season.results.append(result)
            season.values.append(None if numerator is None else numerator * factor)
    return denominator, player_seasons


def _totals(
    rules: StandingsRules,
    in_order: Sequence[SeasonEvening],
    denominator: int,
    seasons: Sequence[PlayerSeason],
    adjustments: Mapping[Id, int],
    partners: Mapping[Id, int],
) -> Iterator[_Total]:
    ((minimum, value),) = rules.minimum.options
    minimum_evenings = MINIMUM_RULES[minimum].compute(len(in_order), value)
    final = next((index for index, evening in enumerate(in_order) if evening.final), None) if rules.final else None
    weights = [evening.weight for evening in in_order]
    for season in seasons:
        _choose_counted_evenings(rules, season, final)
        extras = {name: EXTRAS[name].points(season.results, points) for name, points in rules.extras}
        adjustment = adjustments.get(season.player, 0)
        yield _Total(
            season,
            _evenings_total(rules, season, weights) + (sum(extras.values()) + adjustment) * denominator,
            extras,
            adjustment,
            any(result.member for result in season.results),
            max(0, minimum_evenings - len(season.indexes)),
            max(0, rules.partners - partners.get(season.player, 0)),
        )


def _choose_counted_evenings(rules: StandingsRules, season: PlayerSeason, final: int | None) -> None:
    """Fill the lists `counted` and `dropped` of a player's season.

    `final` is the index of the season's final in the season's list of evenings. It is None if the final was not held,
    or does not always count.
    """
    attended = season.indexes.index(final) if final in season.indexes else None
    final_index = None if attended is None or season.values[attended] is None else attended
    choice = COUNTED_EVENINGS_RULES[rules.counts.name]
    season.counted += choice.choose(
        season.values, SeasonFinal(final is not None, final_index), **dict(rules.counts.options)
    )
    if len(season.counted) < len(season.values):
        counted = set(season.counted)
        season.dropped += [
            index for index, value in enumerate(season.values) if value is not None and index not in counted
        ]


def _evenings_total(rules: StandingsRules, season: PlayerSeason, weights: Sequence[int]) -> int | Fraction:
    """Return the sum (or, by the rules, the weighted mean) of the values of the counted evenings."""
    all_count = len(season.counted) == len(season.values)
    values = cast("list[int]", season.values if all_count else [season.values[index] for index in season.counted])
    if not COUNTED_EVENINGS_RULES[rules.counts.name].is_mean:
        return sum(values)
    counted_weights = [weights[season.indexes[index]] for index in season.counted]
    weight = sum(counted_weights)
    return Fraction(sum(map(mul, values, counted_weights)), weight) if weight else 0


def _rank_totals(
    rules: StandingsRules, in_order: Sequence[SeasonEvening], totals: Iterable[_Total]
) -> Iterator[_RankedTotal]:
    order = sorted(totals, key=lambda total: (-total.total, total.season.player))
    ranked = {total.season.player: total for total in order if total.is_ranked}
    season = SeasonEvenings(in_order)
    rank = 1
    for equal in group_by_key([total.season for total in ranked.values()], [total.total for total in ranked.values()]):
        groups, decided_by = split_tied_group(
            equal, rules.ties, lambda name, group: TIE_BREAKS[name].keys(group, season)
        )
        for group in groups:
            for player_season in group:
                yield _RankedTotal(rank, decided_by.get(player_season, ""), ranked[player_season.player])
            rank += len(group)
    for total in order:
        if not total.is_ranked:
            yield _RankedTotal(None, "", total)


def _ranking_rows(ranking: _RankedSeason, ranks_before: Mapping[Id, int | None] | None = None) -> Iterator[RankingRow]:
    ids = [evening.id for evening in ranking.evenings]
    exact_numbers: dict[int, ExactNumber] = {}  # a cache: the same values occur often in a season
    is_whole = ranking.denominator == 1
    for rank, tie_break, (season, total, extras, adjustment, member, missing, missing_partners) in ranking.totals:
        attended = [ids[index] for index in season.indexes]
        all_count = len(season.counted) == len(attended)
        yield RankingRow(
            season.player,
            rank,
            exact_number(total, ranking.denominator),
            len(attended),
            tuple(attended) if all_count else tuple([attended[index] for index in season.counted]),
            tuple([attended[index] for index in season.dropped]),
            dict(zip(attended, cast("list[int]", season.values), strict=True))
            if is_whole and all_count
            else {
                id_: exact_numbers[value]
                if value in exact_numbers
                else exact_numbers.setdefault(value, exact_number(value, ranking.denominator))
                for id_, value in zip(attended, season.values, strict=True)
                if value is not None
            },
            extras,
            adjustment,
            tie_break,
            missing,
            missing_partners,
            sum([result.deals for result in season.results]),
            member,
            ranks_before.get(season.player) if ranks_before else None,
        )
