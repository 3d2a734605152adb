"""The draw of an evening: who sits with whom at which table in each round. Pure: knows players by id, and no rows.

All rounds that are left are planned at once. The same people, wishes, rounds played and seed give the same plan in
every process, whatever the order in which they are given. The other modules of this package are its parts: who plays
and who sits out (turns), the tables' sizes, partners, a start that is known to be good (designs) and the search from
there by the costs of what is not wished for, or the ranking; then numbers and seats (places), and what could not be
avoided (warnings).
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from league.draw.costs import AGAIN, APART, FIXED, evening_costs, meetings, pair_costs
from league.draw.designs import design, fitted
from league.draw.draw_warnings import draw_warnings
from league.draw.moves import Numbers, Placement
from league.draw.partners import PartnerDraw, partnerships
from league.draw.places import Sizes, at_numbers, seats, table_numbers
from league.draw.ranking import Group, by_ranking
from league.draw.search import STEPS, Search
from league.draw.sizes import usual_size
from league.draw.terms import Pair, Person, Plan, Sitting, Wishes, by_id
from league.draw.turns import Muster, Turns, muster, muster_pairs


def plan(
    people: Sequence[Person],
    rounds: range,
    wishes: Wishes,
    *,
    played: Sequence[Sitting] = (),
    seed: int,
    steps: int = STEPS,
) -> Plan:
    """Draw the rounds of these numbers, after those of this evening that are played or stand.

    By ranking only the first of them can be drawn, since the ranking after it isn't known; round 1, and any without a
    ranking, is drawn by lot. `steps` bounds the search, for each round. Raises ImpossibleDraw when a round has too few
    people for any table.
    """
    if not rounds:
        return Plan((), ())
    evening = _Evening(people, rounds[:1] if wishes.by_ranking else rounds, wishes, played, seed, steps)
    sittings = evening.sittings()
    return Plan(sittings, draw_warnings(sittings, wishes, people, played))


class _Evening:
    """A draw in the making."""

    def __init__(
        self, people: Sequence[Person], rounds: range, wishes: Wishes, played: Sequence[Sitting], seed: int, steps: int
    ) -> None:
        self.steps = steps
        self.people = sorted(people, key=by_id)
        self.rounds = rounds
        self.wishes = wishes
        self.played = sorted(played, key=lambda sitting: sitting.number)
        self.rng = np.random.default_rng(seed % 2**64)
        self.fixed = {person.player: person.fixed_table for person in people if person.fixed_table is not None}
        self.ranked = wishes.by_ranking and bool(wishes.ranking) and rounds[0] > 1
        self.partners = PartnerDraw(self.people, wishes, self.played, self.rng)
        order = self.rng.permutation([person.player for person in self.people]).tolist()
        if self.ranked:
            place = {player: number for number, player in enumerate(wishes.ranking)}
            order.sort(key=lambda player: -place.get(player, len(place)))
        self.turns = Turns(self.people, wishes, self.played, order=order, rounds=rounds[-1])

    def sittings(self) -> tuple[Sitting, ...]:
        """Return the rounds, drawn."""
        musters = [self._muster(number) for number in self.rounds]
        tables = [self._by_ranking(each) for each in musters] if self.ranked else self._by_search(musters)
        met = Counter(partnerships(self.played))
        return tuple(self._seated(each, groups, met) for each, groups in zip(musters, tables, strict=True))

    def _muster(self, number: int) -> Muster:
        there = [person.player for person in self.people if person.is_there(number)]
        if not self.wishes.pairs:
            return muster(number, there, self.wishes, self.turns)
        return muster_pairs(number, there, self.partners.couples(there, self.turns), self.turns)

    def _seated(self, here: Muster, groups: Sequence[Group], met: Counter[Pair]) -> Sitting:
        """Return the round with its groups, in the order of the tables' numbers, on their seats."""
        tables = tuple(seats(group, self.wishes, self.rng, couples=here.couples, partners=met) for group in groups)
        numbers = self._numbers(here)
        plain = numbers == tuple(range(1, len(numbers) + 1))
        return Sitting(here.number, tables, here.resting, here.exempt, () if plain else numbers)

    def _needed(self, here: Muster) -> list[int]:
        """Return the fixed tables' numbers, one for each person who needs one."""
        return [self.fixed[player] for player in here.seated if player in self.fixed]

    def _numbers(self, here: Muster) -> tuple[int, ...]:
        return table_numbers(self._needed(here), len(here.sizes))

    # By ranking

    def _by_ranking(self, here: Muster) -> list[Group]:
        units: list[Group] = [(player,) for player in here.seated]
        if self.wishes.pairs:
            coupled = {player for couple in here.couples for player in couple}
            units = [*here.couples, *self.partners.draw([player for player in here.seated if player not in coupled])]
        return at_numbers(by_ranking(units, here.sizes, self.wishes), self._numbers(here), self.fixed)

    # By lot, with a search for what is wished for

    def _by_search(self, musters: Sequence[Muster]) -> list[list[Group]]:
        players = sorted({player for here in musters for player in here.seated})
        couples = sorted({couple for here in musters for couple in here.couples})
        costs = evening_costs(players, self.wishes, self.played, couples=couples, sat_out=self.turns.times)
        starts = self._starts(musters, players)
        spread = Sizes(self.wishes, self.rng)
        sheets, seated = [], []
        for here, groups in zip(musters, starts, strict=True):
            numbers = self._numbers(here)
            groups = at_numbers(groups, numbers, self.fixed) if groups else []
            sizes = tuple(map(len, groups)) or spread.spread(here.sizes, numbers, self._needed(here))
            sheets.append(self._sheet(here, players, sizes, numbers))
            table = {player: at for at, group in enumerate(groups) for player in group}
            seated.append(np.array([table[player] for player in here.seated]) if groups else None)
        best = Search(costs, sheets, self.rng, steps=self.steps).run(seated)
        return [_groups(here, tables) for here, tables in zip(musters, best, strict=True)]

    def _sheet(self, here: Muster, players: Sequence[int], sizes: tuple[int, ...], numbers: Sequence[int]) -> Placement:
        index = {player: place for place, player in enumerate(players)}
        member = {player: place for place, player in enumerate(here.seated)}
        price = np.zeros((len(here.seated), len(sizes)), dtype=np.int64)
        for player, number in self.fixed.items():
            if player in member and number in numbers:
                price[member[player]] = FIXED
                price[member[player], numbers.index(number)] = 0
        mates = [[member[one], member[other]] for one, other in here.couples]
        return Placement(
            members=np.array([index[player] for player in here.seated]),
            sizes=sizes,
            odd=np.array(sizes) != usual_size(self.wishes.sizes),
            price=price,
            mates=np.array(mates, dtype=np.int64).reshape(-1, 2),
        )

    def _starts(self, musters: Sequence[Muster], players: Sequence[int]) -> list[list[Group]]:
        """Return for each round the groups of a known design, or none where none fits.

        All must be there all the time.
        """
        lots: Numbers = self.rng.permutation(len(players))
        known: list[Numbers] = []
        sizes = set(musters[0].sizes)
        # Where the larger tables are the odd ones a design would send the same people there in every round.
        fair = len(sizes) == 1 or max(sizes) == usual_size(self.wishes.sizes)
        if fair and all(len(here.seated) == len(players) and not here.couples for here in musters):
            avoid = pair_costs(players, self.wishes)
            avoid += AGAIN * meetings(players, (table for sitting in self.played for table in sitting.tables))
            tables = np.array([self.fixed.get(player, 0) for player in players])
            avoid += APART * ((tables[:, None] != tables) & (tables[:, None] > 0) & (tables > 0))
            known = fitted(design(musters[0].sizes, len(musters)), avoid, lots)
        starts = [_groups(here, tables) for here, tables in zip(musters, known, strict=False)]
        return starts + [[] for _ in musters[len(starts) :]]


def _groups(here: Muster, tables: Numbers) -> list[Group]:
    """Return the round's people by table."""
    row = tables.tolist()
    return [
        tuple(player for player, table in zip(here.seated, row, strict=True) if table == number)
        for number in range(len(here.sizes))
    ]
