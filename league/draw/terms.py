"""What a draw is asked for and what it answers. Pure: players are ids, an evening is a row of numbered rounds."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

Pair: TypeAlias = tuple[int, int]


class Person(NamedTuple):
    """Someone of the evening, there from one round to another, both included; None is to the end.

    `fixed_table` is the number of the only table where this person can sit; `partner` makes a brought pair, and it is
    enough that one of the two names the other.
    """

    player: int
    from_round: int = 1
    to_round: int | None = None
    fixed_table: int | None = None
    partner: int | None = None

    def is_there(self, number: int) -> bool:
        """Return whether the person is there in the round of that number."""
        return self.from_round <= number and (self.to_round is None or number <= self.to_round)


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the season and the club want of a draw.

    `sizes` count everyone at the table, also the one who rests each deal where one does: such a table, of
    `resting_size`, is one of the sizes and is shared as fairly as any that isn't the usual one. Pairs of players have
    the lower id first. `met` and `rested` are of this season's earlier evenings: how often two met, and how often
    someone sat out or was at a table of an odd size. Strong is high.
    """

    sizes: tuple[int, ...]
    resting_size: int | None = None
    pairs: bool = False
    keep_partners: bool = False
    by_ranking: bool = False
    strong_first: bool = False
    apart: frozenset[Pair] = frozenset()
    met: Mapping[Pair, int] = field(default_factory=dict)
    rested: Mapping[int, int] = field(default_factory=dict)
    strengths: Mapping[int, int] = field(default_factory=dict)
    ranking: tuple[int, ...] = ()


class Sitting(NamedTuple):
    """A round as it is drawn: tables by number, players by seat, and who sits out.

    The tables' numbers are 1, 2, 3 … unless `table_numbers` says others, as fixed tables may need. In a game of pairs
    `exempt` are pairs, two by two; `resting` are those without a partner or, in other games, without a table.
    """

    number: int
    tables: tuple[tuple[int, ...], ...]
    resting: tuple[int, ...] = ()
    exempt: tuple[int, ...] = ()
    table_numbers: tuple[int, ...] = ()

    def numbered(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Each table's number and its players by seat."""
        return zip(self.table_numbers or range(1, len(self.tables) + 1), self.tables, strict=True)


class DrawWarning(NamedTuple):
    """Something in a round that was not wished for. `times` is how often, this time included, where that counts.

    | code | what is so |
    |---|---|
    | met_tonight | two meet again this evening |
    | partners_again | two whose partners are drawn are partners again this evening |
    | apart | two at one table who are to be kept apart |
    | partners_apart | a brought pair does not sit as partners |
    | drawn_apart | drawn partners who stay together for the evening do not sit as partners |
    | size | a table of a size that the season doesn't have |
    | odd_again | at a table of an odd size again, while others there were at least two times fewer |
    | resting_again | sits out again this evening |
    | fixed_table | not at the only table that is possible |
    | unseated, absent, seated_twice | there and without a place; placed and not there; placed more than once |
    """

    code: str
    round: int
    table: int | None
    players: tuple[int, ...]
    times: int = 1


@dataclass(frozen=True)
class Plan:
    """Rounds as they could be played, and what could not be avoided in them."""

    rounds: tuple[Sitting, ...]
    warnings: tuple[DrawWarning, ...]


class ImpossibleDraw(Exception):
    """No table can be made in a round: `code` is "too_few" (people there) or "no_sizes"."""

    def __init__(self, code: str, number: int) -> None:
        super().__init__(code, number)
        self.code = code
        self.round = number


def by_id(person: Person) -> int:
    """Return the key that sorts people."""
    return person.player


def ordered(one: int, other: int) -> Pair:
    """Return the pair with its lower id first."""
    return (one, other) if one < other else (other, one)
