"""Input and output of a draw. Pure: players are ids, rounds are numbers."""

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
    partner: int | None = None  # makes a brought pair; it is enough if one of the two names the other

    def is_present(self, number: int) -> bool:
        return self.from_round <= number and (self.to_round is None or number <= self.to_round)


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """The season's and the club's wishes for a draw.

    `sizes` count everyone at a table, including a player who rests each deal. A table of `resting_size`, with such a
    player, is one of the sizes and is shared fairly like any unusual size. Pairs have the lower id first. `meetings`
    and `rests` count this season's earlier evenings; `rests` includes tables of an unusual size. A strong
    player has a high strength.
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
    """A drawn round: tables by number, players by seat, and the players who sit out.

    The tables' numbers are 1, 2, 3 … unless `table_numbers` has others, as fixed tables may need. In a game of pairs
    `exempt` lists pairs, two by two; `resting` players have no partner or, in other games, no table.
    """

    number: int
    tables: tuple[tuple[int, ...], ...]
    resting: tuple[int, ...] = ()
    exempt: tuple[int, ...] = ()
    table_numbers: tuple[int, ...] = ()

    def numbered(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        return zip(self.table_numbers or range(1, len(self.tables) + 1), self.tables, strict=True)


class DrawWarning(NamedTuple):
    """A wish that a round does not fulfil. `times` counts repetitions, this one included.

    | code | meaning |
    |---|---|
    | met_tonight | two meet again this evening |
    | partners_again | two whose partners are drawn are partners again this evening |
    | apart | two players of a separation are at one table |
    | partners_apart | a brought pair does not sit as partners |
    | drawn_apart | drawn partners who stay together for the evening do not sit as partners |
    | size | a table of a size that the season doesn't have |
    | odd_again | at a table of an unusual size again, while others there were at least two times fewer |
    | resting_again | sits out again this evening |
    | fixed_table | not at the only table that is possible |
    | unseated, absent, seated_twice | present without a seat or rest; seated but not present; seated more than once |
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
    """No table can be made in a round: `code` is "too_few" (people present) or "no_sizes"."""

    def __init__(self, code: str, number: int) -> None:
        super().__init__(code, number)
        self.code = code
        self.round = number


def player_id(person: Person) -> int:
    return person.player


def ordered_pair(first: int, second: int) -> Pair:
    return (first, second) if first < second else (second, first)
