"""The effect of a swap of two players on the warnings of a draw. No Django."""

from collections.abc import Sequence
from typing import NamedTuple

from league.draw.draw_types import DrawWarning, Person, Seating, Wishes
from league.draw.draw_warnings import draw_warnings


class SwapEffect(NamedTuple):
    """The warnings that a swap of two players adds, and the warnings that it removes, in all rounds."""

    added: tuple[DrawWarning, ...]
    removed: tuple[DrawWarning, ...]


def swap_in_seating(seating: Seating, first: int, second: int) -> Seating:
    exchanged = {first: second, second: first}

    def exchange(players: Sequence[int]) -> tuple[int, ...]:
        return tuple(exchanged.get(player, player) for player in players)

    return seating._replace(
        tables=tuple(exchange(table) for table in seating.tables),
        resting=exchange(seating.resting),
        exempt=exchange(seating.exempt),
    )


def swap_effect(
    seatings: Sequence[Seating], round_number: int, first: int, second: int, wishes: Wishes, people: Sequence[Person]
) -> SwapEffect:
    """Return the warnings, in all rounds, that the swap of two players in round `round_number` adds and removes."""
    before = draw_warnings(seatings, wishes, people, ())
    swapped = [
        swap_in_seating(seating, first, second) if seating.number == round_number else seating for seating in seatings
    ]
    after = draw_warnings(swapped, wishes, people, ())
    return SwapEffect(
        tuple(warning for warning in after if warning not in before),
        tuple(warning for warning in before if warning not in after),
    )
