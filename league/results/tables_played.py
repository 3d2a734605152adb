"""The tables that a player played in some seasons, and what they say: runs of wins, who was before whom, partners."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import NamedTuple

from league.models import Season, Seat
from league.models.round import RoundState
from players.models import Player
from players.naming import Names
from scoring.rules.interface import Rules

LEAST = 3  # shared tables, from which on two are compared
LEAST_NEMESIS = 5  # shared tables, from which on somebody may be called a nemesis


class Other(NamedTuple):
    """Somebody else at the table: an opponent, or a partner for the whole table."""

    player: int
    name: Names
    points: int
    is_partner: bool


@dataclass(frozen=True, slots=True)
class TablePlayed:
    """A complete table of a closed evening, as one of its players sees it."""

    evening: int
    date: date
    points: int
    others: tuple[Other, ...]

    @property
    def is_won(self) -> bool:
        """Whether nobody had more points; equal ones share the first place."""
        return all(other.points <= self.points for other in self.others)


@dataclass(slots=True)
class Shared:
    """Tables with one other player: how often one was before and behind him, and what one had more or less than he."""

    player: int
    name: Names
    tables: int = 0
    before: int = 0
    behind: int = 0
    difference: int = 0
    points: int = 0  # one's own at these tables
    won: int = 0

    @property
    def level(self) -> int:
        """At how many of the tables both had the same points."""
        return self.tables - self.before - self.behind


class WinningRun(NamedTuple):
    """Tables won in a row: the longest, and up to the last table."""

    longest: int
    current: int


class EveningSum(NamedTuple):
    """What the tables of one evening gave."""

    evening: int
    date: date
    points: int


def tables_played(player: Player, seasons: Collection[Season], rules: Rules) -> list[TablePlayed]:
    """Return the player's complete tables of the seasons' closed evenings, in the order of play; one query."""
    return tables_of([player], seasons, rules)[player.pk]


def tables_of(players: Collection[Player], seasons: Collection[Season], rules: Rules) -> dict[int, list[TablePlayed]]:
    """Return each player's complete tables by his id, as `tables_played` does; one query for all of them."""
    own = Seat.objects.counted().filter(
        player__in=players, round__evening__season__in=seasons, round__state=RoundState.ACCEPTED, table__deals__gt=0
    )
    seats = Seat.objects.filter(table__in=own.order_by().values("table"))
    rows = seats.order_by("round__evening__date", "round__evening", "round__number", "table", "number").values_list(
        "table",
        "round__evening",
        "round__evening__date",
        "table__size",
        "number",
        "points",
        "player",
        "player__names",
    )
    found: dict[int, list[TablePlayed]] = {player.pk: [] for player in players}
    for _table, grouped in groupby(map(_Row._make, rows), key=lambda row: row.table):
        table = list(grouped)
        for player in found.keys() & {row.player for row in table}:
            found[player].append(_seen_by(player, table, rules))
    return found


class _Row(NamedTuple):
    table: int
    evening: int
    date: date
    size: int
    seat: int
    points: int
    player: int
    name: Names


def _seen_by(player: int, rows: Sequence[_Row], rules: Rules) -> TablePlayed:
    own = next(row for row in rows if row.player == player)
    side = next((side for side in rules.sides(own.size) if own.seat in side), (own.seat,))
    others = tuple(
        Other(row.player, row.name.of(row.player), row.points, row.seat in side) for row in rows if row is not own
    )
    return TablePlayed(own.evening, own.date, own.points, others)


def run_of_wins(tables: Iterable[TablePlayed]) -> WinningRun:
    """Return how many tables were won in a row."""
    longest = current = 0
    for table in tables:
        current = current + 1 if table.is_won else 0
        longest = max(longest, current)
    return WinningRun(longest, current)


def evening_sums(tables: Iterable[TablePlayed]) -> list[EveningSum]:
    """Return what each evening's tables gave together, in the order of play."""
    by_evening = groupby(tables, key=lambda table: (table.evening, table.date))
    return [EveningSum(pk, day, sum(table.points for table in played)) for (pk, day), played in by_evening]


def opponents(tables: Iterable[TablePlayed]) -> list[Shared]:
    """Return who was an opponent at LEAST tables or more, the most frequent first."""
    return _shared(tables, partners=False)


def partners(tables: Iterable[TablePlayed]) -> list[Shared]:
    """Return who was a partner at LEAST tables or more, the most frequent first."""
    return _shared(tables, partners=True)


def nemesis(found: Iterable[Shared]) -> Shared | None:
    """Return the opponent behind whom one was most often, in share of their tables; None where nobody is ahead."""
    ahead = [shared for shared in found if shared.tables >= LEAST_NEMESIS and shared.behind > shared.before]
    return max(ahead, key=lambda shared: ((shared.behind - shared.before) / shared.tables, shared.tables), default=None)


def _shared(tables: Iterable[TablePlayed], *, partners: bool) -> list[Shared]:
    found: dict[int, Shared] = {}
    for table in tables:
        for other in table.others:
            if other.is_partner != partners:
                continue
            shared = found.setdefault(other.player, Shared(other.player, other.name))
            shared.tables += 1
            shared.before += table.points > other.points
            shared.behind += table.points < other.points
            shared.difference += table.points - other.points
            shared.points += table.points
            shared.won += table.is_won
    often = [shared for shared in found.values() if shared.tables >= LEAST]
    return sorted(often, key=lambda shared: (-shared.tables, str(shared.name), shared.player))
