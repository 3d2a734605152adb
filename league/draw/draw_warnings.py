"""What in an evening's rounds is not as it was wished for, whoever made them. Pure; the codes are in DrawWarning."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from league.draw.partners import brought, exempt_pairs, partnerships, sides
from league.draw.sizes import FOUR, usual_size
from league.draw.terms import DrawWarning, Pair, Person, Sitting, Wishes, ordered


def draw_warnings(
    sittings: Sequence[Sitting], wishes: Wishes, people: Sequence[Person], played: Sequence[Sitting]
) -> tuple[DrawWarning, ...]:
    """Return the warnings of the sittings, in their order, after the rounds that are played, which have none."""
    found: list[DrawWarning] = []
    tonight = Tonight(wishes, people, played)
    for sitting in sorted(sittings, key=lambda each: each.number):
        found += tonight.draw_warnings(sitting)
        tonight.count(sitting)
    return tuple(found)


class Tonight:
    """What has happened this evening up to a round."""

    def __init__(self, wishes: Wishes, people: Sequence[Person], played: Sequence[Sitting]) -> None:
        self.wishes = wishes
        self.usual = usual_size(wishes.sizes) if wishes.sizes else FOUR
        self.people = {person.player: person for person in people}
        self.brought = frozenset(brought(people)) if wishes.pairs else frozenset()
        self.met: Counter[Pair] = Counter()
        self.partners: Counter[Pair] = Counter()
        self.last: dict[int, Pair] = {}
        self.out: Counter[int] = Counter()
        self.odd: Counter[int] = Counter()
        for sitting in sorted(played, key=lambda each: each.number):
            self.count(sitting)

    def count(self, sitting: Sitting) -> None:
        """Take a round as played."""
        for table in sitting.tables:
            self.met.update(ordered(*two) for two in combinations(table, 2))
            if len(table) != self.usual:
                self.odd.update(table)
        self.out.update(sitting.resting)
        self.out.update(sitting.exempt)
        if self.wishes.pairs:
            self.partners.update(partnerships([sitting]))
            for couple in (*partnerships([sitting]), *exempt_pairs([sitting])):
                self.last |= dict.fromkeys(couple, couple)

    def draw_warnings(self, sitting: Sitting) -> Iterator[DrawWarning]:
        """The warnings of a round that comes next."""
        there = [player for player, person in sorted(self.people.items()) if person.is_there(sitting.number)]
        seated = Counter(player for table in sitting.tables for player in table)
        placed = seated + Counter(sitting.resting) + Counter(sitting.exempt)
        for player in there:
            if player not in placed:
                yield DrawWarning("unseated", sitting.number, None, (player,))
        for player, times in sorted(placed.items()):
            if player not in there:
                yield DrawWarning("absent", sitting.number, None, (player,))
            if times > 1:
                yield DrawWarning("seated_twice", sitting.number, None, (player,), times)
        for player in (*sitting.resting, *sitting.exempt):
            if self.out[player]:
                yield DrawWarning("resting_again", sitting.number, None, (player,), self.out[player] + 1)
        least_odd = min((self.odd[player] for player in seated), default=0)
        for number, table in sitting.numbered():
            yield from self._of_table(sitting.number, number, table, least_odd)
        if self.wishes.pairs:
            yield from self._parted(sitting, there)

    def _of_table(self, round_: int, number: int, table: Sequence[int], least_odd: int) -> Iterator[DrawWarning]:
        if len(table) not in self.wishes.sizes:
            yield DrawWarning("size", round_, number, tuple(table))
        for player in table:
            person = self.people.get(player)
            if person is not None and person.fixed_table not in (None, number):
                yield DrawWarning("fixed_table", round_, number, (player,))
            if len(table) != self.usual and self.odd[player] >= least_odd + 2:
                yield DrawWarning("odd_again", round_, number, (player,), self.odd[player] + 1)
        opposite = set(sides(table)) if self.wishes.pairs and len(table) == FOUR else set()
        for two in sorted(ordered(*two) for two in combinations(table, 2)):
            if two in self.wishes.apart:
                yield DrawWarning("apart", round_, number, two)
            if self._stays(two):
                continue
            if two in opposite and self.partners[two]:
                yield DrawWarning("partners_again", round_, number, two, self.partners[two] + 1)
            elif self.met[two]:
                yield DrawWarning("met_tonight", round_, number, two, self.met[two] + 1)

    def _stays(self, two: Pair) -> bool:
        """Return whether the two are together in every round by right."""
        return two in self.brought or (self.wishes.keep_partners and self._kept().get(two[0]) == two)

    def _kept(self) -> Mapping[int, Pair]:
        """Return the last partnership of each whose partner has had no other since."""
        alone = {player for couple in self.brought for player in couple}
        return {
            player: couple
            for player, couple in self.last.items()
            if player not in alone and all(self.last[each] == couple for each in couple)
        }

    def _parted(self, sitting: Sitting, there: Sequence[int]) -> Iterator[DrawWarning]:
        """Couples of whom both are there and who are neither partners nor exempt together."""
        kept = set(self._kept().values()) if self.wishes.keep_partners else set()
        together = {*partnerships([sitting]), *exempt_pairs([sitting])}
        for couple in sorted(self.brought | kept):
            if set(couple) <= set(there) and couple not in together:
                number = next((number for number, table in sitting.numbered() if set(couple) & set(table)), None)
                code = "partners_apart" if couple in self.brought else "drawn_apart"
                yield DrawWarning(code, sitting.number, number, couple)
