"""Partners in a game of pairs: brought, kept all evening, or drawn for a round. Pure."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

import numpy as np

from league.draw.costs import AGAIN, pair_costs
from league.draw.moves import Placement
from league.draw.search import Costs, Search
from league.draw.terms import Pair, Person, Sitting, Wishes, by_id, ordered
from league.draw.turns import Turns


def sides(table: Sequence[int]) -> tuple[Pair, Pair]:
    """Return the partners at a table of four: seats 0 and 2, seats 1 and 3."""
    return ordered(table[0], table[2]), ordered(table[1], table[3])


def partnerships(sittings: Iterable[Sitting]) -> Iterator[Pair]:
    """Who were partners at a table, once for each round."""
    for sitting in sittings:
        for table in sitting.tables:
            if len(table) == 4:
                yield from sides(table)


def exempt_pairs(sittings: Iterable[Sitting]) -> Iterator[Pair]:
    """Who were exempt together; where partners are drawn for a round these are just two."""
    for sitting in sittings:
        yield from (ordered(*two) for two in zip(sitting.exempt[::2], sitting.exempt[1::2], strict=False))


def brought(people: Iterable[Person]) -> list[Pair]:
    """Return the pairs that came as such, each person in one of them; of two claims the one by the lower id holds."""
    known = {person.player for person in people}
    claims = [(person.player, person.partner) for person in sorted(people, key=by_id) if person.partner in known]
    taken: set[int] = set()
    pairs = []
    for one, other in claims:
        if other is not None and one != other and not {one, other} & taken:
            taken |= {one, other}
            pairs.append(ordered(one, other))
    return pairs


class PartnerDraw:
    """Which couples play in each round of an evening, kept from round to round where the wishes say so."""

    def __init__(
        self, people: Sequence[Person], wishes: Wishes, played: Sequence[Sitting], rng: np.random.Generator
    ) -> None:
        self.wishes = wishes
        self.rng = rng
        self.brought = brought(people)
        self.before = Counter(partnerships(played))
        self.kept = _last_partners(played, self.brought) if wishes.keep_partners else []

    def couples(self, there: Collection[int], turns: Turns) -> list[Pair]:
        """Return the couples of a round in which these are there, drawn now where drawn partners are kept."""
        stand: list[Pair] = []
        for couple in (*self.brought, *self.kept):
            if set(couple) <= set(there) and not any(set(couple) & set(other) for other in stand):
                stand.append(couple)
        if not self.wishes.keep_partners:
            return stand
        coupled = {player for couple in stand for player in couple}
        alone = [player for player in there if player not in coupled]
        if len(alone) % 2:
            self._let_rest(alone, stand, turns)
        drawn = self.draw(alone)
        self.kept = [couple for couple in self.kept if not set(couple) & set(alone)] + drawn
        return stand + drawn

    def draw(self, players: Sequence[int]) -> list[Pair]:
        """Return couples of an even number of players, who were partners tonight as little as can be."""
        if not players:
            return []
        players = sorted(players)
        none = np.zeros((len(players), len(players)), dtype=np.int64)
        tables = len(players) // 2
        sheet = Placement(
            members=np.arange(len(players)),
            sizes=(2,) * tables,
            odd=np.zeros(tables, dtype=np.bool_),
            price=np.zeros((len(players), tables), dtype=np.int64),
            mates=np.empty((0, 2), dtype=np.int64),
        )
        before = [[self.before[ordered(one, other)] for other in players] for one in players]
        costs = Costs(
            pair=pair_costs(players, self.wishes) + AGAIN * np.array(before, dtype=np.int64),
            met=none,
            free=none,
            again=0,
            odd=0,
            odd_before=none[0],
            odd_first=none[0],
        )
        [seated] = Search(costs, [sheet], self.rng).run([None])
        order = np.argsort(seated, kind="stable").tolist()
        couples = [ordered(players[one], players[other]) for one, other in zip(order[::2], order[1::2], strict=True)]
        self.before.update(couples)
        return couples

    def _let_rest(self, alone: list[int], stand: list[Pair], turns: Turns) -> None:
        """Take out of `alone` who has no partner in this round.

        Nobody rests a second time before others rest once: a drawn couple is parted for that, and the one whose turn it
        isn't gets another partner, from now on.
        """
        drawn = [player for couple in stand if couple not in self.brought for player in couple]
        first = min((*alone, *drawn), key=lambda player: (turns.turn(player)[0], player in drawn, turns.turn(player)))
        for couple in [each for each in stand if first in each]:
            stand.remove(couple)
            self.kept.remove(couple)
            alone += couple
        alone.remove(first)


def _last_partners(played: Sequence[Sitting], brought: Collection[Pair]) -> list[Pair]:
    """Return who were partners when they last played tonight, and did not come as a pair."""
    kept: dict[int, Pair] = {}
    for sitting in sorted(played, key=lambda each: each.number):
        for couple in (*partnerships([sitting]), *exempt_pairs([sitting])):
            kept |= dict.fromkeys(couple, couple)
    taken = {player for couple in brought for player in couple}
    agreed = {couple for couple in kept.values() if all(kept[player] == couple for player in couple)}
    return sorted(couple for couple in agreed if not taken & set(couple))
