"""The players of a round, and the choice of the players who sit out. No Django.

The player with the fewest rests on the evening is the next to sit out. Among equals, it is the player with the fewest
rests and unusual tables in the season; then the player who is present for most rounds, so that a player who comes for
two rounds does not miss one of them; then a random player, or in a draw by ranking the last in the ranking.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import NamedTuple, TypeAlias

from league.draw.draw_types import ImpossibleDraw, Pair, Person, Seating, Wishes
from league.draw.sizes import USUAL_TABLE_SIZE, table_sizes

RestSortKey: TypeAlias = tuple[int, int, int, int]  # the player with the lowest key sits out first


class RoundRoster(NamedTuple):
    """The players of a round before they get tables: `seated` players will sit at tables with these `sizes`. `couples`
    are pairs of `seated` players who play as partners.
    """

    number: int
    seated: tuple[int, ...]
    couples: tuple[Pair, ...]
    sizes: tuple[int, ...]
    resting: tuple[int, ...] = ()
    exempt: tuple[int, ...] = ()


class RestOrder:
    """The order in which players sit out. Each choice is counted in `rest_counts`, and changes the next choices."""

    def __init__(
        self, people: Sequence[Person], wishes: Wishes, played: Sequence[Seating], *, order: Sequence[int], rounds: int
    ) -> None:
        """`order` decides between equal players: the first one rests first. `rounds` is the number of the evening's
        last round.
        """
        self.rest_counts = Counter(player for seating in played for player in (*seating.resting, *seating.exempt))
        self.season_rests = wishes.rests
        self.rounds_present = {
            person.player: sum(person.is_present(number) for number in range(1, rounds + 1)) for person in people
        }
        self.positions = {player: position for position, player in enumerate(order)}

    def rest_sort_key(self, player: int) -> RestSortKey:
        season_rests = self.season_rests.get(player, 0)
        return self.rest_counts[player], season_rests, -self.rounds_present[player], self.positions[player]

    def choose_resting_players(self, players: Collection[int], count: int) -> tuple[int, ...]:
        chosen_players = sorted(players, key=self.rest_sort_key)[:count]
        self.rest_counts.update(chosen_players)
        return tuple(chosen_players)

    def choose_exempt_pair(self, couples: Collection[Pair], singles: Collection[int]) -> Pair:
        """Choose one of the couples, or the two singles who sit out first. A pair counts like its player who sits out
        last.
        """
        first_singles = sorted(singles, key=self.rest_sort_key)[:2]
        options = [*couples, (first_singles[0], first_singles[1])] if len(first_singles) == 2 else [*couples]
        exempt_pair = min(options, key=lambda couple: max(self.rest_sort_key(couple[0]), self.rest_sort_key(couple[1])))
        self.rest_counts.update(exempt_pair)
        return exempt_pair


def roster_of_players(round_number: int, present: Sequence[int], wishes: Wishes, rest_order: RestOrder) -> RoundRoster:
    """Return the roster of a round of single players. If there are fewer seats than players, the others rest.

    Raise ImpossibleDraw if no table is possible.
    """
    sizes = table_sizes(len(present), wishes.sizes, round_number=round_number)
    resting = rest_order.choose_resting_players(present, len(present) - sum(sizes))
    seated = tuple(player for player in present if player not in resting)
    return RoundRoster(round_number, seated, (), sizes, resting)


def roster_of_pairs(
    round_number: int, present: Sequence[int], couples: Sequence[Pair], rest_order: RestOrder
) -> RoundRoster:
    """Return the roster of a round in a game of pairs. `couples` stay together; other players get a partner for the
    round.

    A player without a partner rests; a pair without opponents is exempt. Raise ImpossibleDraw if fewer than four
    players are present.
    """
    if len(present) < USUAL_TABLE_SIZE:
        raise ImpossibleDraw("too_few", round_number)
    coupled = {player for couple in couples for player in couple}
    singles = [player for player in present if player not in coupled]
    resting = rest_order.choose_resting_players(singles, len(singles) % 2)
    singles = [player for player in singles if player not in resting]
    exempt: tuple[int, ...] = ()
    if (len(coupled) + len(singles)) % USUAL_TABLE_SIZE:
        exempt = rest_order.choose_exempt_pair(couples, singles)
    seated = tuple(player for player in present if player not in resting and player not in exempt)
    seated_couples = tuple(couple for couple in couples if couple[0] not in exempt)
    return RoundRoster(
        round_number, seated, seated_couples, (USUAL_TABLE_SIZE,) * (len(seated) // USUAL_TABLE_SIZE), resting, exempt
    )
