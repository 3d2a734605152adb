"""The piles of a deal "one for one" (without a taker): a pile has the cards that one seat, or one team, won."""

from collections.abc import Callable, Mapping
from itertools import permutations
from operator import itemgetter
from typing import Any, NamedTuple

from scoring.games.tarot.cards import CHARACTERS, HALF_POINTS_BY_POINTS, OUDLER_HALF_POINTS, POINTS_NEEDED
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import checked_object, integer, items, quote, read_half_points, word

VALUE_KEYS = ("points", "oudlers", "tricks", "characters", "first_trick")
PILE_KEYS = frozenset(VALUE_KEYS)
REQUIRED_KEYS = frozenset({"points", "oudlers", "tricks"})
CHARACTER_KEYS = frozenset(CHARACTERS)
NO_CHARACTERS = (0, 0, 0, 0)

# A pile's oudlers as bits of a number, by their strength (document 000: 21, Excuse, Small).
OUDLER_BITS: Mapping[str, int] = {"21": 4, "excuse": 2, "small": 1}
OUDLERS = tuple(OUDLER_BITS)
OUDLER_BITS_BY_NAMES = {
    names: sum(map(OUDLER_BITS.__getitem__, names))
    for number in range(4)
    for names in permutations(OUDLER_BITS, number)
}
EXCUSE, SMALL = OUDLER_BITS["excuse"], OUDLER_BITS["small"]
OUDLER_COUNTS = tuple(bits.bit_count() for bits in range(8))
# Half points that a pile needs, and the sort key of its oudlers, by the sum of their bits.
HALF_LIMITS = tuple(2 * POINTS_NEEDED[number] for number in OUDLER_COUNTS)
OUDLER_STRENGTHS = tuple(8 * OUDLER_COUNTS[bits] + bits for bits in range(8))  # sorts by number, then by bits; below 32

_get_character_counts: Callable[[Any], tuple[int, ...]] = itemgetter(*CHARACTERS)
_get_pile_values: Callable[[Any], tuple[Any, ...]] = itemgetter(*VALUE_KEYS)
_new_tuple = tuple.__new__  # faster than the constructor of a named tuple; a deal has up to 6 piles


class Pile(NamedTuple):
    """The cards that a seat or team won.

    `oudlers` is a sum of OUDLER_BITS; `tricks` is the number of tricks. `characters` has the numbers of kings, queens,
    knights and jacks, or is None if they are unknown. `first_trick` is the number of the first trick won, from 1.
    """

    half_points: int
    oudlers: int
    tricks: int
    characters: tuple[int, ...] | None
    first_trick: int | None

    @property
    def half_difference(self) -> int:
        """The pile's points minus the points that a pile with its oudlers needs, in half points (document 000)."""
        return self.half_points - HALF_LIMITS[self.oudlers]


class AllPiles(NamedTuple):
    """All piles of a deal, the sums of their half points and of their tricks, and the largest number of tricks of a
    pile.
    """

    piles: tuple[Pile, ...]
    half_points: int
    tricks: int
    max_pile_tricks: int


def read(value: object, count: int) -> AllPiles:
    """Return `count` piles from the JSON `value`. Raise IllegalDeal with the field "piles" or "piles.INDEX.…".

    Usual piles are read by a fast function. If that function fails, the piles are read again value by value, to find
    the first error.
    """
    if type(value) is list and len(value) == count:
        try:
            piles = _read_fast(value)
        except (IllegalDeal, KeyError, TypeError):
            piles = None
        if piles is not None:
            return piles
    return _read_each_value(value, count)


def _read_fast(value: list[Any]) -> AllPiles | None:
    """Return the piles if each has all five keys and usual values.

    Return None, or raise IllegalDeal, KeyError or TypeError, if the piles must be read value by value.
    """
    piles: list[Pile] = []
    all_half_points = all_tricks = max_pile_tricks = all_kings = all_queens = all_knights = all_jacks = 0
    all_bits = seen_bits = all_firsts = 0
    first_tricks = set()
    for raw in value:
        points, oudlers, tricks, characters, first_trick = _get_pile_values(raw)
        kings, queens, knights, jacks = counts = (
            _get_character_counts(characters) if characters is not None else NO_CHARACTERS
        )
        if not (
            (type(points) is float or type(points) is int)
            and type(oudlers) is list
            and type(tricks) is type(kings) is type(queens) is type(knights) is type(jacks) is int
            and tricks | kings | queens | knights | jacks >= 0  # none is negative
            and (first_trick is None or (type(first_trick) is int and first_trick >= 0))
            and len(raw) == 5
            and (characters is None or len(characters) == 4)
        ):
            return None
        half_points = HALF_POINTS_BY_POINTS[points]
        bits = 0
        if oudlers:
            bits = OUDLER_BITS_BY_NAMES[tuple(oudlers)]
            all_bits += bits
            seen_bits |= bits
        pile = _new_tuple(Pile, (half_points, bits, tricks, counts if characters is not None else None, first_trick))
        if tricks == 0:
            _check_without_trick(pile, len(piles))
        elif tricks > max_pile_tricks:
            max_pile_tricks = tricks
        if first_trick is not None:
            first_tricks.add(first_trick)
            all_firsts += 1
        all_half_points += half_points
        all_tricks += tricks
        all_kings += kings
        all_queens += queens
        all_knights += knights
        all_jacks += jacks
        piles.append(pile)
    if all_kings > 4 or all_queens > 4 or all_knights > 4 or all_jacks > 4:
        return None
    if all_bits != seen_bits or all_firsts != len(first_tricks):
        return None  # an oudler or a first trick is in two piles
    return _new_tuple(AllPiles, (tuple(piles), all_half_points, all_tricks, max_pile_tricks))


def _read_each_value(value: object, count: int) -> AllPiles:
    """Return the piles. Raise IllegalDeal for the first value that is wrong."""
    piles = []
    oudlers_seen = kings = queens = knights = jacks = 0
    all_half_points = all_tricks = max_pile_tricks = 0
    first_tricks = set()
    for index, raw in enumerate(items(value, "piles", count)):
        half_points, oudlers, tricks, characters, first_trick = pile = _read_pile(raw, index)
        all_half_points += half_points
        all_tricks += tricks
        if tricks > max_pile_tricks:
            max_pile_tricks = tricks
        if oudlers:
            if oudlers_seen & oudlers:
                _raise_oudler_twice(oudlers_seen & oudlers, index)
            oudlers_seen |= oudlers
        if characters is not None:
            k, q, n, j = characters
            kings += k
            queens += q
            knights += n
            jacks += j
            if kings > 4 or queens > 4 or knights > 4 or jacks > 4:
                _raise_too_many_characters((kings, queens, knights, jacks), index)
        if first_trick is not None:
            if first_trick in first_tricks:
                raise IllegalDeal(f"piles.{index}.first_trick", "first_trick_twice", {"given": quote(first_trick)})
            first_tricks.add(first_trick)
        piles.append(pile)
    return _new_tuple(AllPiles, (tuple(piles), all_half_points, all_tricks, max_pile_tricks))


def _read_pile(raw: Any, index: int) -> Pile:
    points, oudlers, tricks, characters, first_trick = _pile_values(raw, index)
    half_points = HALF_POINTS_BY_POINTS.get(points) if type(points) is float or type(points) is int else None
    if half_points is None:
        half_points = _read_half_points(points, index)
    if type(tricks) is not int or tricks < 0:
        integer(tricks, f"piles.{index}.tricks")
    if first_trick is not None and (type(first_trick) is not int or first_trick < 0):
        integer(first_trick, f"piles.{index}.first_trick")
    bits = 0 if oudlers == [] else _read_oudlers(oudlers, index)
    counts = None if characters is None else _read_characters(characters, index)
    pile = _new_tuple(Pile, (half_points, bits, tricks, counts, first_trick))
    if tricks == 0:
        _check_without_trick(pile, index)
    return pile


def _pile_values(raw: Any, index: int) -> tuple[Any, ...]:
    """Return the values of a pile in the order of VALUE_KEYS, with None for a missing value."""
    if type(raw) is dict and len(raw) == 5:
        try:
            return _get_pile_values(raw)
        except KeyError:
            pass  # another key
    if type(raw) is not dict or not PILE_KEYS.issuperset(raw):
        checked_object(raw, f"piles.{index}", REQUIRED_KEYS, PILE_KEYS)
    return tuple(map(raw.get, VALUE_KEYS))


def _read_half_points(points: object, index: int) -> int:
    """Return points as half points. There is no maximum here, because the sum of all piles is checked later."""
    half_points = read_half_points(points, f"piles.{index}.points")
    if half_points < 0:
        raise IllegalDeal(f"piles.{index}.points", "too_small", {"given": quote(points), "least": 0})
    return half_points


def _read_oudlers(value: object, index: int) -> int:
    bits = 0
    for number, name in enumerate(value if type(value) is list else items(value, f"piles.{index}.oudlers")):
        if type(name) is not str or name not in OUDLER_BITS:
            word(name, f"piles.{index}.oudlers.{number}", OUDLERS)
        if bits & OUDLER_BITS[name]:
            _raise_oudler_twice(OUDLER_BITS[name], index)
        bits |= OUDLER_BITS[name]
    return bits


def _read_characters(value: Any, index: int) -> tuple[int, ...]:
    if type(value) is dict and len(value) == 4 and CHARACTER_KEYS.issuperset(value):
        kings, queens, knights, jacks = counts = _get_character_counts(value)
        if type(kings) is type(queens) is type(knights) is type(jacks) is int and kings | queens | knights | jacks >= 0:
            return counts
    name = f"piles.{index}.characters"
    checked_object(value, name, CHARACTER_KEYS, CHARACTER_KEYS)
    return tuple([integer(value[kind], f"{name}.{kind}") for kind in CHARACTERS])


def _check_without_trick(pile: Pile, index: int) -> None:
    """Check that a pile without a trick has no cards except the Excuse. Raise IllegalDeal.

    The player of the Excuse may keep it without winning a trick.
    """
    if pile.half_points and (pile.half_points != OUDLER_HALF_POINTS or pile.oudlers != EXCUSE):
        raise IllegalDeal(f"piles.{index}.points", "points_without_trick", {"points": points_text(pile.half_points)})
    if pile.first_trick is not None:
        raise IllegalDeal(f"piles.{index}.first_trick", "first_without_trick", {"given": quote(pile.first_trick)})
    if pile.characters is not None and any(pile.characters):
        raise IllegalDeal(
            f"piles.{index}.characters", "characters_without_trick", {"given": quote(sum(pile.characters))}
        )


def _raise_oudler_twice(repeated: int, index: int) -> None:
    oudler = next(name for name, bit in OUDLER_BITS.items() if repeated & bit)
    raise IllegalDeal(f"piles.{index}.oudlers", "oudler_twice", {"oudler": oudler})


def _raise_too_many_characters(totals: tuple[int, ...], index: int) -> None:
    kind, count = next((kind, count) for kind, count in zip(CHARACTERS, totals, strict=True) if count > 4)
    raise IllegalDeal(
        f"piles.{index}.characters.{kind}", "too_many_characters", {"given": quote(count), "most": 4, "kind": kind}
    )


def points_text(half_points: int) -> str:
    """Return half points as text in points: "10.5". `quote` limits the length of a huge number."""
    whole_points, half = divmod(half_points, 2)
    return quote(whole_points) + (".5" if half else "")
