"""Computes the prizes of the units (players, pairs or teams) of a tournament. Each unit gets at most one prize, the
most valuable. Amounts are cents.

A list of prizes is for all units or for one category. Units choose in the order of their ranks. The position of a unit
in a list is 1 + the number of units before it that have no prize from another list: if a unit takes a more valuable
prize of another list, the following units move up. Lists that count from the last rank are given first; a unit takes a
prize of such a list only if its other prize is worth less.

Units with the same rank either share the amounts of their positions and get the things (prizes that are not money) by
lot, or they choose in the order of a lot.

Some functions get `floors`: the value of the prize that a unit already has from another list, by unit. The unit takes
only a more valuable prize.
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

    The positions of the list count from the first rank of the ranking, or with `from_last` from the last rank.
    """

    category: str = ""
    from_last: bool = False


class Prize(NamedTuple):
    """A prize for each of the positions `first` to `last` of a list of prizes. `amount` is money, in cents.

    `thing` is a prize that is not money, and `worth` its value in cents. The worth is compared with amounts, but not
    paid.
    """

    prize_list: PrizeList
    first: int
    last: int
    amount: int = 0
    thing: str = ""
    worth: int = 0


class Competitor(NamedTuple):
    """A unit (player, pair or team) with its rank in the tournament, and the categories whose prizes it can get."""

    key: Key
    rank: int
    categories: frozenset[str] = frozenset()


class PrizePosition(NamedTuple):
    """A position in a list of prizes, from 1."""

    prize_list: PrizeList
    number: int


class Award(NamedTuple):
    """The prize that a unit (player, pair or team) gets. If several units share the prizes of `positions`, `sharers` is
    their number, and `amount` the unit's share.

    `by_lot`: a lot decided which of several tied units gets this prize.
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


class _PositionPrizes(NamedTuple):
    """The prizes of a position in a list."""

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
    """Return the keys sorted by the SHA-256 of "SEED KEY", so that anyone can repeat the lot with another program."""
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
    part, remainder = divmod(amount, count)
    return [part + (index < remainder) for index in range(count)]


def allocate(prizes: Sequence[Prize], competitors: Sequence[Competitor], *, shared: bool, lots: Lots) -> Allocation:
    """Return the awards of the units, and the lots that must still be drawn. `lots` has the drawn lots.

    If `shared`, units (players, pairs or teams) with the same rank share their amounts. Things (prizes that are not
    money) are never shared: a lot decides.
    """
    from_first = _prizes_by_position(prize for prize in prizes if not prize.prize_list.from_last)
    from_last = _prizes_by_position(prize for prize in prizes if prize.prize_list.from_last)
    ranked = sorted(competitors, key=lambda competitor: competitor.rank)
    forward = _Distribution(from_first, shared, lots)
    awards = forward.give_awards(ranked, {})
    backward = _Distribution(from_last, shared, lots)
    last: dict[Key, Award] = {}
    for group in _group_by_rank(ranked)[::-1]:
        if not backward.has_prizes_left(group):
            continue
        new = backward.give_awards(group, {key: award.amount + award.worth for key, award in awards.items()})
        if new:
            last |= new
            forward = _Distribution(from_first, shared, lots)
            awards = forward.give_awards([unit for unit in ranked if unit.key not in last], {})
    awards |= last
    open_lots = list(dict.fromkeys(forward.open_lots + backward.open_lots))
    return Allocation({unit.key: awards[unit.key] for unit in ranked if unit.key in awards}, open_lots)


def _group_by_rank(ranked: Iterable[Competitor]) -> list[list[Competitor]]:
    return [list(group) for _rank, group in groupby(ranked, key=lambda competitor: competitor.rank)]


def _prizes_by_position(prizes: Iterable[Prize]) -> dict[PrizeList, dict[int, _PositionPrizes]]:
    """Return the prizes of each position, by list. Several prizes for the same position are added."""
    contents: dict[PrizeList, dict[int, _PositionPrizes]] = {}
    for prize in prizes:
        positions = contents.setdefault(prize.prize_list, {})
        for number in range(prize.first, prize.last + 1):
            before = positions.get(number, _PositionPrizes(0, (), 0))
            things = (*before.things, prize.thing) if prize.thing else before.things
            positions[number] = _PositionPrizes(before.amount + prize.amount, things, before.worth + prize.worth)
    return contents


class _Distribution:
    """Gives the prizes of some lists to one group of units (players, pairs or teams) after the other; the units of a
    group have the same rank.
    """

    def __init__(self, contents: Mapping[PrizeList, Mapping[int, _PositionPrizes]], shared: bool, lots: Lots) -> None:
        self.prizes_by_list = contents
        self.shared = shared
        self.lots = lots
        self.given_counts = dict.fromkeys(contents, 0)  # by list: the number of positions given so far
        self.open_lots: list[tuple[Key, ...]] = []

    def has_prizes_left(self, units: Iterable[Competitor]) -> bool:
        lists = {prize_list for unit in units for prize_list in self._lists_of(unit)}
        return any(max(self.prizes_by_list[prize_list]) > self.given_counts[prize_list] for prize_list in lists)

    def give_awards(self, ranked: Iterable[Competitor], floors: Mapping[Key, int]) -> dict[Key, Award]:
        awards: dict[Key, Award] = {}
        for group in _group_by_rank(ranked):
            if len(group) > 1 and self.shared:
                awards |= self._award_shares(group, floors)
            elif len(group) > 1:
                awards |= self._award_by_lot(group, floors)
            else:
                awards |= self._award_in_order(group, floors)
        return awards

    def _lists_of(self, unit: Competitor) -> list[PrizeList]:
        return [row for row in self.prizes_by_list if not row.category or row.category in unit.categories]

    def _next_positions(self, prize_list: PrizeList, count: int) -> dict[PrizePosition, _PositionPrizes]:
        contents, begin = self.prizes_by_list[prize_list], self.given_counts[prize_list] + 1
        return {
            PrizePosition(prize_list, number): contents[number]
            for number in range(begin, begin + count)
            if number in contents
        }

    def _award_by_lot(self, group: Sequence[Competitor], floors: Mapping[Key, int]) -> dict[Key, Award]:
        """Return the awards of tied units that choose in the order of their lot.

        If no lot was drawn, they choose in the order of `group`. If then the order makes a difference, add the group to
        `open_lots`.
        """
        units = {unit.key: unit for unit in group}
        order = self.lots.get(frozenset(units))
        before = dict(self.given_counts)
        first_choices: dict[Key, Award] = {}
        for unit in group:
            first_choices |= self._award_in_order([unit], floors)
            self.given_counts = dict(before)
        awards = self._award_in_order([units[key] for key in order or units], floors)
        if all(_award_value(awards.get(key)) == _award_value(first_choices.get(key)) for key in units):
            return awards
        if order is None:
            self.open_lots.append(tuple(units))
        return {key: award._replace(by_lot=True) for key, award in awards.items()}

    def _award_in_order(self, units: Iterable[Competitor], floors: Mapping[Key, int]) -> dict[Key, Award]:
        """Return the awards of units that choose one after the other, each the most valuable prize.

        If no list has a prize for a unit without a floor, the unit still uses up a position of each of its lists.
        """
        awards: dict[Key, Award] = {}
        for unit in units:
            lists = self._lists_of(unit)
            floor = floors.get(unit.key)
            offers = [item for prize_list in lists for item in self._next_positions(prize_list, 1).items()]
            offers = [offer for offer in offers if floor is None or offer[1].value > floor]
            if offers:
                position, content = max(offers, key=lambda offer: offer[1].value)  # the first of equal ones
                self.given_counts[position.prize_list] += 1
                awards[unit.key] = Award(unit.key, (position,), *content)
            elif floor is None:
                for prize_list in lists:
                    self.given_counts[prize_list] += 1
        return awards

    def _award_shares(self, group: Sequence[Competitor], floors: Mapping[Key, int]) -> dict[Key, Award]:
        """Return the awards of tied units (players, pairs or teams) that share the amounts of each list among the units
        that choose it.

        A lot decides which unit gets the things. Units with the same categories share everything that they get
        together, so that all of them get the same, whichever list each unit was assigned to.
        """
        eligibilities = {unit.key: (tuple(self._lists_of(unit)), floors.get(unit.key)) for unit in group}
        order = self.lots.get(frozenset(eligibilities))
        choices = self._choose_lists(eligibilities)
        amounts: dict[Key, int] = {}
        things: dict[Key, _Things] = {}
        by_lot: set[Key] = set()
        pools: dict[PrizeList, dict[PrizePosition, _PositionPrizes]] = {}
        for prize_list in self.prizes_by_list:
            keys = [key for key in order or eligibilities if choices[key] == prize_list]
            if keys:
                pools[prize_list] = contents = self._next_positions(prize_list, len(keys))
                amounts |= _split_among(keys, sum(row.amount for row in contents.values()))
                things_by_position = [_Things(position, row.things, row.worth) for position, row in contents.items()]
                things |= _assign_things(keys, things_by_position, by_lot)
                self.given_counts[prize_list] += len(keys)
        for key, (lists, floor) in eligibilities.items():
            if choices[key] is None and floor is None:
                for prize_list in lists:
                    self.given_counts[prize_list] += 1
        awards: dict[Key, Award] = {}
        for eligibility in dict.fromkeys(eligibilities.values()):
            keys = [key for key in order or eligibilities if eligibilities[key] == eligibility and key in amounts]
            own_lists = {choices[key] for key in keys}
            if len(own_lists) > 1:
                amounts |= _split_among(keys, sum(amounts[key] for key in keys))
                things |= _assign_things(keys, [things[key] for key in keys], by_lot)
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
            self.open_lots.append(tuple(eligibilities))
        return awards

    def _choose_lists(self, eligibilities: Mapping[Key, _Eligibility]) -> dict[Key, PrizeList | None]:
        """Return the list that each tied unit chooses, so that no unit would gain by another choice; None if the unit
        chooses no list. `eligibilities` has the lists and the floor of each unit.

        Each change of a choice raises the sum, over all lists, of the mean values for 1, 2, … units, so the changes
        come to an end. Units are sorted by their lists and floor, so that the shares do not depend on names.
        """
        eligibility_order = sorted(set(eligibilities.values()), key=self._eligibility_sort_key)
        keys = sorted(eligibilities, key=lambda key: eligibility_order.index(eligibilities[key]))
        choices: dict[Key, PrizeList | None] = dict.fromkeys(keys)
        counts = Counter[PrizeList]()
        is_stable = False
        while not is_stable:
            is_stable = True
            for key in keys:
                lists, floor = eligibilities[key]
                before = choices[key]
                best, best_share = before, Fraction(floor or 0)
                if before is not None:
                    best_share = self._mean_value(before, counts[before])
                for prize_list in lists:
                    if prize_list != before and self._mean_value(prize_list, counts[prize_list] + 1) > best_share:
                        best, best_share = prize_list, self._mean_value(prize_list, counts[prize_list] + 1)
                if best != before and best is not None:
                    is_stable = False
                    counts[best] += 1
                    if before is not None:
                        counts[before] -= 1
                    choices[key] = best
        for prize_list in self.prizes_by_list:
            # The next position may have no prize, or one without worth, but a later one of the group may have one.
            remaining_keys = [
                key for key, (lists, floor) in eligibilities.items() if prize_list in lists and floor is None
            ]
            remaining_keys = [key for key in remaining_keys if choices[key] is None]
            count = counts[prize_list]
            if len(self._next_positions(prize_list, count + len(remaining_keys))) > len(
                self._next_positions(prize_list, count)
            ):
                choices |= dict.fromkeys(remaining_keys, prize_list)
        return choices

    def _eligibility_sort_key(self, eligibility: _Eligibility) -> tuple[list[int], int]:
        order = list(self.prizes_by_list)
        lists, floor = eligibility
        return [order.index(prize_list) for prize_list in lists], -1 if floor is None else floor

    def _mean_value(self, prize_list: PrizeList, count: int) -> Fraction:
        """Return the share of each unit if `count` units choose the list: the mean value of its next positions."""
        return Fraction(sum(content.value for content in self._next_positions(prize_list, count).values()), count)


def _split_among(keys: Sequence[Key], amount: int) -> dict[Key, int]:
    return dict(zip(keys, split_evenly(amount, len(keys)), strict=True))


def _assign_things(keys: Sequence[Key], things_by_position: Sequence[_Things], by_lot: set[Key]) -> dict[Key, _Things]:
    """Return the things of each unit: the first unit gets the most valuable things, and so on.

    If the things differ, the order of the units matters: all `keys` are then added to the set `by_lot`.
    """
    rows = [*things_by_position, *[_Things()] * (len(keys) - len(things_by_position))]
    if len({row.things for row in rows}) > 1:
        by_lot.update(keys)
    return dict(zip(keys, sorted(rows, key=lambda row: (bool(row.things), row.worth), reverse=True), strict=True))


def _award_value(award: Award | None) -> tuple[int, tuple[str, ...]] | None:
    return (award.amount, award.things) if award else None


_Eligibility = tuple[tuple[PrizeList, ...], int | None]  # the lists for a unit, and its floor (None if it has no prize)
