"""Computes the prizes of the units (players, pairs or teams) of a tournament. Each unit gets at most one prize, the
most valuable. Amounts are cents.

A list of prizes is for all units or for one category. Units choose in the order of their ranks. The position of a unit
in a list is 1 + the number of units before it that have no prize from another list: if a unit takes a more valuable
prize of another list, the following units move up. Lists that count from the last rank are given first; a unit takes a
prize of such a list only if its other prize is worth less.

Units with the same rank either share the amounts of their positions and get the things (prizes that are not money) by
lot, or they choose in the order of a lot.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

Key = str  # identifies a player, a pair or a team
Lots = Mapping[frozenset[Key], Sequence[Key]]  # the drawn order of each group of units with the same rank


class PrizeList(NamedTuple):
    """A list of prizes: for the units (players, pairs or teams) of a category, or for all units if `category` is "".

    The positions of the list count from the first rank, or with `from_last` from the last.
    """

    category: str = ""
    from_last: bool = False


class Prize(NamedTuple):
    """A prize for each of the positions `first` to `last` of a list of prizes.

    `thing` is a prize that is not money, and `worth` its value. The worth is compared with amounts, but not paid.
    """

    prize_list: PrizeList
    first: int
    last: int
    amount: int = 0
    thing: str = ""
    worth: int = 0


class Competitor(NamedTuple):
    key: Key
    rank: int
    categories: frozenset[str] = frozenset()


class PrizePosition(NamedTuple):
    """A position in a list of prizes, from 1."""

    prize_list: PrizeList
    number: int


class Award(NamedTuple):
    """The prize that a unit (player, pair or team) gets. If several units (`sharers`) share the prizes of `positions`,
    `amount` is the unit's share.
    """

    key: Key
    positions: tuple[PrizePosition, ...]
    amount: int
    things: tuple[str, ...] = ()
    worth: int = 0
    sharers: int = 1
    by_lot: bool = False


class Allocation(NamedTuple):
    """The awards by unit (player, pair or team), and the groups of units with the same rank that still need a lot.

    Until the lot is drawn, the units of such a group are in the order of `competitors`.
    """

    awards: Mapping[Key, Award]
    open_lots: Sequence[tuple[Key, ...]]


class _Content(NamedTuple):
    amount: int
    things: tuple[str, ...]
    worth: int

    @property
    def value(self) -> int:
        return self.amount + self.worth


class _Things(NamedTuple):
    """The things (prizes that are not money) of a position, for one of several tied units; a unit may get none."""

    position: PrizePosition | None = None
    things: tuple[str, ...] = ()
    worth: int = 0


def lot_order(keys: Iterable[Key], seed: int) -> list[Key]:
    """Return the keys sorted by the SHA-256 of "SEED KEY". So everybody can repeat the lot with any program."""
    return sorted(keys, key=lambda key: sha256(f"{seed} {key}".encode()).digest())


def total_amount(prizes: Iterable[Prize]) -> int:
    return sum((prize.last - prize.first + 1) * prize.amount for prize in prizes)


def total_worth(prizes: Iterable[Prize]) -> int:
    return sum((prize.last - prize.first + 1) * prize.worth for prize in prizes)


def prize_amounts(pot: int, count: int, step: int) -> list[int]:
    """Return amounts for at most `count` prizes, the largest first. They are multiples of `step`.

    Their sum is the pot, rounded down to a multiple of `step`. The first amount is about `count` times the last.
    """
    if pot < 0 or count < 1 or step < 1:
        raise ValueError("a pot is at least 0, the number of prizes and the step at least 1")
    units = pot // step
    count = min(count, units)
    if not count:
        return []
    weights = range(count, 0, -1)
    rest = units - count  # each prize has one step at least
    parts = [1 + rest * weight // sum(weights) for weight in weights]
    for index in range(units - sum(parts)):
        parts[index] += 1
    return [part * step for part in parts]


def split_evenly(amount: int, count: int) -> list[int]:
    """Return `count` parts of the amount that differ by at most one; the first parts are the larger ones."""
    part, rest = divmod(amount, count)
    return [part + (index < rest) for index in range(count)]


def allocate(prizes: Sequence[Prize], competitors: Sequence[Competitor], *, shared: bool, lots: Lots) -> Allocation:
    """Return the awards. `lots` has the drawn lots. If `shared`, units (players, pairs or teams) with the same rank
    share their amounts.

    Things (prizes that are not money) are never shared: a lot decides.
    """
    from_first = _contents(prize for prize in prizes if not prize.prize_list.from_last)
    from_last = _contents(prize for prize in prizes if prize.prize_list.from_last)
    ranked = sorted(competitors, key=lambda competitor: competitor.rank)
    forward = _Distribution(from_first, shared, lots)
    awards = forward.give(ranked, {})
    backward = _Distribution(from_last, shared, lots)
    last: dict[Key, Award] = {}
    for group in _group_by_rank(ranked)[::-1]:
        if not backward.has_open_position(group):
            continue
        new = backward.give(group, {key: award.amount + award.worth for key, award in awards.items()})
        if new:
            last |= new
            forward = _Distribution(from_first, shared, lots)
            awards = forward.give([unit for unit in ranked if unit.key not in last], {})
    awards |= last
    open_lots = list(dict.fromkeys(forward.open_lots + backward.open_lots))
    return Allocation({unit.key: awards[unit.key] for unit in ranked if unit.key in awards}, open_lots)


def _group_by_rank(ranked: Iterable[Competitor]) -> list[list[Competitor]]:
    return [list(group) for _rank, group in groupby(ranked, key=lambda competitor: competitor.rank)]


def _contents(prizes: Iterable[Prize]) -> dict[PrizeList, dict[int, _Content]]:
    """Return amount, things and worth of each position by list. Several prizes for the same position are added."""
    contents: dict[PrizeList, dict[int, _Content]] = {}
    for prize in prizes:
        positions = contents.setdefault(prize.prize_list, {})
        for number in range(prize.first, prize.last + 1):
            before = positions.get(number, _Content(0, (), 0))
            things = (*before.things, prize.thing) if prize.thing else before.things
            positions[number] = _Content(before.amount + prize.amount, things, before.worth + prize.worth)
    return contents


class _Distribution:
    """Gives the prizes of some lists to one group of units (players, pairs or teams) after the other; the units of a
    group have the same rank.

    `floors` in the methods are the values of prizes that units already have: a unit takes only a more valuable prize.
    """

    def __init__(self, contents: Mapping[PrizeList, Mapping[int, _Content]], shared: bool, lots: Lots) -> None:
        self.contents = contents
        self.shared = shared
        self.lots = lots
        self.taken = dict.fromkeys(contents, 0)  # by list: the number of positions given so far
        self.open_lots: list[tuple[Key, ...]] = []

    def has_open_position(self, units: Iterable[Competitor]) -> bool:
        lists = {prize_list for unit in units for prize_list in self._lists(unit)}
        return any(max(self.contents[prize_list]) > self.taken[prize_list] for prize_list in lists)

    def give(self, ranked: Iterable[Competitor], floors: Mapping[Key, int]) -> dict[Key, Award]:
        awards: dict[Key, Award] = {}
        for group in _group_by_rank(ranked):
            if len(group) > 1 and self.shared:
                awards |= self._share(group, floors)
            elif len(group) > 1:
                awards |= self._draw(group, floors)
            else:
                awards |= self._choose(group, floors)
        return awards

    def _lists(self, unit: Competitor) -> list[PrizeList]:
        return [row for row in self.contents if not row.category or row.category in unit.categories]

    def _next_contents(self, prize_list: PrizeList, count: int) -> dict[PrizePosition, _Content]:
        contents, begin = self.contents[prize_list], self.taken[prize_list] + 1
        return {
            PrizePosition(prize_list, number): contents[number]
            for number in range(begin, begin + count)
            if number in contents
        }

    def _draw(self, group: Sequence[Competitor], floors: Mapping[Key, int]) -> dict[Key, Award]:
        """Return the awards of tied units that choose in the order of their lot.

        If no lot was drawn, and the order of choice makes a difference, add the group to `open_lots`.
        """
        units = {unit.key: unit for unit in group}
        order = self.lots.get(frozenset(units))
        before = dict(self.taken)
        first_choices: dict[Key, Award] = {}
        for unit in group:
            first_choices |= self._choose([unit], floors)
            self.taken = dict(before)
        awards = self._choose([units[key] for key in order or units], floors)
        if all(_value_of(awards.get(key)) == _value_of(first_choices.get(key)) for key in units):
            return awards
        if order is None:
            self.open_lots.append(tuple(units))
        return {key: award._replace(by_lot=True) for key, award in awards.items()}

    def _choose(self, units: Iterable[Competitor], floors: Mapping[Key, int]) -> dict[Key, Award]:
        awards: dict[Key, Award] = {}
        for unit in units:
            lists = self._lists(unit)
            floor = floors.get(unit.key)
            offers = [item for prize_list in lists for item in self._next_contents(prize_list, 1).items()]
            offers = [offer for offer in offers if floor is None or offer[1].value > floor]
            if offers:
                position, content = max(offers, key=lambda offer: offer[1].value)  # the first of equal ones
                self.taken[position.prize_list] += 1
                awards[unit.key] = Award(unit.key, (position,), *content)
            elif floor is None:
                for prize_list in lists:
                    self.taken[prize_list] += 1
        return awards

    def _share(self, group: Sequence[Competitor], floors: Mapping[Key, int]) -> dict[Key, Award]:
        """Return the awards of tied units (players, pairs or teams) that share the amounts of each list among the units
        that choose it.

        A lot decides which unit gets the things. Units with the same categories share everything that they get
        together, so that all of them get the same, whichever list each unit was assigned to.
        """
        kinds = {unit.key: (tuple(self._lists(unit)), floors.get(unit.key)) for unit in group}
        order = self.lots.get(frozenset(kinds))
        choices = self._balance(kinds)
        amounts: dict[Key, int] = {}
        things: dict[Key, _Things] = {}
        by_lot: set[Key] = set()
        pools: dict[PrizeList, dict[PrizePosition, _Content]] = {}
        for prize_list in self.contents:
            keys = [key for key in order or kinds if choices[key] == prize_list]
            if keys:
                pools[prize_list] = contents = self._next_contents(prize_list, len(keys))
                amounts |= _split_among(keys, sum(row.amount for row in contents.values()))
                in_kind = [_Things(position, row.things, row.worth) for position, row in contents.items()]
                things |= _hand_out(keys, in_kind, by_lot)
                self.taken[prize_list] += len(keys)
        for key, (lists, floor) in kinds.items():
            if choices[key] is None and floor is None:
                for prize_list in lists:
                    self.taken[prize_list] += 1
        awards: dict[Key, Award] = {}
        for kind in dict.fromkeys(kinds.values()):
            keys = [key for key in order or kinds if kinds[key] == kind and key in amounts]
            own_lists = {choices[key] for key in keys}
            if len(own_lists) > 1:
                amounts |= _split_among(keys, sum(amounts[key] for key in keys))
                things |= _hand_out(keys, [things[key] for key in keys], by_lot)
            sharers = sum(choices[key] in own_lists for key in amounts)
            shared_positions = tuple(position for row in pools if row in own_lists for position in pools[row])
            for key in keys:
                prize = things[key]
                if amounts[key]:
                    award = Award(key, shared_positions, amounts[key], prize.things, prize.worth, sharers=sharers)
                elif prize.position and prize.things:
                    award = Award(key, (prize.position,), 0, prize.things, prize.worth)
                else:
                    continue
                awards[key] = award._replace(by_lot=key in by_lot)
        if by_lot and order is None:
            self.open_lots.append(tuple(kinds))
        return awards

    def _balance(self, kinds: Mapping[Key, _Kind]) -> dict[Key, PrizeList | None]:
        """Return the list that each tied unit chooses, so that no unit would gain by another choice.

        Each change of a choice raises the sum, over all lists, of the mean values for 1, 2, … units, so the changes
        come to an end. Units are sorted by their kind (lists and floor), so that the shares do not depend on names.
        """
        kind_order = sorted(set(kinds.values()), key=self._kind_key)
        keys = sorted(kinds, key=lambda key: kind_order.index(kinds[key]))
        choices: dict[Key, PrizeList | None] = dict.fromkeys(keys)
        counts = Counter[PrizeList]()
        is_stable = False
        while not is_stable:
            is_stable = True
            for key in keys:
                lists, floor = kinds[key]
                before = choices[key]
                best, best_share = before, Fraction(floor or 0)
                if before is not None:
                    best_share = self._share_of(before, counts[before])
                for prize_list in lists:
                    if prize_list != before and self._share_of(prize_list, counts[prize_list] + 1) > best_share:
                        best, best_share = prize_list, self._share_of(prize_list, counts[prize_list] + 1)
                if best != before and best is not None:
                    is_stable = False
                    counts[best] += 1
                    if before is not None:
                        counts[before] -= 1
                    choices[key] = best
        for prize_list in self.contents:
            # The next position may have no prize, or one without worth, but a later one of the group may have one.
            remaining_keys = [key for key, (lists, floor) in kinds.items() if prize_list in lists and floor is None]
            remaining_keys = [key for key in remaining_keys if choices[key] is None]
            count = counts[prize_list]
            if len(self._next_contents(prize_list, count + len(remaining_keys))) > len(
                self._next_contents(prize_list, count)
            ):
                choices |= dict.fromkeys(remaining_keys, prize_list)
        return choices

    def _kind_key(self, kind: _Kind) -> tuple[list[int], int]:
        order = list(self.contents)
        lists, floor = kind
        return [order.index(prize_list) for prize_list in lists], -1 if floor is None else floor

    def _share_of(self, prize_list: PrizeList, count: int) -> Fraction:
        return Fraction(sum(content.value for content in self._next_contents(prize_list, count).values()), count)


def _split_among(keys: Sequence[Key], amount: int) -> dict[Key, int]:
    return dict(zip(keys, split_evenly(amount, len(keys)), strict=True))


def _hand_out(keys: Sequence[Key], in_kind: Sequence[_Things], by_lot: set[Key]) -> dict[Key, _Things]:
    """Return the things of each unit: the first unit gets the most valuable things, and so on.

    If the things differ, the order of the units matters, and the units are added to `by_lot`.
    """
    rows = [*in_kind, *[_Things()] * (len(keys) - len(in_kind))]
    if len({row.things for row in rows}) > 1:
        by_lot.update(keys)
    return dict(zip(keys, sorted(rows, key=lambda row: (bool(row.things), row.worth), reverse=True), strict=True))


def _value_of(award: Award | None) -> tuple[int, tuple[str, ...]] | None:
    return (award.amount, award.things) if award else None


_Kind = tuple[tuple[PrizeList, ...], int | None]  # the lists of a unit, and its floor (value of the prize it has)
