"""Which table sizes a number of people sit at. Pure.

Few rest before anything else: the most people that the sizes allow are seated. Of the ways to seat them, the one whose
tables are nearest the usual size counts: the least sum of squared distances from it. Of equals the one with fewer
tables below the usual size, since a table of three is what clubs like least, then with fewer tables. With 3, 4 and 5:

    6 = 3+3   7 = 4+3   9 = 4+5   10 = 5+5   11 = 4+4+3   13 = 4+4+5   14 = 4+5+5   15 = 4+4+4+3
"""

from collections.abc import Sequence

from league.draw.terms import ImpossibleDraw

FOUR = 4


def usual_size(sizes: Sequence[int]) -> int:
    """Return four where it is allowed, else the nearest to it, the larger of two. `sizes` is not empty."""
    return min(sizes, key=lambda size: (abs(size - FOUR), -size))


def table_sizes(people: int, sizes: Sequence[int], *, number: int) -> tuple[int, ...]:
    """Return the sizes of the tables, smallest first.

    Whoever they leave over rests. `number` is the round's, for errors.

    Raises ImpossibleDraw "no_sizes" or "too_few".
    """
    if not sizes or min(sizes) < 2:
        raise ImpossibleDraw("no_sizes", number)
    usual = usual_size(sizes)
    best: dict[int, tuple[tuple[int, int, int], tuple[int, ...]]] = {0: ((0, 0, 0), ())}
    for seated in range(1, people + 1):
        ways = []
        for size in sorted(set(sizes)):
            if seated - size in best:
                (distance, below, tables), others = best[seated - size]
                rank = (distance + (size - usual) ** 2, below + (size < usual), tables + 1)
                ways.append((rank, tuple(sorted((*others, size)))))
        if ways:
            best[seated] = min(ways)
    seated = max(best)
    if seated == 0:
        raise ImpossibleDraw("too_few", number)
    return best[seated][1]
