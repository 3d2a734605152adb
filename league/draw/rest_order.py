"""The players of a round, and the choice of the players who sit out. No Django.

The player with the fewest rests on the evening is the next to sit out. Among equals, it is the player with the fewest
rests and unusual tables in the season; then the player who is present for most rounds, so that a player who comes for
two rounds does not miss one of them; then a random player, or in a draw by ranking the last in the ranking.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from league.draw.sizes import USUAL_TABLE_SIZE, table_sizes
from league.draw.terms import ImpossibleDraw, Pair, Person, Seating, Wishes

Turn: TypeAlias = tuple[int, int, int, int]


class RoundRoster(NamedTuple):
    """The players of a round before they get tables. `couples` are pairs of `seated` players who play together."""

    number: int
    seated: tuple[int, ...]
    couples: tuple[Pair, ...]
    sizes: tuple[int, ...]
    resting: tuple[int, ...] = ()
    exempt: tuple[int, ...] = ()


class RestOrder:
    def __init__(
        self, people: Sequence[Person], wishes: Wishes, played: Sequence[Seating], *, order: Sequence[int], rounds: int
    ) -> None:
        """`order` decides between equal players: the first one rests first. `rounds` is the number of the evening's
        last round.
        """
        self.rest_counts = Counter(player for seating in played for player in (*seating.resting, *seating.exempt))
        self.season_rests = wishes.rests
        self.rounds = {
            person.player: sum(person.is_present(number) for number in range(1, rounds + 1)) for person in people
        }
        self.order = {player: position for position, player in enumerate(order)}

    def turn_key(self, player: int) -> Turn:
        season_rests = self.season_rests.get(player, 0)
        return self.rest_counts[player], season_rests, -self.rounds[player], self.order[player]

    def choose_resting(self, players: Collection[int], number: int) -> tuple[int, ...]:
        chosen_players = sorted(players, key=self.turn_key)[:number]
        self.rest_counts.update(chosen_players)
        return tuple(chosen_players)

    def choose_couple(self, couples: Collection[Pair], singles: Collection[int]) -> Pair:
        two = sorted(singles, key=self.turn_key)[:2]
        choice = [*couples, (two[0], two[1])] if len(two) == 2 else [*couples]
        chosen_players = min(choice, key=lambda couple: max(self.turn_key(couple[0]), self.turn_key(couple[1])))
        self.rest_counts.update(chosen_players)
        return chosen_players


def roster_of_players(number: int, present: Sequence[int], wishes: Wishes, turns: RestOrder) -> RoundRoster:
    """Return the players of a round and the table sizes. Players without a free seat rest.

    Raise ImpossibleDraw if no table is possible.
    """
    sizes = table_sizes(len(present), wishes.sizes, round_number=number)
    resting = turns.choose_resting(present, len(present) - sum(sizes))
    seated = tuple(player for player in present if player not in resting)
    return RoundRoster(number, seated, (), sizes, resting)


def roster_of_pairs(number: int, present: Sequence[int], couples: Sequence[Pair], turns: RestOrder) -> RoundRoster:
    """Return the players of a round in a game of pairs. `couples` stay together; other players get a partner for the
    round.

    A player without a partner rests; a pair without opponents is exempt. Raise ImpossibleDraw with fewer than two
    pairs.
    """
    if len(present) < USUAL_TABLE_SIZE:
        raise ImpossibleDraw("too_few", number)
    coupled = {player for couple in couples for player in couple}
    singles = [player for player in present if player not in coupled]
    resting = turns.choose_resting(singles, len(singles) % 2)
    singles = [player for player in singles if player not in resting]
    exempt: tuple[int, ...] = ()
    if (len(coupled) + len(singles)) % USUAL_TABLE_SIZE:
        exempt = turns.choose_couple(couples, singles)
    seated = tuple(player for player in present if player not in resting and player not in exempt)
    playing = tuple(couple for couple in couples if couple[0] not in exempt)
    return RoundRoster(
        number, seated, playing, (USUAL_TABLE_SIZE,) * (len(seated) // USUAL_TABLE_SIZE), resting, exempt
    )
