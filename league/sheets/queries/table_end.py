"""Rules for the end of a table, on plain numbers."""

from collections.abc import Sequence


def deals_needed(deals_per_seat: int, size: int, *, one_player_rests: bool) -> int:
    """Return the number of deals after which each seat has played `deals_per_seat` deals."""
    return -(-deals_per_seat * size // (size - 1)) if one_player_rests else deals_per_seat


def has_one_leader(points: Sequence[int], target: int, sides: Sequence[Sequence[int]] = ()) -> bool:
    """Return whether one side has reached the target and is ahead of all others; after a tie, play continues.

    `sides` are seats that win together; without sides everyone plays alone.
    """
    totals = [points[side[0]] for side in sides] if sides else list(points)
    top = max(totals, default=0)
    return top >= target and totals.count(top) == 1


def is_complete(
    end: str,
    number: int | None,
    *,
    one_player_rests: bool,
    deals: int,
    points: Sequence[int],
    sides: Sequence[Sequence[int]] = (),
    by_totals: bool,
    finished: bool,
    counted_deals: int | None = None,
) -> bool:
    """Return whether the table is complete.

    `end` and `number` are the season's settings; `points` are the seats' totals; `counted_deals` is the number of deals
    that count for the end (default: all). A sheet entered by its totals is complete. A table that ends by time or by
    hand is complete when the secretary marks it as finished; the secretary may do so for any other table.
    """
    if by_totals:
        return True
    if not deals:
        return False  # even if the secretary marked it
    if finished:
        return True
    if end == "deals" and number is not None:
        needed = deals_needed(number, len(points), one_player_rests=one_player_rests)
        return (deals if counted_deals is None else counted_deals) >= needed
    if end == "target" and number is not None:
        return has_one_leader(points, number, sides)
    return False
