"""When a table is complete. Pure: knows numbers, not rows."""

from collections.abc import Sequence


def deals_needed(number: int, size: int, *, one_rests: bool) -> int:
    """Return how many deals a table plays so that each seat plays `number`: more of them where one sits each out."""
    return -(-number * size // (size - 1)) if one_rests else number


def has_one_leader(points: Sequence[int], target: int, sides: Sequence[Sequence[int]] = ()) -> bool:
    """Return whether one side's total has reached the target and is above all others. Tied at the top: play on.

    `sides` are the seats that are placed together; without any everyone plays alone.
    """
    totals = [points[side[0]] for side in sides] if sides else list(points)
    top = max(totals, default=0)
    return top >= target and totals.count(top) == 1


def is_complete(
    end: str,
    number: int | None,
    *,
    one_rests: bool,
    deals: int,
    points: Sequence[int],
    sides: Sequence[Sequence[int]] = (),
    by_totals: bool,
    finished: bool,
) -> bool:
    """Return whether nothing more is expected of a table.

    `end` and `number` are the season's; `points` are the seats' totals; a sheet handed in by its totals is complete.
    A table that ends after a time, or by hand, is complete when the secretary says so, and any other may be.
    """
    if by_totals:
        return True
    if not deals:
        return False  # nothing was played that could count, whatever was said of the table
    if finished:
        return True
    if end == "deals" and number is not None:
        return deals >= deals_needed(number, len(points), one_rests=one_rests)
    if end == "target" and number is not None:
        return has_one_leader(points, number, sides)
    return False
