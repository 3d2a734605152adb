"""The input for the computation of standings: each evening of a season, with each player's result.

Seats of complete tables of closed evenings count, and rests (rounds that players sat out). A player who rested all
evening attended it. Seats are added up in numpy arrays, since seasons of large clubs have hundreds of thousands of
seats. Columns that the season's standings rules do not read are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import pairwise, repeat
from typing import Any, Final, NamedTuple

import numpy as np

from league.evenings.queries.closed_evenings import (
    ClosedEvenings,
    PlayedSeats,
    RestedRounds,
    read_closed_evenings,
    sorted_isin,
)
from league.models import Adjustment, Season
from league.seasons.queries.house_rules_trial import SeatPoints, TableTrial
from league.sheets.queries.table_sides import TableSeats, count_opponents, side_rules
from league.standings.rules import StandingsRules
from league.standings.season import PlayerEvening, PointsAdjustment, SeasonEvening, TableResult
from league.standings.words import WORDS
from players.rating.experience import Flags, Ints, change_flags, sort_with_indexes
from scoring.rules.errors import IllegalDeal
from scoring.rules.words import format_message

# Fields of PlayerEvening that are computed from the seats of single tables.
TABLE_COLUMNS: Final = frozenset({"won", "lost", "tables", "partners"})


class UnreadableRules(ValueError):
    """The stored standings rules of a season are invalid."""


class StandingsInputs(NamedTuple):
    rules: StandingsRules
    evenings: list[SeasonEvening]
    adjustments: list[PointsAdjustment]


def standings_inputs(
    seasons: Collection[Season],
    until: date | None = None,
    rules: StandingsRules | None = None,
    seat_points: SeatPoints | None = None,
    tables: TableTrial | None = None,
    closed_evenings: Sequence[ClosedEvenings] = (),
) -> dict[int, StandingsInputs]:
    """Return standings rules, evenings and adjustments of each season, by season id.

    `until`: only evenings and adjustments up to this date. `rules` replace the seasons' standings rules. `seat_points`
    and `tables` come from `house_rules_trial`, and replace the stored points and the stored state of the tables.
    `closed_evenings` is the result of `read_closed_evenings_of`, if the evenings were already read. Raise
    UnreadableRules if stored standings rules are invalid.
    """
    rules_by_season = {season.pk: rules or standings_rules_of(season) for season in seasons}
    game_by_season = {season.pk: season.game_key for season in seasons}
    inputs = {pk: StandingsInputs(season_rules, [], []) for pk, season_rules in rules_by_season.items()}
    leavers_rule = tables and ("last" if tables.leavers_last else "ranked")
    for closed in closed_evenings or _read_by_game(rules_by_season, game_by_season, until or date.max, leavers_rule):
        game = next(game_by_season[pk] for pk in closed.seasons) if closed.seats.number is not None else ""
        for pk, evening in _season_evenings(rules_by_season, closed, game, seat_points or {}, tables):
            inputs[pk].evenings.append(evening)
    zones = {season.pk: season.club.zone for season in seasons} if until else {}  # evenings have the club's date
    adjustments = Adjustment.objects.filter(season__in=rules_by_season).order_by("pk")
    for pk, player, points, given_at in adjustments.values_list("season_id", "player_id", "points", "given_at"):
        if until is None or given_at.astimezone(zones[pk]).date() <= until:
            inputs[pk].adjustments.append(PointsAdjustment(player, points))
    return inputs


def read_closed_evenings_of(seasons: Collection[Season]) -> list[ClosedEvenings]:
    """Read the closed evenings of the seasons. Raise UnreadableRules if the standings rules of a season are invalid.

    One query, and one more for each game whose seasons have rules that use single tables.
    """
    rules_by_season = {season.pk: standings_rules_of(season) for season in seasons}
    return list(_read_by_game(rules_by_season, {season.pk: season.game_key for season in seasons}, date.max, None))


def _read_by_game(
    rules_by_season: Mapping[int, StandingsRules],
    game_by_season: Mapping[int, str],
    until: date,
    leavers_rule: str | None,
) -> Iterator[ClosedEvenings]:
    seasons_by_game: dict[str, list[int]] = defaultdict(list)  # key "": the rules do not need single tables
    for pk, rules in rules_by_season.items():
        seasons_by_game[game_by_season[pk] if TABLE_COLUMNS & rules.needed_fields else ""].append(pk)
    for game, season_ids in seasons_by_game.items():
        yield read_closed_evenings(season_ids, until, with_seat_numbers=bool(game), leavers_rule=leavers_rule)


def standings_rules_of(season: Season) -> StandingsRules:
    """Return the season's standings rules. Raise UnreadableRules if the stored JSON is invalid."""
    try:
        return StandingsRules.from_json(season.standings_rules)
    except IllegalDeal as illegal:
        words = format_message(WORDS, illegal.code, illegal.params)
        raise UnreadableRules(f"The standings rules of {season} can't be read. {illegal.field}: {words}") from illegal


def _season_evenings(
    rules_by_season: Mapping[int, StandingsRules],
    closed: ClosedEvenings,
    game: str,
    seat_points: SeatPoints,
    trial: TableTrial | None,
) -> Iterator[tuple[int, SeasonEvening]]:
    """Yield (season id, evening), oldest first. `game` is the seasons' game; "" if single tables are not needed."""
    evenings = closed.evenings
    seats = (
        closed.seats_of_complete_tables
        if trial is None
        else closed.seats.filter_rows(~_flag_seats(closed.seats, trial.incomplete))
    )
    if seat_points:
        seats = seats._replace(points=_replace_values(seats, seats.points, seat_points))
        rest_deals = trial.rest_deals if trial else {}
        closed = closed._replace(
            rests=closed.rests._replace(
                points=_replace_values(closed.rests, closed.rests.points, seat_points),
                deals=_replace_values(closed.rests, closed.rests.deals, rest_deals),
            )
        )
    rests = _counted_rests(closed, [pk for pk, rules in rules_by_season.items() if rules.rests], seats)
    evening_index = np.concatenate([seats.evening, rests.evening])
    players = np.concatenate([seats.player, rests.player])
    people = max(int(column.max(initial=0)) for column in (players, closed.members[1], closed.leavers[1])) + 1
    key, order = sort_with_indexes(evening_index * people + players)
    starts = np.flatnonzero(change_flags(key)) if len(key) else key
    key = key[starts]

    def sum_by_result(of_seats: Ints, of_rests: Ints) -> Ints:
        both = np.concatenate([of_seats, of_rests])[order]
        return np.add.reduceat(both, starts) if len(starts) else both

    no_seats = np.zeros_like(seats.player)
    optional_columns: dict[str, Iterable[Any]] = {}
    if game:
        assert seats.number is not None
        rows = order, [*starts.tolist(), len(order)]
        optional_columns = _table_columns(
            game, TableSeats(seats.table, seats.number, seats.player, seats.points), rows, sum_by_result
        )
    exempt = rests.is_exempt.astype(np.int64)
    if len(exempt):
        optional_columns |= {
            "exempt": sum_by_result(no_seats, exempt).tolist(),
            "rests": sum_by_result(no_seats, 1 - exempt).tolist(),
        }
    results = _results(
        key % people,
        sum_by_result(seats.points, rests.points),
        sum_by_result(seats.deals, rests.deals),
        sorted_isin(key, closed.members[0] * people + closed.members[1]),
        sorted_isin(key, closed.leavers[0] * people + closed.leavers[1]),
        optional_columns,
    )
    ends = np.searchsorted(key, np.arange(len(evenings.id) + 1) * people).tolist()
    columns = (column.tolist() for column in evenings)
    for (begin, end), (pk, season, day, weight, final) in zip(pairwise(ends), zip(*columns, strict=True), strict=True):
        if season in rules_by_season:
            yield season, SeasonEvening(pk, day.isoformat(), results[begin:end], weight, final)


def _flag_seats(seats: PlayedSeats, pairs: Collection[tuple[int, int]]) -> Flags:
    """Return a boolean array: True for the seats whose (round id, player id) is one of the pairs."""
    rounds, players = np.array(sorted(pairs), np.int64).reshape(-1, 2).T
    people = max(int(seats.player.max(initial=0)), int(players.max(initial=0))) + 1
    return np.isin(seats.round * people + seats.player, rounds * people + players)


def _counted_rests(closed: ClosedEvenings, seasons: Sequence[int], seats: PlayedSeats) -> RestedRounds:
    """Return the rests (rounds that a player sat out) that count as attendance.

    These are exempt rounds, rests with a score, and rests of players who rested all evening, if a table of the evening
    counts. In `seasons` (ids), whose rules give points for rests, all rests count.
    """
    rests = closed.rests
    compensated = np.isin(closed.evenings.season[rests.evening], seasons)
    return rests.filter_rows(
        rests.is_counted | compensated | (rests.sat_out_evening & np.isin(rests.evening, seats.evening))
    )


def _replace_values(rows: PlayedSeats | RestedRounds, column: Ints, values: Mapping[tuple[int, int], int]) -> Ints:
    """Return a copy of `column`, a column of `rows`, with the values in `values` by (round id, player id) replaced."""
    stored_rows = zip(rows.round.tolist(), rows.player.tolist(), column.tolist(), strict=True)
    return np.array([values.get((round_id, player), stored) for round_id, player, stored in stored_rows], np.int64)


def _results(
    player: Ints, points: Ints, deals: Ints, member: Flags, left: Flags, optional_columns: Mapping[str, Iterable[Any]]
) -> list[PlayerEvening]:
    columns = [column.tolist() for column in (player, points, deals, member, left)]
    rows = zip(
        *columns,
        *(optional_columns.get(name, repeat(default)) for name, default in _OPTIONAL_FIELDS.items()),
        strict=False,
    )
    return list(map(_player_evening, rows))


# Does the same as PlayerEvening._make, which is slower: it is a Python function, called for each row.
_player_evening: Final[Callable[[Iterable[Any]], PlayerEvening]] = partial(tuple.__new__, PlayerEvening)
_OPTIONAL_FIELDS: Final = {name: PlayerEvening._field_defaults[name] for name in PlayerEvening._fields[5:]}


def _table_columns(
    game: str, seats: TableSeats, rows: tuple[Ints, Sequence[int]], sum_by_result: Callable[[Ints, Ints], Ints]
) -> dict[str, Iterable[Any]]:
    """Return the columns of PlayerEvening that depend on single tables, by name, with one value for each result.

    A result is a player's evening. `rows` is a pair: the indexes of seats and rests in the order of the results, and
    the positions where the results start, with the end as the last position. `sum_by_result` adds up a column of seats
    and a column of rests. A side won its table if no other side has as many points, and lost it if another side has
    more.
    """
    order, starts = rows
    opponent_counts = count_opponents(side_rules(game), seats)
    no_rests = np.zeros(len(order) - len(seats.table), np.int64)  # for rounds that were sat out
    won = (opponent_counts.total > 0) & (opponent_counts.beaten == opponent_counts.total)
    partners: dict[int, list[int]] = defaultdict(list)
    for row, partner in zip(
        opponent_counts.seat_index.tolist(), seats.player[opponent_counts.partner_index].tolist(), strict=True
    ):
        partners[row].append(partner)
    tables = [TableResult(*values) for values in zip(*(column.tolist() for column in opponent_counts[:3]), strict=True)]
    # At a table of a size that the game does not allow, no seat has opponents.
    has_opponents = [bool(table.opponents) for table in tables]
    rows_by_result = [
        [row for row in order[begin:end].tolist() if row < len(tables) and has_opponents[row]]
        for begin, end in pairwise(starts)
    ]
    return {
        "won": sum_by_result(won.astype(np.int64), no_rests).tolist(),
        "lost": sum_by_result((opponent_counts.lost_to > 0).astype(np.int64), no_rests).tolist(),
        "tables": [tuple([tables[row] for row in result_rows]) for result_rows in rows_by_result],
        "partners": [
            tuple([partner for row in result_rows for partner in partners[row]]) for result_rows in rows_by_result
        ],
    }
