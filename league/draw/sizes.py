"""The table sizes for a number of people. No Django.

As many people as possible are seated. Among the possible sizes, the module chooses the smallest sum of squared
distances from the usual size, then the fewest tables below the usual size (clubs like tables of three least), then the
fewest tables. With the sizes 3, 4 and 5:

    6 = 3+3   7 = 4+3   9 = 4+5   10 = 5+5   11 = 4+4+3   13 = 4+4+5   14 = 4+5+5   15 = 4+4+4+3
"""

from collections.abc import Sequence

from league.draw.draw_types import ImpossibleDraw

USUAL_TABLE_SIZE = 4


def usual_size(sizes: Sequence[int]) -> int:
    """Return the usual table size: 4 if `sizes` has it, else the size nearest to 4. If two sizes are equally near,
    return the larger size. `sizes` is not empty.
    """
    return min(sizes, key=lambda size: (abs(size - USUAL_TABLE_SIZE), -size))


def table_sizes(people: int, sizes: Sequence[int], *, round_number: int) -> tuple[int, ...]:
    """Return the sizes of the tables for this number of people, smallest first. `sizes` are the allowed sizes. If there
    are fewer seats than people, the others rest.

    Raise ImpossibleDraw with `round_number`, and with the code "no_sizes" (`sizes` is empty, or has a size below 2) or
    "too_few".
    """
    if not sizes or min(sizes) < 2:
        raise ImpossibleDraw("no_sizes", round_number)
    usual = usual_size(sizes)
    best_by_people: dict[int, tuple[tuple[int, int, int], tuple[int, ...]]] = {0: ((0, 0, 0), ())}
    for seated in range(1, people + 1):
        options = []
        for size in sorted(set(sizes)):
            if seated - size in best_by_people:
                (distance, below, tables), smaller = best_by_people[seated - size]
                rank = (distance + (size - usual) ** 2, below + (size < usual), tables + 1)
                options.append((rank, tuple(sorted((*smaller, size)))))
        if options:
            best_by_people[seated] = min(options)
    seated = max(best_by_people)
    if seated == 0:
        raise ImpossibleDraw("too_few", round_number)
    return best_by_people[seated][1]
