"""Who plays in a round and who sits it out, in turn. Pure.

Whoever sat out least tonight is next; of those who sat out or were at odd tables least this season; of those who are
there for most rounds, so that nobody comes for two and plays one; of those by lot, or the last in the ranking.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from league.draw.sizes import FOUR, table_sizes
from league.draw.terms import ImpossibleDraw, Pair, Person, Sitting, Wishes

Turn: TypeAlias = tuple[int, int, int, int]


class Muster(NamedTuple):
    """The people of a round: seated, with the couples among them, at tables of these sizes; and who sits out."""

    number: int
    seated: tuple[int, ...]
    couples: tuple[Pair, ...]
    sizes: tuple[int, ...]
    resting: tuple[int, ...] = ()
    exempt: tuple[int, ...] = ()


class Turns:
    """Whose turn it is to sit out, through the rounds of an evening."""

    def __init__(
        self, people: Sequence[Person], wishes: Wishes, played: Sequence[Sitting], *, order: Sequence[int], rounds: int
    ) -> None:
        """`order` decides between equals, first come first out; `rounds` is the number of the evening's last round."""
        self.times = Counter(player for each in played for player in (*each.resting, *each.exempt))
        self.season = wishes.rested
        self.rounds = {
            person.player: sum(person.is_there(number) for number in range(1, rounds + 1)) for person in people
        }
        self.order = {player: place for place, player in enumerate(order)}

    def turn(self, player: int) -> Turn:
        """Let one of these players, whose turn it is first, sit out, and return him."""
        season = self.season.get(player, 0)
        return self.times[player], season, -self.rounds[player], self.order[player]

    def next(self, players: Collection[int], number: int) -> tuple[int, ...]:
        """Return so many of the players, whose turn it is now, counted as sitting out."""
        chosen = sorted(players, key=self.turn)[:number]
        self.times.update(chosen)
        return tuple(chosen)

    def next_couple(self, couples: Collection[Pair], singles: Collection[int]) -> Pair:
        """Return the couple whose turn it is, or two singles; the later of two turns counts."""
        two = sorted(singles, key=self.turn)[:2]
        choice = [*couples, (two[0], two[1])] if len(two) == 2 else [*couples]
        chosen = min(choice, key=lambda couple: max(self.turn(couple[0]), self.turn(couple[1])))
        self.times.update(chosen)
        return chosen


def muster(number: int, there: Sequence[int], wishes: Wishes, turns: Turns) -> Muster:
    """Return the round's people where everyone plays alone.

    Those whom the sizes leave over rest. Raises ImpossibleDraw.
    """
    sizes = table_sizes(len(there), wishes.sizes, number=number)
    resting = turns.next(there, len(there) - sum(sizes))
    seated = tuple(player for player in there if player not in resting)
    return Muster(number, seated, (), sizes, resting)


def muster_pairs(number: int, there: Sequence[int], couples: Sequence[Pair], turns: Turns) -> Muster:
    """Return the round's people where pairs play pairs; those in no couple find a partner in the round.

    One without a partner rests, an odd pair is exempt. Raises ImpossibleDraw where there are fewer than two pairs.
    """
    if len(there) < FOUR:
        raise ImpossibleDraw("too_few", number)
    coupled = {player for couple in couples for player in couple}
    singles = [player for player in there if player not in coupled]
    resting = turns.next(singles, len(singles) % 2)
    singles = [player for player in singles if player not in resting]
    exempt: tuple[int, ...] = ()
    if (len(coupled) + len(singles)) % FOUR:
        exempt = turns.next_couple(couples, singles)
    seated = tuple(player for player in there if player not in resting and player not in exempt)
    playing = tuple(couple for couple in couples if couple[0] not in exempt)
    return Muster(number, seated, playing, (FOUR,) * (len(seated) // FOUR), resting, exempt)
