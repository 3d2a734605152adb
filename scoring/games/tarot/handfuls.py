"""Handfuls shown in a deal, of either kind."""

from typing import Any, NamedTuple

from scoring.games.tarot.cards import SIZES, TRUMPS, TRUMPS_OF_HANDFUL
from scoring.rules.errors import IllegalDeal
from scoring.rules.reading import items, keyed, seat, word

KEYS = frozenset({"seat", "size"})
WORDS_OF_SIZE = tuple(SIZES)


class Handful(NamedTuple):
    """Who showed how many trumps: size is "simple", "double" or "triple"."""

    seat: int
    size: str


def read(value: object, seats: int) -> tuple[Handful, ...]:
    """Return handfuls of a deal in the order given; null is none.

    IllegalDeal on "handfuls" or "handfuls.I.…": wrong shapes, two by one seat, more trumps than there are.
    """
    if value is None or value == []:
        return ()
    shown: dict[int, Handful] = {}
    for number, each in enumerate(items(value, "handfuls")):
        handful = _handful(each, number, seats)
        if handful.seat in shown:
            raise IllegalDeal(f"handfuls.{number}.seat", "handful_twice", {"seat": handful.seat})
        shown[handful.seat] = handful
    needed = sum([TRUMPS_OF_HANDFUL[seats][handful.size] for handful in shown.values()])
    if needed > TRUMPS:
        raise IllegalDeal("handfuls", "handfuls_need_trumps", {"given": needed, "most": TRUMPS})
    return tuple(shown.values())


def _handful(raw: Any, number: int, seats: int) -> Handful:
    if type(raw) is dict and len(raw) == 2:
        shown_by, size = raw.get("seat"), raw.get("size")
        if type(shown_by) is int and 0 <= shown_by < seats and type(size) is str and size in SIZES:
            return Handful(shown_by, size)
    name = f"handfuls.{number}"
    keyed(raw, name, KEYS, KEYS)
    return Handful(seat(raw["seat"], f"{name}.seat", seats), word(raw["size"], f"{name}.size", WORDS_OF_SIZE))
