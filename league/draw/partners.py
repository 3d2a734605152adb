"""Partners in a game of pairs: pairs that registered together, partners for the evening, or partners drawn for a round.
No Django.

A pair is any two players. A couple is a pair who play as partners.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

import numpy as np

from league.draw.costs import REMEETING_COST, pair_costs
from league.draw.draw_types import Pair, Person, Seating, Wishes, ordered_pair, player_id
from league.draw.rest_order import RestOrder
from league.draw.search import Costs, Search
from league.draw.seat_exchanges import UnseatedRound


def sides(table: Sequence[int]) -> tuple[Pair, Pair]:
    """Return the two pairs of a table: the players at seats 0 and 2, and those at seats 1 and 3."""
    return ordered_pair(table[0], table[2]), ordered_pair(table[1], table[3])


def partnerships(seatings: Iterable[Seating]) -> Iterator[Pair]:
    """Yield the couples who play as partners, round by round. Only tables of four have partners."""
    for seating in seatings:
        for table in seating.tables:
            if len(table) == 4:
                yield from sides(table)


def exempt_pairs(seatings: Iterable[Seating]) -> Iterator[Pair]:
    """Yield the couples who sit out a round together (`Seating.exempt`).

    `partnerships` leaves them out, because they did not play as partners.
    """
    for seating in seatings:
        yield from (ordered_pair(*two) for two in zip(seating.exempt[::2], seating.exempt[1::2], strict=False))


def find_registered_pairs(people: Iterable[Person]) -> list[Pair]:
    """Return the pairs of players who asked to play together: one of the two has the other as `Person.partner`.

    Each person is in at most one pair. Of two wishes that exclude each other, the wish of the lower person id counts.
    """
    ids = {person.player for person in people}
    wishes = [(person.player, person.partner) for person in sorted(people, key=player_id) if person.partner in ids]
    paired_players: set[int] = set()
    pairs = []
    for first, second in wishes:
        if second is not None and first != second and not {first, second} & paired_players:
            paired_players |= {first, second}
            pairs.append(ordered_pair(first, second))
    return pairs


def couples_of_round(seating: Seating) -> dict[int, Pair]:
    """Return the couple of each player in a round, exempt couples included."""
    couples = (*partnerships([seating]), *exempt_pairs([seating]))
    return {player: couple for couple in couples for player in couple}


def kept_couples(couple_of_player: Mapping[int, Pair], registered_pairs: Collection[Pair]) -> set[Pair]:
    """Return the drawn couples who stay together for the evening.

    `couple_of_player` has the last couple of each player. A couple ended if one of the two had another partner since,
    or is in a pair that registered together.
    """
    registered_players = {player for pair in registered_pairs for player in pair}
    return {
        couple
        for couple in couple_of_player.values()
        if not registered_players & set(couple) and all(couple_of_player[player] == couple for player in couple)
    }


class PartnerDraw:
    """Draws the couples of the rounds of an evening, one round after the other."""

    def __init__(
        self, people: Sequence[Person], wishes: Wishes, played: Sequence[Seating], rng: np.random.Generator
    ) -> None:
        self.wishes = wishes
        self.rng = rng
        self.registered_pairs = find_registered_pairs(people)
        self.partner_counts = Counter(partnerships(played))
        couple_of_player: dict[int, Pair] = {}
        for seating in sorted(played, key=lambda seating: seating.number):
            couple_of_player |= couples_of_round(seating)
        self.kept_couples = (
            sorted(kept_couples(couple_of_player, self.registered_pairs)) if wishes.keep_partners else []
        )

    def choose_couples(self, present: Collection[int], rest_order: RestOrder) -> list[Pair]:
        """Return the couples of the next round: pairs that registered together and, if partners stay together for the
        evening (`Wishes.keep_partners`), drawn couples of all other players.

        Without `keep_partners` the other players get partners later, for the round only.
        """
        couples: list[Pair] = []
        for couple in (*self.registered_pairs, *self.kept_couples):
            if set(couple) <= set(present) and not any(set(couple) & set(earlier) for earlier in couples):
                couples.append(couple)
        if not self.wishes.keep_partners:
            return couples
        coupled = {player for couple in couples for player in couple}
        singles = [player for player in present if player not in coupled]
        if len(singles) % 2:
            self._choose_resting_single(singles, couples, rest_order)
        drawn_couples = self.draw_partners(singles)
        self.kept_couples = [couple for couple in self.kept_couples if not set(couple) & set(singles)] + drawn_couples
        return couples + drawn_couples

    def draw_partners(self, players: Sequence[int]) -> list[Pair]:
        """Return couples of the players, an even number.

        Separated players, and players who were partners or met often, become partners only if nothing else is possible.
        """
        if not players:
            return []
        players = sorted(players)
        no_counts = np.zeros((len(players), len(players)), dtype=np.int64)
        tables = len(players) // 2
        unseated = UnseatedRound(
            members=np.arange(len(players)),
            sizes=(2,) * tables,
            unusual_size_flags=np.zeros(tables, dtype=np.bool_),
            seat_costs=np.zeros((len(players), tables), dtype=np.int64),
            couples=np.empty((0, 2), dtype=np.int64),
        )
        partner_counts = [[self.partner_counts[ordered_pair(first, second)] for second in players] for first in players]
        costs = Costs(
            pair_costs=pair_costs(players, self.wishes) + REMEETING_COST * np.array(partner_counts, dtype=np.int64),
            meetings=no_counts,
            kept_together=no_counts,
            remeeting_cost=0,
            unusual_table_cost=0,
            earlier_unusual_counts=no_counts[0],
            season_unusual_costs=no_counts[0],
        )
        [seated] = Search(costs, [unseated], self.rng).find_cheapest_plan([None])
        order = np.argsort(seated, kind="stable").tolist()
        ids = [players[index] for index in order]
        couples = [ordered_pair(*pair) for pair in zip(ids[::2], ids[1::2], strict=True)]
        self.partner_counts.update(couples)
        return couples

    def _choose_resting_single(self, singles: list[int], couples: list[Pair], rest_order: RestOrder) -> None:
        """Choose the player who rests in this round, and remove this player from `singles`.

        The player with the fewest rests on the evening rests; among equals, a single before a member of a drawn couple.
        If a member of a drawn couple rests, the couple is removed from `couples`, and the other member becomes a single
        who gets a new partner for the rest of the evening. A pair that registered together is never split.
        """
        drawn_players = [player for couple in couples if couple not in self.registered_pairs for player in couple]
        resting_player = min(
            (*singles, *drawn_players),
            key=lambda player: (
                rest_order.rest_counts[player],
                player in drawn_players,
                rest_order.rest_sort_key(player),
            ),
        )
        for couple in [couple for couple in couples if resting_player in couple]:
            couples.remove(couple)
            self.kept_couples.remove(couple)
            singles += couple
        singles.remove(resting_player)
