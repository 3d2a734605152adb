"""Handfuls in a deal of tarot: trumps that a player shows for a bonus."""

from typing import Any, NamedTuple

from scoring.games.tarot.cards import HANDFUL_POINTS, TRUMPS, TRUMPS_OF_HANDFUL
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import checked_object, items, seat, word

HANDFUL_KEYS = frozenset({"seat", "size"})
HANDFUL_SIZES = tuple(HANDFUL_POINTS)


class Handful(NamedTuple):
    """A handful that a player showed. `size` is "simple", "double" or "triple"."""

    seat: int
    size: str


def read(value: object, seats: int) -> tuple[Handful, ...]:
    """Read the handfuls of the facts. Raise IllegalDeal if the JSON is wrong, if a seat has two handfuls, or if all
    handfuls together need more trumps than the pack has.
    """
    if value is None or value == []:
        return ()
    handfuls: dict[int, Handful] = {}
    for number, raw in enumerate(items(value, "handfuls")):
        handful = _read_handful(raw, number, seats)
        if handful.seat in handfuls:
            raise IllegalDeal(f"handfuls.{number}.seat", "handful_twice", {"seat": handful.seat})
        handfuls[handful.seat] = handful
    needed = sum([TRUMPS_OF_HANDFUL[seats][handful.size] for handful in handfuls.values()])
    if needed > TRUMPS:
        raise IllegalDeal("handfuls", "handfuls_need_trumps", {"given": needed, "most": TRUMPS})
    return tuple(handfuls.values())


def _read_handful(raw: Any, number: int, seats: int) -> Handful:
    if type(raw) is dict and len(raw) == 2:
        player, size = raw.get("seat"), raw.get("size")
        if type(player) is int and 0 <= player < seats and type(size) is str and size in HANDFUL_POINTS:
            return Handful(player, size)
    name = f"handfuls.{number}"
    checked_object(raw, name, HANDFUL_KEYS, HANDFUL_KEYS)
    return Handful(seat(raw["seat"], f"{name}.seat", seats), word(raw["size"], f"{name}.size", HANDFUL_SIZES))
