"""The types for input and output of a draw. No Django; players are ids, rounds are numbers."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

Pair: TypeAlias = tuple[int, int]
MAX_SEED = 2**31 - 1


class Person(NamedTuple):
    player: int
    from_round: int = 1
    to_round: int | None = None  # included; None means to the end
    fixed_table: int | None = None  # the only table where this player can sit
    partner: int | None = None  # the wanted partner; they are a pair even if only one of them has this wish

    def is_present(self, number: int) -> bool:
        return self.from_round <= number and (self.to_round is None or number <= self.to_round)


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """The wishes of the season and the club for a draw.

    `sizes` count all players at a table, including a player who rests in each deal. `resting_size` is the size of a
    table with such a player; it is one of `sizes` and is distributed evenly, like any unusual size. Pairs have the
    lower id first. `meetings` and `rests` count the season's earlier evenings; `rests` includes tables of an unusual
    size. A higher number in `strengths` is a stronger player.
    """

    sizes: tuple[int, ...]
    resting_size: int | None = None
    pairs: bool = False
    keep_partners: bool = False
    by_ranking: bool = False
    strong_first: bool = False
    separations: frozenset[Pair] = frozenset()
    meetings: Mapping[Pair, int] = field(default_factory=dict)
    rests: Mapping[int, int] = field(default_factory=dict)
    strengths: Mapping[int, int] = field(default_factory=dict)
    ranking: tuple[int, ...] = ()


class Seating(NamedTuple):
    """A drawn round: for each table the players in order of their seats, and the players without a table.

    The numbers of the tables are 1, 2, 3 …, or those in `table_numbers` (for fixed tables). `exempt` and `resting`
    players have no table. In a game of pairs, `exempt` lists pairs, two players after two, and `resting` players have
    no partner.
    """

    number: int
    tables: tuple[tuple[int, ...], ...]
    resting: tuple[int, ...] = ()
    exempt: tuple[int, ...] = ()
    table_numbers: tuple[int, ...] = ()

    def numbered(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        return zip(self.table_numbers or range(1, len(self.tables) + 1), self.tables, strict=True)


class DrawWarning(NamedTuple):
    """A wish that a drawn round does not fulfil. `times` is the number of occurrences, including this one.

    | code | meaning |
    |---|---|
    | met_tonight | two players meet again this evening |
    | partners_again | two players whose partners are drawn are partners again this evening |
    | apart | two players of a separation are at one table |
    | partners_apart | a pair that registered together does not sit as partners |
    | drawn_apart | drawn partners who stay together for the evening do not sit as partners |
    | size | the table has a size that the season does not allow |
    | odd_again | a table of an unusual size again, though others in the round had at least two fewer of them |
    | resting_again | a player rests again this evening |
    | fixed_table | a player is not at the only possible table |
    | unseated, absent, seated_twice | present without seat or rest; seated but not present; seated more than once |
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
    """No table is possible in a round. `code` is "too_few" (people are present) or "no_sizes" (no table size is
    allowed).
    """

    def __init__(self, code: str, number: int) -> None:
        super().__init__(code, number)
        self.code = code
        self.round = number


def player_id(person: Person) -> int:
    return person.player


def ordered_pair(first: int, second: int) -> Pair:
    return (first, second) if first < second else (second, first)
