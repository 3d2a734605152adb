"""The draw of an evening: the tables and seats of each round. No Django; players are ids.

All remaining rounds are planned at once. The same people, wishes, played rounds and seed give the same plan, in every
process and for any order of input. The other modules of this package are the steps: rests (rest_order), table sizes
(sizes), partners, a start without repeated meetings (designs), the search by costs (search) or the draw by ranking
(ranking), table numbers and seats (table_seats), and warnings (draw_warnings).
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from league.draw.costs import (
    BROKEN_FIXED_TABLE_COST,
    REMEETING_COST,
    SEPARATION_COST,
    count_shared_tables,
    evening_costs,
    pair_costs,
)
from league.draw.designs import design_without_rematches, reduce_pair_costs
from league.draw.draw_types import Pair, Person, Plan, Seating, Wishes, ordered_pair, player_id
from league.draw.draw_warnings import draw_warnings
from league.draw.partners import PartnerDraw, partnerships
from league.draw.ranking import Group, group_by_ranking
from league.draw.rest_order import RestOrder, RoundRoster, roster_of_pairs, roster_of_players
from league.draw.search import STEPS_PER_ROUND, Search
from league.draw.seat_exchanges import Numbers, UnseatedRound
from league.draw.sizes import usual_size
from league.draw.table_seats import TableSizeRotation, assign_seats, groups_by_table_number, table_numbers


def plan_rounds(
    people: Sequence[Person],
    rounds: range,
    wishes: Wishes,
    *,
    played: Sequence[Seating] = (),
    seed: int,
    steps: int = STEPS_PER_ROUND,
) -> Plan:
    """Return the drawn `rounds` of an evening. `played` are the earlier rounds of the evening.

    A draw by ranking (`Wishes.by_ranking`) returns only the first of `rounds`, because the ranking after it is unknown.
    If this is round 1, or if there is no ranking yet, it is drawn at random. `steps` limits the search for each round.
    Raise ImpossibleDraw if in some round no table is possible.
    """
    if not rounds:
        return Plan((), ())
    evening_draw = _EveningDraw(people, rounds[:1] if wishes.by_ranking else rounds, wishes, played, seed, steps)
    seatings = evening_draw.draw_seatings()
    return Plan(seatings, draw_warnings(seatings, wishes, people, played))


class _EveningDraw:
    """The draw of some rounds of an evening. All random choices come from `rng`, so their order must not change."""

    def __init__(
        self, people: Sequence[Person], rounds: range, wishes: Wishes, played: Sequence[Seating], seed: int, steps: int
    ) -> None:
        self.steps = steps
        self.people = sorted(people, key=player_id)
        self.rounds = rounds
        self.wishes = wishes
        self.played = sorted(played, key=lambda seating: seating.number)
        self.rng = np.random.default_rng(seed % 2**64)
        self.fixed_tables = {person.player: person.fixed_table for person in people if person.fixed_table is not None}
        self.is_by_ranking = wishes.by_ranking and bool(wishes.ranking) and rounds[0] > 1
        self.partner_draw = PartnerDraw(self.people, wishes, self.played, self.rng)
        order = self.rng.permutation([person.player for person in self.people]).tolist()
        if self.is_by_ranking:
            rank = {player: number for number, player in enumerate(wishes.ranking)}
            order.sort(key=lambda player: -rank.get(player, len(rank)))
        self.rest_order = RestOrder(self.people, wishes, self.played, order=order, rounds=rounds[-1])

    def draw_seatings(self) -> tuple[Seating, ...]:
        rosters = [self._roster(round_number) for round_number in self.rounds]
        tables = (
            [self._tables_by_ranking(roster) for roster in rosters]
            if self.is_by_ranking
            else self._tables_by_search(rosters)
        )
        partner_counts = Counter(partnerships(self.played))
        return tuple(
            self._seat_round(roster, groups, partner_counts) for roster, groups in zip(rosters, tables, strict=True)
        )

    def _roster(self, round_number: int) -> RoundRoster:
        present = [person.player for person in self.people if person.is_present(round_number)]
        if not self.wishes.has_pairs:
            return roster_of_players(round_number, present, self.wishes, self.rest_order)
        return roster_of_pairs(
            round_number, present, self.partner_draw.choose_couples(present, self.rest_order), self.rest_order
        )

    def _seat_round(self, roster: RoundRoster, groups: Sequence[Group], partner_counts: Counter[Pair]) -> Seating:
        tables = tuple(
            assign_seats(group, self.wishes, self.rng, couples=roster.couples, partner_counts=partner_counts)
            for group in groups
        )
        numbers = self._table_numbers(roster)
        are_numbers_default = numbers == tuple(range(1, len(numbers) + 1))
        return Seating(roster.number, tables, roster.resting, roster.exempt, () if are_numbers_default else numbers)

    def _fixed_table_numbers(self, roster: RoundRoster) -> list[int]:
        """Return the table number of each player with a fixed table; a number can occur more than once."""
        return [self.fixed_tables[player] for player in roster.seated if player in self.fixed_tables]

    def _table_numbers(self, roster: RoundRoster) -> tuple[int, ...]:
        return table_numbers(self._fixed_table_numbers(roster), len(roster.sizes))

    # By ranking

    def _tables_by_ranking(self, roster: RoundRoster) -> list[Group]:
        units: list[Group] = [(player,) for player in roster.seated]
        if self.wishes.has_pairs:
            coupled = {player for couple in roster.couples for player in couple}
            units = [
                *roster.couples,
                *self.partner_draw.draw_partners([player for player in roster.seated if player not in coupled]),
            ]
        earlier_meetings = {
            ordered_pair(*pair)
            for seating in self.played
            for table in seating.tables
            for pair in combinations(table, 2)
        }
        groups = group_by_ranking(units, roster.sizes, self.wishes, earlier_meetings)
        return groups_by_table_number(groups, self._table_numbers(roster), self.fixed_tables)

    # By search, from a random start

    def _tables_by_search(self, rosters: Sequence[RoundRoster]) -> list[list[Group]]:
        players = sorted({player for roster in rosters for player in roster.seated})
        couples = sorted({couple for roster in rosters for couple in roster.couples})
        costs = evening_costs(players, self.wishes, self.played, couples=couples, sat_out=self.rest_order.rest_counts)
        starts = self._initial_groups(rosters, players)
        size_rotation = TableSizeRotation(self.wishes, self.rng)
        unseated_rounds, seated = [], []
        for roster, groups in zip(rosters, starts, strict=True):
            numbers = self._table_numbers(roster)
            groups = groups_by_table_number(groups, numbers, self.fixed_tables) if groups else []
            sizes = tuple(map(len, groups)) or size_rotation.next_sizes(
                roster.sizes, numbers, self._fixed_table_numbers(roster)
            )
            unseated_rounds.append(self._unseated_round(roster, players, sizes, numbers))
            table = {player: table_index for table_index, group in enumerate(groups) for player in group}
            seated.append(np.array([table[player] for player in roster.seated]) if groups else None)
        best = Search(costs, unseated_rounds, self.rng, steps=self.steps).find_cheapest_plan(seated)
        return [_groups_at_tables(roster, tables) for roster, tables in zip(rosters, best, strict=True)]

    def _unseated_round(
        self, roster: RoundRoster, players: Sequence[int], sizes: tuple[int, ...], numbers: Sequence[int]
    ) -> UnseatedRound:
        player_index = {player: index for index, player in enumerate(players)}
        member_index = {player: index for index, player in enumerate(roster.seated)}
        seat_costs = np.zeros((len(roster.seated), len(sizes)), dtype=np.int64)
        for player, number in self.fixed_tables.items():
            if player in member_index and number in numbers:
                seat_costs[member_index[player]] = BROKEN_FIXED_TABLE_COST
                seat_costs[member_index[player], numbers.index(number)] = 0
        couples = [[member_index[first], member_index[second]] for first, second in roster.couples]
        return UnseatedRound(
            members=np.array([player_index[player] for player in roster.seated]),
            sizes=sizes,
            unusual_size_flags=np.array(sizes) != usual_size(self.wishes.sizes),
            seat_costs=seat_costs,
            couples=np.array(couples, dtype=np.int64).reshape(-1, 2),
        )

    def _initial_groups(self, rosters: Sequence[RoundRoster], players: Sequence[int]) -> list[list[Group]]:
        """Return for each round the players of each table at the start of the search, from a design (a plan without
        repeated meetings). If no design fits a round, it has no tables here, and the search begins with random tables.

        A design needs the same players in all rounds, and no couples.
        """
        lots: Numbers = self.rng.permutation(len(players))
        design_rounds: list[Numbers] = []
        sizes = set(rosters[0].sizes)
        # If the larger tables are the unusual ones, a design would seat the same people there in every round.
        is_design_fair = len(sizes) == 1 or max(sizes) == usual_size(self.wishes.sizes)
        if is_design_fair and all(len(roster.seated) == len(players) and not roster.couples for roster in rosters):
            avoid = pair_costs(players, self.wishes)
            avoid += REMEETING_COST * count_shared_tables(
                players, (table for seating in self.played for table in seating.tables)
            )
            tables = np.array([self.fixed_tables.get(player, 0) for player in players])
            avoid += SEPARATION_COST * ((tables[:, None] != tables) & (tables[:, None] > 0) & (tables > 0))
            design_rounds = reduce_pair_costs(design_without_rematches(rosters[0].sizes, len(rosters)), avoid, lots)
        starts = [_groups_at_tables(roster, tables) for roster, tables in zip(rosters, design_rounds, strict=False)]
        return starts + [[] for _ in rosters[len(starts) :]]


def _groups_at_tables(roster: RoundRoster, tables: Numbers) -> list[Group]:
    """Return the players at each table. `tables` has the index of the table of each player in `roster.seated`."""
    tables_of_people = tables.tolist()
    return [
        tuple(player for player, table in zip(roster.seated, tables_of_people, strict=True) if table == number)
        for number in range(len(roster.sizes))
    ]
