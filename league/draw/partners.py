"""Partners in a game of pairs: pairs that registered together, partners for the evening, or partners drawn for a round.
No Django.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from league.draw.costs import REMEETING_COST, pair_costs
from league.draw.rest_order import RestOrder
from league.draw.search import Costs, Search
from league.draw.seat_exchanges import UnseatedRound
from league.draw.terms import Pair, Person, Seating, Wishes, ordered_pair, player_id


def sides(table: Sequence[int]) -> tuple[Pair, Pair]:
    """Return the two pairs of a table: the players at seats 0 and 2, and those at seats 1 and 3."""
    return ordered_pair(table[0], table[2]), ordered_pair(table[1], table[3])


def partnerships(seatings: Iterable[Seating]) -> Iterator[Pair]:
    for seating in seatings:
        for table in seating.tables:
            if len(table) == 4:
                yield from sides(table)


def exempt_pairs(seatings: Iterable[Seating]) -> Iterator[Pair]:
    """Yield the pairs who sit out a round together (`Seating.exempt`).

    If partners are drawn anew for each round, they have not played as partners.
    """
    for seating in seatings:
        yield from (ordered_pair(*two) for two in zip(seating.exempt[::2], seating.exempt[1::2], strict=False))


def registered_pairs(people: Iterable[Person]) -> list[Pair]:
    """Return the pairs of players who asked to play together: `Person.partner` of one of them names the other.

    Each person is in at most one pair; if two wishes exclude each other, the person with the lower id gets the wish.
    """
    ids = {person.player for person in people}
    claims = [(person.player, person.partner) for person in sorted(people, key=player_id) if person.partner in ids]
    paired: set[int] = set()
    pairs = []
    for first, second in claims:
        if second is not None and first != second and not {first, second} & paired:
            paired |= {first, second}
            pairs.append(ordered_pair(first, second))
    return pairs


class PartnerDraw:
    def __init__(
        self, people: Sequence[Person], wishes: Wishes, played: Sequence[Seating], rng: np.random.Generator
    ) -> None:
        self.wishes = wishes
        self.rng = rng
        self.brought_pairs = registered_pairs(people)
        self.partner_counts = Counter(partnerships(played))
        self.kept_couples = _partners_so_far(played, self.brought_pairs) if wishes.keep_partners else []

    def couples(self, present: Collection[int], turns: RestOrder) -> list[Pair]:
        couples: list[Pair] = []
        for couple in (*self.brought_pairs, *self.kept_couples):
            if set(couple) <= set(present) and not any(set(couple) & set(earlier) for earlier in couples):
                couples.append(couple)
        if not self.wishes.keep_partners:
            return couples
        coupled = {player for couple in couples for player in couple}
        alone = [player for player in present if player not in coupled]
        if len(alone) % 2:
            self._choose_resting_single(alone, couples, turns)
        drawn = self.draw(alone)
        self.kept_couples = [couple for couple in self.kept_couples if not set(couple) & set(alone)] + drawn
        return couples + drawn

    def draw(self, players: Sequence[int]) -> list[Pair]:
        if not players:
            return []
        players = sorted(players)
        no_counts = np.zeros((len(players), len(players)), dtype=np.int64)
        tables = len(players) // 2
        unseated = UnseatedRound(
            members=np.arange(len(players)),
            sizes=(2,) * tables,
            unusual=np.zeros(tables, dtype=np.bool_),
            price=np.zeros((len(players), tables), dtype=np.int64),
            mates=np.empty((0, 2), dtype=np.int64),
        )
        partner_counts = [[self.partner_counts[ordered_pair(first, second)] for second in players] for first in players]
        costs = Costs(
            pair=pair_costs(players, self.wishes) + REMEETING_COST * np.array(partner_counts, dtype=np.int64),
            meetings=no_counts,
            kept_together=no_counts,
            remeeting=0,
            unusual=0,
            unusual_before=no_counts[0],
            unusual_each=no_counts[0],
        )
        [seated] = Search(costs, [unseated], self.rng).run([None])
        order = np.argsort(seated, kind="stable").tolist()
        ids = [players[index] for index in order]
        couples = [ordered_pair(*pair) for pair in zip(ids[::2], ids[1::2], strict=True)]
        self.partner_counts.update(couples)
        return couples

    def _choose_resting_single(self, alone: list[int], couples: list[Pair], turns: RestOrder) -> None:
        """Choose the player who rests in this round, and remove the player from `alone`.

        No player rests a second time before all others rested once. If a member of a drawn couple must rest, the couple
        is split: the other member gets another partner for the rest of the evening.
        """
        drawn = [player for couple in couples if couple not in self.brought_pairs for player in couple]
        candidates = (*alone, *drawn)
        first = min(candidates, key=lambda player: (turns.rest_counts[player], player in drawn, turns.turn_key(player)))
        for couple in [couple for couple in couples if first in couple]:
            couples.remove(couple)
            self.kept_couples.remove(couple)
            alone += couple
        alone.remove(first)


def _partners_so_far(played: Sequence[Seating], brought_pairs: Collection[Pair]) -> list[Pair]:
    kept_couples: dict[int, Pair] = {}
    for seating in sorted(played, key=lambda seating: seating.number):
        for couple in (*partnerships([seating]), *exempt_pairs([seating])):
            kept_couples |= dict.fromkeys(couple, couple)
    paired = {player for couple in brought_pairs for player in couple}
    mutual = {couple for couple in kept_couples.values() if all(kept_couples[player] == couple for player in couple)}
    return sorted(couple for couple in mutual if not paired & set(couple))
