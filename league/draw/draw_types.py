"""The types for input and output of a draw. No Django; players are ids, rounds are numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

Pair: TypeAlias = tuple[int, int]
MAX_SEED = 2**31 - 1


class Person(NamedTuple):
    """A player of the evening, and the player's wishes."""

    player: int
    from_round: int = 1
    to_round: int | None = None  # included; None means to the end
    fixed_table: int | None = None  # the only table where this player can sit
    partner: int | None = None  # the wanted partner; they are a pair even if only one of them has this wish

    def is_present(self, round_number: int) -> bool:
        return self.from_round <= round_number and (self.to_round is None or round_number <= self.to_round)


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """The rules and wishes of the season and the club for a draw.

    `sizes` are the allowed table sizes; they count all players at a table, including a player who rests in each deal.
    `has_pairs`: four players play as two pairs. `keep_partners`: partners who were drawn stay together for the evening.
    `by_ranking`: rounds after the first are drawn by `ranking` (player ids, the best first). `strong_first`: a stronger
    player has a lower seat number.

    Pairs have the lower id first. `separations` are pairs who must not share a table. `meetings` has the number of
    meetings of each pair on the season's other evenings. `rests` has the number of each player's rests and tables of an
    unusual size on these evenings. A higher number in `strengths` (by player) is a stronger player.
    """

    sizes: tuple[int, ...]
    has_pairs: bool = False
    keep_partners: bool = False
    by_ranking: bool = False
    strong_first: bool = False
    separations: frozenset[Pair] = frozenset()
    meetings: Mapping[Pair, int] = field(default_factory=dict)
    rests: Mapping[int, int] = field(default_factory=dict)
    strengths: Mapping[int, int] = field(default_factory=dict)
    ranking: tuple[int, ...] = ()


class Seating(NamedTuple):
    """A round: for each table the players in order of their seats, and the players without a table.

    If `table_numbers` is empty, the tables are numbered from 1. `exempt` and `resting` players have no table. In a game
    of pairs, `exempt` lists pairs without opponents: its first two players are a pair, then the next two, and so on.
    `resting` players have no partner there.
    """

    number: int
    tables: tuple[tuple[int, ...], ...]
    resting: tuple[int, ...] = ()
    exempt: tuple[int, ...] = ()
    table_numbers: tuple[int, ...] = ()

    def numbered_tables(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        return zip(self.table_numbers or range(1, len(self.tables) + 1), self.tables, strict=True)


class DrawWarning(NamedTuple):
    """A mistake in a round, or a wish that the round does not fulfil. `times` counts how often it occurred on the
    evening, including this time. `table` is the number of the table, or None if the warning concerns no table.

    | code | meaning |
    |---|---|
    | met_tonight | two players meet again this evening |
    | partners_again | two players whose partners are drawn are partners again this evening |
    | apart | two players of a separation are at one table |
    | partners_apart | a pair that registered together does not sit as partners |
    | drawn_apart | drawn partners who stay together for the evening do not sit as partners |
    | size | the table has a size that the season does not allow |
    | odd_again | a table of an unusual size again, though another player in the round had at least two fewer of them |
    | resting_again | a player rests or is exempt again this evening |
    | fixed_table | a player is not at the only possible table |
    | unseated | a player is present, and has no seat and no rest |
    | absent | a player has a seat or a rest, and is not present |
    | seated_twice | a player has more than one seat or rest in the round |
    """

    code: str
    round: int
    table: int | None
    players: tuple[int, ...]
    times: int = 1


@dataclass(frozen=True)
class Plan:
    rounds: tuple[Seating, ...]
    warnings: tuple[DrawWarning, ...]


class ImpossibleDraw(Exception):
    """No table is possible in a round.

    `code` is "too_few" (too few people are present) or "no_sizes" (the season allows no table size, or a size below 2).
    """

    def __init__(self, code: str, number: int) -> None:
        super().__init__(code, number)
        self.code = code
        self.round = number


def player_id(person: Person) -> int:
    return person.player


def ordered_pair(first: int, second: int) -> Pair:
    return (first, second) if first < second else (second, first)
