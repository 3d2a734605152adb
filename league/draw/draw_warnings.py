"""Warnings about mistakes and unfulfilled wishes in rounds that were drawn or changed by hand. No Django. `DrawWarning`
lists the codes.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from league.draw.draw_types import DrawWarning, Pair, Person, Seating, Wishes, ordered_pair
from league.draw.partners import (
    couples_of_round,
    exempt_pairs,
    find_registered_pairs,
    kept_couples,
    partnerships,
    sides,
)
from league.draw.sizes import USUAL_TABLE_SIZE, usual_size


def draw_warnings(
    seatings: Sequence[Seating], wishes: Wishes, people: Sequence[Person], played: Sequence[Seating]
) -> tuple[DrawWarning, ...]:
    """Return the warnings about the rounds in `seatings`. Rounds in `played` count as earlier rounds of the evening,
    and get no warnings.
    """
    warnings: list[DrawWarning] = []
    counts = EveningCounts(wishes, people, played)
    for seating in sorted(seatings, key=lambda seating: seating.number):
        warnings += counts.round_warnings(seating)
        counts.add_round(seating)
    return tuple(warnings)


class EveningCounts:
    """Meetings, partners, rests and tables of an unusual size in the rounds of an evening so far."""

    def __init__(self, wishes: Wishes, people: Sequence[Person], played: Sequence[Seating]) -> None:
        self.wishes = wishes
        self.usual_size = usual_size(wishes.sizes) if wishes.sizes else USUAL_TABLE_SIZE
        self.people = {person.player: person for person in people}
        self.registered_pairs = frozenset(find_registered_pairs(people)) if wishes.has_pairs else frozenset()
        self.meetings: Counter[Pair] = Counter()
        self.partner_counts: Counter[Pair] = Counter()
        self.couple_of_player: dict[int, Pair] = {}  # the last couple of each player
        self.rest_counts: Counter[int] = Counter()
        self.unusual_size_counts: Counter[int] = Counter()
        for seating in sorted(played, key=lambda seating: seating.number):
            self.add_round(seating)

    def add_round(self, seating: Seating) -> None:
        for table in seating.tables:
            self.meetings.update(ordered_pair(*pair) for pair in combinations(table, 2))
            if len(table) != self.usual_size:
                self.unusual_size_counts.update(table)
        self.rest_counts.update(seating.resting)
        self.rest_counts.update(seating.exempt)
        if self.wishes.has_pairs:
            self.partner_counts.update(partnerships([seating]))
            self.couple_of_player |= couples_of_round(seating)

    def round_warnings(self, seating: Seating) -> Iterator[DrawWarning]:
        present = [player for player, person in sorted(self.people.items()) if person.is_present(seating.number)]
        seat_counts = Counter(player for table in seating.tables for player in table)
        place_counts = seat_counts + Counter(seating.resting) + Counter(seating.exempt)
        for player in present:
            if player not in place_counts:
                yield DrawWarning("unseated", seating.number, None, (player,))
        for player, times in sorted(place_counts.items()):
            if player not in present:
                yield DrawWarning("absent", seating.number, None, (player,))
            if times > 1:
                yield DrawWarning("seated_twice", seating.number, None, (player,), times)
        for player in (*seating.resting, *seating.exempt):
            if self.rest_counts[player]:
                yield DrawWarning("resting_again", seating.number, None, (player,), self.rest_counts[player] + 1)
        least_unusual = min((self.unusual_size_counts[player] for player in seat_counts), default=0)
        for number, table in seating.numbered_tables():
            yield from self._table_warnings(seating.number, number, table, least_unusual)
        if self.wishes.has_pairs:
            yield from self._split_couple_warnings(seating, present)

    def _table_warnings(
        self, round_: int, number: int, table: Sequence[int], least_unusual: int
    ) -> Iterator[DrawWarning]:
        """Yield the warnings about one table, the players `table`.

        `least_unusual` is the number of earlier tables of unusual size of the seated player who had the fewest.
        """
        if len(table) not in self.wishes.sizes:
            yield DrawWarning("size", round_, number, tuple(table))
        for player in table:
            person = self.people.get(player)
            if person is not None and person.fixed_table not in (None, number):
                yield DrawWarning("fixed_table", round_, number, (player,))
            if len(table) != self.usual_size and self.unusual_size_counts[player] >= least_unusual + 2:
                yield DrawWarning("odd_again", round_, number, (player,), self.unusual_size_counts[player] + 1)
        partner_pairs = set(sides(table)) if self.wishes.has_pairs and len(table) == USUAL_TABLE_SIZE else set()
        for pair in sorted(ordered_pair(*pair) for pair in combinations(table, 2)):
            if pair in self.wishes.separations:
                yield DrawWarning("apart", round_, number, pair)
            if self._stay_together(pair):
                continue
            if pair in partner_pairs and self.partner_counts[pair]:
                yield DrawWarning("partners_again", round_, number, pair, self.partner_counts[pair] + 1)
            elif self.meetings[pair]:
                yield DrawWarning("met_tonight", round_, number, pair, self.meetings[pair] + 1)

    def _stay_together(self, pair: Pair) -> bool:
        return pair in self.registered_pairs or pair in self._kept_couples()

    def _kept_couples(self) -> set[Pair]:
        return kept_couples(self.couple_of_player, self.registered_pairs) if self.wishes.keep_partners else set()

    def _split_couple_warnings(self, seating: Seating, present: Sequence[int]) -> Iterator[DrawWarning]:
        """Yield a warning for each couple whose players should be partners in the round, but are not partners."""
        couples_together = {*partnerships([seating]), *exempt_pairs([seating])}
        for couple in sorted(self.registered_pairs | self._kept_couples()):
            if set(couple) <= set(present) and couple not in couples_together:
                number = next((number for number, table in seating.numbered_tables() if set(couple) & set(table)), None)
                code = "partners_apart" if couple in self.registered_pairs else "drawn_apart"
                yield DrawWarning(code, seating.number, number, couple)
